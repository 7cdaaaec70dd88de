import { decodeHTML } from 'entities/decode'

/** Several, and what is none but should be: a line end or a control character. */
const BLANKS = /[\s\0-\x1f\x7f-\x9f]{2,}|[\0-\x1f\x7f-\x9f\u2028\u2029]/g
const TAG = /<\/?[a-z][^<>]{0,400}>/gi
const UNSEEN = /[\u00ad\u200b\ufeff]/g
const NO_BREAK = '\u00a0'

/** White space collapsed and none at the ends; halves of characters, which JSON can hold, made whole. */
export function tidied(text: string): string {
  return text.replace(BLANKS, ' ').trim().toWellFormed()
}

/** The same for a text that was meant for a page and may hold its markup. */
export function plain(text: string): string {
  const decoded = text.includes('&') ? decodeHTML(text) : text
  const bare = decoded.includes('<') ? decoded.replace(TAG, ' ') : decoded
  return tidied(bare.replace(UNSEEN, '').replaceAll(NO_BREAK, ' '))
}

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
