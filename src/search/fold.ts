// Hits that are as good as one: pages of a cluster of near-duplicates, and the same URL in several
// crawls. The best of them is shown, the others are counted.

export type Foldable = {
  /** Of near-duplicates; null: like no other. */
  readonly cluster: number | null
  /** The same for the same URL. */
  readonly urlKey: number
}

export type Folded = {
  /** Which matches are shown, by their places, best first. */
  readonly shown: readonly number[]
  /** By match: which of the shown ones it belongs to. */
  readonly groupOf: readonly number[]
  /** By shown match: how many others belong to it. */
  readonly others: readonly number[]
}

/** Of matches, best first. What is like one that is like a third belongs to all three. */
export function fold(matches: readonly Foldable[]): Folded {
  const [byCluster, byUrl] = [new Map<number, number>(), new Map<number, number>()]
  const [shown, groupOf, others]: [number[], number[], number[]] = [[], [], []]
  for (const [at, { cluster, urlKey }] of matches.entries()) {
    const known = (cluster === null ? undefined : byCluster.get(cluster)) ?? byUrl.get(urlKey)
    const group = known ?? shown.length
    if (known === undefined) {
      shown.push(at)
      others.push(0)
    } else others[group] = (others[group] ?? 0) + 1
    groupOf.push(group)
    if (cluster !== null) byCluster.set(cluster, group)
    byUrl.set(urlKey, group)
  }
  return { shown, groupOf, others }
}

/** Every match for itself. */
export function unfolded(matches: readonly Foldable[]): Folded {
  const places = matches.map((_, at) => at)
  return { shown: places, groupOf: places, others: matches.map(() => 0) }
}
