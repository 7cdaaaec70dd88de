// The best matches of a search. Few words usually mean: pages with all of them. A sentence means: pages about this,
// whatever words they use. So up to four words are looked up together, and if hardly any page has all of them,
// or there are more words, a page with some of the words is a match, too, and the scores decide.
import { isStopWord } from '../text/stop-words.ts'
import type { Match, Matcher, Matching, Sought } from './matcher.ts'
import { SENTENCE_HEAD_SHARE } from './page-columns.ts'
import { MAX_TOGETHER } from './prose.ts'
import type { Query, Term } from './query.ts'
import { FACET_MATCHES, MANY_MATCHES } from './search-index.ts'
import { accentedWord } from './search-tokens.ts'

/** Ten screens of hits; a search that finds fewer is relaxed. */
const FEW = 100
/** Of so many words, pages with all of them come before pages with some. */
const ALL_FIRST = 2

export type BestMatches = {
  readonly matches: readonly Match[]
  /** The query that was run last; its words are marked in hits. */
  readonly query: Query
  /** Number of pages that have every word. */
  readonly whole: number
  /** Number of matches that come first because they have every word. */
  readonly first: number
  /** Number of all pages that match. */
  readonly pages: number
}

type BestOptions = {
  readonly search: Sought
  /** At least so many matches are returned, if there are as many. */
  readonly needed: number
}

/** How many of the best matches are folded and counted in facets. */
export function countedOf(pages: number, { sort = 'relevance' }: Sought): number {
  return pages > FACET_MATCHES && sort === 'relevance' ? MANY_MATCHES : FACET_MATCHES
}

/** The best matches, and the number of all. */
async function bestOf(
  matching: Matching | null,
  { search, needed }: BestOptions,
): Promise<Pick<BestMatches, 'matches' | 'pages'>> {
  if (matching === null) return { matches: [], pages: 0 }
  const counted = matching.countsFast ? await matching.count() : null
  const limit = Math.max(needed, countedOf(counted ?? 0, search))
  const matches = await matching.best(limit)
  const pages = matches.length < limit ? matches.length : (counted ?? (await matching.count()))
  return { matches, pages }
}

export async function bestMatches(
  matcher: Matcher,
  query: Query,
  options: BestOptions,
): Promise<BestMatches> {
  const best = await asAsked(matcher, query, options)
  const { matches, first } = best
  const head = matches.slice(0, RERANKED)
  const exact = await exactShares(matcher, best.query, head)
  if (exact.size === 0) return best
  const ranked = head.map((match) => {
    return { ...match, score: match.score * (1 + EXACT * (exact.get(match.id) ?? 0)) }
  })
  const [whole, some] = [ranked.slice(0, first), ranked.slice(first)]
  const sorted = [...whole.sort(byScore), ...some.sort(byScore)]
  return { ...best, matches: [...sorted, ...matches.slice(RERANKED)] }
}

/** Only so many of the best matches are looked at. */
const RERANKED = 50
/** What a page gains that has all the words as they were typed. */
const EXACT = 0.1

function byScore(a: Match, b: Match): number {
  return b.score - a.score || a.id - b.id
}

/** By page id: the share of the words of a query that the page has as they were typed. */
async function exactShares(
  matcher: Matcher,
  { all }: Query,
  matches: readonly Match[],
): Promise<ReadonlyMap<number, number>> {
  const terms = all.flat().filter(({ anyForm, added = false }) => anyForm && !added)
  const words = [...new Set(terms.flatMap(typedWords))]
  const shares = new Map<number, number>()
  if (words.length === 0 || words.length > MAX_TOGETHER || matches.length < 2) return shares
  const ids = matches.map(({ id }) => id)
  for (const having of await matcher.having(words, ids)) {
    for (const id of having) shares.set(id, (shares.get(id) ?? 0) + 1 / words.length)
  }
  return shares
}

/** The words of a term in an index as they were typed, accents included. */
function typedWords({ words, written }: Term): readonly string[] {
  return words.map((word, at) => accentedWord(word, written?.[at] ?? word) ?? word)
}

async function asAsked(matcher: Matcher, query: Query, options: BestOptions): Promise<BestMatches> {
  const found = await looselyMatched(matcher, query, options)
  const free = withoutPhrases(query)
  if (free === null || found.pages >= (isSentence(free) ? FEW : 1)) return found
  return { ...(await looselyMatched(matcher, free, options)), whole: found.whole }
}

/** True for a query with too many words for pages that have all of them. */
export function isSentence(query: Query): boolean {
  return differentWords(query) > MAX_TOGETHER
}

/** The words that may be missing. Of several spellings of a word, the first counts. */
function differentWords(query: Query): number {
  const words = query.all.flatMap((terms) => (isLoose(terms) ? (terms[0]?.words ?? []) : []))
  const telling = words.filter((word) => !isStopWord(word))
  return new Set(telling.length > 0 ? telling : words).size
}

async function looselyMatched(
  matcher: Matcher,
  query: Query,
  options: BestOptions,
): Promise<BestMatches> {
  const { search } = options
  const telling = tellingOf(query)
  const matching = await matcher.matching(telling, search)
  if (matching === null) return { matches: [], query, whole: 0, first: 0, pages: 0 }
  const less = relaxed(query, { exact: search.scoring?.stems === false })
  const words = differentWords(query)
  const isSorted = (search.sort ?? 'relevance') !== 'relevance'
  if (less !== null && words > MAX_TOGETHER && !isSorted) {
    const sentence = { ...search, headShare: SENTENCE_HEAD_SHARE }
    const whole = await matching.count()
    return withSome(matcher, { ...less, whole }, { ...options, search: sentence })
  }
  const { matches, pages: whole } = await bestOf(matching, options)
  const strict = { matches, query: telling, whole, first: whole, pages: whole }
  // By time, pages with some of the words would come before those with all.
  if (whole >= FEW || less === null || (isSorted && whole > 0)) return strict
  const some = await withSome(matcher, { ...less, whole }, options)
  return words > ALL_FIRST ? some : allFirst(strict, some)
}

