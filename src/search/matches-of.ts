// The matches of one search: how many there are, of what sort, and which of them are to be shown.
import { bestMatches } from './best-matches.ts'
import { facetsOf } from './facets.ts'
import { type Folded, fold, unfolded } from './fold.ts'
import type { Ranked } from './hits.ts'
import type { Match, Matcher } from './matcher.ts'
import { parseQuery, type Query } from './query.ts'
import { FACET_MATCHES, type Found, type Search } from './search-index.ts'
import { suggestionOf } from './suggest.ts'
import type { StemWords } from './words.ts'

export type MatchesOptions = {
  readonly stems: StemWords
  /** What crawls are about, by number. */
  readonly topics: ReadonlyMap<number, string>
}

export type Matches = Omit<Found, 'hits'> & {
  readonly query: Query
  /** Those that are to be shown. */
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
  // What follows the counted ones is not folded; to show that, there must be enough of it.
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

/** Whether a search finds more than so many pages. */
async function findsMore(matcher: Matcher, search: Search, pages: number): Promise<boolean> {
  const matching = await matcher.matching(queryOf(search), search)
  return (await matching?.hasMore(pages)) ?? false
}

function queryOf(search: Search): Query {
  return parseQuery(search.text, { ...search, exact: search.scoring?.stems === false })
}

/** Ids of all pages that have everything that is asked for, by id. */
export async function matchingIds(
  matcher: Matcher,
  search: Pick<Search, 'text' | 'columns' | 'filter'>,
): Promise<readonly number[]> {
  const matching = await matcher.matching(parseQuery(search.text, search), search)
  return matching === null ? [] : matching.ids()
}

/** The hits among the counted matches, and all matches after them. */
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
