// The stemmer of each language. The rules are our own implementations of the published algorithms: faster
// than the existing packages, and nearer to the published words (bench/text.ts).
import {
  endingOf,
  endings,
  endsInDouble,
  endsInShortSyllable,
  english,
  hasVowel,
  markConsonantY,
  regionAfter,
} from './stem-english.ts'
import { indonesian } from './stem-indonesian.ts'
import { MAX_WORD, primaryLanguage, type Stemmer } from './text.ts'

// Porter's first stemmer for English (1980), as defined on its author's site. Kept for comparison with
// published results; stem-english.ts makes fewer mistakes.

const STEP_2 = endings(`
  tional:tion enci:ence anci:ance abli:able entli:ent eli:e izer:ize ization:ize ational:ate
  ation:ate ator:ate alli:al alism:al aliti:al fulness:ful ousli:ous ousness:ous iveness:ive
  iviti:ive biliti:ble`)
const STEP_3 = endings('alize:al icate:ic iciti:ic ical:ic ative: ful: ness:')
const STEP_4 = endings(`
  al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ou: ism: ate: iti: ous: ive: ize:
  ion:`)

/** The stem of a lower-cased English word by Porter's first algorithm; "s" becomes ''. */
function porter(word: string): string {
  let stem = markConsonantY(word)
  const r1 = regionAfter(stem, 0)
  const r2 = regionAfter(stem, r1)
  stem = withoutPlural(stem)
  stem = withoutPast(stem, r1)
  if (/[yY]$/.test(stem) && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  stem = replaced(stem, STEP_2, r1)
  stem = replaced(stem, STEP_3, r1)
  stem = withoutSuffix(stem, r2)
  return withoutLastE(stem, r1, r2).replaceAll('Y', 'y')
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutPast(word: string, r1: number): string {
  if (word.endsWith('eed')) return word.length - 3 >= r1 ? word.slice(0, -1) : word
  const length = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const stem = word.slice(0, word.length - length)
  if (length === 0 || !hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsInDouble(stem)) return stem.slice(0, -1)
  return stem.length === r1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function replaced(word: string, table: typeof STEP_2, region: number): string {
  const found = endingOf(word, table)
  if (!found) return word
  const at = word.length - found[0].length
  return at >= region ? word.slice(0, at) + found[1] : word
}

function withoutSuffix(word: string, r2: number): string {
  const found = endingOf(word, STEP_4)
  if (found?.[0] === 'ion' && !/[st]ion$/.test(word)) return word
  return replaced(word, STEP_4, r2)
}

function withoutLastE(word: string, r1: number, r2: number): string {
  const at = word.length - 1
  const stem = word.slice(0, at)
  const goes = word.endsWith('e') && (at >= r2 || (at >= r1 && !endsInShortSyllable(stem)))
  const rest = goes ? stem : word
  return rest.endsWith('ll') && rest.length - 1 >= r2 ? rest.slice(0, -1) : rest
}

export { english, indonesian, porter }

/** Malay builds its words with the same affixes. */
const STEMMERS: Readonly<Record<string, Stemmer>> = { en: english, id: indonesian, ms: indonesian }

/** A stemmer with its own cache for a language tag; without one, words stay unchanged. */
export function stemmerFor(language: string): Stemmer {
  const stem = STEMMERS[primaryLanguage(language)]
  return stem === undefined ? (word) => word : cachedStemmer(stem)
}

// A stemmer with a cache: words repeat, and a look-up costs a tenth of the rules. Two generations bound it
// without a list of recent use: a full young generation becomes the old one, and words that are found in the
// old one move to the young one.

/** Words of both generations together; about 8 MB, and a crawl's common words are a fraction. */
const CACHE_WORDS = 50_000
/** V8 copies a substring up to this length; a longer one would keep its whole page alive. */
const COPIED_LENGTH = 12

/** The same stemmer with a cache of at most `limit` words; words over MAX_WORD stay unchanged. */
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
