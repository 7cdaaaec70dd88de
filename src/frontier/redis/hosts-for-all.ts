// Hosts as the sessions of a crawl show them. There may be very many of both: one session reads all hosts,
// and leaves those that matter to the others in `shown`: the largest, and what fairness between seeds is
// computed from. Whoever comes first once the reader is gone is the next.
import type { HostState } from '../../core/host.ts'
import { hostOf, siteOf } from '../../core/url.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { largestFirst } from './host-record.ts'
import { keyPrefix, type ShardName } from './keys.ts'
import type { RedisFrontierOptions } from './options.ts'
import { packText, unpackText } from './packed-text.ts'

const READER_MS = 30_000
const KEPT_MS = 10 * 60_000
const LARGEST = 500
/** Of hosts of seeds' domains that are not among the largest, as many of those with pages. */
const OF_SEEDS = 20_000

export class HostsForAll {
  readonly #connection: RedisConnection
  readonly #session: string
  readonly #keys: { readonly reader: string; readonly shown: string; readonly sessions: string }
  readonly #seedSites: ReadonlySet<string>
  readonly #readAll: () => Promise<readonly HostState[]>

  constructor(
    { connection, job }: Pick<RedisFrontierOptions, 'connection' | 'job'>,
    options: { name: ShardName; session: string; readAll: () => Promise<readonly HostState[]> },
  ) {
    this.#connection = connection
    this.#session = options.session
    this.#readAll = options.readAll
    this.#seedSites = new Set(job.seeds.map((seed) => siteOf(hostOf(seed))))
    const prefix = keyPrefix(options.name)
    this.#keys = {
      ...{ reader: `${prefix}reader`, shown: `${prefix}shown` },
      sessions: `${prefix}sessions`,
    }
  }

  async read(): Promise<readonly HostState[]> {
    if (!(await this.#isReader())) return this.#shown()
    const all = await this.#readAll()
    const isAlone = Number(await this.#connection.call('ZCARD', this.#keys.sessions)) <= 1
    if (!isAlone) {
      const text = packText(JSON.stringify(this.#worthShowing(all)))
      await this.#connection.call('SET', this.#keys.shown, text, 'PX', KEPT_MS)
    }
    return all
  }

  async #isReader(): Promise<boolean> {
    const { reader, sessions } = this.#keys
    const words = [reader, this.#session, 'PX', READER_MS] as const
    if ((await this.#connection.call('SET', ...words, 'NX')) === 'OK') return true
    const known = String(await this.#connection.call('GET', reader))
    const isThere = (await this.#connection.call('ZSCORE', sessions, known)) !== null
    if (isThere && known !== this.#session) return false
    await this.#connection.call('SET', ...words)
    return true
  }

  async #shown(): Promise<readonly HostState[]> {
    const text = await this.#connection.call('GET', this.#keys.shown)
    return typeof text === 'string' ? JSON.parse(unpackText(text)) : []
  }

  #worthShowing(all: readonly HostState[]): readonly HostState[] {
    const bySize = largestFirst(all, all.length)
    const ofSeeds = bySize
      .slice(LARGEST)
      .filter(({ site, stored }) => stored > 0 && this.#seedSites.has(site))
    return [...bySize.slice(0, LARGEST), ...ofSeeds.slice(0, OF_SEEDS)]
  }
}
