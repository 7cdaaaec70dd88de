// The words that pages use, with approximate page counts. Misspelt words are compared with them. Only the
// head of a page counts: title, description, keywords and the beginning of the text, where a page names its
// subject. Removed pages are not subtracted, since every suggestion is tried before it is shown.

/** Characters of the text that count as its beginning: some 90 words. */
const HEAD = 600
const MIN_LENGTH = 3
export const MAX_WORD_LENGTH = 24
/** Excludes numbers and words that contain one. */
const WORD = /^[\p{L}\p{M}']+$/u

/** A word and its approximate number of pages. */
export type ListedWord = { readonly word: string; readonly pages: number }

/** Counts words over the pages of a batch, so that each word is written once. */
export class WordCounts {
  readonly #counts = new Map<string, number>()

  /** `texts`: words separated by single spaces. */
  take(texts: readonly string[]): void {
    const heads = texts.map(headOf).join(' ')
    for (const word of new Set(heads.split(' '))) {
      if (word.length < MIN_LENGTH || word.length > MAX_WORD_LENGTH) continue
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1)
    }
  }

  /** The counts since the last call. */
  *taken(): Generator<ListedWord> {
    for (const [word, pages] of this.#counts) if (WORD.test(word)) yield { word, pages }
    this.#counts.clear()
  }
}

export function initialOf(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0)
}

/** Drops a word that the limit cuts. */
function headOf(words: string): string {
  if (words.length <= HEAD) return words
  return words.slice(0, Math.max(0, words.lastIndexOf(' ', HEAD)))
}
