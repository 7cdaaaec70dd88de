// What changed in a frontier in Redis since the store has a copy of it; one process at a time takes it.
import { randomBytes } from 'node:crypto'
import type { RedisConnection } from '../../db/redis.ts'
import { idIn, numberOf } from '../partitions/partition-of.ts'
import type { SomeChanges, UrlChanges } from '../url-changes.ts'
import { decodeHostCopy } from './host-record.ts'
import { keyPrefix, type ShardName } from './keys.ts'
import { runReading } from './read-scripts.ts'
import { listOf } from './reply.ts'
import { copyOf, decodeRedisUrl } from './url-record.ts'

/** Who takes changes and falls silent is followed by the next after this. */
const TURN_MS = 10_000

export type RedisUrlChangesOptions = {
  /** Stays its opener's. */
  readonly connection: RedisConnection
  readonly crawlId: number
  readonly shard?: number
  /** As many as the frontier has. */
  readonly shards?: number
  /** Who makes the copy; left out: a new name. */
  readonly name?: string
}

/** After one change and up to another, by their sequence in this shard. */
export type ChangesBetween = { readonly after: number; readonly upTo: number }

export function createRedisUrlChanges(options: RedisUrlChangesOptions): RedisUrlChanges {
  return new RedisUrlChanges(options)
}

export class RedisUrlChanges implements UrlChanges {
  readonly #connection: RedisConnection
  readonly #shard: ShardName
  readonly #shards: number
  readonly #name: string

  constructor({ connection, crawlId, shard = 0, shards = 1, name }: RedisUrlChangesOptions) {
    this.#connection = connection
    this.#shards = shards
    this.#shard = { prefix: connection.prefix, crawlId, shard }
    this.#name = name ?? randomBytes(9).toString('base64url')
  }

  async take(limit: number, between?: ChangesBetween): Promise<SomeChanges | null> {
    const { after = '-inf', upTo = '+inf' } = between ?? {}
    const reply = listOf(await this.#run('changes', this.#name, TURN_MS, limit, after, upTo))
    if (reply.length === 0) return null
    const [marks, rows, hosts] = reply.map(listOf)
    const numberIn = (id: number): number => numberOf(id, this.#shard.shard, this.#shards)
    return {
      marks: (marks ?? []).map(Number),
      urls: (rows ?? []).map((row) => copyOf(decodeRedisUrl(row), numberIn)),
      hosts: (hosts ?? []).map(decodeHostCopy),
      notes: [],
    }
  }

  async copied({ urls, marks }: SomeChanges): Promise<void> {
    const pairs = urls.flatMap(({ position }, nth) => [
      idIn(position, this.#shards),
      marks[nth] ?? -1,
    ])
    await this.#run('copied', ...pairs)
  }

  /** The sequence of the newest change. */
  async newest(): Promise<number> {
    const key = `${keyPrefix(this.#shard)}meta`
    return Number((await this.#connection.call('HGET', key, 'changes')) ?? 0)
  }

  async leave(): Promise<void> {
    const key = `${keyPrefix(this.#shard)}meta`
    const copier = await this.#connection.call('HGET', key, 'copier')
    // Between the two another may have begun: then both copy for a moment, which does no harm.
    if (copier === this.#name) await this.#connection.call('HSET', key, 'copierUntil', 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave()
  }

  #run(name: 'changes' | 'copied', ...args: readonly (string | number)[]): Promise<unknown> {
    return runReading(this.#connection, this.#shard, name, ...args)
  }
}
