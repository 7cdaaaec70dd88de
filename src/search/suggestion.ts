// "Did you mean": the same query with other words in the place of those that hardly any page has. What
// comes out was tried, and finds more.
import { type Token, tokensWithOffsets } from '../text/tokens.ts'
import type { Query } from './query.ts'

/** Who finds more than this needs no suggestion. */
export const FEW_HITS = 2
/** Words of a query that are looked into, and queries that are tried. */
const MAX_WORDS = 4
const MAX_TRIES = 4
/** So many times more pages must have a word that takes the place of one that a few pages have. */
const MUCH_MORE = 20
const MIN_JOINED = 5

/** What an index knows of words. */
export type KnownWords = {
  /** Pages that have the word, in any of its forms, counted up to a few. */
  readonly pagesWith: (word: string) => number
  /** Others that may be meant by it, best first, and about how many pages have them. */
  readonly near: (word: string, limit: number) => readonly Meant[]
  /** About how many pages have it, where that is known. */
  readonly common: (word: string) => number
  /** Whether a query finds more than was found. */
  readonly findsMore: (text: string) => boolean
}

export type Meant = { readonly text: string; readonly pages: number }

type Change = { readonly start: number; readonly end: number; readonly to: string }

/** Null: none that finds more. */
export function suggestionFor(query: Query, total: number, known: KnownWords): string | null {
  if (total > FEW_HITS) return null
  const tokens = tokensWithOffsets(query.used, { accents: 'strip' })
  for (const changes of triesFor(wantedIn(query, tokens), query.used, known)) {
    const text = changed(query.used, changes)
    if (known.findsMore(text)) return text
  }
  return null
}

/** The words that pages must have, once each; beginnings of words are as they should be. */
function wantedIn(query: Query, tokens: readonly Token[]): Token[] {
  const wanted = new Set(query.all.flat().flatMap(({ words, prefix }) => (prefix ? [] : words)))
  return tokens.filter(({ word }) => wanted.delete(word))
}

/** Each word as what is most likely meant; then, one after the other, as what is meant next. */
function* triesFor(
  tokens: readonly Token[],
  text: string,
  known: KnownWords,
): Generator<readonly Change[]> {
  const rare = tokens.filter(({ word }) => known.pagesWith(word) <= FEW_HITS).slice(0, MAX_WORDS)
  const offers = rare.map((token) => offersFor(token, known)).filter((each) => each.length > 0)
  const joined = joinedPair(tokens, text, known)
  if (joined !== null) yield [joined]
  const best = offers.flatMap(([first]) => first ?? [])
  if (best.length > 0) yield best
  let tries = 0
  for (const [at, others] of offers.entries()) {
    for (const other of others.slice(1)) {
      if (++tries > MAX_TRIES) return
      yield best.with(at, other)
    }
  }
}

function offersFor({ word, start, end }: Token, known: KnownWords): Change[] {
  const has = known.pagesWith(word)
  return known
    .near(word, 3)
    .filter(({ pages }) => pages > has * MUCH_MORE)
    .map(({ text }) => ({ start, end, to: text }))
}

/** Two words with nothing but a space or a hyphen between them that are one. */
function joinedPair(tokens: readonly Token[], text: string, known: KnownWords): Change | null {
  for (const [at, { word, start, end }] of tokens.entries()) {
    const next = tokens[at + 1]
    if (next === undefined || !/^[ -]$/.test(text.slice(end, next.start))) continue
    const to = word + next.word
    const has = Math.min(known.pagesWith(word), known.pagesWith(next.word))
    if (to.length < MIN_JOINED || has > FEW_HITS) continue
    if (known.common(to) > has * MUCH_MORE) return { start, end: next.end, to }
  }
  return null
}

function changed(text: string, changes: readonly Change[]): string {
  let whole = ''
  let at = 0
  for (const { start, end, to } of changes.toSorted((a, b) => a.start - b.start)) {
    whole += text.slice(at, start) + to
    at = end
  }
  return whole + text.slice(at)
}
