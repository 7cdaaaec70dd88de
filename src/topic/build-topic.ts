// Builds a topic from what the user gave: words, example pages, a trained model, or several of
// these. The strongest kind decides what is on topic (a model, else examples, else words); the others
// add to the evidence. Whatever cannot work is refused here, before the crawl starts.
import { InvalidInput } from '../core/errors.ts'
import { Background } from './background.ts'
import { checkedExamples } from './example-checks.ts'
import { fromExamples } from './from-examples.ts'
import { fromModel, type GivenModel } from './from-model.ts'
import { fromWords } from './from-words.ts'
import type { PageText } from './topic.ts'
import { type JudgedParts, type TopicRecord, toRecord } from './topic-record.ts'
import { createTopicRules, stemsFor, topicLanguage } from './topic-rules.ts'
import { readWords } from './topic-words.ts'

export type TopicSource = {
  /** What the crawl is about, in words; '' when that is not said. */
  readonly words: string
  /** Words and phrases. */
  readonly keywords: readonly string[]
  /** Pages on topic, and pages that are not. */
  readonly positive: readonly PageText[]
  readonly negative: readonly PageText[]
  readonly model: GivenModel | null
  /** A tag that decides the stems; '' to tell it from the examples or the words. */
  readonly language: string
  /** The user's own, beside those of the languages. */
  readonly stopWords?: readonly string[]
}

/** InvalidInput at `topic`, `keywords`, `examples` or `classifier` for what no crawl could use. */
export function buildTopic(source: TopicSource): TopicRecord {
  const { positive, negative, model, stopWords = [] } = source
  if (isEmpty(source)) {
    throw new InvalidInput(
      'topic',
      'say what the crawl is about: words, keywords, examples or a model',
    )
  }
  const language = languageOf(source)
  const stems = model === null ? stemsFor(language) : model.reading.language
  const rules = createTopicRules(stems, stopWords)
  const alone = positive.length === 0 && model === null
  const words = readWords(source, { ...rules, alone })
  const background = new Background(rules.reader, language)
  const judged = { words, background, ...rules }
  const parts = partsOf()
  return toRecord({ ...parts, language, stems, stopWords })

  function partsOf(): JudgedParts {
    if (model !== null) return fromModel(model, judged)
    if (alone && negative.length === 0) return fromWords(words, background)
    return fromExamples(checkedExamples(source, rules.reader), judged)
  }
}

function isEmpty({ words, keywords, positive, negative, model }: TopicSource): boolean {
  const given = keywords.length + positive.length + negative.length
  return words.trim() === '' && given === 0 && model === null
}

function languageOf({ language, words, keywords, positive, model }: TopicSource): string {
  if (model !== null) return model.reading.language
  const texts = positive.length > 0 ? positive.map(({ text }) => text) : [words, ...keywords]
  return topicLanguage(language, texts)
}
