// The words that pages use, and about how many pages do: what a misspelt word is compared with. Only
// what stands at a page's head is taken, its title, description, keywords and the beginning of its text:
// who writes about something names it there. Pages that go are not taken off; what is suggested is
// tried out anyway.

/** Characters of a text's words that are its beginning: some 90 words. */
const HEAD = 600
const MIN_LENGTH = 3
export const MAX_WORD_LENGTH = 24
/** No number, and no part of a word with one in it. */
const WORD = /^[\p{L}\p{M}']+$/u

/** A word, and about how many pages have it. */
export type ListedWord = { readonly word: string; readonly pages: number }

/** Counts words over the pages of a batch, so that each is written once. */
export class WordCounts {
  readonly #counts = new Map<string, number>()

  /** `texts`: words with one space between them. */
  take(texts: readonly string[]): void {
    const heads = texts.map(headOf).join(' ')
    for (const word of new Set(heads.split(' '))) {
      if (word.length < MIN_LENGTH || word.length > MAX_WORD_LENGTH) continue
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1)
    }
  }

  /** What was counted since the last time. */
  *taken(): Generator<ListedWord> {
    for (const [word, pages] of this.#counts) if (WORD.test(word)) yield { word, pages }
    this.#counts.clear()
  }
}

export function initialOf(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0)
}

/** Without a word that is cut. */
function headOf(words: string): string {
  if (words.length <= HEAD) return words
  return words.slice(0, Math.max(0, words.lastIndexOf(' ', HEAD)))
}
