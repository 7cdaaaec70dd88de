// Formulas that a page writes as text for MathJax or KaTeX to draw: `\(…\)`, `\[…\]`, `$$…$$`,
// whole environments, and `$…$` where its settings say so. Markdown has syntax for them and must
// not escape them. On a page without either library only unmistakable TeX counts.
import { tidyTex } from '../html/math-text.ts'
import { MARK, type Piece } from './markdown-units.ts'

const DRAWN =
  /mathjax|katex|tex2jax_process|\btex-(?:mml-)?(?:chtml|svg)\b|renderMathInElement|arithmatex/i
/** Settings: `['$', '$']`, `{left: '$', right: '$'}`. */
const DOLLARS = /['"]\$['"]\s*,\s*(?:["']?right["']?\s*:\s*)?['"]\$['"]/
const OPENING = /\\\(|\\\[|\$\$?|\\begin\{(?:equation|align|alignat|gather|multline|eqnarray)\*?\}/g
/** Not used in ordinary words. */
const TEX = /\\[a-z]|[\^_]/gi
const NO_SPACE = /\S/g
const MAX_CHARACTERS = 10_000

type Form = { readonly close: string; readonly isDisplay: boolean; readonly keepsSigns: boolean }

export class WrittenFormulas {
  readonly #isDrawn: boolean
  readonly #hasDollars: boolean

  constructor(source: Buffer) {
    const page = source.toString('latin1')
    this.#isDrawn = DRAWN.test(page)
    this.#hasDollars = this.#isDrawn && DOLLARS.test(page)
  }

  /** The same pieces, with formulas separated and marked. */
  of(pieces: readonly Piece[]): readonly Piece[] {
    const isPlain = pieces.every(({ text }) => !text.includes('$') && !text.includes('\\'))
    return isPlain ? pieces : pieces.flatMap((piece) => this.#cut(piece))
  }

  #cut(piece: Piece): readonly Piece[] {
    const { text, marks, src } = piece
    if (src !== '' || (marks & (MARK.math | MARK.code | MARK.note)) !== 0) return [piece]
    const cut: Piece[] = []
    const ends = new NextSigns(text)
    let from = 0
    OPENING.lastIndex = 0
    for (let found = OPENING.exec(text); found !== null; found = OPENING.exec(text)) {
      const at = found.index
      const end = this.#end(text, at, found[0], ends)
      if (end < 0) continue
      const { close, isDisplay, keepsSigns } = formOf(found[0])
      const inner = keepsSigns
        ? text.slice(at, end)
        : text.slice(at + found[0].length, end - close.length)
      if (at > from) cut.push({ ...piece, text: text.slice(from, at) })
      const math = MARK.math | (isDisplay ? MARK.display : 0)
      cut.push({ ...piece, text: tidyTex(inner), marks: marks | math })
      from = end
      OPENING.lastIndex = end
    }
    if (from === 0) return [piece]
    if (from < text.length) cut.push({ ...piece, text: text.slice(from) })
    return cut
  }

  /** The end of the formula that begins here; -1 without one. */
  #end(text: string, at: number, open: string, ends: NextSigns): number {
    const { close } = formOf(open)
    if (text[at - 1] === '\\') return -1
    if (open === '$' && (!this.#hasDollars || /^\s?$/.test(text[at + 1] ?? ''))) return -1
    const from = at + open.length
    const end = ends.find(close, from)
    if (end < 0 || end - at >= MAX_CHARACTERS) return -1
    if (!isWithin(ends.match(NO_SPACE, from), end)) return -1
    if (open === '$' && (/\s/.test(text[end - 1] ?? '') || /\d/.test(text[end + 1] ?? '')))
      return -1
    return this.#isDrawn || isWithin(ends.match(TEX, from), end) ? end + close.length : -1
  }
}

function isWithin(position: number, end: number): boolean {
  return position >= 0 && position < end
}

/** The next position of each sign in a text; each character is searched once. */
class NextSigns {
  readonly #text: string
  readonly #next = new Map<string | RegExp, number>()

  constructor(text: string) {
    this.#text = text
  }

  /** -1 when there is none. */
  find(sign: string, from: number): number {
    const known = this.#next.get(sign)
    if (known !== undefined && (known < 0 || known >= from)) return known
    const isCommand = sign.startsWith('\\')
    let at = this.#text.indexOf(sign, from)
    while (at >= 0 && !isCommand && this.#text[at - 1] === '\\') {
      at = this.#text.indexOf(sign, at + 1)
    }
    this.#next.set(sign, at)
    return at
  }

  /** The same for a global pattern of one sign. */
  match(pattern: RegExp, from: number): number {
    const known = this.#next.get(pattern)
    if (known !== undefined && (known < 0 || known >= from)) return known
    pattern.lastIndex = from
    const at = pattern.exec(this.#text)?.index ?? -1
    this.#next.set(pattern, at)
    return at
  }
}

function formOf(open: string): Form {
  if (open === '\\(') return { close: '\\)', isDisplay: false, keepsSigns: false }
  if (open === '\\[') return { close: '\\]', isDisplay: true, keepsSigns: false }
  if (open === '$') return { close: '$', isDisplay: false, keepsSigns: false }
  if (open === '$$') return { close: '$$', isDisplay: true, keepsSigns: false }
  return { close: open.replace('begin', 'end'), isDisplay: true, keepsSigns: true }
}
