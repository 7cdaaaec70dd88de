// Footnotes of a page: a raised number that links to a note further down, and the note. Where both are
// chosen they are written as Markdown footnotes, `[^1]` and `[^1]: …`; every other link stays a link.
import { type Inlines, MARK, type Piece } from './markdown-units.ts'

/** A reference to a note: `1`, `[1]`, `*`. */
const LABEL = /^\[?(\d{1,4}|[a-z]|[*†‡§]{1,3}|note \d{1,3})\]?$/i
const NUMBER = /^\[?(\d{1,4})\]?$/
/** The text of a link back from a note. */
const BACK = /^(?:(?:[\s^↑↩⤴▲←⏎]|\u{fe0e}|\u{fe0f})*|[a-z]|\d+(?:\.\d+)?|jump up|back|return)$/iu
const LEADING = /^[\s^↑]+(?=\S|$)/
const MAX_NOTES = 2000

export class Footnotes {
  /** The label of each note, by its block and by its id. */
  readonly #blocks = new Map<number, string>()
  readonly #ids = new Map<string, string>()
  readonly #labels = new Set<string>()

  /** `isNote` tells whether a block may be a note. */
  constructor({ pieces, targets }: Inlines, isNote: (block: number) => boolean) {
    for (const [block, own] of pieces) {
      for (const piece of own) {
        const id = referredId(piece)
        const target = id === '' || this.#ids.has(id) ? undefined : targets.get(id)
        if (target === undefined || target <= block || this.#blocks.has(block)) continue
        if (this.#ids.size < MAX_NOTES && isNote(target)) this.#add(id, target, piece.text)
      }
    }
  }

  /** '' when the block is not a note. */
  labelOf(block: number): string {
    return this.#blocks.get(block) ?? ''
  }

  /** The pieces of a block with footnote references, and those of a note without its back links. */
  piecesOf(block: number, pieces: readonly Piece[]): readonly Piece[] {
    if (this.#ids.size === 0) return pieces
    if (this.#blocks.has(block)) return withoutBackLinks(pieces)
    return pieces.map((piece) => {
      const label = this.#ids.get(referredId(piece))
      return label === undefined ? piece : { ...piece, text: label, href: '', marks: MARK.note }
    })
  }

  #add(id: string, block: number, written: string): void {
    const known = this.#blocks.get(block)
    const [, number = ''] = NUMBER.exec(written.trim()) ?? []
    let label = known ?? number
    for (let next = this.#ids.size + 1; label === '' || this.#isTaken(label, known); next++) {
      label = String(next)
    }
    this.#labels.add(label)
    this.#blocks.set(block, label)
    this.#ids.set(id, label)
  }

  #isTaken(label: string, own: string | undefined): boolean {
    return label !== own && this.#labels.has(label)
  }
}

export function withoutBackLinks(pieces: readonly Piece[]): readonly Piece[] {
  const [first, ...others] = pieces.filter(
    ({ href, text }) => !href.startsWith('#') || !BACK.test(text.trim()),
  )
  return first === undefined ? [] : [{ ...first, text: first.text.replace(LEADING, '') }, ...others]
}

/** The target id of a reference; '' when the piece is none. */
function referredId({ href, text, marks, src }: Piece): string {
  if (!href.startsWith('#') || href.length < 2 || src !== '') return ''
  const words = text.trim()
  const isRaised = (marks & MARK.raised) !== 0 || words.startsWith('[')
  if (!isRaised || !LABEL.test(words)) return ''
  try {
    return decodeURIComponent(href.slice(1))
  } catch {
    return href.slice(1)
  }
}
