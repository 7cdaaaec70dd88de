// Splits pieces of text where marks change and at line ends, and removes the spaces between them:
// Markdown needs its delimiters next to words.

export type InlineOptions = {
  /** The absolute URL of a written address; null when it is invalid. */
  readonly resolve: (href: string) => string | null
  /** The line end within the block: of a paragraph, of a cell, of a heading. */
  readonly lineEnd: '\\\n' | '<br>' | ' '
  /** Marks that are not written. */
  readonly without: number
}

/** Words without a change of marks. */
export type Unit = {
  /** The gap before them, and the marks that span it. */
  readonly gap: '' | ' ' | '\n'
  readonly over: number
  text: string
  /** Includes LINK. */
  readonly marks: number
  /** Absolute; '' outside links. */
  readonly link: string
  /** Absolute; '' for text. */
  readonly image: string
}

export const LINK = 16
/** The text of a link from a heading to itself. */
const OWN_LINK = /^(?:[#¶§\u{1f517}\u{e000}-\u{f8ff}\u200b]|\u{fe0f})*$/u
const OWN_LINK_WORDS =
  /^(?:permalink|permanent link|anchor|link|(?:direct )?link to (?:this )?(?:heading|section))$/i

export function unitsOf(pieces: readonly Piece[], options: InlineOptions): readonly Unit[] {
  const list = new UnitList(options)
  for (const piece of pieces) {
    if (isControl(piece, options.lineEnd === ' ')) continue
    const marks = list.marksOf(piece)
    if (piece.src !== '') list.add(piece.text, piece, marks)
    else {
      for (const [place, line] of linesOf(piece).entries()) {
        const text = line.trim()
        if (place > 0) list.gap('\n', marks)
        if (line.trimStart() !== line) list.gap(' ', marks)
        if (text === '') continue
        list.add(text, piece, marks)
        if (line.trimEnd() !== line) list.gap(' ', marks)
      }
    }
  }
  return list.units
}

/** A button, or a link from a heading to itself. */
function isControl({ text, href, src, marks }: Piece, inHeading: boolean): boolean {
  const words = text.trim()
  if (src === '' && href.includes('#') && (inHeading || href.startsWith('#'))) {
    if (OWN_LINK.test(words) || (inHeading && OWN_LINK_WORDS.test(words))) return true
  }
  return (marks & MARK.button) !== 0 && !inHeading
}

class UnitList {
  readonly units: Unit[] = []
  readonly #options: InlineOptions
  #gap: Unit['gap'] = ''
  #over = -1

  constructor(options: InlineOptions) {
    this.#options = options
  }

  marksOf({ marks, href }: Piece): number {
    const own = (marks & MARK.math) === 0 ? marks : marks & (MARK.math | MARK.display)
    return (own & ~(this.#options.without | MARK.button)) | (href === '' ? 0 : LINK)
  }

  /** A space or a line end; a line end replaces a space. */
  gap(gap: ' ' | '\n', marks: number): void {
    if (this.#gap !== '\n') this.#gap = gap
    this.#over &= marks
  }

  add(text: string, { href, src }: Piece, marks: number): void {
    const { resolve } = this.#options
    const link = href === '' ? '' : (resolve(href) ?? '')
    const image = src === '' ? '' : (resolve(src) ?? '')
    if (src !== '' && image === '') return
    const own = link === '' ? marks & ~LINK : marks
    const last = this.units.at(-1)
    // Two adjacent formulas would become one.
    const isMath = (marks & (last?.marks ?? 0) & MARK.math) !== 0
    const gap = last === undefined ? '' : this.#gap || (isMath ? ' ' : '')
    const unit: Unit = { gap, over: this.#over, text, marks: own, link, image }
    if (last !== undefined && isOneWith(last, unit)) last.text += gap + text
    else this.units.push(unit)
    this.#gap = ''
    this.#over = -1
  }
}

function isOneWith(last: Unit, next: Unit): boolean {
  if (next.gap === '\n' || last.image !== '' || next.image !== '') return false
  if (((last.marks | next.marks) & (MARK.math | MARK.note)) !== 0) return false
  return last.marks === next.marks && last.link === next.link && (next.marks & ~next.over) === 0
}

function linesOf({ text, marks }: Piece): readonly string[] {
  const plain = text.replace(/[\u0085\u2028\u2029]/g, ' ')
  return (marks & MARK.code) !== 0 ? [plain.replaceAll('\n', ' ')] : plain.split('\n')
}

/** Marks of a text, one bit each. */
export const MARK = {
  strong: 1,
  emphasis: 2,
  deleted: 4,
  code: 8,
  /** A formula in TeX; `display`: on a line of its own. */
  math: 32,
  display: 64,
  raised: 128,
  lowered: 256,
  /** On a button. */
  button: 512,
  /** The number of a footnote. */
  note: 1024,
} as const

/** A text within a block with the same marks, or an image. */
export type Piece = {
  /** For an image its alternative text. */
  readonly text: string
  readonly marks: number
  /** As written; '' outside links. */
  readonly href: string
  /** As written; '' for text. */
  readonly src: string
  /** Row of the cell's container; 0 outside tables. */
  readonly cell: number
}

/** Something without words between two blocks. */
export type Between = {
  /** The block after it, and its offset in the page. */
  readonly block: number
  readonly at: number
  /** An image; null for a rule. */
  readonly image: Piece | null
}

/** The inline content of the chosen blocks, and the content between them. */
export type Inlines = {
  /** Per requested block. */
  readonly pieces: ReadonlyMap<number, readonly Piece[]>
  readonly between: readonly Between[]
  /** By the id of an element: the block it begins in. */
  readonly targets: ReadonlyMap<string, number>
}
