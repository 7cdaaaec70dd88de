// How texts are read for a topic, the same when it is built and when it judges. No word is left out ("pages
// in French" are recognised by their stop words). Stems are English unless the language has its own, since a
// crawl meets mixed languages.
import { detectLanguage } from '../text/language.ts'
import { stemmerFor } from '../text/stem.ts'
import { allStopWords, stopWordsFor } from '../text/stop-words.ts'
import { TermTable } from '../text/term-table.ts'
import { TermReader } from '../text/terms.ts'
import {
  hashText,
  primaryLanguage,
  type Stemmer,
  type StopWords,
  type TermId,
} from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import { languageOfWords } from './words-language.ts'

const FALLBACK = 'en'
/** Languages with stems of their own. */
const STEMMED = ['en', 'id', 'ms']
const SAMPLE_TEXTS = 40
const SAMPLE_LENGTH = 500

type TopicRules = {
  readonly reader: TermReader
  readonly stem: Stemmer
  /** For words of texts, which are known only by their terms. */
  readonly isStopWord: (term: TermId) => boolean
  /** For the user's own words, word by word: "guna" is one, "pengguna" of the same stem is not. */
  readonly stopWords: StopWords
}

/** The language whose stems apply to texts of a language. */
export function stemsFor(language: string): string {
  return STEMMED.includes(language) ? language : FALLBACK
}

/** Stop words of all languages apply to every topic, together with those that the user adds. */
export function createTopicRules(stems: string, ownStopWords: readonly string[]): TopicRules {
  const stem = stemmerFor(stems)
  const reader = new TermReader({ stem, stopWords: new Set() })
  const own = ownStopWords.flatMap((entry) => tokens(entry))
  const stopWords = allStopWords(own)
  const meant = new Set([...stopWordsFor(FALLBACK), ...own])
  const stopTerms = new TermTable()
  for (const word of stopWords) {
    const term = reader.termOf(word)
    // A stem that is no stop word itself belongs to other words: "memiliki", to have, and "pemilik", owner.
    if (meant.has(word) || term === hashText(word)) stopTerms.set(term, 1)
  }
  return { reader, stem, stopWords, isStopWord: (term) => stopTerms.has(term) }
}

/** The given language, else that of most texts; '' if it is unclear. */
export function topicLanguage(named: string, texts: readonly string[]): string {
  const own = primaryLanguage(named)
  if (own !== '') return own
  const stride = Math.max(1, Math.floor(texts.length / SAMPLE_TEXTS))
  const sample = texts.filter((_, at) => at % stride === 0)
  const text = sample.map((one) => one.slice(0, SAMPLE_LENGTH)).join('\n')
  return detectLanguage(text).language || languageOfWords(text)
}
