// One crawl whose frontier is in Redis, its clock, and the sessions that have it open.
import { randomBytes } from 'node:crypto'
import type { CrawlSettings, Job } from '../../../src/core/job.ts'
import type { CanonicalUrl } from '../../../src/core/url.ts'
import { openRedis, type RedisConnection } from '../../../src/db/redis.ts'
import { hostPolicyNamed } from '../../../src/frontier/policy/index.ts'
import type { RedisFrontierOptions } from '../../../src/frontier/redis/options.ts'
import {
  openRedisFrontier,
  type RedisFrontier,
} from '../../../src/frontier/redis/redis-frontier.ts'
import { openRedisUrlStates } from '../../../src/frontier/redis/redis-url-states.ts'
import type { UrlStates } from '../../../src/frontier/url-states.ts'
import { ManualClock } from '../../../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../../src/options/settings.ts'
import { optionValues, orderingNamed } from '../../../src/ordering/index.ts'
import { sharedRedisUrl } from '../../servers/redis.ts'
import { founds } from './rig.ts'

export const SESSION_MS = 10_000

export class SharedCrawl implements AsyncDisposable {
  readonly clock = new ManualClock()
  readonly connection: RedisConnection
  readonly #settings: Partial<CrawlSettings>
  readonly #open: RedisFrontier[] = []

  constructor(connection: RedisConnection, settings: Partial<CrawlSettings>) {
    this.connection = connection
    this.#settings = settings
  }

  static async begin(settings: Partial<CrawlSettings> = {}, url?: string): Promise<SharedCrawl> {
    const prefix = `test-${randomBytes(6).toString('hex')}`
    const server = url ?? (await sharedRedisUrl())
    return new SharedCrawl(await openRedis({ url: `${server}?prefix=${prefix}` }), settings)
  }

  get job(): Job {
    const quiet = { ignoreRobots: true, sitemaps: false, trapBudget: 0 }
    return {
      ...{ id: 1, name: 'shared', origin: 'cli', topic: null, salt: 77 },
      seeds: ['http://a.test/' as CanonicalUrl],
      settings: { ...DEFAULT_SETTINGS, ...quiet, ...this.#settings },
    }
  }

  async open(more: Partial<RedisFrontierOptions> = {}): Promise<RedisFrontier> {
    const { job } = this
    const ordering = orderingNamed(job.settings.ordering)
    const values = optionValues(ordering, job.settings.orderingOptions)
    const frontier = await openRedisFrontier({
      ...{ connection: this.connection, job, clock: this.clock, clockIsShared: true, ordering },
      scorer: ordering.createScorer(values, job.salt),
      policy: hostPolicyNamed(job.settings.hostPolicy),
      ...{ admit: () => null, templateOf: () => null, sessionMs: SESSION_MS },
      joins: this.#open.length > 0,
      ...more,
    })
    this.#open.push(frontier)
    return frontier
  }

  ledger(): Promise<UrlStates> {
    return openRedisUrlStates({ connection: this.connection }, this.job)
  }

  /** The whole of meta, or of another key's hash. */
  async meta(): Promise<Readonly<Record<string, string>>> {
    const flat = (await this.connection.call('HGETALL', this.key('meta'))) as string[]
    return Object.fromEntries(
      flat.flatMap((name, at) => (at % 2 ? [] : [[name, flat[at + 1] ?? '']])),
    )
  }

  key(name: string): string {
    return `{${this.connection.prefix}:1:0}:${name}`
  }

  /** Time passes while a session is heard of, as often as one that lives is. */
  async pass(ms: number, heard: RedisFrontier): Promise<void> {
    for (let left = ms; left > 0; left -= SESSION_MS / 4) {
      this.clock.advance(Math.min(left, SESSION_MS / 4))
      await heard.renew()
    }
  }

  async two(...shorts: readonly string[]): Promise<[RedisFrontier, RedisFrontier]> {
    const first = await this.open()
    await first.add(founds(...shorts), 'seed')
    return [first, await this.open()]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const frontier of this.#open) frontier.abandon()
    const { connection } = this
    const keys = await connection.call('KEYS', `{${connection.prefix}:*`).catch(() => [])
    if (Array.isArray(keys) && keys.length > 0) await connection.call('UNLINK', ...keys)
    await connection[Symbol.asyncDispose]()
  }
}
