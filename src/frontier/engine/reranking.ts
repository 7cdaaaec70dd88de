// For orderings that rank the whole graph. From time to time all edges are read, the ranks are computed, and
// every waiting URL gets its new rank. Memory is needed only meanwhile. It is done in chunks, between which
// other work gets a turn; only the computation is a single step. What is settled in between counts the next
// time. If the process is killed midway, the ranking is due again, since only its end is recorded.
import { setImmediate } from 'node:timers/promises'
import { type Graph, GraphBuilder } from '../../graph/graph.ts'
import type { Ranking } from '../../ordering/ordering.ts'
import type { OrderingFeedback } from './ordering-feedback.ts'
import type { Rescoring } from './rescoring.ts'
import type { Rows } from './rows.ts'
import type { SeenUrls } from './seen-urls.ts'
import type { StateCounts } from './state-counts.ts'
import { DELAYED, LEASED, QUEUED } from './states.ts'
import type { UrlTable } from './url-table.ts'

const PAGES_AT_ONCE = 2000
const ROWS_AT_ONCE = 500
const WAITING = [QUEUED, LEASED, DELAYED]

type RerankingOptions = {
  readonly rows: Pick<Rows, 'crawl' | 'edge' | 'url'>
  readonly crawlId: number
  readonly ranking: Ranking
  readonly urls: UrlTable
  readonly seen: SeenUrls
  readonly stateCounts: StateCounts
  readonly rescoring: Rescoring
  readonly feedback: OrderingFeedback
}

/** Runs the work step by step. */
export interface StepByStep {
  /** False if there must be no further step. */
  readonly isOpen: boolean
  /** Runs one step as a transaction. */
  step(work: () => void): void
}

export class Reranking {
  readonly #parts: RerankingOptions
  /** Null until it is first needed: new settings may reset it after this object was created. */
  #rankedAt: number | null = null
  #isRunning = false

  constructor(options: RerankingOptions) {
    this.#parts = options
  }

  get isDue(): boolean {
    if (this.#isRunning) return false
    const { rows, crawlId, ranking, stateCounts } = this.#parts
    this.#rankedAt ??= rows.crawl.get(crawlId)?.rankedAt ?? 0
    return ranking.isDue(stateCounts.fetched, stateCounts.fetched - this.#rankedAt)
  }

  /** Ends early if the file is closed meanwhile. */
  async run(crawl: StepByStep): Promise<void> {
    const { ranking, stateCounts } = this.#parts
    const fetched = stateCounts.fetched
    this.#isRunning = true
    try {
      const graph = await this.#readGraph(crawl)
      if (graph === null) return
      await this.#writeAll(ranking.rank(graph), fetched, crawl)
    } finally {
      this.#isRunning = false
    }
  }

  /** Null if it was cut short. */
  async #readGraph(crawl: StepByStep): Promise<Graph | null> {
    const { rows, seen } = this.#parts
    const builder = new GraphBuilder()
    let last = 0
    while (crawl.isOpen) {
      const pages = rows.edge.after(last, PAGES_AT_ONCE)
      for (const { fromId, toIds } of pages) for (const id of toIds) builder.add(fromId - 1, id - 1)
      last = pages.at(-1)?.fromId ?? last
      if (pages.length < PAGES_AT_ONCE) return builder.build(seen.lastId)
      await setImmediate()
    }
    return null
  }

  async #writeAll(ranks: Float64Array, fetched: number, crawl: StepByStep): Promise<void> {
    const { rows } = this.#parts
    let last = 0
    while (crawl.isOpen) {
      const part = { after: last, upTo: ranks.length, limit: ROWS_AT_ONCE }
      const ids = rows.url.scan({ ...part, states: WAITING }).map(({ id }) => id)
      crawl.step(() => {
        if (ids.length > 0) this.#write(ids, ranks)
        else this.#note(fetched)
      })
      if (ids.length === 0) return
      last = ids.at(-1) ?? last
      await setImmediate()
    }
  }

  #write(ids: readonly number[], ranks: Float64Array): void {
    const { urls, rescoring } = this.#parts
    for (const id of ids) {
      const row = urls.read(id)
      // A seed without signals is first because of that. Other URLs without signals get a rank: those that
      // waited under another ordering, or that are only listed in a sitemap.
      if (row.signals === null && row.depth === 0) continue
      rescoring.setSignals(row, [ranks[id - 1] ?? 0, ...(row.signals?.slice(1) ?? [])])
    }
    urls.writeBehind({ all: true })
  }

  #note(fetched: number): void {
    const { rows, crawlId, feedback } = this.#parts
    feedback.note()
    rows.crawl.update(crawlId, { rankedAt: fetched })
    this.#rankedAt = fetched
  }
}
