// The stemmer of each language. The rules are our own implementations of the published algorithms: faster
// than the existing packages, and nearer to the published words (bench/text.ts).
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

/** Words of both generations together; about 8 MB, and a crawl's common words are a fraction. */
const CACHE_WORDS = 50_000
/** V8 copies a substring up to this length; a longer one would keep its whole page alive. */
const COPIED_LENGTH = 12

/**
 * The same stemmer with a cache of at most `limit` words: words repeat, and a look-up costs a tenth of the
 * rules. Two generations bound it without a list of recent use: a full young generation becomes the old
 * one, and words that are found in the old one move to the young one. Words over MAX_WORD stay unchanged.
 */
export function cachedStemmer(stem: Stemmer, limit = CACHE_WORDS): Stemmer {
  const generation = Math.max(1, limit >> 1)
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  const remember = (word: string, stemmed: string): string => {
    if (young.size >= generation) {
      old = young
      young = new Map()
    }
    young.set(word, stemmed)
    return stemmed
  }
  return (word) => {
    if (word.length > MAX_WORD) return word
    const known = young.get(word)
    if (known !== undefined) return known
    const older = old.get(word)
    if (older !== undefined) return remember(word, older)
    const own = ownCopy(word)
    return remember(own, ownCopy(stem(own)))
  }
}

function ownCopy(word: string): string {
  if (word.length <= COPIED_LENGTH) return word
  return Buffer.from(word, 'utf16le').toString('utf16le')
}
