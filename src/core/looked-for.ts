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
