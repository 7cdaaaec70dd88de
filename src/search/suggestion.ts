// "Did you mean": the same query with other words in the place of those that hardly any page has. What
// comes out was tried, and finds more.
import { type Token, tokensWithOffsets } from '../text/tokens.ts'
import type { FormsOf } from './forms-in-use.ts'
import type { Matcher } from './matcher.ts'
import { nearWords } from './near-words.ts'
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
  /** Of each word: pages that have it, in any of its forms, counted up to a few. */
  readonly pagesWith: (words: readonly string[]) => Promise<readonly number[]>
  /** Others that may be meant by it, best first, and about how many pages have them. */
  readonly near: (word: string, limit: number) => Promise<readonly Meant[]>
  /** About how many pages have it, where that is known. */
  readonly common: (word: string) => Promise<number>
  /** Whether a query finds more than was found. */
  readonly findsMore: (text: string) => Promise<boolean>
}

export type Meant = { readonly text: string; readonly pages: number }

/** A word of a query, and how many pages have it. */
type Known = Token & { readonly has: number }

type Change = { readonly start: number; readonly end: number; readonly to: string }

/** Null: none that finds more. */
export async function suggestionFor(
  query: Query,
  total: number,
  known: KnownWords,
): Promise<string | null> {
  if (total > FEW_HITS) return null
  const tokens = wantedIn(query, tokensWithOffsets(query.used, { accents: 'strip' }))
  const counts = await known.pagesWith(tokens.map(({ word }) => word))
  const words = tokens.map((token, at) => ({ ...token, has: counts[at] ?? 0 }))
  for await (const changes of triesFor(words, query.used, known)) {
    const text = changed(query.used, changes)
    if (await known.findsMore(text)) return text
  }
  return null
}

/** The words that pages must have, once each; beginnings of words are as they should be. */
function wantedIn(query: Query, tokens: readonly Token[]): Token[] {
  const wanted = new Set(query.all.flat().flatMap(({ words, prefix }) => (prefix ? [] : words)))
  return tokens.filter(({ word }) => wanted.delete(word))
}

/** Each word as what is most likely meant; then, one after the other, as what is meant next. */
async function* triesFor(
  words: readonly Known[],
  text: string,
  known: KnownWords,
): AsyncGenerator<readonly Change[]> {
  const rare = words.filter(({ has }) => has <= FEW_HITS).slice(0, MAX_WORDS)
  const offers: Change[][] = []
  for (const word of rare) offers.push(await offersFor(word, known))
  const joined = await joinedPair(words, text, known)
  if (joined !== null) yield [joined]
  const some = offers.filter((each) => each.length > 0)
  const best = some.flatMap(([first]) => first ?? [])
  if (best.length > 0) yield best
  let tries = 0
  for (const [at, others] of some.entries()) {
    for (const other of others.slice(1)) {
      if (++tries > MAX_TRIES) return
      yield best.with(at, other)
    }
  }
}

async function offersFor({ word, has, start, end }: Known, known: KnownWords): Promise<Change[]> {
  const near = await known.near(word, 3)
  return near
    .filter(({ pages }) => pages > has * MUCH_MORE)
    .map(({ text }) => ({ start, end, to: text }))
}

/** Two words with nothing but a space or a hyphen between them that are one. */
async function joinedPair(
  words: readonly Known[],
  text: string,
  known: KnownWords,
): Promise<Change | null> {
  for (const [at, { word, has, start, end }] of words.entries()) {
    const next = words[at + 1]
    if (next === undefined || !/^[ -]$/.test(text.slice(end, next.start))) continue
    const to = word + next.word
    const either = Math.min(has, next.has)
    if (to.length < MIN_JOINED || either > FEW_HITS) continue
    if ((await known.common(to)) > either * MUCH_MORE) return { start, end: next.end, to }
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

// What an index knows of words, for suggestions.

type SuggestionOptions = {
  /** That have all of the query's words. */
  readonly pages: number
  /** A word that pages have in another form is written as it should be. */
  readonly formsOf: FormsOf
  /** Whether a query finds more pages than that. */
  readonly findsMore: (text: string) => Promise<boolean>
}

export async function suggestionOf(
  matcher: Matcher,
  query: Query,
  { pages, formsOf, findsMore }: SuggestionOptions,
): Promise<string | null> {
  if (pages > FEW_HITS) return null
  return suggestionFor(query, pages, {
    pagesWith: (words) =>
      matcher.pagesWith(
        words.map((word) => [word, ...formsOf(word)]),
        FEW_HITS + 1,
      ),
    near: (word, limit) => nearWords(matcher.words, word, limit),
    common: async (word) => (await matcher.words.pages([word]))[0] ?? 0,
    findsMore,
  })
}
