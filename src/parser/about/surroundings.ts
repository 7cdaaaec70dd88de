// The lines around a page's heading, and lines elsewhere that contain a date: pages show their
// author and date there. Read only when the page did not declare them.
import type { BlockRows } from '../content/outline-rows.ts'
import { ELEMENT, TRAITS } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reading.ts'
import { plainText, similarity, withoutBrackets } from './clean-text.ts'
import { LineMarks, type Marks, NO_MARKS } from './line-marks.ts'
import { type Byline, isByline } from './page-author.ts'
import type { MarkedDate, ShortLine } from './page-dates.ts'
import type { Heading } from './page-title.ts'
import { type DateUse, dateUseOfLabel } from './written-date.ts'

export type ReadPage = Pick<
  HtmlReading,
  'outline' | 'text' | 'pieces' | 'source' | 'latin1' | 'mayMark'
>

type Surroundings = {
  readonly lines: readonly ShortLine[]
  readonly bylines: readonly Byline[]
  readonly stamps: readonly MarkedDate[]
}

/** Near the heading, and elsewhere. */
type PageSurroundings = { readonly near: Surroundings; readonly far: Surroundings }

const MAX_HEADINGS = 40
const MAX_HEADING_BYTES = 400
const MAX_BLOCK_BYTES = 240
/** Most lines that are compared with the title. */
const MAX_COMPARED = 100
/** Bytes of text before and after the heading. */
const NEAR_BEFORE = 200
const NEAR_BEHIND = 1200
const MAX_NEAR = 40
const MAX_FAR = 60

