// Ranks of the graph as a whole, for orderings that go by them: the edges are read in batches, ranked
// here, and what waits gets its rank in batches. One session at a time does it; meanwhile others go on,
// and what they change in between keeps its signals until the next time.
import type { RedisConnection } from '../../db/redis.ts'
import { type Graph, GraphBuilder } from '../../graph/graph.ts'
import type { Ranking, Scorer } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import type { Calls, Word } from './calls.ts'
import { keyPrefix, metaKey, type ShardName } from './keys.ts'
import { listOf } from './reply.ts'
import { decodeRowBetween, type RowBetween } from './row-between.ts'
import { textOfSignals } from './signals-text.ts'

const PAGES_AT_ONCE = 512
const ROWS_AT_ONCE = 500
/** Queued, leased, and queued for later. */
const RANKED_STATES = '110000010'
/** Who ranks says so again with every batch. */
const LOCK_MS = 60_000

export type RerankingOptions = {
  readonly calls: Calls
  readonly connection: RedisConnection
  readonly shard: ShardName
  readonly scorer: Scorer
  readonly ranking: Ranking
  /** False when there is to be no further step. */
  readonly isOpen: () => boolean
}

export class Reranking {
  readonly #options: RerankingOptions
  readonly #lock: string
  /** As last heard; another session may have ranked since. */
  #rankedAt: number | null = null

  constructor(options: RerankingOptions) {
    this.#options = options
    this.#lock = `${keyPrefix(options.shard)}ranking`
  }

  /** Ranks when it is time; `fetched`: pages that all sessions have read. True when it did. */
  async runIfDue(fetched: number): Promise<boolean> {
    this.#rankedAt ??= await this.#readRankedAt()
    if (!this.#isDue(fetched)) return false
    this.#rankedAt = await this.#readRankedAt()
    const { connection, calls, isOpen } = this.#options
    if (!this.#isDue(fetched) || !isOpen()) return false
    const taken = await connection.call('SET', this.#lock, calls.session, 'NX', 'PX', LOCK_MS)
    if (taken !== 'OK') return false
    try {
      return await this.#run(fetched)
    } finally {
      await connection.call('DEL', this.#lock)
    }
  }

  #isDue(fetched: number): boolean {
    return this.#options.ranking.isDue(fetched, fetched - (this.#rankedAt ?? 0))
  }

  async #readRankedAt(): Promise<number> {
    const { connection, shard } = this.#options
    return Number((await connection.call('HGET', metaKey(shard), 'rankedAt')) ?? 0)
  }

  /** False when it was cut short. */
  async #run(fetched: number): Promise<boolean> {
    const { ranking, connection, shard } = this.#options
    const graph = await this.#readGraph()
    if (graph === null) return false
    if (!(await this.#writeAll(ranking.rank(graph)))) return false
    await connection.call('HSET', metaKey(shard), 'rankedAt', fetched)
    this.#rankedAt = fetched
    return true
  }

  async #readGraph(): Promise<Graph | null> {
    const { calls, isOpen } = this.#options
    const builder = new GraphBuilder()
    let nodes = 0
    for (let next = 1; isOpen(); ) {
      const { reply } = await calls.run('edges-after', [next, PAGES_AT_ONCE])
      const [after, lastId, flat] = reply
      addEdges(builder, listOf(flat))
      await this.#stay()
      nodes = Number(lastId)
      if (after === 0) return builder.build(nodes)
      next = Number(after)
    }
    return null
  }

  /** False when it was cut short. */
  async #writeAll(ranks: Float64Array): Promise<boolean> {
    const { calls, isOpen } = this.#options
    for (let first = 1; first <= ranks.length; first += ROWS_AT_ONCE) {
      if (!isOpen()) return false
      const last = Math.min(ranks.length, first + ROWS_AT_ONCE - 1)
      const { reply } = await calls.run('rows-between', [first, last, RANKED_STATES])
      const rows = listOf(reply[1]).map(decodeRowBetween)
      // A seed nobody spoke of goes first by that. Others have a rank all the same: those that
      // waited under another ordering, or that are only listed.
      const ranked = rows.filter(({ signals, depth }) => signals !== null || depth !== 0)
      if (!isOpen()) return false
      const words = ranked.flatMap((row) => this.#words(row, ranks[row.id - 1] ?? 0))
      await calls.run('rescore', [ranked.length, ...words])
      await this.#stay()
    }
    return true
  }

  #words(row: RowBetween, rank: number): readonly Word[] {
    const signals = [rank, ...(row.signals?.slice(1) ?? [])]
    const score = finiteScore(this.#options.scorer, { ...row, signals })
    return [row.id, score, textOfSignals(signals), textOfSignals(row.signals), '']
  }

  async #stay(): Promise<void> {
    await this.#options.connection.call('PEXPIRE', this.#lock, LOCK_MS)
  }
}

function addEdges(builder: GraphBuilder, flat: readonly unknown[]): void {
  for (let at = 0; at < flat.length; ) {
    const [from, count] = [Number(flat[at]), Number(flat[at + 1])]
    for (let to = at + 2; to < at + 2 + count; to += 1) builder.add(from - 1, Number(flat[to]) - 1)
    at += 2 + count
  }
}
