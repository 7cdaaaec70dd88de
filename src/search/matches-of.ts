// The matches of one search: their number, their facets, and those to show.
import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import { bestMatches } from './best-matches.ts'
import { type Folded, facetsOf, fold, unfolded } from './fold.ts'
import type { Match, Matcher } from './matcher.ts'
import { findMatches } from './matches.ts'
import { parseQuery, type Query } from './query.ts'
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
  const { matches, query, whole, first, pages } = await upTo(most)
  const counted = matches.slice(0, FACET_MATCHES)
  const folded = all ? unfolded(counted) : fold(counted, first)
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
