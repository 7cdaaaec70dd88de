// Builds a topic from the user's input: words, example pages, a trained model, or several of these. The
// strongest kind decides what is on topic (a model, else examples, else words); the others add to the
// evidence. Input that cannot work is refused here, before the crawl starts.
import { InvalidInput } from '../core/errors.ts'
import { hashText, type Stemmer, type TermId } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import { Background } from './background.ts'
import { checkedExamples } from './example-checks.ts'
import { fromExamples } from './from-examples.ts'
import { fromLanguages, languagesNamed } from './from-languages.ts'
import { fromModel, type GivenModel, wordsIn } from './from-model.ts'
import { fromWords } from './from-words.ts'
import { functionWordsIn, withFunctionWords } from './function-words.ts'
import type { PageText } from './topic.ts'
import {
  type JudgedParts,
  type KeptPhrase,
  NOTHING_SHOWN,
  type ShownTopic,
  type ShownWord,
  type TopicColumns,
  type TopicRecord,
  toRecord,
} from './topic-record.ts'
import { createTopicRules, stemsFor, topicLanguage } from './topic-rules.ts'
import { readWords, type TopicWords } from './topic-words.ts'

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

const SHOWN_WORDS = 60
/** Limit for a topic from examples or a model, where thousands of words have some weight. */
const SHOWN_TELLING = 20
const MAX_SAMPLE = 20_000

/**
 * The words that are looked for, with their weights, as people see them before a crawl starts; for a topic
 * from words, every typed word and phrase. Terms are numbers, so their words are found again in the source
 * texts.
 */
function shownWords(
  { columns, phrases }: { readonly columns: TopicColumns; readonly phrases: readonly KeptPhrase[] },
  { forms, dropped, keywords }: TopicWords,
  stem: Stemmer,
): ShownTopic {
  const weights = new Map(Array.from(columns.terms, (term, row) => [term, columns.pull[row] ?? 0]))
  const formsOf = (term: TermId) => [...(forms.get(term) ?? [])]
  const nameOf = (term: TermId) => formsOf(term).map((form) => stem(form) || form)[0] ?? ''
  const single = [...forms.keys()].map(
    (term): ShownWord => ({
      stem: nameOf(term),
      forms: formsOf(term),
      weight: rounded(weights.get(term) ?? 0),
    }),
  )
  const whole = phrases
    .filter(({ terms }) => keywords.some((keyword) => keyword.join() === terms.join()))
    .map(
      ({ terms, pull }): ShownWord => ({
        stem: terms.map(nameOf).join(' '),
        forms: [terms.map((term) => formsOf(term)[0] ?? '').join(' ')],
        weight: rounded(pull),
      }),
    )
  return { words: heaviest([...whole, ...single], SHOWN_WORDS), dropped }
}

/** For any other topic: the words with the strongest evidence, common ones first among equals. */
function shownEvidence(
  { terms, evidence, centre }: TopicColumns,
  nameOf: ReadonlyMap<TermId, string>,
  { forms }: Pick<TopicWords, 'forms'>,
): ShownTopic {
  const words = Array.from(terms, (term, row): ShownWord | null => {
    const stem = nameOf.get(term)
    // Evidence alone favours names that one page has; the centre has the words that pages on topic share.
    const weight = rounded((evidence[row] ?? 0) * Math.sqrt(Math.max(0, centre[row] ?? 0)))
    return stem === undefined || weight <= 0
      ? null
      : { stem, forms: [...(forms.get(term) ?? [])], weight }
  })
  return {
    words: heaviest(
      words.filter((word) => word !== null),
      SHOWN_TELLING,
    ),
    dropped: [],
  }
}

/** Term → stem, for the words of some texts. */
function stemsIn(texts: readonly string[], stem: Stemmer): Map<TermId, string> {
  const names = new Map<TermId, string>()
  for (const text of texts) {
    for (const word of new Set(tokens(text.slice(0, MAX_SAMPLE)))) {
      const name = stem(word) || word
      names.set(hashText(name), name)
    }
  }
  return names
}

function heaviest(words: readonly ShownWord[], count: number): ShownWord[] {
  return words.toSorted((a, b) => b.weight - a.weight).slice(0, count)
}

function rounded(weight: number): number {
  return Math.round(weight * 100) / 100
}
