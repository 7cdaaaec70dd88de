// Who may lease the last pages that a divided crawl may have. Counts of all shards are of a moment ago, and
// so each session leases them alone, with counts of its own moment. The store has the last word all
// the same; this keeps pages from being fetched in vain.
import { setTimeout as pause } from 'node:timers/promises'
import type { RedisConnection } from '../../db/redis.ts'
import { keyPrefix, type ShardName } from './keys.ts'

/** Fewer left than all sessions together would lease at once. */
const NEAR = 1_000
/** One that died holds others up for so long. */
const HELD_MS = 3_000
const ASK_EVERY_MS = 5
const ASKED_AT_MOST = 40

export class LastPages {
  readonly #connection: RedisConnection
  readonly #key: string
  readonly #session: string

  constructor(connection: RedisConnection, first: ShardName, session: string) {
    this.#connection = connection
    this.#key = `${keyPrefix(first)}lastPages`
    this.#session = session
  }

  areNear(left: number): boolean {
    return left > 0 && left < NEAR
  }

  /** Null when others were at it all the while. */
  async alone<T>(work: () => Promise<T>): Promise<T | null> {
    for (let asked = 0; !(await this.#take()); asked += 1) {
      if (asked === ASKED_AT_MOST) return null
      await pause(ASK_EVERY_MS)
    }
    try {
      return await work()
    } finally {
      const holder = await this.#connection.call('GET', this.#key)
      if (holder === this.#session) await this.#connection.call('DEL', this.#key)
    }
  }

  async #take(): Promise<boolean> {
    const words = [this.#key, this.#session, 'NX', 'PX', HELD_MS] as const
    return (await this.#connection.call('SET', ...words)) === 'OK'
  }
}
