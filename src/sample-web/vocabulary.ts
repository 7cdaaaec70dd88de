// The vocabulary of a sample-web language. The texts were written for it.

export const LANGUAGES = ['en', 'id'] as const
export type Language = (typeof LANGUAGES)[number]

export const TOPICS = [
  'health',
  'travel',
  'technology',
  'food',
  'football',
  'finance',
  'environment',
  'education',
] as const
export type TopicName = (typeof TOPICS)[number]

export type Topic = {
  readonly name: TopicName
  readonly title: string
  /** Path segments, at least as many as a host has sections of one topic. */
  readonly sections: readonly string[]
  readonly nouns: readonly string[]
  readonly verbs: readonly string[]
  readonly people: readonly string[]
}

export const LABELS = [
  'home',
  'about',
  'related',
  'next',
  'previous',
  'search',
  'readMore',
  'partners',
  'comments',
  'contents',
  'reply',
  'price',
  'buy',
  'mail',
  'old',
  'broken',
  'print',
  'private',
  'login',
  'file',
  'data',
  'by',
] as const
export type Label = (typeof LABELS)[number]

export type Folder = 'old' | 'broken' | 'print' | 'private' | 'login' | 'file' | 'data' | 'orphan'

export type Vocabulary = {
  readonly language: Language
  readonly adjectives: readonly string[]
  readonly nouns: readonly string[]
  readonly places: readonly string[]
  readonly times: readonly string[]
  readonly names: readonly string[]
  /**
   * Slots: {t} topic noun, {A} {n} {B} {m} the four words of the page; a capital slot gets a capital letter.
   */
  readonly titles: readonly string[]
  readonly sentences: readonly string[]
  /** Letters outside ASCII that windows-1252 has too. */
  readonly accented: string
  readonly labels: Readonly<Record<Label, string>>
  /** First path segments of special pages; no section has such a name. */
  readonly folders: Readonly<Record<Folder, string>>
  /** In the order of TOPICS. */
  readonly topics: readonly Topic[]
}
