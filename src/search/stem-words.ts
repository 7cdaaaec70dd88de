// Stems as words of an index. A stem carries its language ("makan_id"), so no text contains it, and stems of one
// language never match words of another.
import { createRequire } from 'node:module'
import { cachedStemmer, english, indonesian } from '../text/stem.ts'
import { isStopWord } from '../text/stop-words.ts'
import { primaryLanguage, type Stemmer } from '../text/text.ts'
import { accentedWord, folded } from './search-tokens.ts'

/** The Snowball stemmers of other languages, by the name of their module. */
const SNOWBALL: Readonly<Record<string, string>> = {
  ar: 'arabic',
  da: 'danish',
  de: 'german',
  el: 'greek',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'indian',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
}
const STARTS_WITH_DIGIT = /^\d/
/** The stemmers of texts whose language nothing tells. */
const USUAL = ['en', 'id']

/** One module per language, loaded when the first page of that language comes. */
const load = createRequire(import.meta.url)
const stemmers = new Map<string, Stemmer | null>()

function stemmerOf(language: string): Stemmer | null {
  const known = stemmers.get(language)
  if (known !== undefined) return known
  const made = newStemmer(language)
  stemmers.set(language, made)
  return made
}

function newStemmer(language: string): Stemmer | null {
  if (language === 'en') return tagged(english, 'en')
  if (language === 'id') return tagged(indonesian, 'id')
  const name = Object.hasOwn(SNOWBALL, language) ? SNOWBALL[language] : undefined
  if (name === undefined) return null
  const { stemmer }: { readonly stemmer: Stemmer } = load(`@orama/stemmers/${name}`)
  return tagged(language === 'ar' ? arabicWith(stemmer) : stemmer, language)
}

/** "And the", "so the": Snowball removes "and" and "so" before other letters only. */
const ARABIC_AND_THE = /^[\u0648\u0641](?=\u0627\u0644...)/

function arabicWith(stemmer: Stemmer): Stemmer {
  return (word) => stemmer(word.replace(ARABIC_AND_THE, ''))
}

/** '' for stop words and numbers. */
function tagged(stem: Stemmer, language: string): Stemmer {
  return cachedStemmer((written) => {
    const word = folded(written)
    return isBare(word) ? '' : `${folded(stem(written)) || word}_${language}`
  })
}

/** Stop words of any language get no stem in any language: pages that quote English are full of "the". */
function isBare(word: string): boolean {
  return STARTS_WITH_DIGIT.test(word) || isStopWord(word)
}

/** Malay shares Indonesian's stemmer. */
function stemLanguage(tag: string): string {
  const primary = primaryLanguage(tag)
  return primary === 'ms' ? 'id' : primary
}

export class StemWords {
  readonly #languages: readonly string[]

  /** `languages`: those of the pages of an index; by them words of a query are looked up. */
  constructor(languages: readonly string[] = USUAL) {
    this.#languages = languages
  }

  /**
   * The stemmers for a language; each returns '' for stop words and numbers. There are none for languages
   * without a stemmer. If the language is unknown, the usual ones are used, so that short texts are found, too.
   */
  stemmersFor(language: string): readonly Stemmer[] {
    const primary = stemLanguage(language)
    const languages = primary === '' ? USUAL : [primary]
    return languages.flatMap((each) => stemmerOf(each) ?? [])
  }

  /** The stems of a page's words as they were written, in order, and forms with accents. */
  of(written: readonly string[], language: string): string[] {
    const stemmers = this.stemmersFor(language)
    const stems: string[] = []
    for (const word of written) {
      for (const stemmer of stemmers) {
        const stem = stemmer(word)
        if (stem !== '') stems.push(stem)
      }
      const accented = accentedWord(folded(word), word)
      if (accented !== null) stems.push(accented)
    }
    return stems
  }

  /** The stems of a query word, in one language or in all of the index. */
  forms(written: string, language?: string): string[] {
    const languages = language === undefined ? this.#languages : [language]
    const stems = languages.flatMap((each) => this.stemmersFor(each).map((stem) => stem(written)))
    return [...new Set(stems)].filter((stem) => stem !== '')
  }
}
