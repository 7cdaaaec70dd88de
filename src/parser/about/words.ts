// Short texts compared by their words.

const WORD = /[\p{L}\p{N}]+/gu
const NO_LETTER = /[^\p{L}\p{N}]+/gu

/** The words of a text in lower case, each once. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORD) ?? [])
}

/** Only letters and digits, in lower case. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(NO_LETTER, '')
}

/** How alike two texts are, 0 to 1: the harmonic mean of what each has of the other's words. */
export function likenessOf(a: string, b: string): number {
  return a === '' || b === '' ? 0 : likenessOfWords(wordsOf(a), wordsOf(b))
}

/** The same for words taken before. */
export function likenessOfWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return (2 * both) / (a.size + b.size)
}
