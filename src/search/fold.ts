// Folds equivalent matches into one hit: near-duplicates, and the same URL in several crawls. The hit shows
// the best of them, or a newer copy of it, and counts the others.

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
