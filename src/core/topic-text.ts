/** A description is never longer; a page of text can be given as an example. */
const MAX_TOPIC_CHARACTERS = 10_000

type Said = {
  readonly topic: string
  readonly keywords: readonly string[]
  readonly examples: string | null
  readonly classifier: string | null
}

/** What a crawl is about, in the user's own words; '' when it is about nothing in particular. */
export function topicText({ topic, keywords, examples, classifier }: Said): string {
  const words = [...(topic === '' ? [] : [topic]), ...keywords]
  if (words.length > 0) return words.join(', ')
  if (examples !== null) return `pages like those in ${examples}`
  return classifier === null ? '' : `as ${classifier} tells`
}

/** Why a text is too long to be a topic; null when it is not. */
export function tooLongForTopic(text: string): string | null {
  if (text.length <= MAX_TOPIC_CHARACTERS) return null
  return `takes at most ${MAX_TOPIC_CHARACTERS} characters; give longer texts as --examples`
}

/** The ways a trained model can judge a text; see topic/classifier.ts. */
export const METHODS = ['naive-bayes', 'logistic-regression'] as const
export type Method = (typeof METHODS)[number]

/** The one that a model is judged by which does not say. */
export const DEFAULT_METHOD: Method = 'logistic-regression'

/** A model file beyond this is not what it should be: far more than training makes. */
export const MAX_MODEL_BYTES = 256 * 2 ** 20

// What people are told of a topic before a crawl starts with it.

export const TOPIC_KINDS = ['words', 'language', 'examples', 'model'] as const

export type LookedFor = {
  /** What decides whether a page is on topic. */
  readonly kind: (typeof TOPIC_KINDS)[number]
  /** `language`: what pages are to be written in. */
  readonly languages: readonly string[]
  /** The language whose stems are used; '' for none. */
  readonly stems: string
  /** Heaviest first. */
  readonly words: readonly {
    readonly stem: string
    /** As they were typed; empty where a word comes from examples or a model. */
    readonly forms: readonly string[]
    readonly weight: number
  }[]
  /** Stop words among what was typed. */
  readonly dropped: readonly string[]
  /** Example pages that are to be fetched first; until then their words are not known. */
  readonly fetches: number
}
