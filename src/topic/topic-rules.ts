// How texts are read where a topic is concerned, the same when it is built and when it judges. No
// word is left out ("pages in French" are told by their stop words), and stems are English unless
// the language has its own: what a crawl meets is mixed.
import { detectLanguage } from '../text/language.ts'
import { stopWordsFor } from '../text/stop-words.ts'
import { TermTable } from '../text/term-table.ts'
import { createTermReader, type TermReader } from '../text/terms.ts'
import { primaryLanguage, type TermId } from '../text/text.ts'

const FALLBACK = 'en'
/** Languages with stems of their own. */
const STEMMED = ['en', 'id', 'ms']
const SAMPLE_TEXTS = 40
const SAMPLE_LENGTH = 500

export type TopicRules = {
  readonly reader: TermReader
  readonly isStopWord: (term: TermId) => boolean
}

/** The language whose stems are used for texts of a language. */
export function stemsFor(language: string): string {
  return STEMMED.includes(language) ? language : FALLBACK
}

export function createTopicRules(language: string, stems: string): TopicRules {
  const own = primaryLanguage(language)
  const reader = createTermReader(stems, new Set())
  const stopTerms = new TermTable()
  for (const list of [stopWordsFor(own), stopWordsFor(FALLBACK)]) {
    for (const word of list) stopTerms.set(reader.termOf(word), 1)
  }
  return { reader, isStopWord: (term) => stopTerms.has(term) }
}

/** The language that was named, else that of most of the texts; '' when that is unclear. */
export function topicLanguage(named: string, texts: readonly string[]): string {
  const own = primaryLanguage(named)
  if (own !== '') return own
  const stride = Math.max(1, Math.floor(texts.length / SAMPLE_TEXTS))
  const sample = texts.filter((_, at) => at % stride === 0)
  return detectLanguage(sample.map((text) => text.slice(0, SAMPLE_LENGTH)).join('\n')).language
}
