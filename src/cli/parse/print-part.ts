// The rows of one part of a page, for people: links by where they lead, tables as rows of cells.
import type { Part } from '../../core/page.ts'
import type { PartRow } from '../../core/part-columns.ts'
import { canonicalise, hostOf, siteOf } from '../../core/url.ts'
import { showCount } from '../../lib/format.ts'
import { fit, safeText } from '../../lib/terminal.ts'
import type { Style } from '../style.ts'

const MAX_CELLS = 500

/** `site` is the one the page belongs to. */
export function partText(part: Part, rows: readonly PartRow[], site: string, style: Style): string {
  const groups = part === 'links' ? linkGroups(rows, site) : [{ title: part, rows }]
  return groups
    .filter((group) => group.rows.length > 0)
    .map((group) => {
      const title = style.bold(`${safeText(group.title)} (${showCount(group.rows.length)})`)
      return [title, ...group.rows.flatMap((row) => rowLines(row, style)), ''].join('\n')
    })
    .join('\n')
}

type Group = { readonly title: string; readonly rows: readonly PartRow[] }

function linkGroups(rows: readonly PartRow[], site: string): readonly Group[] {
  const isWithin = ({ url }: PartRow): boolean => {
    const target = canonicalise(String(url))
    return target !== null && siteOf(hostOf(target)) === site
  }
  return [
    { title: `links within ${site}`, rows: rows.filter(isWithin) },
    { title: 'links elsewhere', rows: rows.filter((row) => !isWithin(row)) },
  ]
}

/** The first value says what it is; short ones stand behind it, lists below. */
function rowLines(row: PartRow, style: Style): string[] {
  const entries = Object.entries(row)
  const below = entries.map(([, value]) => value).filter(Array.isArray)
  const beside = entries.filter(([, value]) => !isEmpty(value) && !Array.isArray(value))
  const first = entries[0]?.[0]
  const head = beside[0]?.[0] === first ? cell(beside.shift()?.[1]) : NO_NAME
  const notes = beside.map(([name, value]) => `  ${style.dim(name)} ${cell(value)}`).join('')
  return [`  ${head}${notes}`, ...belowLines(below).map((line) => `    ${line}`)]
}

const NO_NAME = '-'

/** Lists one entry a line; but beside the rows of a table a list is one of its rows, the first. */
function belowLines(lists: readonly (readonly unknown[])[]): string[] {
  const isTable = lists.length > 1 && lists.some((list) => list.some(Array.isArray))
  return lists
    .filter((list) => list.length > 0)
    .flatMap((list) =>
      isTable && !list.some(Array.isArray) ? [entryText(list)] : list.map(entryText),
    )
}

/** A row of a table, an entry of a list, a field of a form. */
function entryText(entry: unknown): string {
  if (Array.isArray(entry)) return entry.map(cell).join(' | ')
  if (typeof entry !== 'object' || entry === null) return cell(entry)
  const known = Object.entries(entry).filter(([, value]) => !isEmpty(value))
  return known.map(([name, value]) => `${safeText(name)} ${cell(value)}`).join('  ')
}

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return fit(safeText(text ?? ''), MAX_CELLS)
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === false
}
