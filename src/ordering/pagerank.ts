// PageRank of the graph known so far: pages that were fetched have links, all that wait are only
// linked to. It is computed anew when the graph has grown by a share, and in between a page passes
// part of its rank on to what it links to.
//
// Ranks are kept as multiples of the mean, so that they do not shrink while the graph grows, and
// without the even share that every node gets (`floor`), so that a URL found after the last
// computation and one that was there compare by the same thing: what links brought them.
import type { Graph } from '../graph/graph.ts'
import { DAMPING, pageRank } from '../graph/pagerank.ts'
import { keepNumbers, keptNumbers } from './kept-numbers.ts'
import {
  type Candidate,
  type OptionValues,
  type Ordering,
  type Ranking,
  type SettledPage,
  type Signals,
  type Steering,
  unspokenScore,
} from './ordering.ts'

const EVERY = 100
const GROWTH = 0.1
const TOLERANCE = 1e-6

class RankFlow implements Steering {
  readonly ranking: Ranking
  readonly #damping: number
  readonly #tolerance: number
  /** The even share. Before anything is known all pages are worth the same. */
  #floor = 1
  #share = 0

  constructor({ damping = DAMPING, every = EVERY, growth = GROWTH, tolerance }: OptionValues) {
    this.#damping = damping
    this.#tolerance = tolerance ?? TOLERANCE
    this.ranking = {
      isDue: (settled, since) => since >= Math.max(every, growth * (settled - since)),
      rank: (graph) => this.#rank(graph),
    }
  }

  score(candidate: Candidate): number {
    const { depth, signals } = candidate
    if (depth === 0 || signals === null) return unspokenScore(candidate)
    return signals[0] ?? 0
  }

  settled({ signals, links }: SettledPage): void {
    const rank = this.#floor + (signals?.[0] ?? 0)
    this.#share = links > 0 ? (this.#damping * rank) / links : 0
  }

  pass(): Signals {
    return [this.#share]
  }

  merge([known = 0]: Signals, [fresh = 0]: Signals): Signals {
    return [known + fresh]
  }

  save(): Uint8Array {
    return keepNumbers([this.#floor])
  }

  load(bytes: Uint8Array): void {
    this.#floor = keptNumbers(bytes, 1)?.[0] ?? this.#floor
  }

  #rank(graph: Graph): Float64Array {
    const { ranks } = pageRank(graph, { damping: this.#damping, tolerance: this.#tolerance })
    this.#floor = 1 - this.#damping * followedRank(graph, ranks)
    for (let node = 0; node < ranks.length; node++) {
      ranks[node] = Math.max(0, (ranks[node] ?? 0) * graph.nodes - this.#floor)
    }
    return ranks
  }
}

/** The rank of all pages that have links. */
function followedRank({ nodes, offsets }: Graph, ranks: Float64Array): number {
  let sum = 0
  for (let node = 0; node < nodes; node++) {
    if ((offsets[node + 1] ?? 0) > (offsets[node] ?? 0)) sum += ranks[node] ?? 0
  }
  return sum
}

export const pagerank: Ordering = {
  name: 'pagerank',
  about: 'highest PageRank in the graph known so far first',
  rescoreOn: ['signals'],
  options: [
    {
      name: 'damping',
      help: 'how likely a reader follows a link rather than going anywhere',
      default: DAMPING,
      min: 0,
      max: 0.99,
    },
    {
      name: 'every',
      help: 'pages, at least, between two computations of all ranks',
      default: EVERY,
      min: 1,
      max: 1e6,
      whole: true,
    },
    {
      name: 'growth',
      help: 'share by which the crawl has to grow between two computations',
      default: GROWTH,
      min: 0,
      max: 10,
    },
    {
      name: 'tolerance',
      help: 'a computation ends when ranks, which sum to 1, change by less than this',
      default: TOLERANCE,
      min: 1e-12,
      max: 0.1,
    },
  ],
  signals: ['rank'],
  steer: (options) => new RankFlow(options),
}
