// Writes pieces of text as inline Markdown. Text of a page stays text: all characters with a
// meaning are escaped, and emphasis that Markdown cannot express at its position (CommonMark's
// rules about characters next to delimiters) is left out rather than shown as stars.
import {
  codeSpan,
  escapeLineStart,
  escapeText,
  escapeUrl,
  isPunctuation,
  mathSpan,
  mayBePunctuation,
} from './markdown-escape.ts'
import { type InlineOptions, LINK, MARK, type Piece, type Unit, unitsOf } from './markdown-units.ts'

/** If several begin and end together, the first is the outermost. */
const NESTED = [LINK, MARK.strong, MARK.emphasis, MARK.deleted, MARK.raised, MARK.lowered] as const
const DELIMITER = new Map<number, string>([
  [MARK.strong, '**'],
  [MARK.emphasis, '*'],
  [MARK.deleted, '~~'],
])
/** Markdown has no syntax for these, but all its readers accept the tags. */
const TAG = new Map<number, string>([
  [MARK.raised, 'sup'],
  [MARK.lowered, 'sub'],
])
const TAGGED = MARK.raised | MARK.lowered
/** More code than anybody writes into a line. */
const MAX_JOINED_CODE = 1000
export function inlineMarkdown(pieces: readonly Piece[], options: InlineOptions): string {
  const lines = new InlineWriter(unitsOf(pieces, options), options.lineEnd === '<br>').write()
  const isParagraph = options.lineEnd === '\\\n'
  return (isParagraph ? lines.map(escapeLineStart) : lines).join(options.lineEnd)
}

type Open = { readonly mark: number; readonly last: number; readonly end: string }

class InlineWriter {
  readonly #units: readonly Unit[]
  readonly #inCell: boolean
  /** Beside a formula a dollar sign of the text would be read as a delimiter. */
  readonly #hasMath: boolean
  readonly #lines: string[] = []
  #line: string[] = []
  /** The code written last, and its index in the line. */
  #code = ''
  #codeAt = -1
  /** The open marks, the outermost first; none ends before one inside it. */
  readonly #open: Open[] = []
  /** Per mark: for each unit, the last unit of the range with the mark. */
  readonly #lasts = new Map<number, Int32Array>()
  /** Per mark: up to which unit it is left out. */
  readonly #leftOut = new Map<number, number>()

  constructor(units: readonly Unit[], inCell: boolean) {
    this.#units = units
    this.#inCell = inCell
    this.#hasMath = units.some(({ marks }) => (marks & MARK.math) !== 0)
    for (const mark of NESTED) this.#lasts.set(mark, this.#lastsOf(mark))
  }

  write(): readonly string[] {
    for (const [place, unit] of this.#units.entries()) {
      const isNextToEnd = this.#close(place) && unit.gap === ''
      if (unit.gap === '\n') this.#endLine()
      else if (unit.gap === ' ') this.#line.push(' ')
      this.#begin(place, isNextToEnd)
      if (unit.image === '' && (unit.marks & MARK.code) !== 0) this.#addCode(unit.text)
      else this.#line.push(this.#contentOf(unit))
    }
    this.#close(this.#units.length)
    this.#endLine()
    return this.#lines
  }

  #contentOf({ text, image, marks }: Unit): string {
    if (image === '' && (marks & MARK.math) !== 0) {
      return mathSpan(text, { inCell: this.#inCell, isDisplay: (marks & MARK.display) !== 0 })
    }
    if ((marks & MARK.note) !== 0) return `[^${text}]`
    const safe = this.#hasMath ? escapeText(text).replaceAll('$', '\\$') : escapeText(text)
    return image === '' ? safe : `![${safe}](${escapeUrl(image)})`
  }

  #endLine(): void {
    this.#lines.push(this.#line.join(''))
    this.#line = []
    this.#codeAt = -1
  }

