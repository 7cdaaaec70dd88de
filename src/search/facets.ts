// Counts matches by the values they share. Matches that are folded into one hit count once per value, so a
// count is the number of hits that a filter by that value would leave.
import type { Folded } from './fold.ts'
import { FACET_VALUES, type FacetCount, type Facets } from './search-index.ts'

export type Countable = {
  readonly crawlId: number
  readonly host: string
  readonly language: string
  readonly kind: string
  readonly hot: boolean
}

/** `topics`: the topics of crawls, by crawl number. */
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
  const counts = new Map<string, number>()
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
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_VALUES)
}
