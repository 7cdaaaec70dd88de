// The words of a text as an index keeps them: lower-cased, NFKC, without accents, pairs of
// characters where a script has no spaces. Beside each word its stem is findable: a word of its own
// that no text contains, since it carries its language ("makan_id"). So stems of one language never
// meet the words of another.

import { createUrlHasher } from '../lib/url-hash.ts'
import { cachedStemmer, english, indonesian } from '../text/stem.ts'
import { isStopWord } from '../text/stop-words.ts'
import { primaryLanguage, type Stemmer } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'

/** To be raised when words or stems come out otherwise: an index of another version is made anew. */
export const WORDS_VERSION = 7
/** Words of a text that are indexed; a page of 1 MiB, the default limit, has fewer. */
export const MAX_WORDS = 200_000

/** Characters that are looked at for them: a text has more words in so many, or none worth finding. */
const MAX_CHARS = 20 * MAX_WORDS

export function wordsOf(text: string): string[] {
  return tokens(text.slice(0, MAX_CHARS), { accents: 'strip', max: MAX_WORDS })
}

/** What a URL says, as a text: without its scheme, and with its escapes read. */
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

/** Stems as words of the index, for the languages that have a stemmer. Malay shares Indonesian's. */
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
   * What stems the words of a text; each gives '' for stop words and numbers. None for languages without
   * a stemmer, and all of them where nothing tells the language: a short text must be found, too.
   */
  stemmersFor(language: string): readonly Stemmer[] {
    const primary = primaryLanguage(language)
    if (primary === '') return this.#all
    const stemmer = this.#stemmers[primary]
    return stemmer === undefined ? [] : [stemmer]
  }

  /** Of the words of a page, in their order. */
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

  /** What a word that somebody looks for may stand for: in one language, or in all of them. */
  forms(word: string, language?: string): string[] {
    const languages = language === undefined ? Object.keys(this.#stemmers) : [language]
    return [...new Set(languages.flatMap((each) => this.of([word], each)))]
  }
}

function tagged(stem: Stemmer, language: string): Stemmer {
  return cachedStemmer((word) => (isBare(word) ? '' : `${stem(word)}_${language}`))
}

/** Function words of any language are none elsewhere: pages that quote English are full of "the". */
function isBare(word: string): boolean {
  return STARTS_WITH_DIGIT.test(word) || isStopWord(word)
}

// By which the same URL is known in several crawls.

const hashUrl = createUrlHasher(0)

/** 52 bits of a hash. Two URLs that share them by bad luck would be one hit, in one of 10,000 indexes. */
export function urlKey(url: string): number {
  const { hi, lo } = hashUrl(url)
  return (hi >>> 12) * 2 ** 32 + lo
}
