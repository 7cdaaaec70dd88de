// Builds a topic from the user's input: words, example pages, a trained model, or several of these. The
// strongest kind decides what is on topic (a model, else examples, else words); the others add to the
// evidence. Input that cannot work is refused here, before the crawl starts.
import { InvalidInput } from '../core/errors.ts'
import { Background } from './background.ts'
import { checkedExamples } from './example-checks.ts'
import { fromExamples } from './from-examples.ts'
import { fromLanguages } from './from-languages.ts'
import { fromModel, type GivenModel, wordsIn } from './from-model.ts'
import { fromWords } from './from-words.ts'
import { functionWordsIn, withFunctionWords } from './function-words.ts'
import { languagesNamed } from './named-languages.ts'
import { shownEvidence, shownWords, stemsIn } from './shown-topic.ts'
import type { PageText } from './topic.ts'
import {
  type JudgedParts,
  NOTHING_SHOWN,
  type ShownTopic,
  type TopicRecord,
  toRecord,
} from './topic-record.ts'
import { createTopicRules, stemsFor, topicLanguage } from './topic-rules.ts'
import { readWords } from './topic-words.ts'

export type TopicSource = {
  /** The topic in words; '' if none was given. */
  readonly words: string
  /** Words and phrases. */
  readonly keywords: readonly string[]
  /** Pages on topic, and pages off topic. */
  readonly positive: readonly PageText[]
  readonly negative: readonly PageText[]
  readonly model: GivenModel | null
  /** A tag that decides the stems; '' to detect it from the examples or the words. */
  readonly language: string
  /** The user's own, beside those of the languages. */
  readonly stopWords?: readonly string[]
}

/** InvalidInput at `topic`, `keywords`, `examples` or `classifier` if no crawl could use it. */
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
  const typed = [source.words, source.keywords.join(' ')]
  // A keyword of one word was chosen; only what has several may have function words.
  const written = functionWordsIn([source.words, ...source.keywords], language)
  const background = new Background(rules.reader, written.language)
  const languages = isOnlyText(source) ? languagesNamed(source.words, rules.stopWords) : []
  if (languages.length > 0) {
    const parts = fromLanguages(languages, rules.reader, background)
    return toRecord({ ...parts, language, stems, stopWords, shown: NOTHING_SHOWN })
  }
  const allStopWords = withFunctionWords(rules.stopWords, written.words, typed)
  const words = readWords(source, { ...rules, stopWords: allStopWords, alone })
  const judged = { words, background, ...rules }
  const parts = partsOf()
  return toRecord({ ...parts, language, stems, stopWords, languages: [], shown: shownOf(parts) })

  function partsOf(): JudgedParts {
    if (model !== null) return fromModel(model, judged)
    if (alone && negative.length === 0) return fromWords(words, background)
    return fromExamples(checkedExamples(source, rules.reader), judged)
  }

  function shownOf({ judge, columns, phrases }: JudgedParts): ShownTopic {
    if (judge === 'words') return shownWords({ columns, phrases }, words, rules.stem)
    const texts = positive.flatMap(({ title, text }) => [title, text])
    const names = model === null ? stemsIn(texts, rules.stem) : wordsIn(model)
    return shownEvidence(columns, names, words)
  }
}

/** Keywords are always looked for, and examples say more than the name of a language. */
function isOnlyText({ keywords, positive, negative, model }: TopicSource): boolean {
  return keywords.length + positive.length + negative.length === 0 && model === null
}

function isEmpty({ words, keywords, positive, negative, model }: TopicSource): boolean {
  const given = keywords.length + positive.length + negative.length
  return words.trim() === '' && given === 0 && model === null
}

function languageOf({ language, words, keywords, positive, model }: TopicSource): string {
  if (model !== null) return model.reading.language
  const pages = positive.map(({ text }) => text)
  return topicLanguage(language, pages.length > 0 ? pages : [words, ...keywords])
}
