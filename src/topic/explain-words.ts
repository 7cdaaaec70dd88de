// Explains a text word by word: its language, the stem of each word, the stop words, the words that share a
// stem, and the words that a topic made from it would look for.
import { InvalidInput } from '../core/errors.ts'
import { tooLongForTopic } from '../core/topic-text.ts'
import { stemmerFor } from '../text/stem.ts'
import { stopWordsFor } from '../text/stop-words.ts'
import type { Stemmer } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import { buildTopic } from './build-topic.ts'
import { type FunctionWords, functionWordsIn, withFunctionWords } from './function-words.ts'
import { fromRecord, shownIn } from './topic-record.ts'
import { createTopicRules, stemsFor, topicLanguage } from './topic-rules.ts'

type ExplainedWord = {
  readonly word: string
  readonly stem: string
  readonly count: number
  /** The list that has it as a stop word: `en`, `id`, the language of the text, `own`; '' for none. */
  readonly stopWord: string
}

export type ExplainedText = {
  /** A code; '' if it is unclear. */
  readonly language: string
  /** The language whose stems are used. */
  readonly stems: string
  /** Each different word once, in their order. */
  readonly words: readonly ExplainedWord[]
  /** Stems that several different words share. */
  readonly families: readonly { readonly stem: string; readonly words: readonly string[] }[]
  /** The words that a topic from this text looks for, heaviest first. */
  readonly topic: readonly { readonly stem: string; readonly weight: number }[]
  /** Languages, if the text names these instead of a subject: its topic wants pages in them. */
  readonly languages: readonly string[]
  /** Why the text cannot be a topic; '' if it can. */
  readonly problem: string
}

type ExplainOptions = {
  /** '' to detect it from the text. */
  readonly language: string
  readonly stopWords: readonly string[]
}

/** Limit of words that are read: more than a page has. */
const MAX_WORDS = 100_000

export function explainWords(text: string, options: ExplainOptions): ExplainedText {
  const language = topicLanguage(options.language, [text])
  const stems = stemsFor(language)
  const words = wordsOf(text, stemmerFor(stems), { ...options, language })
  const telling = words.filter(({ stopWord }) => stopWord === '')
  return {
    language,
    stems,
    words,
    families: familiesOf(telling),
    ...topicOf(text, { ...options, language }),
  }
}

function wordsOf(text: string, stem: Stemmer, options: ExplainOptions): ExplainedWord[] {
  const counts = new Map<string, number>()
  for (const word of tokens(text, { max: MAX_WORDS })) counts.set(word, (counts.get(word) ?? 0) + 1)
  const { stopWords } = createTopicRules('', options.stopWords)
  const written = functionWordsIn([text], options.language)
  const all = withFunctionWords(stopWords, written.words, [text])
  return [...counts].map(([word, count]) => ({
    word,
    stem: stem(word) || word,
    count,
    stopWord: all.has(word) ? listOf(word, written) : '',
  }))
}

function listOf(word: string, { language, words }: FunctionWords): string {
  const general = ['en', 'id'].find((each) => stopWordsFor(each).has(word))
  return general ?? (words.has(word) ? language : 'own')
}

function familiesOf(words: readonly ExplainedWord[]): ExplainedText['families'] {
  const byStem = Map.groupBy(words, ({ stem }) => stem)
  return [...byStem]
    .filter(([, members]) => members.length > 1)
    .map(([stem, members]) => ({ stem, words: members.map(({ word }) => word) }))
}

function topicOf(
  text: string,
  { language, stopWords }: ExplainOptions,
): Pick<ExplainedText, 'topic' | 'languages' | 'problem'> {
  const tooLong = tooLongForTopic(text)
  if (tooLong !== null) return { topic: [], languages: [], problem: `--topic ${tooLong}` }
  const nothing = { keywords: [], positive: [], negative: [], model: null }
  try {
    const record = buildTopic({ ...nothing, words: text, language, stopWords })
    const topic = shownIn(record).words.map(({ stem, weight }) => ({ stem, weight }))
    return { topic, languages: fromRecord(record).languages, problem: '' }
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return { topic: [], languages: [], problem: error.message }
  }
}