/** By element number; 0 for anything but headings of the first three levels. */
const LEVELS = Uint8Array.from(TRAITS, () => 0)
LEVELS[ELEMENT.h1] = 1
LEVELS[ELEMENT.h2] = 2
LEVELS[ELEMENT.h3] = 3
/** Documentation puts a link to the heading after it. */
const NUMBER_SIGN = 35
const LINK_SIGN = /\s?[¶#§🔗]{1,3}$/u

/** The headings of the first three levels that have a text. */
export function headingsOf({ outline, pieces }: ReadPage): Heading[] {
  const { containers } = outline
  const headings: Heading[] = []
  for (let row = 0; row < containers.count && headings.length < MAX_HEADINGS; row++) {
    const level = LEVELS[containers.element[row] ?? 0] ?? 0
    if (level === 0) continue
    const from = containers.textFrom[row] ?? 0
    const to = Math.min(containers.textTo[row] ?? 0, from + MAX_HEADING_BYTES)
    const words = to > from ? withoutLinkSign(plainText(pieces.slice(from, to))) : ''
    if (words !== '') headings.push({ text: words, at: from, level })
  }
  return headings
}

function withoutLinkSign(heading: string): string {
  const last = heading.charCodeAt(heading.length - 1)
  return last < 128 && last !== NUMBER_SIGN ? heading : heading.replace(LINK_SIGN, '')
}

/** Offset of the title in a page without headings; -1 when it is not shown. */
export function titleLineAt({ outline, text }: ReadPage, title: string): number {
  const { blocks } = outline
  const length = Buffer.byteLength(title)
  if (length < 8) return -1
  for (let row = 0, compared = 0; row < blocks.count && compared < MAX_COMPARED; row++) {
    const from = blocks.textFrom[row] ?? 0
    const to = blocks.textTo[row] ?? 0
    if (Math.abs(to - from - length) * 4 > length) continue
    compared++
    if (similarity(text.slice(from, to), title) >= 0.8) return from
  }
  return -1
}

/** Both places, each read on first use. */
export class LazySurroundings implements PageSurroundings {
  readonly #reading: ReadPage
  readonly #headingAt: number
  #near: Surroundings | null = null
  #far: Surroundings | null = null

  constructor(reading: ReadPage, headingAt: number) {
    this.#reading = reading
    this.#headingAt = headingAt
  }

  get near(): Surroundings {
    this.#near ??= readNear(this.#reading, this.#headingAt)
    return this.#near
  }

  get far(): Surroundings {
    this.#far ??= readFar(this.#reading, this.#headingAt)
    return this.#far
  }
}

function readNear(reading: ReadPage, headingAt: number): Surroundings {
  const { blocks } = reading.outline
  const reader = new SurroundingsReader(reading)
  if (headingAt < 0) return reader
  let row = blockAt(blocks, headingAt - NEAR_BEFORE)
  for (let read = 0; row < blocks.count && read < MAX_NEAR; row++) {
    const from = blocks.textFrom[row] ?? 0
    if (from > headingAt + NEAR_BEHIND) break
    if (reader.read(row)) read++
  }
  return reader
}

function readFar(reading: ReadPage, headingAt: number): Surroundings {
  const { blocks } = reading.outline
  const { bytes } = reading.text
  const reader = new SurroundingsReader(reading)
  let read = 0
  for (let row = 0; row < blocks.count && read < MAX_FAR; row++) {
    const from = blocks.textFrom[row] ?? 0
    if (headingAt >= 0 && from >= headingAt - NEAR_BEFORE && from <= headingAt + NEAR_BEHIND)
      continue
    const to = blocks.textTo[row] ?? 0
    if (to - from <= MAX_BLOCK_BYTES && mayDate(bytes, from, to) && reader.read(row)) read++
  }
  return reader
}

/** The first block at or after an offset of the text. */
function blockAt(blocks: BlockRows, at: number): number {
  let low = 0
  let high = blocks.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((blocks.textFrom[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

class SurroundingsReader implements Surroundings {
  readonly lines: ShortLine[] = []
  readonly bylines: Byline[] = []
  readonly stamps: MarkedDate[] = []
  readonly #reading: ReadPage
  readonly #marks: LineMarks
  /** The use that the last line names for a date on the next line. */
  #label: DateUse = ''
  #parent = -1
  #parentMarks = NO_MARKS

  constructor(reading: ReadPage) {
    this.#reading = reading
    this.#marks = new LineMarks(reading)
  }

  /** Reads one block, which may have several lines; false when it is too long. */
  read(row: number): boolean {
    const { outline, pieces } = this.#reading
    const { blocks, containers } = outline
    const at = blocks.textFrom[row] ?? 0
    const to = blocks.textTo[row] ?? 0
    if (to - at > MAX_BLOCK_BYTES) return false
    const own = this.#marks.read(blocks.sourceFrom[row] ?? 0, blocks.sourceTo[row] ?? 0)
    const around = this.#marksOf(containers.parent[blocks.container[row] ?? 0] ?? -1)
    for (const { value, use } of own.times) this.stamps.push({ value, use: use || this.#label, at })
    for (const name of own.names) this.bylines.push({ ...name, at })
    const isDated = own.dated || around.dated
    const isSigned = own.signed || around.signed
    for (const line of pieces.slice(at, to).split('\n')) this.#line(line, at, isDated, isSigned)
    return true
  }

  #line(written: string, at: number, dated: boolean, signed: boolean): void {
    const text = withoutBrackets(written)
    if (text === '') return
    const hasDigit = /\d/.test(text)
    if (hasDigit) this.lines.push({ text, at, label: this.#label, dated, signed })
    this.#label = hasDigit ? '' : dateUseOfLabel(text)
    if (signed || isByline(text)) this.bylines.push({ text, at, isDeclared: false })
  }

  /** Neighbouring blocks usually have the same parent. */
  #marksOf(parent: number): Marks {
    if (parent === this.#parent) return this.#parentMarks
    const { containers } = this.#reading.outline
    this.#parent = parent
    this.#parentMarks =
      parent < 0 ? NO_MARKS : this.#marks.readTag(containers.sourceFrom[parent] ?? 0)
    return this.#parentMarks
  }
}

const ZERO = 48

/** Whether the text has four digits that may be a year, or three numbers that may be a date. */
function mayDate(bytes: Buffer, from: number, to: number): boolean {
  let digits = 0
  let numbers = 0
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit >= 0 && digit <= 9) {
      digits++
      continue
    }
    if (digits === 4) return true
    if (digits === 1 || digits === 2) numbers++
    digits = 0
  }
  return digits === 4 || (numbers >= 2 && digits === 2)
}
