// The three models of Cho, Garcia-Molina and Page (1998), for any importance metric:
//
//   crawl & stop                 after K pages:  P_CS = 100 · (pages of the K most important among them) ÷ K
//   crawl & stop, threshold G    hot: I(p) ≥ G;  P_ST = 100 · (hot pages fetched) ÷ (all hot pages)
//   limited buffer               B pages kept;   P_BC = 100 · (pages of the B most important in it) ÷ B
//
// Importance is that of the whole web. Only the buffer goes by what the crawl knows at the moment: the links of
// the pages fetched so far.
import { type Graph, GraphBuilder } from '../graph/graph.ts'
import { pageRank } from '../graph/pagerank.ts'
import { type Heaped, IndexedHeap } from '../lib/indexed-heap.ts'
import { foundOfTop, foundOfTopSoFar, hotCount, type Ranking } from '../simulate/ranking.ts'

/** P_CS for each K. Ties count as simulate/ranking.ts explains. */
export function crawlAndStop(
  ranking: Ranking,
  fetched: Uint32Array,
  counts: readonly number[],
): number[] {
  const found = foundOfTopSoFar(ranking, fetched, counts)
  return counts.map((count, at) => (100 * (found[at] ?? 0)) / Math.min(count, ranking.size))
}

/** P_ST for each K; NaN if no page is hot. */
export function crawlAndStopWithThreshold(
  ranking: Ranking,
  hot: number,
  fetched: Uint32Array,
  counts: readonly number[],
): number[] {
  const last = Math.max(0, ...counts)
  const sums = new Uint32Array(last + 1)
  for (let at = 0; at < last; at++) {
    const page = fetched[at]
    const isHot = page !== undefined && (ranking.first[page] ?? hot) < hot
    sums[at + 1] = (sums[at] ?? 0) + (isHot ? 1 : 0)
  }
  return counts.map((count) => (hot === 0 ? Number.NaN : (100 * (sums[count] ?? 0)) / hot))
}

/** The number of hot pages: those at or above the threshold, all of a tie included. */
export function hotPages(
  ranking: Ranking,
  importance: ArrayLike<number>,
  threshold: { readonly share: number } | { readonly least: number },
): number {
  if ('share' in threshold) {
    return hotCount(ranking, Math.max(1, Math.round(threshold.share * ranking.size)))
  }
  const { least } = threshold
  const below = ranking.order.findIndex((page) => !((importance[page] ?? 0) >= least))
  return below < 0 ? ranking.size : below
}

/** P_BC of a buffer of `room` pages, given its pages when nothing was left to fetch. */
export function limitedBuffer(ranking: Ranking, kept: Uint32Array, room: number): number {
  return (100 * foundOfTop(ranking, kept, room)) / room
}

/** How important a page seems to a crawl that has fetched only a part of the web. */
export type Estimate =
  /** It is known as soon as the page is there. */
  | { readonly by: 'page'; readonly of: ArrayLike<number> }
  /** Links from the pages fetched so far. */
  | { readonly by: 'backlinks' }
  /** PageRank of the graph so far, computed again from time to time. */
  | { readonly by: 'pagerank' }

/** How often PageRank is computed in the course of a crawl. */
const RANKINGS = 50

/** The pages in a buffer of `room` pages at the end, in ascending order. */
export function bufferAtEnd(
  fetched: Uint32Array,
  links: Graph,
  { room, estimate }: { readonly room: number; readonly estimate: Estimate },
): Uint32Array {
  const buffer = new Buffer(room)
  const known = estimatorFor(estimate, links, fetched.length)
  for (const page of fetched) {
    buffer.add(page, known.of(page))
    for (const changed of known.fetched(page)) buffer.change(changed, known.of(changed))
  }
  return buffer.pages()
}

type Estimator = {
  of(page: number): number
  /** Notes that the page was fetched; returns the pages whose value may have changed. */
  fetched(page: number): Iterable<number>
}

function estimatorFor(estimate: Estimate, links: Graph, fetches: number): Estimator {
  if (estimate.by === 'page') return { of: (page) => estimate.of[page] ?? 0, fetched: () => [] }
  const targetsOf = (page: number) =>
    links.targets.subarray(links.offsets[page] ?? 0, links.offsets[page + 1] ?? 0)
  const inLinks = new Uint32Array(links.nodes)
  const count = (page: number) => {
    for (const target of targetsOf(page)) inLinks[target] = (inLinks[target] ?? 0) + 1
    return targetsOf(page)
  }
  if (estimate.by === 'backlinks') return { of: (page) => inLinks[page] ?? 0, fetched: count }
  return new RankEstimator(links, Math.max(1, Math.ceil(fetches / RANKINGS)), targetsOf)
}

/** Between two computations a page that became known has the least rank. */
class RankEstimator implements Estimator {
  readonly #links: Graph
  readonly #every: number
  readonly #targetsOf: (page: number) => Uint32Array
  readonly #fetched: number[] = []
  #ranks: Float64Array

  constructor(links: Graph, every: number, targetsOf: (page: number) => Uint32Array) {
    this.#links = links
    this.#every = every
    this.#targetsOf = targetsOf
    this.#ranks = new Float64Array(links.nodes)
  }

  of(page: number): number {
    return this.#ranks[page] ?? 0
  }

  fetched(page: number): Iterable<number> {
    this.#fetched.push(page)
    if (this.#fetched.length % this.#every !== 0) return []
    const builder = new GraphBuilder()
    for (const from of this.#fetched) builder.addAll(from, this.#targetsOf(from))
    this.#ranks = pageRank(builder.build(this.#links.nodes), { tolerance: 1e-6 }).ranks
    return this.#fetched
  }
}

type Kept = Heaped & { readonly page: number; readonly at: number }

/** When it is full and one more page comes, the least important is dropped for good. */
class Buffer {
  readonly #room: number
  readonly #kept = new Map<number, Kept>()
  readonly #heap = new IndexedHeap<Kept>()
  #added = 0

  constructor(room: number) {
    this.#room = room
  }

  add(page: number, importance: number): void {
    const kept = { heapAt: -1, page, at: this.#added++ }
    this.#kept.set(page, kept)
    // Among equals the page fetched first is dropped: it had the most time to get links.
    this.#heap.put(kept, importance, kept.at)
    if (this.#kept.size <= this.#room) return
    const gone = this.#heap.pop()
    if (gone !== undefined) this.#kept.delete(gone.page)
  }

  /** Ignored for a page that is not in the buffer. */
  change(page: number, importance: number): void {
    const kept = this.#kept.get(page)
    if (kept !== undefined) this.#heap.put(kept, importance, kept.at)
  }

  pages(): Uint32Array {
    return Uint32Array.from(this.#kept.keys()).sort()
  }
}
