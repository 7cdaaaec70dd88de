// The matches of one search: their number, their facets, and those to show.
import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import { isStopWord } from '../text/stop-words.ts'
import { type Folded, facetsOf, fold, unfolded } from './fold.ts'
import type { Match, Matcher, Sought } from './matcher.ts'
import { findMatches } from './matches.ts'
import { parseQuery, type Query, type Term } from './query.ts'
import { FACET_MATCHES, type Found, type Hit, type PagesOf, type Search } from './search-index.ts'
import { markAll, snippetOf } from './snippet.ts'
import { suggestionOf } from './suggestion.ts'
import type { StemWords } from './words.ts'

export type MatchesOptions = {
  readonly stems: StemWords
  /** The topics of crawls, by crawl number. */
  readonly topics: ReadonlyMap<number, string>
}

export type Matches = Omit<Found, 'hits'> & {
  readonly query: Query
  /** The matches to show. */
  readonly shown: readonly Ranked[]
}

export async function matchesOf(
  matcher: Matcher,
  search: Search,
  { stems, topics }: MatchesOptions,
): Promise<Matches> {
  const { all = false, limit, offset } = search
  const asked = queryOf(search)
  const most = Math.max(FACET_MATCHES, offset + limit)
  const upTo = (limit: number) => bestMatches(matcher, asked, { search, limit })
  const { matches, query, whole, pages } = await upTo(most)
  const counted = matches.slice(0, FACET_MATCHES)
  const folded = all ? unfolded(counted) : fold(counted, whole)
  const away = counted.length - folded.shown.length
  const end = offset + limit + away
  // Matches after the counted ones are not folded. A later page of hits needs enough of them.
  const enough = matches.length < most || end <= most ? matches : (await upTo(end)).matches
  return {
    query,
    used: asked.used,
    cut: asked.cut,
    total: pages - away,
    pages,
    whole,
    suggestion: await suggestionOf(matcher, asked, {
      pages: whole,
      formsOf: (word) => (search.scoring?.stems === false ? [] : stems.forms(word)),
      findsMore: (other) => findsMore(matcher, { ...search, text: other }, whole),
    }),
    shown: shownOf(enough, folded, search),
    facets: facetsOf(counted, folded, topics),
  }
}

/** True if a search finds more than `pages` pages. */
async function findsMore(matcher: Matcher, search: Search, pages: number): Promise<boolean> {
  const matching = await matcher.matching(queryOf(search), search)
  return (await matching?.hasMore(pages)) ?? false
}

function queryOf(search: Search): Query {
  return parseQuery(search.text, { ...search, exact: search.scoring?.stems === false })
}

/** Ids of all pages that have every word of the query, in order. */
export async function matchingIds(
  matcher: Matcher,
  search: Pick<Search, 'text' | 'columns' | 'filter'>,
): Promise<readonly number[]> {
  const matching = await matcher.matching(parseQuery(search.text, search), search)
  return matching === null ? [] : matching.ids()
}

/** The hits among the counted matches, followed by all further matches. */
function shownOf(
  matches: readonly Match[],
  { shown, best, others }: Folded,
  { offset, limit }: Search,
): Ranked[] {
  const ranked: Ranked[] = []
  for (let place = offset; place < offset + limit; place++) {
    const at = shown[place] ?? place - shown.length + Math.min(matches.length, FACET_MATCHES)
    const match = matches[at]
    if (match === undefined) break
    const { id, crawlId } = match
    const { score } = matches[best[place] ?? at] ?? match
    ranked.push({ id, crawlId, score, others: others[place] ?? 0 })
  }
  return ranked
}

// The best matches of a search: pages with every word of the query first, and if these are few, pages with
// some of the words.

/** Two screens of hits; a search that finds fewer is relaxed. */
const FEW = 20

type BestMatches = {
  readonly matches: readonly Match[]
  /** The query that was run last; its words are marked in hits. */
  readonly query: Query
  /** Number of pages that have every word. */
  readonly whole: number
  /** Number of all pages that match. */
  readonly pages: number
}

type BestOptions = {
  readonly search: Sought
  /** The most matches to return. */
  readonly limit: number
}

async function bestMatches(
  matcher: Matcher,
  query: Query,
  options: BestOptions,
): Promise<BestMatches> {
  const { search, limit } = options
  const matching = await matcher.matching(query, search)
  if (matching === null) return { matches: [], query, whole: 0, pages: 0 }
  const matches = await matching.best(limit)
  const whole = matches.length < limit ? matches.length : await matching.count()
  const strict = { matches, query, whole, pages: whole }
  return whole < FEW ? ((await withPartial(matcher, strict, options)) ?? strict) : strict
}

