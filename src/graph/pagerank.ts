// PageRank: the share of time that a random reader spends at a page. The reader follows links forever, each
// link of a page with equal probability, and sometimes (from pages without links always) jumps to any page.
//
// rank(p) = (1 − d + d · D) / n + d · Σ rank(q) / links(q) over the pages q that link to p, where D is the
// rank of all pages without links, and n the number of pages. The ranks sum to 1.
import type { Graph } from './graph.ts'

type PageRankOptions = {
  /** d: the probability that a link is followed; from 0 to less than 1. */
  readonly damping?: number
  /**
   * Stops when the ranks change by less than this from one round to the next, summed over all pages. Their
   * error is then at most d / (1 − d) times as much: 5.7 times at d = 0.85.
   */
  readonly tolerance?: number
  readonly maxIterations?: number
  /**
   * Ranks of an earlier, similar graph, with any sum: fewer rounds to the same result. Nodes without a
   * positive number there start with an even share.
   */
  readonly start?: ArrayLike<number>
}

export type PageRanks = {
  /** By node; they sum to 1 unless there is no node. */
  readonly ranks: Float64Array
  readonly iterations: number
  /** The change in the last round, summed over all pages. */
  readonly change: number
  /** False if `maxIterations` was reached first. */
  readonly converged: boolean
}

export const DAMPING = 0.85
const TOLERANCE = 1e-8
/** At d = 0.85 a change shrinks to a 1e-14th of itself in this many rounds on any graph. */
const MAX_ITERATIONS = 200

export function pageRank(graph: Graph, options: PageRankOptions = {}): PageRanks {
  const rounds = rankRounds(graph, options)
  for (;;) {
    const round = rounds.next()
    if (round.done) return round.value
  }
}

/** The same, with a pause between two rounds; an error thrown there ends it. */
export async function pageRankInTurns(
  graph: Graph,
  pause: () => Promise<void>,
): Promise<PageRanks> {
  const rounds = rankRounds(graph, {})
  for (;;) {
    const round = rounds.next()
    if (round.done) return round.value
    await pause()
  }
}

function* rankRounds(graph: Graph, options: PageRankOptions): Generator<void, PageRanks> {
  const { damping = DAMPING, tolerance = TOLERANCE, maxIterations = MAX_ITERATIONS } = options
  let ranks = startingRanks(graph.nodes, options.start)
  let next: Float64Array = new Float64Array(graph.nodes)
  let iterations = 0
  let change = graph.nodes === 0 ? 0 : Number.POSITIVE_INFINITY
  while (iterations < maxIterations && change >= tolerance) {
    const spread = follow(graph, ranks, next, damping)
    change = settle(ranks, next, spread)
    const last = ranks
    ranks = next
    next = last
    iterations++
    yield
  }
  scaleToOne(ranks)
  return { ranks, iterations, change, converged: change < tolerance }
}

/** One round of followed links into `next`; returns the additional share of every node. */
function follow(graph: Graph, ranks: Float64Array, next: Float64Array, damping: number): number {
  const { nodes, offsets, targets } = graph
  next.fill(0)
  let followed = 0
  let start = 0
  for (let node = 0; node < nodes; node++) {
    const end = offsets[node + 1] ?? 0
    if (end > start) {
      const rank = (ranks[node] ?? 0) * damping
      followed += rank
      const share = rank / (end - start)
      for (let at = start; at < end; at++) {
        const target = targets[at] ?? 0
        next[target] = (next[target] ?? 0) + share
      }
    }
    start = end
  }
  return (1 - followed) / nodes
}

/** Adds the even share to all of `next`; returns its distance from `ranks`. */
function settle(ranks: Float64Array, next: Float64Array, spread: number): number {
  let change = 0
  for (let node = 0; node < next.length; node++) {
    const rank = (next[node] ?? 0) + spread
    next[node] = rank
    change += Math.abs(rank - (ranks[node] ?? 0))
  }
  return change
}

function startingRanks(nodes: number, start: ArrayLike<number> | undefined): Float64Array {
  const ranks = new Float64Array(nodes)
  const { sum, known } = sumOfKnown(nodes, start)
  const even = known === 0 ? 1 : sum / known
  for (let node = 0; node < nodes; node++) {
    const given = start?.[node] ?? 0
    ranks[node] = isRank(given) ? given : even
  }
  scaleToOne(ranks)
  return ranks
}

function sumOfKnown(nodes: number, start: ArrayLike<number> | undefined) {
  let sum = 0
  let known = 0
  for (let node = 0; node < Math.min(nodes, start?.length ?? 0); node++) {
    const given = start?.[node] ?? 0
    if (!isRank(given)) continue
    sum += given
    known++
  }
  return { sum, known }
}

function isRank(value: number): boolean {
  return value > 0 && value < Number.POSITIVE_INFINITY
}

/** Rounding errors add up over many rounds, and callers rely on the sum. */
function scaleToOne(ranks: Float64Array): void {
  let sum = 0
  for (const rank of ranks) sum += rank
  if (sum > 0)
    for (let node = 0; node < ranks.length; node++) ranks[node] = (ranks[node] ?? 0) / sum
}