  #lastsOf(mark: number): Int32Array {
    const units = this.#units
    const lasts = new Int32Array(units.length)
    for (let place = units.length - 1; place >= 0; place--) {
      const [unit, next] = [units[place], units[place + 1]]
      const goesOn = unit !== undefined && next !== undefined && shares(unit, next, mark)
      lasts[place] = goesOn ? (lasts[place + 1] ?? place) : place
    }
    return lasts
  }

  /** Code directly after other code is joined with it: the backticks would run into each other. */
  #addCode(text: string): void {
    const isBehindCode = this.#codeAt >= 0 && this.#codeAt === this.#line.length - 1
    if (isBehindCode && this.#code.length > MAX_JOINED_CODE) {
      this.#line.push(escapeText(text))
      return
    }
    if (isBehindCode) this.#line.pop()
    this.#code = isBehindCode ? this.#code + text : text
    this.#codeAt = this.#line.length
    this.#line.push(this.#inCell ? codeInCell(this.#code) : codeSpan(this.#code))
  }

  /** Closes the marks that do not continue in this unit; returns whether emphasis was among them. */
  #close(place: number): boolean {
    let hasEmphasis = false
    for (let top = this.#open.at(-1); top !== undefined && top.last < place; ) {
      this.#line.push(top.end)
      hasEmphasis ||= DELIMITER.has(top.mark)
      this.#open.pop()
      top = this.#open.at(-1)
    }
    return hasEmphasis
  }

  /** Opens the marks that are new in this unit, the longest first. */
  #begin(place: number, isNextToEnd: boolean): void {
    const unit = this.#units[place]
    if (unit === undefined) return
    const before = unit.gap === '' ? (this.#line.at(-1) ?? '') : ''
    const starting = NESTED.filter(
      (mark) => (unit.marks & mark) !== 0 && !this.#isSettled(mark, place),
    )
    starting.sort((one, other) => this.#last(other, place) - this.#last(one, place))
    for (const mark of starting) {
      const whole = this.#last(mark, place)
      const last = Math.min(whole, this.#open.at(-1)?.last ?? whole)
      const tag = TAG.get(mark)
      if (mark === LINK) this.#beginLink(last, unit.link)
      else if (tag !== undefined) this.#push(mark, last, `<${tag}>`, `</${tag}>`)
      else {
        // A mark that ends early would have to begin again right where it ended.
        this.#leftOut.set(mark, whole)
        const delimiter = DELIMITER.get(mark) ?? ''
        if (!isNextToEnd && this.#fits(place, last, before)) {
          this.#push(mark, last, delimiter, delimiter)
        }
      }
    }
  }

  #beginLink(last: number, url: string): void {
    const before = this.#line.at(-1) ?? ''
    // After an exclamation mark it would be an image.
    if (before.endsWith('!')) this.#line.splice(-1, 1, `${before.slice(0, -1)}\\!`)
    this.#push(LINK, last, '[', `](${escapeUrl(url)})`)
  }

  #push(mark: number, last: number, start: string, end: string): void {
    this.#line.push(start)
    this.#open.push({ mark, last, end })
  }

  #isSettled(mark: number, place: number): boolean {
    if (DELIMITER.has(mark)) return (this.#leftOut.get(mark) ?? -1) >= place
    return this.#open.some((open) => open.mark === mark)
  }

  #last(mark: number, place: number): number {
    return this.#lasts.get(mark)?.[place] ?? place
  }

  /** Whether delimiters around these units are recognised. */
  #fits(place: number, last: number, before: string): boolean {
    const [unit, next] = [this.#units[place], this.#units[last + 1]]
    const inLink = this.#open.some(({ mark }) => mark === LINK)
    const first = innerEdgeOf(unit, inLink, firstOf)
    const end = innerEdgeOf(this.#units[last], inLink, lastOf)
    const goesOn = inLink && next?.link === unit?.link
    const behind = next === undefined || next.gap !== '' ? '' : edgeOf(next, goesOn, firstOf)
    return isSeparated(first, lastOf(before)) && isSeparated(end, behind)
  }
}

/** Code with a backslash before a pipe cannot be written in a cell. */
function codeInCell(code: string): string {
  return code.includes('\\|') ? escapeText(code) : codeSpan(code.replaceAll('|', '\\|'))
}

/** Punctuation inside a delimiter needs a space or punctuation outside. */
function isSeparated(inner: string, outer: string): boolean {
  return !mayBePunctuation(inner) || outer === '' || isPunctuation(outer)
}

/** The first or last character of a unit, including its own markup. */
function edgeOf(unit: Unit | undefined, inLink: boolean, edge: (text: string) => string): string {
  if (unit === undefined) return ''
  const isMarkup =
    unit.image !== '' || (unit.marks & (MARK.code | MARK.math | MARK.note | TAGGED)) !== 0
  return isMarkup || (unit.link !== '' && !inLink) ? '`' : edge(unit.text)
}

/** The same within delimiters: stars and tildes are not part of each other. */
function innerEdgeOf(
  unit: Unit | undefined,
  inLink: boolean,
  edge: (text: string) => string,
): string {
  const marks = unit?.marks ?? 0
  const isMixed = (marks & MARK.deleted) !== 0 && (marks & (MARK.strong | MARK.emphasis)) !== 0
  return isMixed ? '`' : edgeOf(unit, inLink, edge)
}

function shares(unit: Unit, next: Unit, mark: number): boolean {
  if ((unit.marks & next.marks & next.over & mark) === 0) return false
  return mark !== LINK || unit.link === next.link
}

function firstOf(text: string): string {
  const code = text.codePointAt(0)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function lastOf(text: string): string {
  const low = text.charCodeAt(text.length - 1)
  return text.slice(low >= 0xdc00 && low <= 0xdfff ? -2 : -1)
}
