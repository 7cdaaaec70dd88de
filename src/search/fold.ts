// Hits that are as good as one: pages of a cluster of near-duplicates, and the same URL in several
// crawls. The best of them is shown, or a newer copy of it; the others are counted.

export type Foldable = {
  /** Of near-duplicates; null: like no other. */
  readonly cluster: number | null
  /** The same for the same URL. */
  readonly urlKey: number
  readonly fetchedAt: number
}

export type Folded = {
  /** Which matches are shown, by their places, in the order of `best`. */
  readonly shown: readonly number[]
  /** By shown match: the best of those that belong to it, by which it is ordered. */
  readonly best: readonly number[]
  /** By match: which of the shown ones it belongs to. */
  readonly groupOf: readonly number[]
  /** By shown match: how many others belong to it. */
  readonly others: readonly number[]
}

/**
 * Of matches, best first; the first `whole` of them have all that was asked for, and no other stands for
 * one of these. A match joins those of its cluster, else those of its URL; groups that stand are not
 * brought together.
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

/** Of the same URL. */
function isNewerCopy(match: Foldable, other: Foldable | undefined): boolean {
  return match.urlKey === other?.urlKey && match.fetchedAt > other.fetchedAt
}

/** Every match for itself. */
export function unfolded(matches: readonly Foldable[]): Folded {
  const places = matches.map((_, at) => at)
  return { shown: places, best: places, groupOf: places, others: matches.map(() => 0) }
}
