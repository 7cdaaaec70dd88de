// Which terms tell texts apart, and how much: terms of at least two texts and of at most half of them, weighed
// by their rarity. Terms are stems; people are shown the word form that texts use most.
import { stemmerFor } from '../text/stem.ts'
import { allStopWords } from '../text/stop-words.ts'
import { primaryLanguage, type Stemmer } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import type { ClusterText } from './cluster.ts'

/** The subject of a text is clear long before. */
const MAX_WORDS = 5_000
/** Words of a title count like so many in the text. */
const TITLE_TIMES = 3
/** Terms while counting; when there are more, the rarest are forgotten until half of them are left. */
const MAX_COUNTED = 400_000
const MAX_TERMS = 50_000
/** A term of more texts than this share tells nothing; the smallest sets keep theirs. */
const COMMON_SHARE = 0.5
const MIN_TEXTS = 2
const MIN_LENGTH = 2
/** Terms of one vector: the heaviest. */
const MAX_VECTOR = 100

/** Unit length; terms in ascending order. */
export type Vector = { readonly terms: Int32Array; readonly weights: Float32Array }

/** Counts the stems of texts. */
class StemReader {
  readonly #stemmers = new Map<string, Stemmer>()
  readonly #stopWords = allStopWords()

  /** Stem → how often it occurs, and the form it has there first. */
  count({ title, text, language }: ClusterText): Map<string, { count: number; form: string }> {
    const stem = this.#stemmer(primaryLanguage(language))
    const counts = new Map<string, { count: number; form: string }>()
    const add = (word: string, times: number) => {
      if (word.length < MIN_LENGTH || this.#stopWords.has(word) || !/^\p{L}/u.test(word)) return
      const name = stem(word) || word
      const known = counts.get(name)
      if (known === undefined) counts.set(name, { count: times, form: word })
      else known.count += times
    }
    for (const word of tokens(title, { max: MAX_WORDS })) add(word, TITLE_TIMES)
    for (const word of tokens(text, { max: MAX_WORDS })) add(word, 1)
    return counts
  }

  #stemmer(language: string): Stemmer {
    const known = this.#stemmers.get(language)
    if (known !== undefined) return known
    const stem = stemmerFor(language)
    this.#stemmers.set(language, stem)
    return stem
  }
}

type Counted = {
  texts: number
  /** The form that most texts use, by majority vote. */
  form: string
  votes: number
}

/** Learns from all texts first, then weighs the terms of each. */
export class Vocabulary {
  readonly #reader = new StemReader()
  readonly #counted = new Map<string, Counted>()
  readonly #rows = new Map<string, number>()
  #words: string[] = []
  #rarity = new Float64Array()
  #texts = 0
  readonly #maxCounted: number

  constructor({ maxCounted = MAX_COUNTED }: { readonly maxCounted?: number } = {}) {
    this.#maxCounted = maxCounted
  }

  learn(text: ClusterText): void {
    this.#texts++
    for (const [stem, { form }] of this.#reader.count(text)) {
      const known = this.#counted.get(stem)
      if (known === undefined) this.#counted.set(stem, { texts: 1, form, votes: 1 })
      else vote(known, form)
    }
    if (this.#counted.size > this.#maxCounted) this.#forgetRare()
  }

  /** Ends learning. */
  close(): void {
    const most = Math.max(MIN_TEXTS, this.#texts * COMMON_SHARE)
    const kept = [...this.#counted]
      .filter(([, { texts }]) => texts >= MIN_TEXTS && texts <= most)
      .sort(([a, one], [b, other]) => other.texts - one.texts || (a < b ? -1 : 1))
      .slice(0, MAX_TERMS)
    this.#counted.clear()
    for (const [row, [stem]] of kept.entries()) this.#rows.set(stem, row)
    this.#words = kept.map(([, { form }]) => form)
    this.#rarity = Float64Array.from(kept, ([, { texts }]) => Math.log((1 + this.#texts) / texts))
  }

  /** Terms that are being counted. */
  get counted(): number {
    return this.#counted.size
  }

  get size(): number {
    return this.#words.length
  }

  wordOf(term: number): string {
    return this.#words[term] ?? ''
  }

  vectorOf(text: ClusterText): Vector {
    const found: { term: number; weight: number }[] = []
    for (const [stem, { count }] of this.#reader.count(text)) {
      const term = this.#rows.get(stem)
      if (term === undefined) continue
      found.push({ term, weight: (1 + Math.log(count)) * (this.#rarity[term] ?? 0) })
    }
    const kept = found.sort(byWeight).slice(0, MAX_VECTOR)
    const length = Math.hypot(...kept.map(({ weight }) => weight)) || 1
    const rows = kept.toSorted((a, b) => a.term - b.term)
    return {
      terms: Int32Array.from(rows, ({ term }) => term),
      weights: Float32Array.from(rows, ({ weight }) => weight / length),
    }
  }

  /** The words of most weight. */
  heaviest({ terms, weights }: Vector, count: number): string[] {
    return Array.from(terms, (term, at) => ({ term, weight: weights[at] ?? 0 }))
      .sort(byWeight)
      .slice(0, count)
      .map(({ term }) => this.wordOf(term))
  }

  #forgetRare(): void {
    for (let least = MIN_TEXTS; this.#counted.size > this.#maxCounted / 2; least++) {
      for (const [stem, { texts }] of this.#counted) if (texts < least) this.#counted.delete(stem)
    }
  }
}

function byWeight(
  a: { readonly term: number; readonly weight: number },
  b: { readonly term: number; readonly weight: number },
): number {
  return b.weight - a.weight || a.term - b.term
}

function vote(counted: Counted, form: string): void {
  counted.texts++
  if (form === counted.form) counted.votes++
  else if (counted.votes > 0) counted.votes--
  else Object.assign(counted, { form, votes: 1 })
}
