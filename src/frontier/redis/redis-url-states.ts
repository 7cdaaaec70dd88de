// The frontier in Redis as readers see it. Each call is one or more short scripts, none of which looks at
// more than some thousand rows: a reader never stands in a crawl's way for long.
import { CrawlerError } from '../../core/errors.ts'
import type { HostState, UrlCounts } from '../../core/host.ts'
import type { Job } from '../../core/job.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { UrlRecord } from '../../core/url-record.ts'
import { type Refusal, URL_STATES } from '../../core/visit.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { createUrlHasher, type UrlHasher } from '../../lib/url-hash.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import type { RobotsRecord } from '../frontier.ts'
import type { LearnedState, Outcome, Unreached, UrlStates } from '../url-states.ts'
import { decodeHostCopy, hostStateOf, largestFirst } from './host-record.ts'
import { keyPrefix, type ShardName, UNFINISHED } from './keys.ts'
import { hashText } from './link-arguments.ts'
import { readLearned } from './ordering-state.ts'
import { runReading } from './read-scripts.ts'
import { listOf } from './reply.ts'
import { readRobots } from './robots-words.ts'
import { candidateOf, decodeRedisUrl, type RedisUrl, recordOf, statesText } from './url-record.ts'

const HOSTS_AT_ONCE = 500
const ROWS_AT_ONCE = 2_000
const LIST_AT_ONCE = 500

type ListOptions = Parameters<UrlStates['list']>[0]
export type Listed = UrlRecord & { readonly position: number }

export type RedisUrlStatesOptions = {
  /** Stays its opener's. */
  readonly connection: RedisConnection
  readonly shard?: number
}

/** Null when the crawl has no frontier there, yet or any more. */
export async function findRedisUrlStates(
  { connection, shard = 0 }: RedisUrlStatesOptions,
  job: Job,
): Promise<RedisUrlStates | null> {
  const name = { prefix: connection.prefix, crawlId: job.id, shard }
  const layout = await connection.call('HGET', `${keyPrefix(name)}meta`, 'layout')
  if (layout === null || layout === UNFINISHED) return null
  return new RedisUrlStates(connection, name, createUrlHasher(job.salt))
}

export async function openRedisUrlStates(
  options: RedisUrlStatesOptions,
  job: Job,
): Promise<RedisUrlStates> {
  const ledger = await findRedisUrlStates(options, job)
  if (ledger !== null) return ledger
  const message = `the frontier of crawl ${job.id} is not in ${options.connection.shownUrl}`
  throw new CrawlerError('store-unreachable', message)
}

export class RedisUrlStates implements UrlStates {
  readonly #connection: RedisConnection
  readonly #shard: ShardName
  readonly #hashUrl: UrlHasher

  constructor(connection: RedisConnection, shard: ShardName, hashUrl: UrlHasher) {
    this.#connection = connection
    this.#shard = shard
    this.#hashUrl = hashUrl
  }

