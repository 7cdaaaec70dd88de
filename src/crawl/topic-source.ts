// Turns the user's request into a topic.
import { InvalidInput, shown } from '../core/errors.ts'
import type { KeptTopic } from '../core/job.ts'
import type { LookedFor } from '../core/topic-text.ts'
import type { Problems } from '../options/bad-options.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import { buildTopic, type TopicSource } from '../topic/build-topic.ts'
import { decodeModel } from '../topic/model-file.ts'
import { openTopic } from '../topic/open-topic.ts'
import { readyModel } from '../topic/ready/ready-model.ts'
import { fromRecord } from '../topic/topic-record.ts'
import type { ExamplePages } from './example-pages.ts'
import { textPage } from './example-texts.ts'

type Pages = Pick<ExamplePages, 'positive' | 'negative'>

/** Throws InvalidInput, naming the flag, if the request yields no topic that can judge pages. */
export function buildRequested(request: TopicRequest, pages: Pages): KeptTopic {
  return atFlags(() => {
    const topic = buildTopic(sourceOf(request, pages))
    // Every parser will do the same; it is better to refuse it before the crawl exists.
    openTopic(topic, { hotThreshold: 1 })
    return topic
  })
}

/** The sources of a topic. With a model, the words of the request name its labels. */
function sourceOf(request: TopicRequest, { positive, negative }: Pages): TopicSource {
  const { words, keywords, model: given, language = '', stopWords = [] } = request
  const rest = { keywords, positive, negative, language, stopWords }
  if (request.ready !== undefined) {
    const model = decodeModel(readyModel(), '--topic-model')
    return { ...rest, words: '', model: { ...model, wanted: request.ready } }
  }
  if (given === null) return { ...rest, words, model: null }
  const model = decodeModel(given.json, `--classifier: ${given.file}`)
  const wanted = wantedLabels(words, model.logisticRegression.labels, given.file)
  return { ...rest, words: '', model: { ...model, wanted } }
}

/**
 * Reports problems that can be found before example pages are fetched. Examples of more than `maxCharacters`
 * are not learnt from here, since that takes a millisecond for each thousand or so.
 */
export function checkTopic(
  request: TopicRequest,
  problems: Problems,
  maxCharacters = Number.POSITIVE_INFINITY,
): void {
  const { words, keywords, model } = request
  // Words and keywords are checked separately, so that neither hides a problem of the other.
  if (model === null && words !== '') {
    problems.try('flag', () => buildRequested({ ...request, keywords: [] }, NO_PAGES))
  }
  if (model === null && keywords.length > 0) {
    problems.try('flag', () => buildRequested({ ...request, words: '' }, NO_PAGES))
  }
  if (model !== null || request.ready !== undefined) {
    problems.try('flag', () => buildRequested(request, NO_PAGES))
  }
  const { texts, urls } = examplesOf(request)
  const isComplete = texts.positive.length > 0 && urls === 0
  if (isComplete && charactersOf(texts) <= maxCharacters)
    problems.try('flag', () => buildRequested({ ...request, words: '' }, texts))
}

function charactersOf({ positive, negative }: Pages): number {
  return [...positive, ...negative].reduce(
    (sum, { title, text }) => sum + title.length + text.length,
    0,
  )
}

const NO_PAGES: Pages = { positive: [], negative: [] }

/** Examples given as texts, and the number of pages still to fetch. */
function examplesOf({ examples }: TopicRequest): { texts: Pages; urls: number } {
  if (examples === null) return { texts: NO_PAGES, urls: 0 }
  const { positive, negative } = examples.pages
  const texts = (side: typeof positive) =>
    side.flatMap((example) => (example.kind === 'text' ? [textPage(example)] : []))
  const urls = [...positive, ...negative].filter(({ kind }) => kind === 'url').length
  return { texts: { positive: texts(positive), negative: texts(negative) }, urls }
}

/** Names the flag if only a part of a topic was named. */
function atFlags<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof InvalidInput) || error.at.startsWith('--')) throw error
    throw new InvalidInput(`--${error.at}`, error.message)
  }
}

/** If there are two labels, the one of these names is chosen by default. */
const PLAIN = ['positive', 'pos', 'relevant', 'on-topic', 'topic', 'yes', 'true', '1']

/**
 * Which labels of a model a crawl looks for; the topic names them. `words`: a label, or several separated
 * by commas, in any case; '' if none was named.
 */
export function wantedLabels(
  words: string,
  labels: readonly string[],
  file: string,
): readonly string[] {
  const find = (name: string) => labels.find((label) => folded(label) === folded(name))
  if (words === '') {
    const plain = labels.length === 2 ? labels.filter((label) => PLAIN.includes(folded(label))) : []
    if (plain.length === 1) return plain
    throw new InvalidInput(
      '--classifier',
      `${file} tells these apart: ${labels.join(', ')}; say which with --topic`,
    )
  }
  const whole = find(words)
  // A label may contain a comma.
  if (whole !== undefined) return [whole]
  return words.split(',').map((name) => {
    const label = find(name)
    if (label !== undefined) return label
    throw new InvalidInput(
      '--topic',
      `with --classifier names a label of the model, not ${shown(name.trim())}; ` +
        `${file} has: ${labels.join(', ')}`,
    )
  })
}

function folded(label: string): string {
  return label.trim().toLowerCase()
}

/**
 * Shows what a crawl would look for, before it starts. Nothing is fetched and nothing is saved. Throws
 * InvalidInput, naming the flag, if no crawl could use the request.
 */
export function lookedFor(request: TopicRequest): LookedFor {
  const { texts, urls } = examplesOf(request)
  // If examples must still be fetched, or none is on topic, the result depends on all examples together.
  if (urls > 0)
    return { kind: 'examples', languages: [], stems: '', words: [], dropped: [], fetches: urls }
  const { judge, languages, stems, shown } = fromRecord(buildRequested(request, texts))
  const kind = judge === 'likeness' ? 'examples' : judge
  return { kind, languages, stems, ...shown, fetches: 0 }
}
