// How texts are read where a topic is concerned, the same when it is built and when it judges. No
// word is left out ("pages in French" are told by their stop words), and stems are English unless
// the language has its own: what a crawl meets is mixed.
import { hashText } from '../text/hash-text.ts'
import { detectLanguage } from '../text/language.ts'
import { stemmerFor } from '../text/stem.ts'
import { allStopWords, stopWordsFor } from '../text/stop-words.ts'
import { TermTable } from '../text/term-table.ts'
import { TermReader } from '../text/terms.ts'
import { primaryLanguage, type Stemmer, type StopWords, type TermId } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import { languageOfWords } from './words-language.ts'

const FALLBACK = 'en'
/** Languages with stems of their own. */
const STEMMED = ['en', 'id', 'ms']
const SAMPLE_TEXTS = 40
const SAMPLE_LENGTH = 500

export type TopicRules = {
  readonly reader: TermReader
  readonly stem: Stemmer
  /** Of the words of texts, where only their terms are known. */
  readonly isStopWord: (term: TermId) => boolean
  /** Of what the user wrote, word by word: "guna" is one, "pengguna" of the same stem is none. */
  readonly stopWords: StopWords
}

/** The language whose stems are used for texts of a language. */
export function stemsFor(language: string): string {
  return STEMMED.includes(language) ? language : FALLBACK
}

/** Stop words of all languages apply, whatever the topic's own is, and those that the user adds. */
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

/** The language that was named, else that of most of the texts; '' when that is unclear. */
export function topicLanguage(named: string, texts: readonly string[]): string {
  const own = primaryLanguage(named)
  if (own !== '') return own
  const stride = Math.max(1, Math.floor(texts.length / SAMPLE_TEXTS))
  const sample = texts.filter((_, at) => at % stride === 0)
  const text = sample.map((one) => one.slice(0, SAMPLE_LENGTH)).join('\n')
  return detectLanguage(text).language || languageOfWords(text)
}
