// How soon the important pages were fetched, whatever the topic: the models of Cho, Garcia-Molina and Page,
// and the share of true PageRank. Importance is that of the full graph; the crawler's own part of the graph
// would flatter it.
import { foundOfTop, foundOfTopSoFar, hotCount, type Ranking } from './ranking.ts'
import type { Replay } from './replay-result.ts'
import { pagesAt, wentTo, type Yardstick } from './yardstick.ts'

/** Share of hot pages in the model with a threshold. */
export const HOT_SHARE = 0.01

type ImportanceFigures = {
  readonly pagerankSum: Float64Array
  readonly csPagerank: Float64Array
  readonly csInDegree: Float64Array
  readonly stPagerank: Float64Array
  readonly stInDegree: Float64Array
}

export function measureImportance(
  yardstick: Yardstick,
  replay: Replay,
  shares: ArrayLike<number>,
): ImportanceFigures {
  const { byPagerank, byInDegree } = yardstick
  const counts = Array.from(shares, (share) =>
    wentTo(share, yardstick, replay) ? pagesAt(share, yardstick.reachable) : Number.NaN,
  )
  return {
    pagerankSum: gathered(yardstick, replay.fetched, counts),
    csPagerank: crawlAndStop(byPagerank, replay.fetched, counts),
    csInDegree: crawlAndStop(byInDegree, replay.fetched, counts),
    stPagerank: withThreshold(byPagerank, replay.fetched, counts),
    stInDegree: withThreshold(byInDegree, replay.fetched, counts),
  }
}

/**
 * P_BC: the share of the pages that should be in a buffer of this size and were at the end; NaN if the replay
 * stopped before it.
 */
export function measureBuffer(ranking: Ranking, replay: Replay, share: number): number {
  const held = replay.buffers.get(share)
  if (held === undefined) return Number.NaN
  const size = pagesAt(share, ranking.size)
  return (100 * foundOfTop(ranking, held, size)) / size
}

function crawlAndStop(
  ranking: Ranking,
  fetched: Uint32Array,
  counts: readonly number[],
): Float64Array {
  const known = counts.map((count) => (Number.isNaN(count) ? 0 : count))
  const found = foundOfTopSoFar(ranking, fetched, known)
  return Float64Array.from(counts, (count, at) => (100 * (found[at] ?? 0)) / count)
}

function withThreshold(
  ranking: Ranking,
  fetched: Uint32Array,
  counts: readonly number[],
): Float64Array {
  const hot = hotCount(ranking, pagesAt(HOT_SHARE, ranking.size))
  const isHot = (page: number) => ((ranking.first[page] ?? hot) < hot ? 1 : 0)
  return addedUp(fetched, counts, (page) => (100 * isHot(page)) / hot)
}

function gathered(
  { world, truth, pagerankSum }: Yardstick,
  fetched: Uint32Array,
  counts: readonly number[],
): Float64Array {
  return addedUp(fetched, counts, (page) =>
    truth.reachable[page] ? (100 * (world.pagerank[page] ?? 0)) / pagerankSum : 0,
  )
}

/** For each count, the sum over the first pages; counts do not fall. */
function addedUp(
  fetched: Uint32Array,
  counts: readonly number[],
  worth: (page: number) => number,
): Float64Array {
  let sum = 0
  let at = 0
  return Float64Array.from(counts, (count) => {
    while (at < Math.min(count, fetched.length)) sum += worth(fetched[at++] ?? 0)
    return Number.isNaN(count) ? Number.NaN : sum
  })
}