/** All matches by their scores, whether they have every word or some. */
async function withSome(
  matcher: Matcher,
  { whole, ...less }: Query & Pick<BestMatches, 'whole'>,
  options: BestOptions,
): Promise<BestMatches> {
  const { light = [] } = less
  const rare = await rareTerms(matcher, [...(less.all.at(-1) ?? []), ...light])
  const isLight = (term: Term) => light.includes(term)
  const some = rare.filter((term) => !isLight(term))
  const asked = { ...less, all: less.all.with(-1, some), light: rare.filter(isLight) }
  const matching = await matcher.matching(asked, options.search)
  return { ...(await bestOf(matching, options)), query: less, whole, first: 0 }
}

function allFirst(strict: BestMatches, some: BestMatches): BestMatches {
  const known = new Set(strict.matches.map(({ id }) => id))
  const others = some.matches.filter(({ id }) => !known.has(id))
  const matches = [...strict.matches, ...below(strict.matches, others)]
  return { ...some, matches, first: strict.whole }
}

/** Scales the scores of `others` below those of `first`, if they would exceed them. */
function below(first: readonly Match[], others: readonly Match[]): Match[] {
  const [lowest, highest] = [first.at(-1)?.score ?? Number.POSITIVE_INFINITY, others[0]?.score ?? 0]
  const factor = highest > lowest ? (lowest / highest) * BELOW : 1
  return others.map((match) => ({ ...match, score: match.score * factor }))
}

const BELOW = 0.99

/** The most pages that all words together may bring. */
const MAX_PAGES = 100_000
/** The most words; the others are the most common ones. */
const MAX_TERMS = 64

/**
 * The rarest terms of a query, in their original order; at least one term that some page has, if there is
 * one. If one of many words is enough, the most common words would bring most of the pages and all of the
 * work, but hardly ever one of the best.
 */
export async function rareTerms(
  matcher: Pick<Matcher, 'pagesWith'>,
  terms: readonly Term[],
): Promise<readonly Term[]> {
  const counts = await matcher.pagesWith(
    terms.map(({ words }) => words.slice(0, 1)),
    MAX_PAGES + 1,
  )
  const counted = terms.map((term, at) => ({ term, pages: counts[at] ?? 0 }))
  // A word that is repeated is looked up once.
  const kept = new Set<string>()
  let sum = 0
  for (const { term, pages } of counted.toSorted(rarestFirst)) {
    if (kept.has(wordsOf(term))) continue
    if (sum > 0 && (sum + pages > MAX_PAGES || kept.size === MAX_TERMS)) break
    kept.add(wordsOf(term))
    sum += pages
  }
  return terms.filter((term) => kept.has(wordsOf(term)))
}

type Counted = { readonly term: Term; readonly pages: number }

/** Stop words come last: they tell little, however rare they are. */
function rarestFirst(a: Counted, b: Counted): number {
  return Number(isStop(a.term)) - Number(isStop(b.term)) || a.pages - b.pages
}

function wordsOf({ words }: Term): string {
  return words.join(' ')
}

/** Without the stop words that may be missing: nearly all pages have them. */
function tellingOf(query: Query): Query {
  const all = query.all.filter((terms) => !(isLoose(terms) && terms.every(isStop)))
  return all.length === 0 ? query : { ...query, all }
}

function isStop({ words }: Term): boolean {
  return words.every(isStopWord)
}

/**
 * Relaxes a query that hardly any page matches: one of its words is then enough. This helps with whole
 * sentences and with words remembered wrongly. Words joined by punctuation are split, and stop words find
 * nothing. A word that is repeated counts as often. Strict terms stay unchanged. The words of which one is
 * enough come last; stop words beside them are light. Null if the query cannot be relaxed.
 */
export function relaxed(query: Query, { exact }: { readonly exact: boolean }): Query | null {
  const loose = query.all.filter(isLoose)
  const typed = loose.flatMap(([first]) => first?.words ?? [])
  if (typed.length < 2) return null
  const single = loose.flat().flatMap((term) => apart(term, exact))
  const telling = single.filter((term) => !isStop(term))
  const firm = query.all.filter((terms) => !isLoose(terms))
  if (telling.length === 0) return { ...query, all: [...firm, single] }
  return { ...query, all: [...firm, telling], light: single.filter(isStop) }
}

function isLoose(terms: readonly Term[]): boolean {
  return terms.every(({ loose }) => loose)
}

/** Words of a synonym stay together: nobody asked for them. So do the parts of a number. */
function apart(term: Term, exact: boolean): Term[] {
  if (term.number === true || (term.added === true && term.words.length > 1)) return [term]
  return term.words.map((word) => ({ ...term, words: [word], anyForm: !exact }))
}

/** Phrases among other words become words. Null if there is none, or nothing else. */
function withoutPhrases(query: Query): Query | null {
  const isPhrase = (terms: readonly Term[]) => terms.every(({ phrase }) => phrase)
  if (query.all.length < 2 || !query.all.some(isPhrase)) return null
  const free = (terms: readonly Term[]) =>
    isPhrase(terms) ? terms.map((term) => ({ ...term, loose: true })) : terms
  return { ...query, all: query.all.map(free) }
}
