// The stemmer of each language. The rules are our own implementations of the published algorithms: faster
// than the existing packages, and nearer to the published words (bench/text.ts).
import { ownCopy, remembering } from './remembering.ts'
import { english } from './stem-english.ts'
import { indonesian, isIndonesian } from './stem-indonesian.ts'
import { BOTH_LANGUAGES, MAX_WORD, primaryLanguage, type Stemmer } from './text.ts'

export { english, indonesian }

/** Malay builds its words with the same affixes. */
const STEMMERS: Readonly<Record<string, Stemmer>> = {
  en: english,
  id: indonesian,
  ms: indonesian,
  [BOTH_LANGUAGES]: indonesianOrEnglish,
}

/** For texts in Indonesian and in English: words that are not in the dictionary are read as English. */
function indonesianOrEnglish(word: string): string {
  const root = indonesian(word)
  return root !== word || isIndonesian(word) ? root : english(word)
}

/** A stemmer with its own cache for a language tag; without one, words stay unchanged. */
export function stemmerFor(language: string): Stemmer {
  const stem = STEMMERS[primaryLanguage(language)]
  return stem === undefined ? (word) => word : cachedStemmer(stem)
}

/** About 8 MB, and a crawl's common words are a fraction. */
const CACHE_WORDS = 50_000

/**
 * The same stemmer with a cache of at most `limit` words: words repeat, and a look-up costs a tenth of the
 * rules. Words over MAX_WORD stay unchanged.
 */
export function cachedStemmer(stem: Stemmer, limit = CACHE_WORDS): Stemmer {
  const known = remembering((word: string) => ownCopy(stem(word)), {
    kept: limit,
    longest: MAX_WORD,
  })
  return (word) => (word.length > MAX_WORD ? word : known(word))
}
