// A made-up web under construction: pages with a subject each, links between them, and at the end the words.
// All webs share the properties that make texts hard to judge: pages on a topic use its words more or less
// often, some hardly at all; pages off topic mention one in passing; and every site or section has words of
// its own.
import { type CanonicalUrl, canonicalise } from '../../core/url.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import type { ContentLink, MadePage } from '../replay-world.ts'
import english from './english.json' with { type: 'json' }
import indonesian from './indonesian.json' with { type: 'json' }

export type SampleTopic = {
  readonly id: string
  readonly description: string
  /** The most significant first: the first eight are its keywords. */
  readonly words: readonly string[]
}

export type SampleWeb = {
  readonly topics: readonly SampleTopic[]
  readonly pages: readonly MadePage[]
  /** By page: the index of its topic in `topics`; -1 for none of them. */
  readonly topicOf: readonly number[]
  readonly seed: CanonicalUrl
}

type Language = {
  readonly topics: readonly SampleTopic[]
  /** The words of pages without a subject. */
  readonly common: readonly string[]
}

/** Topics share a few words, with each other and with other subjects. */
export const ENGLISH = languageOf(english)
/** Words in common spelling, with their prefixes and suffixes. */
export const INDONESIAN = languageOf(indonesian)

/** In the files words are written in lines, with spaces between them. */
function languageOf({ topics, common }: Language): Language {
  return {
    topics: topics.map((topic) => ({ ...topic, words: wordsIn(topic.words) })),
    common: wordsIn(common),
  }
}

function wordsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}

/** The subject of a page: words of its own. */
export type Subject = { readonly topic: number; readonly words: readonly string[] }

type PagePlan = {
  readonly url: string
  readonly title: string
  readonly subject: Subject
  /** Words of its site or section. */
  readonly house?: readonly string[]
  /** Share of its words that belong to its subject. */
  readonly strength?: number
}

type Draft = Required<PagePlan> & { readonly links: Map<number, string> }

const TEXT = { least: 50, more: 110 }
const STRENGTH = { least: 0.05, most: 0.22 }
const QUIET = { share: 0.12, strength: 0.02 }
const MENTION = { share: 0.1, strength: 0.06 }
const HOUSE_SHARE = 0.1
const CONTEXT = { words: 9, strength: 0.12 }
/** Share of links without words around them. */
const BARE = 0.3

export class WebDraft {
  readonly chance: Chance
  readonly #language: Language
  readonly #pages: Draft[] = []

  constructor(language: Language, chance: Chance) {
    this.#language = language
    this.chance = chance
  }

  get size(): number {
    return this.#pages.length
  }

  /** Returns the number of the new page. */
  add({ house = [], strength = this.#strength(), ...plan }: PagePlan): number {
    return this.#pages.push({ ...plan, house, strength, links: new Map() }) - 1
  }

  titleOf(page: number): string {
    return this.#pages[page]?.title ?? ''
  }

  subjectOf(page: number): Subject {
    return this.#pages[page]?.subject ?? this.nothing()
  }

  /** The subjects of the topics. */
  subjects(): Subject[] {
    return this.#language.topics.map(({ words }, topic) => ({ topic, words }))
  }

  /** A subject other than the topics, with words of its own. */
  otherSubject(): Subject {
    return { topic: -1, words: this.chance.names(20) }
  }

  nothing(): Subject {
    return { topic: -1, words: this.#language.common }
  }

  /** Only the first link to a page counts; a page does not link to itself. */
  link(from: number, to: number, anchor = this.titleOf(to)): void {
    const { links } = this.#pages[from] ?? {}
    if (from !== to && links?.has(to) === false) links.set(to, anchor)
  }

  /** `count` words; a share of `strength` are the subject's. */
  words(count: number, { words }: Subject, strength: number): string {
    const { common } = this.#language
    const text = Array.from({ length: count }, () =>
      this.chance.favourite(this.chance.is(strength) ? words : common),
    )
    return text.join(' ')
  }

  finish(): SampleWeb {
    const pages = this.#pages.map((draft) => this.#write(draft))
    const [first] = pages
    if (first === undefined) throw new RangeError('a web without pages')
    const topicOf = this.#pages.map(({ subject }) => subject.topic)
    return { topics: this.#language.topics, pages, topicOf, seed: first.url }
  }

  #write({ url: address, title, subject, house, strength, links }: Draft): MadePage {
    const url = canonicalise(address)
    if (url === null) throw new RangeError(`${address} is no address`)
    const count = TEXT.least + this.chance.below(TEXT.more)
    const parts = [
      title,
      this.words(count, subject, strength),
      this.words(count * HOUSE_SHARE, { topic: -1, words: house }, house.length > 0 ? 1 : 0),
    ]
    const passing = this.chance.is(MENTION.share) ? this.chance.any(this.subjects()) : undefined
    if (passing) parts.push(this.words(count / 2, passing, MENTION.strength))
    const found = [...links].map(([to, anchor]) => this.#linkOf(to, anchor, subject))
    return { url, title, text: parts.join(' '), links: found }
  }

  /** The words around a link are about its target, or about its own page. */
  #linkOf(to: number, anchor: string, own: Subject): ContentLink {
    if (this.chance.is(BARE)) return { to, anchor, context: anchor }
    const about = this.chance.is(0.5) ? this.subjectOf(to) : own
    return {
      to,
      anchor,
      context: `${anchor} ${this.words(CONTEXT.words, about, CONTEXT.strength)}`,
    }
  }

  #strength(): number {
    const { chance } = this
    return chance.is(QUIET.share) ? QUIET.strength : chance.between(STRENGTH.least, STRENGTH.most)
  }
}

const SYLLABLES = { first: 'bdfghjklmnprstvw', vowels: 'aeiou', last: ['', '', 'n', 'r', 's', 'l'] }

/** Random choices for the made-up webs: the same seed makes the same web on every machine. */
export class Chance {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  next(): number {
    return this.#random()
  }

  /** A whole number from 0 to `limit`, exclusive. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  /** A number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.#random() * (most - least)
  }

  is(share: number): boolean {
    return this.#random() < share
  }

  /** Any element of a list; undefined if it is empty. */
  any<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  /** Chooses the first of a list much more often than the last, like words and popular pages. */
  favourite<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() ** 2 * list.length)]
  }

  /** A word without meaning: a name, or the vocabulary of a subject other than the topics. */
  name(): string {
    let word = ''
    for (let left = 2 + this.below(2); left > 0; left--) word += this.#syllable()
    return word
  }

  names(count: number): string[] {
    return Array.from({ length: count }, () => this.name())
  }

  #syllable(): string {
    const { first, vowels, last } = SYLLABLES
    const at = (letters: string) => letters[this.below(letters.length)] ?? ''
    return at(first) + at(vowels) + (this.any(last) ?? '')
  }
}
