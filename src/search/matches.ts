// Finds the words of a query in a text, to choose and mark a snippet. It uses the same words and stems as the
// index, so the marks show what was found.
import type { Field } from '../core/search-field.ts'
import type { Stemmer } from '../text/text.ts'
import type { Query, Term } from './query.ts'
import { searchTokens, type SearchToken as Token } from './search-tokens.ts'
import type { StemWords } from './stem-words.ts'

/** UTF-16 units of a text that are searched. If all matches come later, the beginning is shown. */
export const MAX_LOOKED_THROUGH = 100_000

/** `term`: index of the query's term. */
export type Match = { readonly start: number; readonly end: number; readonly term: number }

type MatchOptions = {
  readonly stems: StemWords
  /** Language of the text. */
  readonly language: string
  /** Terms limited to other fields are ignored. */
  readonly fields: readonly Field[]
}

/** Matches in text order; they may overlap. */
export function findMatches(text: string, query: Query, options: MatchOptions): Match[] {
  const looked = new LookedFor(query, options)
  if (looked.isEmpty) return []
  const tokens = searchTokens(text.slice(0, MAX_LOOKED_THROUGH))
  const matches: Match[] = []
  for (let at = 0; at < tokens.length; at++) looked.matchesAt(tokens, at, matches)
  return matches
}

type Numbered = Pick<Term, 'words' | 'prefix'> & { readonly term: number }

/** Terms by their first word, so that most words of a text cost one lookup. */
class LookedFor {
  readonly #byFirst = new Map<string, Numbered[]>()
  readonly #byStem = new Map<string, number>()
  readonly #prefixes: Numbered[] = []
  readonly #stemmers: readonly Stemmer[]

  constructor(query: Query, { stems, language, fields }: MatchOptions) {
    this.#stemmers = stems.stemmersFor(language)
    for (const [term, each] of query.all.flat().entries()) {
      const shown = each.fields?.some((field) => fields.includes(field)) ?? true
      if (shown) this.#take(term, each)
    }
  }

  get isEmpty(): boolean {
    return this.#byFirst.size + this.#prefixes.length === 0
  }

  /** Adds the matches that start at a token. The stem counts only if the word itself does not match. */
  matchesAt(tokens: readonly Token[], at: number, matches: Match[]): void {
    const token = tokens[at]
    if (token === undefined) return
    const before = matches.length
    for (const numbered of this.#byFirst.get(token.word) ?? NONE)
      take(numbered, tokens, at, matches)
    for (const numbered of this.#prefixes) take(numbered, tokens, at, matches)
    if (matches.length > before || this.#byStem.size === 0) return
    for (const stem of this.#stemmers) {
      const term = this.#byStem.get(stem(token.written))
      if (term === undefined) continue
      matches.push({ start: token.start, end: token.end, term })
      return
    }
  }

  #take(term: number, { words, written, prefix, anyForm }: Term): void {
    const [first = ''] = words
    const numbered = { term, words, prefix }
    if (prefix && words.length === 1) this.#prefixes.push(numbered)
    else this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? NONE), numbered])
    if (!anyForm) return
    for (const stemmer of this.#stemmers) {
      for (const form of [first, written?.[0] ?? first]) {
        const stem = stemmer(form)
        if (stem !== '') this.#byStem.set(stem, term)
      }
    }
  }
}

const NONE: readonly Numbered[] = []

/** Adds a match if all its words follow each other here. */
function take(
  { term, words, prefix }: Numbered,
  tokens: readonly Token[],
  at: number,
  matches: Match[],
): void {
  const last = words.length - 1
  for (let offset = 0; offset <= last; offset++) {
    const word = tokens[at + offset]?.word
    const wanted = words[offset]
    if (word === undefined || wanted === undefined) return
    if (prefix && offset === last ? !word.startsWith(wanted) : word !== wanted) return
  }
  const [first, end] = [tokens[at], tokens[at + last]]
  if (first !== undefined && end !== undefined) {
    matches.push({ start: first.start, end: end.end, term })
  }
}
