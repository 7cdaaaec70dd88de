// A page as it waits for its batch: the row that will be written, its long texts as UTF-8 outside of the
// JavaScript heap. A page waits longer than the young generation lives, so as strings its texts would be copied
// twice and then be collected with everything else, which costs more than writing them.
import type { SQLInputValue } from 'node:sqlite'
import { type NewPage, type PageFields, type PageParts, STORED_PARTS } from '../../core/page.ts'
import { LONG_COLUMNS, PAGE_COLUMNS, pageToRow, partTexts } from '../page-columns.ts'

/** UTF-8 has at most so many bytes for a character of a string. */
const MOST_BYTES = 3
const SCRATCH_BYTES = 512 * 1024

/** Where the texts of one page are put together before they get memory of their own. */
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)

/** The texts can still be read: each time, they become strings again. */
export class PackedPage implements NewPage {
  readonly fields: PageFields
  readonly html: Uint8Array | null
  /** The values of PAGE_COLUMNS; the writer adds the crawl and the page that it duplicates. */
  readonly row: readonly SQLInputValue[]
  /** The values of STORED_PARTS. */
  readonly partsRow: readonly SQLInputValue[]

  constructor({ fields, parts, html }: NewPage) {
    const row: SQLInputValue[] = pageToRow(0, null, fields)
    const long = LONG_COLUMNS.map((column) => PAGE_COLUMNS.indexOf(column))
    const texts = partTexts(parts)
    const packed = pack([...long.map((at) => row[at]), ...texts])
    long.forEach((at, nth) => {
      row[at] = packed[nth] ?? null
    })
    const [about, contentText, markdown] = packed
    this.row = row
    this.partsRow = packed.slice(long.length)
    this.html = html
    this.fields = {
      ...fields,
      get about() {
        return textOf(about)
      },
      get contentText() {
        return textOf(contentText)
      },
      get markdown() {
        return textOf(markdown)
      },
    }
  }

  get parts(): PageParts {
    const known = STORED_PARTS.map((part, at) => [part, this.partsRow[at] ?? null] as const)
    return Object.fromEntries(
      known.filter(([, json]) => json !== null).map(([part, json]) => [part, textOf(json)]),
    )
  }
}

/** Strings become bytes, all in one buffer; other values stay. */
function pack(values: readonly (SQLInputValue | undefined)[]): SQLInputValue[] {
  let most = 0
  for (const value of values) if (typeof value === 'string') most += MOST_BYTES * value.length
  const room = most > SCRATCH_BYTES ? Buffer.allocUnsafeSlow(most) : scratch
  const ends: number[] = []
  let end = 0
  for (const value of values) {
    if (typeof value === 'string') end += room.write(value, end)
    ends.push(end)
  }
  const own = Buffer.allocUnsafeSlow(end)
  room.copy(own, 0, 0, end)
  return values.map((value, at) => {
    if (typeof value !== 'string') return value ?? null
    return own.subarray(ends[at - 1] ?? 0, ends[at])
  })
}

function textOf(value: SQLInputValue | undefined): string {
  if (value instanceof Buffer) return value.toString('utf8')
  return typeof value === 'string' ? value : ''
}
