// PageRank of the graph known so far: fetched pages have out-links, waiting URLs have only in-links. It is
// computed again when the graph has grown by a share; in between, a page passes part of its rank to its
// links.
//
// Ranks are stored as multiples of the mean, so that they do not shrink while the graph grows. A URL found
// since the last computation lacks the even share that every page has: it comes before older ones only if its
// links alone raise it that far.
import { DAMPING, pageRank } from '../graph/pagerank.ts'
import { parentScore } from './best-first.ts'
import type { OptionValues, Ordering, Ranking, Scorer, SettledPage, Signals } from './ordering.ts'

const EVERY = 100
const GROWTH = 0.1
const TOLERANCE = 1e-6

/** The rank of an unknown page: the mean. */
const USUAL = 1

class RankFlow implements Scorer {
  readonly ranking: Ranking
  readonly #damping: number
  readonly score = parentScore
  #share = 0

  constructor(options: OptionValues) {
    const { damping = DAMPING, every = EVERY, growth = GROWTH, tolerance = TOLERANCE } = options
    this.#damping = damping
    this.ranking = {
      isDue: (settled, since) => since >= Math.max(every, growth * (settled - since)),
      rank: (graph) => multiplesOfMean(pageRank(graph, { damping, tolerance }).ranks),
    }
  }

  settled({ signals, links }: SettledPage): void {
    this.#share = (this.#damping * (signals?.[0] ?? USUAL)) / Math.max(1, links)
  }

  pass(): Signals {
    return [this.#share]
  }

  merge([known = 0]: Signals, [fresh = 0]: Signals): Signals {
    return [known + fresh]
  }
}

/** Converts, in place, ranks that sum to 1. */
function multiplesOfMean(ranks: Float64Array): Float64Array {
  for (let node = 0; node < ranks.length; node++) ranks[node] = (ranks[node] ?? 0) * ranks.length
  return ranks
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
  createScorer: (options) => new RankFlow(options),
}
