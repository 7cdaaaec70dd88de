// The matches of one search: how many there are, of what sort, and which of them are to be shown.
import type { DatabaseSync } from 'node:sqlite'
import { type Folded, fold, unfolded } from '../fold.ts'
import type { Ranked } from '../hits.ts'
import { parseQuery, type Query } from '../query.ts'
import { FACET_MATCHES, type Found, type Search } from '../search-index.ts'
import { bestMatches } from './best-matches.ts'
import { facetsOf } from './facets.ts'
import { hasMore, idsOf, type Match, type MatchesOptions, matchingOf } from './matching.ts'
import { suggestionOf } from './suggest.ts'

export type Matches = Omit<Found, 'hits'> & {
  readonly query: Query
  /** Those that are to be shown. */
  readonly shown: readonly Ranked[]
}

export function matchesOf(db: DatabaseSync, search: Search, options: MatchesOptions): Matches {
  const { all = false, limit, offset } = search
  const asked = queryOf(search)
  const most = Math.max(FACET_MATCHES, offset + limit)
  const upTo = (limit: number) => bestMatches(db, asked, { ...options, search, limit })
  const { matches, query, whole, pages } = upTo(most)
  const counted = matches.slice(0, FACET_MATCHES)
  const folded = all ? unfolded(counted) : fold(counted, whole)
  const away = counted.length - folded.shown.length
  const end = offset + limit + away
  // What follows the counted ones is not folded; to show that, there must be enough of it.
  const enough = matches.length < most || end <= most ? matches : upTo(end).matches
  return {
    query,
    used: asked.used,
    cut: asked.cut,
    total: pages - away,
    pages,
    whole,
    suggestion: suggestionOf(db, asked, {
      pages: whole,
      formsOf: (word) => (search.scoring?.stems === false ? [] : options.stems.forms(word)),
      findsMore: (other) => findsMore(db, { ...search, text: other }, whole, options),
    }),
    shown: shownOf(enough, folded, search),
    facets: facetsOf(counted, folded, options.topics),
  }
}

/** Whether a search finds more than so many pages. */
function findsMore(
  db: DatabaseSync,
  search: Search,
  pages: number,
  options: MatchesOptions,
): boolean {
  const matching = matchingOf(db, queryOf(search), search, options)
  return matching !== null && hasMore(db, matching, pages)
}

function queryOf(search: Search): Query {
  return parseQuery(search.text, { ...search, exact: search.scoring?.stems === false })
}

/** Ids of all pages that have everything that is asked for, by id. */
export function matchingIds(
  db: DatabaseSync,
  search: Pick<Search, 'text' | 'columns' | 'filter'>,
  options: MatchesOptions,
): number[] {
  const matching = matchingOf(db, parseQuery(search.text, search), search, options)
  return matching === null ? [] : idsOf(db, matching)
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
