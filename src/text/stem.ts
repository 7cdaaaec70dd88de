// Which stemmer a language has. The rules are our own implementations of the published algorithms:
// faster than the packages that have them, and nearer to the published words (bench/text.ts).
import { cachedStemmer } from './stem-cache.ts'
import { english } from './stem-english.ts'
import { indonesian } from './stem-indonesian.ts'
import { porter } from './stem-porter.ts'
import { primaryLanguage, type Stemmer } from './text.ts'

export { english, indonesian, porter }

/** Malay builds its words with the same affixes. */
const STEMMERS: Readonly<Record<string, Stemmer>> = { en: english, id: indonesian, ms: indonesian }

/** A stemmer with a cache of its own for a language tag; words stay as they are where none is. */
export function stemmerFor(language: string): Stemmer {
  const stem = STEMMERS[primaryLanguage(language)]
  return stem === undefined ? (word) => word : cachedStemmer(stem)
}
