// Text from the word lists: titles, sentences, paragraphs. Sentence patterns are split at their slots once; a
// sentence is then a handful of picks, cheap enough to write a page per request.
import { present } from '../lib/present.ts'
import { sectionAt, spellingOf } from './path.ts'
import { mix, type Stream } from './random.ts'
import type { SiteHost } from './site.ts'
import {
  LANGUAGES,
  type Language,
  type Topic,
  VOCABULARIES,
  type Vocabulary,
} from './vocabulary.ts'

/** Literal text and slot names in turn, starting with text. */
type Pattern = readonly string[]
type Patterns = { readonly titles: readonly Pattern[]; readonly sentences: readonly Pattern[] }

const cut = (patterns: readonly string[]): Pattern[] => patterns.map((text) => text.split(/[{}]/))
const patternsOf = (words: Vocabulary): Patterns => ({
  titles: cut(words.titles),
  sentences: cut(words.sentences),
})
const PATTERNS = new Map<Language, Patterns>(
  LANGUAGES.map((language) => [language, patternsOf(VOCABULARIES[language])]),
)

/** Capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function titleOf(host: SiteHost, index: number): string {
  if (index === 0) return hostTitle(host)
  if (index <= host.fanout && index < host.pages) return sectionTitle(host, index)
  const { noun, words } = spellingOf(host, index)
  const [a, n, b, m] = words
  const slots: Readonly<Record<string, string>> = { t: noun, T: noun, A: a, n, N: n, B: b, m }
  const { titles } = present(PATTERNS.get(host.words.language))
  const pattern = present(titles[mix(host.key, index ^ 0x717) % titles.length])
  let text = present(pattern[0])
  for (let at = 1; at < pattern.length; at += 2) {
    text += present(slots[present(pattern[at])]) + present(pattern[at + 1])
  }
  return capital(text)
}

/** `quiet-harbour.localhost` is Quiet Harbour. */
export function hostTitle(host: SiteHost): string {
  const name = host.name.slice(0, -'.localhost'.length)
  return name.split(/[-.]/).map(capital).join(' ')
}

function sectionTitle(host: SiteHost, section: number): string {
  const { slug, topic } = present(host.sections[section])
  return `${capital(slug.replaceAll('-', ' '))} (${topic.title})`
}

/** Writes about one topic in one language. */
export class Writer {
  readonly #stream: Stream
  readonly #words: Vocabulary
  readonly #topic: Topic
  readonly #sentences: readonly Pattern[]

  constructor(stream: Stream, host: SiteHost, index: number) {
    this.#stream = stream
    this.#words = host.words
    this.#topic = sectionAt(host, index).topic
    this.#sentences = present(PATTERNS.get(host.words.language)).sentences
  }

  sentence(): string {
    const pattern = this.#stream.pick(this.#sentences)
    let text = present(pattern[0])
    for (let at = 1; at < pattern.length; at += 2)
      text += this.#fill(present(pattern[at])) + present(pattern[at + 1])
    return pattern[0] === '' ? capital(text) : text
  }

  sentences(count: number): string {
    let text = this.sentence()
    for (let nth = 1; nth < count; nth++) text += ` ${this.sentence()}`
    return text
  }

  /** Two to six sentences. */
  paragraph(): string {
    return this.sentences(2 + this.#stream.below(5))
  }

  noun(): string {
    return this.#stream.pick(this.#topic.nouns)
  }

  phrase(): string {
    const { adjectives, nouns, language } = this.#words
    const adjective = this.#stream.pick(adjectives)
    const noun = this.#stream.pick(nouns)
    return language === 'id' ? `${noun} ${adjective}` : `${adjective} ${noun}`
  }

  name(): string {
    return this.#stream.pick(this.#words.names)
  }

  #fill(slot: string): string {
    const stream = this.#stream
    switch (slot) {
      case 't':
        return stream.pick(this.#topic.nouns)
      case 'v':
        return stream.pick(this.#topic.verbs)
      case 'p':
      case 'P':
        return stream.pick(this.#topic.people)
      case 'a':
        return stream.pick(this.#words.adjectives)
      case 'n':
        return stream.pick(this.#words.nouns)
      case 'place':
        return stream.pick(this.#words.places)
      case 'w':
        return stream.pick(this.#words.times)
      case 'name':
        return stream.pick(this.#words.names)
      default:
        return String(2 + stream.below(97))
    }
  }
}
