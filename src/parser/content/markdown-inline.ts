// Pieces of text as inline Markdown. Whatever is written in a page stays text: all characters that
// could mean something are escaped, and emphasis that Markdown cannot express where it stands
// (CommonMark's rules about what may be next to delimiters) is left out rather than shown as stars.
import { MARK, type Piece } from './inline-reader.ts'
import {
  codeSpan,
  escapeLineStart,
  escapeText,
  escapeUrl,
  isPunctuation,
  mayBePunctuation,
} from './markdown-escape.ts'

export type InlineOptions = {
  /** The absolute URL of what is written in a page; null when it leads nowhere. */
  readonly resolve: (href: string) => string | null
  /** How lines end within the block: of a paragraph, of a cell, of a heading. */
  readonly lineEnd: '\\\n' | '<br>' | ' '
  /** Marks that are not written. */
  readonly without: number
}

/** Words without a change of marks; `gap` is what stands before them. */
type Unit = {
  readonly gap: '' | ' ' | '\n'
  text: string
  readonly marks: number
  /** Absolute; '' outside of links. */
  readonly link: string
  /** Absolute; '' for text. */
  readonly image: string
}

/** A link is a mark, too. */
const LINK = 16
/** Of those that begin and end together the first is the outermost. */
const NESTED = [LINK, MARK.strong, MARK.emphasis, MARK.deleted] as const
const DELIMITER = new Map<number, string>([
  [MARK.strong, '**'],
  [MARK.emphasis, '*'],
  [MARK.deleted, '~~'],
])
/** With these a heading links to itself. */
const OWN_LINK = /^(?:[#¶§\u{1f517}\u{e000}-\u{f8ff}]|\u{fe0f})+$/u

export function inlineMarkdown(pieces: readonly Piece[], options: InlineOptions): string {
  const lines = new InlineWriter(unitsOf(pieces, options), options.lineEnd === '<br>').write()
  const isParagraph = options.lineEnd === '\\\n'
  return (isParagraph ? lines.map(escapeLineStart) : lines).join(options.lineEnd)
}

function unitsOf(pieces: readonly Piece[], { resolve, without }: InlineOptions): readonly Unit[] {
  const units: Unit[] = []
  let gap: Unit['gap'] = ''
  const add = (text: string, piece: Piece): void => {
    const link = piece.href === '' ? '' : (resolve(piece.href) ?? '')
    const image = piece.src === '' ? '' : (resolve(piece.src) ?? '')
    if (piece.src !== '' && image === '') return
    const unit = { gap: units.length === 0 ? '' : gap, text, marks: piece.marks & ~without }
    const last = units.at(-1)
    if (last !== undefined && gap !== '\n' && isLike(last, unit.marks, link, image)) {
      last.text += gap + text
    } else units.push({ ...unit, link, image })
    gap = ''
  }
  for (const piece of pieces) {
    if (piece.src !== '') add(piece.text, piece)
    else if (!piece.href.startsWith('#') || !OWN_LINK.test(piece.text.trim())) {
      for (const [place, line] of linesOf(piece).entries()) {
        if (place > 0) gap = '\n'
        const text = line.trim()
        if (gap === '' && line.trimStart() !== line) gap = ' '
        if (text !== '') add(text, piece)
        if (gap === '' && line.trimEnd() !== line) gap = ' '
      }
    }
  }
  return units
}

function linesOf({ text, marks }: Piece): readonly string[] {
  const plain = text.replace(/[\u0085\u2028\u2029]/g, ' ')
  return (marks & MARK.code) !== 0 ? [plain.replaceAll('\n', ' ')] : plain.split('\n')
}

function isLike(unit: Unit, marks: number, link: string, image: string): boolean {
  return unit.marks === marks && unit.link === link && unit.image === '' && image === ''
}

type Open = { readonly mark: number; readonly last: number; readonly end: string }

class InlineWriter {
  readonly #units: readonly Unit[]
  readonly #inCell: boolean
  readonly #lines: string[] = []
  #line = ''
  /** The code that was written last, and where in the line. */
  #code = ''
  #codeFrom = 0
  #codeEnd = 0
  /** What is open, the outermost first; none ends before one that is in it. */
  readonly #open: Open[] = []
  /** Per mark: the last unit of the stretch that has it, for each unit. */
  readonly #lasts = new Map<number, Int32Array>()
  /** Per mark: up to which unit it is left out. */
  readonly #leftOut = new Map<number, number>()

  constructor(units: readonly Unit[], inCell: boolean) {
    this.#units = units
    this.#inCell = inCell
    for (const mark of NESTED) this.#lasts.set(mark, this.#lastsOf(mark))
  }

  write(): readonly string[] {
    for (const [place, unit] of this.#units.entries()) {
      const isNextToEnd = this.#close(place) && unit.gap === ''
      if (unit.gap === '\n') {
        this.#lines.push(this.#line)
        this.#line = ''
        this.#codeEnd = 0
      } else this.#line += unit.gap
      this.#begin(place, isNextToEnd)
      if (unit.image === '' && (unit.marks & MARK.code) !== 0) this.#addCode(unit.text)
      else this.#line += contentOf(unit)
    }
    this.#close(this.#units.length)
    this.#lines.push(this.#line)
    return this.#lines
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

  /** Code right behind other code becomes one with it: backticks would run into each other. */
  #addCode(text: string): void {
    const goesOn = this.#codeEnd > 0 && this.#codeEnd === this.#line.length
    if (goesOn) this.#line = this.#line.slice(0, this.#codeFrom)
    this.#code = goesOn ? this.#code + text : text
    this.#codeFrom = this.#line.length
    this.#line += this.#inCell ? codeInCell(this.#code) : codeSpan(this.#code)
    this.#codeEnd = this.#line.length
  }

  /** Ends what does not go on in this unit; whether emphasis was among it. */
  #close(place: number): boolean {
    let hasEmphasis = false
    for (let top = this.#open.at(-1); top !== undefined && top.last < place; ) {
      this.#line += top.end
      hasEmphasis ||= top.mark !== LINK
      this.#open.pop()
      top = this.#open.at(-1)
    }
    return hasEmphasis
  }

  /** Begins what this unit has and the last one had not: what lasts longest first. */
  #begin(place: number, isNextToEnd: boolean): void {
    const unit = this.#units[place]
    if (unit === undefined) return
    const before = unit.gap === '' ? this.#line : ''
    const starting = NESTED.filter((mark) => has(unit, mark) && !this.#isSettled(mark, place))
    starting.sort((one, other) => this.#last(other, place) - this.#last(one, place))
    for (const mark of starting) {
      const whole = this.#last(mark, place)
      const last = Math.min(whole, this.#open.at(-1)?.last ?? whole)
      if (mark === LINK) this.#push(mark, last, '[', `](${escapeUrl(unit.link)})`)
      else {
        // What ends early would have to begin again right where it ended.
        this.#leftOut.set(mark, whole)
        const delimiter = DELIMITER.get(mark) ?? ''
        if (!isNextToEnd && this.#fits(place, last, before)) {
          this.#push(mark, last, delimiter, delimiter)
        }
      }
    }
  }

  #push(mark: number, last: number, start: string, end: string): void {
    this.#line += start
    this.#open.push({ mark, last, end })
  }

  #isSettled(mark: number, place: number): boolean {
    if (mark !== LINK) return (this.#leftOut.get(mark) ?? -1) >= place
    return this.#open.some((open) => open.mark === LINK)
  }

  #last(mark: number, place: number): number {
    return this.#lasts.get(mark)?.[place] ?? place
  }

  /** Whether delimiters around these units are read as such. */
  #fits(place: number, last: number, before: string): boolean {
    const [unit, next] = [this.#units[place], this.#units[last + 1]]
    const inLink = this.#open.some(({ mark }) => mark === LINK)
    const first = innerEdgeOf(unit, inLink, firstOf)
    const end = innerEdgeOf(this.#units[last], inLink, lastOf)
    const goesOn = inLink && next?.link === unit?.link
    const behind = next === undefined || next.gap !== '' ? '' : edgeOf(next, goesOn, firstOf)
    return standsApart(first, lastOf(before)) && standsApart(end, behind)
  }
}

function contentOf({ text, image }: Unit): string {
  return image === '' ? escapeText(text) : `![${escapeText(text)}](${escapeUrl(image)})`
}

/** There is no way to write code with a backslash before a pipe in a cell. */
function codeInCell(code: string): string {
  return code.includes('\\|') ? escapeText(code) : codeSpan(code.replaceAll('|', '\\|'))
}

/** Punctuation at the inner side of a delimiter wants a blank or punctuation at the outer side. */
function standsApart(inner: string, outer: string): boolean {
  return !mayBePunctuation(inner) || outer === '' || isPunctuation(outer)
}

/** The character with which a unit begins or ends, markup of its own counted. */
function edgeOf(unit: Unit | undefined, inLink: boolean, edge: (text: string) => string): string {
  if (unit === undefined) return ''
  const isMarkup = unit.image !== '' || (unit.marks & MARK.code) !== 0
  return isMarkup || (unit.link !== '' && !inLink) ? '`' : edge(unit.text)
}

/** The same within delimiters: stars and tildes are no part of each other. */
function innerEdgeOf(
  unit: Unit | undefined,
  inLink: boolean,
  edge: (text: string) => string,
): string {
  const marks = unit?.marks ?? 0
  const isMixed = (marks & MARK.deleted) !== 0 && (marks & (MARK.strong | MARK.emphasis)) !== 0
  return isMixed ? '`' : edgeOf(unit, inLink, edge)
}

function has(unit: Unit, mark: number): boolean {
  return mark === LINK ? unit.link !== '' : (unit.marks & mark) !== 0
}

function shares(unit: Unit, next: Unit, mark: number): boolean {
  return has(unit, mark) && (mark === LINK ? unit.link === next.link : has(next, mark))
}

function firstOf(text: string): string {
  const code = text.codePointAt(0)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function lastOf(text: string): string {
  const low = text.charCodeAt(text.length - 1)
  return text.slice(low >= 0xdc00 && low <= 0xdfff ? -2 : -1)
}
