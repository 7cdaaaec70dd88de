// Which crawls a worker's pairs are for: each crawl gets one before any gets two, and where there are more
// crawls than pairs they take turns.

/** A crawl that runs, with the pairs of all workers together. */
export type Wanting = { readonly run: string; readonly pairs: number }
/** A pair of this worker. */
export type AtWork = {
  readonly run: string
  /** When it began, by the same clock as `now`. */
  readonly since: number
  readonly isLeaving: boolean
}

export type Shares = {
  /** Runs for which a pair is to begin; one that is named twice gets two. */
  readonly begin: readonly string[]
  /** Runs one pair of which makes room for a crawl that has none. */
  readonly end: readonly string[]
}

/** To drain a pair and start another costs some seconds: not more often than this. */
export const TURN_MS = 30_000

export function sharePairs(
  runs: readonly Wanting[],
  mine: readonly AtWork[],
  limits: { readonly pairs: number /** ms */; readonly now: number },
): Shares {
  const pairsOf = new Map(runs.map(({ run, pairs }) => [run, pairs]))
  const begin: string[] = []
  for (let free = limits.pairs - mine.length; free > 0; free--) {
    const run = leastServed(pairsOf)
    if (run === null) break
    begin.push(run)
    pairsOf.set(run, (pairsOf.get(run) ?? 0) + 1)
  }
  const unserved = [...pairsOf.values()].filter((pairs) => pairs === 0).length
  const leaving = mine.filter(({ isLeaving }) => isLeaving).length
  return { begin, end: makeRoom(unserved - leaving, mine, pairsOf, limits.now) }
}

function leastServed(pairsOf: ReadonlyMap<string, number>): string | null {
  let [least, fewest] = [null as string | null, Number.POSITIVE_INFINITY]
  for (const [run, pairs] of pairsOf) {
    if (pairs < fewest) [least, fewest] = [run, pairs]
  }
  return least
}

/** From where there is more than one pair at once; from where there is one when it had its turn. */
function makeRoom(
  needed: number,
  mine: readonly AtWork[],
  pairsOf: Map<string, number>,
  now: number,
): readonly string[] {
  const end: string[] = []
  const staying = mine.filter(({ isLeaving }) => !isLeaving).sort((a, b) => a.since - b.since)
  for (const { run, since } of staying) {
    if (end.length >= needed) break
    const pairs = pairsOf.get(run) ?? 0
    if (pairs < 2 && now - since < TURN_MS) continue
    end.push(run)
    pairsOf.set(run, pairs - 1)
  }
  return end
}
