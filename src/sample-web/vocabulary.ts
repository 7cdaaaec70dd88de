// The vocabulary of the sample web's languages. The texts of words-en.json and words-id.json were written for
// it. Both lists of adjectives and of nouns have 64 words because a page's number is spelled with them; in
// English all of them start with a consonant, so that "a" fits.
import english from './words-en.json' with { type: 'json' }
import indonesian from './words-id.json' with { type: 'json' }

export const LANGUAGES = ['en', 'id'] as const
export type Language = (typeof LANGUAGES)[number]

const TOPICS = [
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

/** In the files a list is written in several lines, with commas between the words. */
type WordsFile = typeof english
export type Label = keyof WordsFile['labels']
type Folder = keyof WordsFile['folders']

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

export const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = {
  en: vocabularyOf('en', english),
  id: vocabularyOf('id', indonesian),
}

function vocabularyOf(language: Language, words: WordsFile): Vocabulary {
  return {
    ...words,
    language,
    adjectives: list(words.adjectives),
    nouns: list(words.nouns),
    places: list(words.places),
    times: list(words.times),
    names: list(words.names),
    topics: TOPICS.map((name) => topicOf(name, words)),
  }
}

function topicOf(name: TopicName, words: WordsFile): Topic {
  const { title, sections, nouns, verbs, people } = words.topics[name]
  return {
    name,
    title,
    sections: list(sections),
    nouns: list(nouns),
    verbs: list(verbs),
    people: list(people),
  }
}

function list(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(','))
}
