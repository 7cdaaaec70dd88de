// What an ordering has learned, kept over a restart: little is kept with every step of the crawl, much
// every few seconds and at the end. Sessions of one crawl learn each from its own pages. Of their
// states the one of most pages is kept, and who falls far behind it takes it over, forgetting what it
// knows better: that costs a little of what is learned, and needs no way to add two states.
import type { RedisConnection } from '../../db/redis.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import type { LearnedState } from '../url-states.ts'
import type { Word } from './calls.ts'
import { keyPrefix, type ShardName } from './keys.ts'

const LITTLE_BYTES = 4096
const SAVE_EVERY_MS = 5000
/** Pages by which another state must be ahead: of fewer there is little to learn. */
const FAR_BEHIND = 500

export type OrderingStateOptions = {
  readonly connection: RedisConnection
  readonly shard: ShardName
  readonly clock: Clock
  readonly name: string
  readonly scorer: Scorer
}

export class OrderingState {
  readonly #options: OrderingStateOptions
  /** Pages that the state here stems from. */
  #learned = 0
  #savedLearned = 0
  #savedBytes = 0
  #savedAt = Number.NEGATIVE_INFINITY

  constructor(options: OrderingStateOptions) {
    this.#options = options
  }

  /** Grows with every page that something was learned from. */
  get learned(): number {
    return this.#learned
  }

  /** Something was learned. */
  note(): void {
    this.#learned += 1
  }

  /** Takes back what was learned before. */
  async load(): Promise<void> {
    const { connection, shard, name, scorer } = this.#options
    const kept = await readKept(connection, shard)
    if (kept === null || kept.name !== name) return
    scorer.load?.(kept.bytes)
    this.#learned = kept.learned
    this.#savedLearned = kept.learned
  }

  /** `kept`: the pages that the state in Redis stems from. True when it was taken over. */
  async follow(kept: number): Promise<boolean> {
    if (kept < this.#learned + FAR_BEHIND || !this.#options.scorer.load) return false
    await this.load()
    return true
  }

  /** What was learned so far speaks of something else now. */
  async forget(): Promise<void> {
    const { connection, shard } = this.#options
    await connection.call('DEL', keyOf(shard))
    await connection.call('HSET', `${keyPrefix(shard)}meta`, 'learned', 0, 'rankedAt', 0)
  }

  /** For the next step: what was learned up to here, when it is little or was not kept for a while. */
  words(): readonly Word[] {
    if (this.#learned === this.#savedLearned) return ['', '', 0]
    const elapsed = Math.abs(this.#options.clock.now() - this.#savedAt)
    const isDue = this.#savedBytes <= LITTLE_BYTES || elapsed >= SAVE_EVERY_MS
    return isDue ? this.wordsNow() : ['', '', 0]
  }

  wordsNow(): readonly Word[] {
    const { clock, name, scorer } = this.#options
    const bytes = scorer.save?.() ?? null
    this.#savedLearned = this.#learned
    this.#savedAt = clock.now()
    this.#savedBytes = bytes?.byteLength ?? 0
    if (bytes === null) return ['', '', 0]
    return [name, Buffer.from(bytes).toString('base64'), this.#learned]
  }
}

/** What is kept of what an ordering learned; null when there is nothing. */
export async function readLearned(
  connection: RedisConnection,
  shard: ShardName,
): Promise<LearnedState | null> {
  const kept = await readKept(connection, shard)
  return kept && { name: kept.name, bytes: kept.bytes }
}

async function readKept(
  connection: RedisConnection,
  shard: ShardName,
): Promise<(LearnedState & { readonly learned: number }) | null> {
  const reply = await connection.call('HMGET', keyOf(shard), 'name', 'state', 'learned')
  const [name, state, learned] = Array.isArray(reply) ? reply : []
  if (typeof state !== 'string') return null
  const bytes = new Uint8Array(Buffer.from(state, 'base64'))
  return { name: String(name), bytes, learned: Number(learned) }
}

function keyOf(shard: ShardName): string {
  return `${keyPrefix(shard)}ordering`
}
