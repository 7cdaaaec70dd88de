// The words of a text as an index keeps them: lower-cased, NFKC, without accents, in pairs of characters for
// scripts without spaces. Each word can also be found by its stem. A stem carries its language ("makan_id"),
// so no text contains it, and stems of one language never match words of another.
import { createUrlHasher } from '../lib/url-hash.ts'
import { cachedStemmer, english, indonesian } from '../text/stem.ts'
import { isStopWord } from '../text/stop-words.ts'
import { primaryLanguage, type Stemmer } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'

/** Raise this when words or stems change: an index of another version is rebuilt. */
export const WORDS_VERSION = 8
/** The most words of a text that are indexed; a page of 1 MiB, the default limit, has fewer. */
export const MAX_WORDS = 200_000

/**
 * The most characters to read for these words: a longer text has reached the word limit or has no useful
 * words.
 */
const MAX_CHARS = 20 * MAX_WORDS

export function wordsOf(text: string): string[] {
  return tokens(text.slice(0, MAX_CHARS), { accents: 'strip', max: MAX_WORDS })
}

/** A URL as text: without its scheme, and with its escapes decoded. */
export function urlText(url: string): string {
  const bare = url.replace(SCHEME, '')
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const STARTS_WITH_DIGIT = /^\d/

/** Stems as words of the index, for languages that have a stemmer. Malay shares Indonesian's. */
export class StemWords {
  readonly #stemmers: Readonly<Record<string, Stemmer>>
  readonly #all: readonly Stemmer[]

  constructor() {
    const id = tagged(indonesian, 'id')
    const en = tagged(english, 'en')
    this.#stemmers = { en, id, ms: id }
    this.#all = [en, id]
  }

  /**
   * The stemmers for a language; each returns '' for stop words and numbers. There are none for languages
   * without a stemmer. If the language is unknown, all are used, so that short texts are found, too.
   */
  stemmersFor(language: string): readonly Stemmer[] {
    const primary = primaryLanguage(language)
    if (primary === '') return this.#all
    const stemmer = this.#stemmers[primary]
    return stemmer === undefined ? [] : [stemmer]
  }

  /** The stems of a page's words, in order. */
  of(words: readonly string[], language: string): string[] {
    const stemmers = this.stemmersFor(language)
    const stems: string[] = []
    if (stemmers.length === 0) return stems
    for (const word of words) {
      for (const stemmer of stemmers) {
        const stem = stemmer(word)
        if (stem !== '') stems.push(stem)
      }
    }
    return stems
  }

  /** The stems of a query word, in one language or in all. */
  forms(word: string, language?: string): string[] {
    const languages = language === undefined ? Object.keys(this.#stemmers) : [language]
    return [...new Set(languages.flatMap((each) => this.of([word], each)))]
  }
}

function tagged(stem: Stemmer, language: string): Stemmer {
  return cachedStemmer((word) => (isBare(word) ? '' : `${stem(word)}_${language}`))
}

/** Stop words of any language get no stem in any language: pages that quote English are full of "the". */
function isBare(word: string): boolean {
  return STARTS_WITH_DIGIT.test(word) || isStopWord(word)
}

// Identifies the same URL in several crawls.

const hashUrl = createUrlHasher(0)

/** 52 bits of a hash. A collision would fold two URLs into one hit, in one of 10,000 indexes. */
export function urlKey(url: string): number {
  const { hi, lo } = hashUrl(url)
  return (hi >>> 12) * 2 ** 32 + lo
}
