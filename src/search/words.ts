// The words of a text as an index keeps them: lower-cased, NFKC, without accents, in pairs of characters for
// scripts without spaces (search-tokens.ts). Each word can also be found by its stem (stem-words.ts).
import { createUrlHasher } from '../lib/url-hash.ts'
import { eachSearchToken } from './search-tokens.ts'

/** Raise this when words, stems or their worth change: an index of another version is rebuilt. */
export const WORDS_VERSION = 16
/** The most words of a text that are indexed; a page of 1 MiB, the default limit, has fewer. */
export const MAX_WORDS = 200_000

/**
 * The most characters to read for these words: a longer text has reached the word limit or has no useful
 * words.
 */
const MAX_CHARS = 20 * MAX_WORDS

export type Words = {
  /** As they are looked up. */
  readonly folded: readonly string[]
  /** The same words with their accents. */
  readonly written: readonly string[]
}

export function wordsIn(text: string): Words {
  const folded: string[] = []
  const written: string[] = []
  eachSearchToken(text.slice(0, MAX_CHARS), MAX_WORDS, (word, as) => {
    folded.push(word)
    written.push(as)
  })
  return { folded, written }
}

export function wordsOf(text: string): readonly string[] {
  return wordsIn(text).folded
}

/** A URL as text: without its scheme, its parameters apart, and with its escapes decoded. */
export function urlText(url: string): string {
  const bare = SCHEME.test(url) ? url.replace(SCHEME, '').replaceAll('&', ' ') : url
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
// Identifies the same URL in several crawls.

const hashUrl = createUrlHasher(0)

/** 52 bits of a hash. A collision would fold two URLs into one hit, in one of 10,000 indexes. */
export function urlKey(url: string): number {
  const { hi, lo } = hashUrl(url)
  return (hi >>> 12) * 2 ** 32 + lo
}
