// Terms that an index has beside words and stems, so that no search needs to put very long lists together:
//
//   "tea*"     all words that begin with these three letters; longer prefixes have fewer words
//   "of the"   two common words in a row, with their positions; a phrase of other words has few pages to look at
//
// No word has a star or a space, so they are never taken for words.
import { isStopWord } from '../../text/stop-words.ts'

const PREFIX_LENGTH = 3
/** In a pair of UTF-16 units a letter would be cut. */
const SURROGATE = /[\ud800-\udfff]/
/** Stop words of languages without a list are short, too. */
const SHORT_WORD = /^[a-z]{1,3}$/

/** The term for all words with a prefix; null if there is none for prefixes like it. */
export function prefixTerm(prefix: string): string | null {
  return prefix.length === PREFIX_LENGTH && !SURROGATE.test(prefix) ? `${prefix}*` : null
}

/** The term that has a word among others; null if none has it. */
export function prefixTermOf(word: string): string | null {
  return prefixTerm(word.slice(0, PREFIX_LENGTH))
}

/** True if two such words in a row are a term. */
export function isPairable(word: string): boolean {
  return SHORT_WORD.test(word) || isStopWord(word)
}

export function pairTerm(first: string, second: string): string {
  return `${first} ${second}`
}

/** True if a term stands for several words. */
export function isJoined(term: string): boolean {
  return term.includes(' ') || term.endsWith('*')
}