  async find(url: CanonicalUrl): Promise<UrlRecord | null> {
    const row = await this.row(url)
    return row === null ? null : recordOf(row, this.#shard.crawlId)
  }

  async list({ after, limit, state, code }: ListOptions): Promise<readonly Listed[]> {
    const found: Listed[] = []
    const filter = [statesText(state), code === undefined ? 0 : 1, code ?? ''] as const
    for (let [from, isEnd] = [after, false]; !isEnd && found.length < limit; ) {
      const wanted = Math.min(limit - found.length, LIST_AT_ONCE)
      const [last, end, rows] = listOf(await this.#read('list', from, wanted, ...filter))
      for (const reply of listOf(rows)) {
        const row = decodeRedisUrl(reply)
        found.push({ ...recordOf(row, this.#shard.crawlId), position: row.id })
      }
      from = Number(last)
      isEnd = end === 1
    }
    return found
  }

  async counts(): Promise<UrlCounts> {
    const fields = Array.from({ length: 9 }, (_, state) => `c${state}`)
    const reply = await this.#call('HMGET', 'meta', ...fields, 'outside')
    const numbers = listOf(reply).map(Number)
    const [queued = 0, leased = 0, stored = 0, duplicate = 0, redirected = 0, ...rest] = numbers
    const [refused = 0, failed = 0, delayed = 0, outOfReach = 0, counted = 0] = rest
    const outside = Math.max(0, counted)
    return {
      ...{ queued: queued + delayed, leased, stored, duplicate, redirected },
      ...{ refused: refused + outOfReach - outside, outside, failed },
    }
  }

  async unreached(seedHosts: readonly string[]): Promise<readonly Unreached[]> {
    const lost = listOf(await this.#call('HKEYS', 'lost')).map(String)
    const urls = new Map<string, number>()
    for (const [name, hosts] of [
      ['lost', lost],
      ['silent', seedHosts],
    ] as const) {
      const counts = hosts.length === 0 ? [] : listOf(await this.#call('HMGET', name, ...hosts))
      for (const [at, host] of hosts.entries()) {
        const count = Number(counts[at] ?? 0)
        if (count > 0) urls.set(host, (urls.get(host) ?? 0) + count)
      }
    }
    return Array.from(urls, ([host, count]) => ({ host, urls: count })).sort(byUrls)
  }

  async countRefused(codes: readonly Refusal[]): Promise<number> {
    const outcomes = await this.outcomes()
    const isOne = ({ state, code }: Outcome) =>
      state === 'refused' && codes.some((wanted) => wanted === code)
    return outcomes.filter(isOne).reduce((sum, { count }) => sum + count, 0)
  }

  async outcomes(): Promise<readonly Outcome[]> {
    const byName = new Map<string, Outcome>()
    for (let [from, isEnd] = [0, false]; !isEnd; ) {
      const [last, end, some] = listOf(await this.#read('outcomes', from, ROWS_AT_ONCE))
      for (const reply of listOf(some)) addOutcome(byName, decodeOutcome(reply))
      from = Number(last)
      isEnd = end === 1
    }
    return [...byName.values()].toSorted(mostFirst)
  }

  async pagesToRevisit(round: number): Promise<number | null> {
    const [begun, left] = listOf(await this.#call('HMGET', 'meta', 'round', 'pagesToRevisit'))
    return Number(begun) < round ? null : Number(left)
  }

  async hosts(limit: number): Promise<readonly HostState[]> {
    const all: HostState[] = []
    for (let after = 0; ; after += HOSTS_AT_ONCE) {
      const [last, some] = listOf(await this.#read('hosts', after, HOSTS_AT_ONCE, ''))
      for (const reply of listOf(some)) all.push(hostStateOf(decodeHostCopy(reply)))
      if (Number(last) < after + HOSTS_AT_ONCE) return largestFirst(all, limit)
    }
  }

  async host(name: string): Promise<HostState | null> {
    if (name === '') return null
    const [, some] = listOf(await this.#read('hosts', 0, 1, name))
    const [found] = listOf(some)
    return found === undefined ? null : hostStateOf(decodeHostCopy(found))
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    return readRobots(this.#connection, this.#shard, origin)
  }

  async ahead(url: CanonicalUrl): Promise<number> {
    const row = await this.row(url)
    return row === null ? 0 : Number(await this.#read('ahead', row.id))
  }

  async candidate(url: CanonicalUrl): Promise<Candidate | null> {
    const row = await this.row(url)
    return row === null ? null : candidateOf(row)
  }

  async learned(): Promise<LearnedState | null> {
    return readLearned(this.#connection, this.#shard)
  }

  /** All there is to say of a URL; null when it is unknown. */
  async row(url: CanonicalUrl): Promise<RedisUrl | null> {
    return this.#row(hashText(this.#hashUrl(url)), 0)
  }

  /** The same by its id. */
  async rowAt(id: number): Promise<RedisUrl | null> {
    return this.#row('', id)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #row(hash: string, id: number): Promise<RedisUrl | null> {
    const reply = listOf(await this.#read('find', hash, id))
    return reply.length === 0 ? null : decodeRedisUrl(reply)
  }

  #read(name: Parameters<typeof runReading>[2], ...args: readonly (string | number)[]) {
    return runReading(this.#connection, this.#shard, name, ...args)
  }

  #call(command: string, key: string, ...args: readonly string[]): Promise<unknown> {
    return this.#connection.call(command, `${keyPrefix(this.#shard)}${key}`, ...args)
  }
}

function decodeOutcome(reply: unknown): Outcome & { readonly first: number } {
  const [state, code, count, first, url, reason] = listOf(reply)
  return {
    state: URL_STATES[Number(state)] ?? 'refused',
    code: String(code),
    count: Number(count),
    first: Number(first),
    example: { url: String(url) as CanonicalUrl, reason: String(reason) },
  }
}

/** In order of discovery: the first that is met stays the example. */
function addOutcome(
  byName: Map<string, Outcome>,
  { first: _, ...outcome }: Outcome & { first: number },
) {
  const name = `${outcome.state} ${outcome.code}`
  const known = byName.get(name)
  byName.set(name, known === undefined ? outcome : { ...known, count: known.count + outcome.count })
}

function mostFirst(a: Outcome, b: Outcome): number {
  const byState = URL_STATES.indexOf(a.state) - URL_STATES.indexOf(b.state)
  return b.count - a.count || byState || (a.code < b.code ? -1 : 1)
}

/** The most first. */
function byUrls(a: Unreached, b: Unreached): number {
  return b.urls - a.urls || (a.host < b.host ? -1 : 1)
}