async function withPartial(
  matcher: Matcher,
  strict: BestMatches,
  { search, limit }: BestOptions,
): Promise<BestMatches | null> {
  const less = relaxed(strict.query, { exact: search.scoring?.stems === false })
  if (less === null) return null
  const rare = await rareTerms(matcher, less.all.at(-1) ?? [])
  const matching = await matcher.matching({ ...less, all: less.all.with(-1, rare) }, search)
  if (matching === null) return null
  const best = await matching.best(limit)
  const pages = best.length < limit ? best.length : await matching.count()
  const known = new Set(strict.matches.map(({ id }) => id))
  const others = best.filter(({ id }) => !known.has(id))
  const matches = [...strict.matches, ...below(strict.matches, others)].slice(0, limit)
  return { matches, query: less, whole: strict.whole, pages }
}

/** Scales the scores of `others` below those of `first`, if they would exceed them. */
function below(first: readonly Match[], others: readonly Match[]): Match[] {
  const [lowest, highest] = [first.at(-1)?.score ?? Number.POSITIVE_INFINITY, others[0]?.score ?? 0]
  const factor = highest > lowest ? (lowest / highest) * BELOW : 1
  return others.map((match) => ({ ...match, score: match.score * factor }))
}

const BELOW = 0.99

// Selects the rare words of a query. If one of many words is enough, the common words would bring most of the
// pages and all of the work, but hardly ever one of the best: on 550 queries made from link texts, over
// 28,591 pages, leaving them out changed no measure by more than 0.004.

/** The most pages that all words together may bring. */
const MAX_PAGES = 10_000

/** The rarest terms, in their original order; at least one term that some page has, if there is one. */
export async function rareTerms(
  matcher: Pick<Matcher, 'pagesWith'>,
  terms: readonly Term[],
): Promise<readonly Term[]> {
  const counts = await matcher.pagesWith(
    terms.map(({ words }) => words.slice(0, 1)),
    MAX_PAGES + 1,
  )
  const counted = terms.map((term, at) => ({ term, pages: counts[at] ?? 0 }))
  const kept = new Set<Term>()
  let sum = 0
  for (const { term, pages } of counted.toSorted((a, b) => a.pages - b.pages)) {
    if (sum > 0 && sum + pages > MAX_PAGES) break
    kept.add(term)
    sum += pages
  }
  return terms.filter((term) => kept.has(term))
}

// Relaxes a query that hardly any page matches: one of its words is then enough. This helps with whole
// sentences and with words remembered wrongly. Words joined by punctuation are split, and stop words are left
// out. Strict terms stay unchanged.

/** The words of which one is enough come last. Null if the query cannot be relaxed. */
export function relaxed(query: Query, { exact }: { readonly exact: boolean }): Query | null {
  const loose = query.all.filter(isLoose).flat()
  const single = loose.flatMap((term) => apart(term, exact))
  if (single.length < 2) return null
  const telling = single.filter(({ words: [word = ''] }) => !isStopWord(word))
  const firm = query.all.filter((terms) => !isLoose(terms))
  return { ...query, all: [...firm, once(telling.length > 0 ? telling : single)] }
}

function isLoose(terms: readonly Term[]): boolean {
  return terms.every(({ loose }) => loose)
}

function apart(term: Term, exact: boolean): Term[] {
  return term.words.map((word) => ({ ...term, words: [word], anyForm: !exact }))
}

function once(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [term.words.join(' '), term])).values()]
}

// Turns the ids that an index found into hits. A page that is gone from the store, or whose id now belongs to
// another crawl, is left out, so an index that is behind shows nothing wrong.

type Ranked = Pick<Hit, 'score' | 'others'> & {
  readonly id: number
  readonly crawlId: number
}

type HitOptions = {
  readonly query: Query
  readonly stems: StemWords
  readonly pagesOf: PagesOf
}

/** Hits in the order of `ranked`. */
export async function hitsFrom(ranked: readonly Ranked[], options: HitOptions): Promise<Hit[]> {
  const pages = await options.pagesOf(ranked.map(({ id }) => id))
  const byId = new Map(pages.map((page) => [page.id, page]))
  return ranked.flatMap(({ id, crawlId, score, others }) => {
    const page = byId.get(id)
    if (page === undefined || page.crawlId !== crawlId) return []
    return [{ ...shownFrom(page, options), score, others }]
  })
}

type Shown = Pick<Hit, 'page' | 'title' | 'snippet'>

function shownFrom(whole: SearchedPage, { query, stems }: HitOptions): Shown {
  const { contentText, ...page } = whole
  const matchesIn = (text: string, fields: readonly Field[]) =>
    findMatches(text, query, { stems, language: page.language, fields })
  const inText = matchesIn(contentText, SHOWN_FIELDS)
  const title = markAll(page.title, matchesIn(page.title, ['title']))
  if (inText.length > 0 || page.description === '') {
    return { page, title, snippet: snippetOf(contentText, inText) }
  }
  const inDescription = matchesIn(page.description, SHOWN_FIELDS)
  return { page, title, snippet: snippetOf(page.description, inDescription) }
}

const SHOWN_FIELDS: readonly Field[] = ['text', 'description', 'keywords']
