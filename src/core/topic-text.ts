/** A description is never longer; a page of text can be given as an example. */
const MAX_TOPIC_CHARACTERS = 10_000

type Said = {
  readonly topic: string
  readonly keywords: readonly string[]
  readonly topicModel?: readonly string[]
  readonly examples: string | null
  readonly classifier: string | null
}

/** The topic in the user's words; '' if the crawl has none. */
export function topicText({
  topic,
  keywords,
  topicModel = [],
  examples,
  classifier,
}: Said): string {
  const words = [...(topic === '' ? [] : [topic]), ...keywords, ...topicModel]
  if (words.length > 0) return words.join(', ')
  if (examples !== null) return `pages like those in ${examples}`
  return classifier === null ? '' : `as ${classifier} tells`
}

/** Why a text is too long for a topic; null if it is not. */
export function tooLongForTopic(text: string): string | null {
  if (text.length <= MAX_TOPIC_CHARACTERS) return null
  return `takes at most ${MAX_TOPIC_CHARACTERS} characters; give longer texts as --examples`
}

/** The ways a trained model can judge a text; see topic/linear-classifier.ts. */
export const METHODS = ['naive-bayes', 'logistic-regression'] as const
export type Method = (typeof METHODS)[number]

/** The method of models that name none. */
export const DEFAULT_METHOD: Method = 'logistic-regression'

/** Larger files are no models: training makes far smaller ones. */
export const MAX_MODEL_BYTES = 256 * 2 ** 20

/** The description of a topic that users see before a crawl starts. */
export const TOPIC_KINDS = ['words', 'language', 'examples', 'model'] as const

export type LookedFor = {
  /** What decides whether a page is on topic. */
  readonly kind: (typeof TOPIC_KINDS)[number]
  /** `language`: the language that pages must be written in. */
  readonly languages: readonly string[]
  /** The language whose stems are used; '' for none. */
  readonly stems: string
  /** Heaviest first. */
  readonly words: readonly {
    readonly stem: string
    /** As typed; empty if the word comes from examples or a model. */
    readonly forms: readonly string[]
    readonly weight: number
  }[]
  /** Stop words in the user's text. */
  readonly dropped: readonly string[]
  /** Example pages that must be fetched first; their words are unknown until then. */
  readonly fetches: number
}

/**
 * Topics that need no examples: their model ships with the program (topic/ready/). Each has an English and
 * an Indonesian name, and both mean the same model, which reads both languages.
 */
export const READY_TOPICS = [
  { name: 'health', indonesian: 'kesehatan' },
  { name: 'sport', indonesian: 'olahraga' },
  { name: 'economy', indonesian: 'ekonomi' },
  { name: 'technology', indonesian: 'teknologi' },
  { name: 'politics', indonesian: 'politik' },
  { name: 'travel', indonesian: 'wisata' },
  { name: 'education', indonesian: 'pendidikan' },
  { name: 'entertainment', indonesian: 'hiburan' },
  { name: 'food', indonesian: 'kuliner' },
  { name: 'environment', indonesian: 'lingkungan' },
] as const
export type ReadyTopic = (typeof READY_TOPICS)[number]['name']

/** The label of texts about none of them. */
export const NO_TOPIC = 'other'

/** The topic of a name in either language, in any case; null if there is none. */
export function readyTopic(written: string): ReadyTopic | null {
  const wanted = written.trim().toLowerCase()
  const found = READY_TOPICS.find(
    ({ name, indonesian }) => name === wanted || indonesian === wanted,
  )
  return found?.name ?? null
}
