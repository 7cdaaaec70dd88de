// "Did you mean": the same query with rare words replaced by others. A suggestion was tried, and finds more.
import type { FormsOf, Matcher } from './matcher.ts'
import type { Near } from './near-words.ts'
import { mayBeMistaken, type Query } from './query.ts'
import { searchTokens, type SearchToken as Token } from './search-tokens.ts'
import { isMark } from './url-words.ts'

/** A search that finds more than this needs no suggestion. */
export const FEW_HITS = 2
/** The most words of a query to correct, and the most queries to try. */
const MAX_WORDS = 4
const MAX_TRIES = 4
/** A replacement must be on this many times more pages than the word it replaces. */
export const MUCH_MORE = 20
const MIN_JOINED = 5

/** The index's knowledge of words. */
export type KnownWords = {
  /** For each word: the number of pages with any of its forms, counted up to a few. */
  readonly pagesWith: (words: readonly string[]) => Promise<readonly number[]>
  /** Words that may be meant instead, best first, with approximate page counts. */
  readonly near: (word: string, limit: number) => Promise<readonly Meant[]>
  /** The approximate number of pages with a word, if it is known. */
  readonly common: (word: string) => Promise<number>
  /** True if a query finds more than the original. */
  readonly findsMore: (text: string) => Promise<boolean>
}

type Meant = { readonly text: string; readonly pages: number }

/** A word of a query, and the number of pages that have it. */
type Known = Token & { readonly has: number }

type Change = { readonly start: number; readonly end: number; readonly to: string }

/** Null if no suggestion finds more. */
export async function suggestionFor(
  query: Query,
  total: number,
  known: KnownWords,
): Promise<string | null> {
  if (total > FEW_HITS) return null
  const tokens = wantedIn(query, searchTokens(query.used))
  const counts = await known.pagesWith(tokens.map(({ word }) => word))
  const words = tokens.map((token, at) => ({ ...token, has: counts[at] ?? 0 }))
  for await (const changes of triesFor(words, query.used, known)) {
    const text = changed(query.used, changes)
    if (await known.findsMore(text)) return text
  }
  return null
}

/** The required words, once each. Prefixes are assumed to be correct. */
function wantedIn(query: Query, tokens: readonly Token[]): Token[] {
  const terms = mayBeMistaken(query).filter(({ words, prefix }) => !prefix && !words.some(isMark))
  const wanted = new Set(terms.flatMap(({ words }) => words))
  return tokens.filter(({ word }) => wanted.delete(word))
}

/** First all words with their best replacement, then one word at a time with its next best. */
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

/** Two words separated by only a space or a hyphen that are really one word. */
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

type SuggestionOptions = {
  /** Number of pages that have all words of the query. */
  readonly pages: number
  /** A word that pages have in another form counts as spelt correctly. */
  readonly formsOf: FormsOf
  readonly near: Near
  /** True if a query finds more than `pages`. */
  readonly findsMore: (text: string) => Promise<boolean>
}

/** Suggestions from the words of an index. */
export async function suggestionOf(
  matcher: Matcher,
  query: Query,
  { pages, formsOf, near, findsMore }: SuggestionOptions,
): Promise<string | null> {
  if (pages > FEW_HITS) return null
  return suggestionFor(query, pages, {
    pagesWith: (words) =>
      matcher.pagesWith(
        words.map((word) => [word, ...formsOf(word)]),
        FEW_HITS + 1,
      ),
    near: async (word, limit) => (await near(word)).slice(0, limit),
    common: async (word) => (await matcher.words.pages([word]))[0] ?? 0,
    findsMore,
  })
}
