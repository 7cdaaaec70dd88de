// Where a text has what a query looks for: what a snippet is chosen by and what is marked in it. The
// same words and stems as in the index, so that what was found is what is marked.
import { tokensWithOffsets } from '../text/tokens.ts'
import type { Field, Query, Term } from './query.ts'
import type { StemWords } from './words.ts'

/** UTF-16 units of a text that are looked through; whoever matches further on shows its beginning. */
export const MAX_LOOKED_THROUGH = 100_000

/** `term`: which one of the query's. */
export type Match = { readonly start: number; readonly end: number; readonly term: number }

export type MatchOptions = {
  readonly stems: StemWords
  /** Of the text. */
  readonly language: string
  /** Terms of other fields are passed over. */
  readonly fields: readonly Field[]
}

/** In their order; they may overlap. */
export function findMatches(text: string, query: Query, options: MatchOptions): Match[] {
  const looked = new LookedFor(query, options)
  if (looked.isEmpty) return []
  const tokens = tokensWithOffsets(text.slice(0, MAX_LOOKED_THROUGH), { accents: 'strip' })
  const words = tokens.map(({ word }) => word)
  return tokens.flatMap(({ start }, at) =>
    looked.startingAt(words, at).map(({ term, length }) => {
      return { start, end: tokens[at + length - 1]?.end ?? start, term }
    }),
  )
}

type Found = { readonly term: number; readonly length: number }
type Numbered = {
  readonly term: number
  readonly words: readonly string[]
  readonly prefix: boolean
}

/** The terms by their first word, so that most words of a text cost one look. */
class LookedFor {
  readonly #byFirst = new Map<string, Numbered[]>()
  readonly #byStem = new Map<string, number>()
  readonly #prefixes: Numbered[] = []
  readonly #stemsOf: (word: string) => readonly string[]

  constructor(query: Query, { stems, language, fields }: MatchOptions) {
    this.#stemsOf = (word) => stems.of([word], language)
    for (const [term, each] of query.all.flat().entries()) {
      if (each.field === null || fields.includes(each.field)) this.#take(term, each)
    }
  }

  get isEmpty(): boolean {
    return this.#byFirst.size + this.#prefixes.length === 0
  }

  startingAt(words: readonly string[], at: number): readonly Found[] {
    const word = words[at] ?? ''
    const found: Found[] = []
    const candidates = [...(this.#byFirst.get(word) ?? NONE), ...this.#prefixes]
    for (const { term, words: wanted, prefix } of candidates) {
      if (startsWith(words, at, wanted, prefix)) found.push({ term, length: wanted.length })
    }
    if (found.length > 0 || this.#byStem.size === 0) return found
    for (const stem of this.#stemsOf(word)) {
      const term = this.#byStem.get(stem)
      if (term !== undefined) found.push({ term, length: 1 })
    }
    return found
  }

  #take(term: number, { words, prefix, anyForm }: Term): void {
    const [first = ''] = words
    if (prefix && words.length === 1) this.#prefixes.push({ term, words, prefix })
    else {
      const known = this.#byFirst.get(first)
      if (known === undefined) this.#byFirst.set(first, [{ term, words, prefix }])
      else known.push({ term, words, prefix })
    }
    if (anyForm) for (const stem of this.#stemsOf(first)) this.#byStem.set(stem, term)
  }
}

const NONE: readonly Numbered[] = []

function startsWith(
  words: readonly string[],
  at: number,
  wanted: readonly string[],
  prefix: boolean,
): boolean {
  const last = wanted.length - 1
  return wanted.every((word, offset) => {
    const found = words[at + offset]
    if (found === undefined) return false
    return prefix && offset === last ? found.startsWith(word) : found === word
  })
}
