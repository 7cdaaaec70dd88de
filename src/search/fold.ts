// Folds equivalent matches into one hit: near-duplicates, and the same URL in several crawls. The hit shows
// the best of them, or a newer copy of it, and counts the others.
import { FACET_VALUES, type FacetCount, type Facets } from './search-index.ts'

export type Foldable = {
  /** The cluster of near-duplicates; null if there is none. */
  readonly cluster: number | null
  /** The same for the same URL. */
  readonly urlKey: number
  readonly fetchedAt: number
}

export type Folded = {
  /** Indexes of the shown matches, in the order of `best`. */
  readonly shown: readonly number[]
  /** For each shown match: the best match of its group, which decides the order. */
  readonly best: readonly number[]
  /** For each match: the index of the shown match it belongs to. */
  readonly groupOf: readonly number[]
  /** For each shown match: the number of other matches in its group. */
  readonly others: readonly number[]
}

/**
 * Folds matches, best first. The first `whole` of them have every word of the query, and no other match
 * replaces one of these. A match joins the group of its cluster, else the group of its URL. Existing groups
 * are not merged.
 */
export function fold(matches: readonly Foldable[], whole: number): Folded {
  const [byCluster, byUrl] = [new Map<number, number>(), new Map<number, number>()]
  const [best, shown]: [number[], number[]] = [[], []]
  const [groupOf, others]: [number[], number[]] = [[], []]
  for (const [at, match] of matches.entries()) {
    const { cluster, urlKey } = match
    const known = (cluster === null ? undefined : byCluster.get(cluster)) ?? byUrl.get(urlKey)
    const group = known ?? shown.length
    if (known === undefined) {
      best.push(at)
      shown.push(at)
      others.push(0)
    } else {
      others[group] = (others[group] ?? 0) + 1
      const isAsGood = at < whole || (best[group] ?? 0) >= whole
      if (isAsGood && isNewerCopy(match, matches[shown[group] ?? 0])) shown[group] = at
    }
    groupOf.push(group)
    if (cluster !== null) byCluster.set(cluster, group)
    byUrl.set(urlKey, group)
  }
  return { shown, best, groupOf, others }
}

/** True for a newer copy of the same URL. */
function isNewerCopy(match: Foldable, other: Foldable | undefined): boolean {
  return match.urlKey === other?.urlKey && match.fetchedAt > other.fetchedAt
}

/** Every match is a hit of its own. */
export function unfolded(matches: readonly Foldable[]): Folded {
  const places = matches.map((_, at) => at)
  return { shown: places, best: places, groupOf: places, others: matches.map(() => 0) }
}

export type Countable = {
  readonly crawlId: number
  readonly host: string
  readonly language: string
  readonly kind: string
  readonly hot: boolean
}

/**
 * Counts matches by the values they share. Matches that are folded into one hit count once per value, so a
 * count is the number of hits that a filter by that value would leave. `topics`: the topics of crawls, by
 * crawl number.
 */
export function facetsOf(
  matches: readonly Countable[],
  folded: Folded,
  topics: ReadonlyMap<number, string>,
): Facets {
  const counted = (valueIn: (match: Countable) => string) => countsOf(matches, folded, valueIn)
  return {
    hosts: counted(({ host }) => host),
    languages: counted(({ language }) => language),
    kinds: counted(({ kind }) => kind),
    crawls: counted(({ crawlId }) => String(crawlId)),
    topics: counted(({ hot, crawlId }) => (hot ? (topics.get(crawlId) ?? '') : '')),
  }
}

function countsOf(
  matches: readonly Countable[],
  { groupOf, others }: Folded,
  valueIn: (match: Countable) => string,
): FacetCount[] {
  const counts = new Map<string, { count: number }>()
  const seen = new Set<string>()
  for (const [at, match] of matches.entries()) {
    const value = valueIn(match)
    if (value === '') continue
    const group = groupOf[at] ?? at
    if ((others[group] ?? 0) > 0) {
      const key = `${group} ${value}`
      if (seen.has(key)) continue
      seen.add(key)
    }
    const known = counts.get(value)
    if (known === undefined) counts.set(value, { count: 1 })
    else known.count++
  }
  return [...counts]
    .map(([value, { count }]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_VALUES)
}
