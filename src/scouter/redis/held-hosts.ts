// The hosts at which a crawl may have turns, noted in Redis for the next process of the same name: when
// this one dies without a word, that one takes back what it left.
import type { RedisConnection } from '../../db/redis.ts'
import type { Clock } from '../../lib/clock.ts'

/** A note is made again after this, and taken out after twice as long and what a request may take. */
const NOTED_MS = 5 * 60 * 1000
const MOST_NOTED = 50_000

export type HeldHostsOptions = {
  readonly connection: RedisConnection
  readonly holder: string
  readonly clock: Clock
}

export class HeldHosts {
  readonly #connection: RedisConnection
  readonly #clock: Clock
  readonly #key: string
  readonly #notedAt = new Map<string, number>()
  /** Turns that were not given back. */
  readonly #turns = new Map<string, number>()

  constructor({ connection, holder, clock }: HeldHostsOptions) {
    this.#connection = connection
    this.#clock = clock
    this.#key = `{${connection.prefix}:turns-of:${holder}}`
  }

  /** Where one that died may have left something. */
  async takeLeft(): Promise<readonly string[]> {
    const hosts = await this.#connection.call('ZRANGE', this.#key, 0, -1)
    await this.clear()
    return Array.isArray(hosts) ? hosts.map(String) : []
  }

  /** Before a turn at this host may be held, for at most so long. */
  async note(host: string, forMs: number): Promise<void> {
    const now = this.#clock.now()
    const notedAt = this.#notedAt.get(host) ?? Number.NEGATIVE_INFINITY
    if (Math.abs(now - notedAt) < NOTED_MS) return
    if (this.#notedAt.size >= MOST_NOTED) this.#notedAt.clear()
    this.#notedAt.set(host, now)
    const keptMs = Math.ceil(2 * NOTED_MS + forMs)
    await Promise.all([
      this.#connection.call('ZADD', this.#key, now, host),
      this.#connection.call('ZREMRANGEBYSCORE', this.#key, '-inf', `(${now - keptMs}`),
      this.#connection.call('PEXPIRE', this.#key, keptMs),
    ])
  }

  add(host: string): void {
    this.#turns.set(host, (this.#turns.get(host) ?? 0) + 1)
  }

  remove(host: string): void {
    const left = (this.#turns.get(host) ?? 1) - 1
    if (left > 0) this.#turns.set(host, left)
    else this.#turns.delete(host)
  }

  /** Where turns are held at this moment. */
  hosts(): readonly string[] {
    return [...this.#turns.keys()]
  }

  async clear(): Promise<void> {
    await this.#connection.call('DEL', this.#key)
  }
}
