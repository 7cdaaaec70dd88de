// One connection to a Redis or Valkey, single or Cluster, for everything that a process keeps there.
//
// A lost connection is made again and what had no answer is sent again, so whoever changes something
// must be able to do it twice. Past the deadline all calls fail with `store-unreachable`.
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { CrawlerError } from '../core/errors.ts'
import { redisError } from './redis-error.ts'
import { composeScript, type RedisScript } from './redis-script.ts'
import { parseRedisUrl, type RedisAddress, shownRedisUrl } from './redis-url.ts'

export interface RedisConnection extends AsyncDisposable {
  /** Before every key: `jelajah`. */
  readonly prefix: string
  /** As the URL says; null: it does not. */
  readonly shards: number | null
  /** As the URL says: who falls silent for so long is taken for dead. */
  readonly leaseMs: number
  readonly isCluster: boolean
  /** Without its password. */
  readonly shownUrl: string
  /** What people should know of this server's settings. */
  readonly warnings: readonly string[]
  call(command: string, ...args: readonly (string | number)[]): Promise<unknown>
  /** Runs a script, or the one in the file of that name, on keys of one tag. */
  run(
    script: RedisScript | string,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown>
  /** The same of a script the server must know already; `NOSCRIPT` when it does not. */
  runKnown(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown>
  /** Ends it at this moment, whatever is under way. */
  drop(): void
}

export const NOSCRIPT = Symbol('the server does not know the script')

export type RedisConnectionOptions = {
  readonly url: string
  /** How long a server that is gone is waited for. */
  readonly deadlineMs?: number
}

const DEADLINE_MS = 60_000
const CONNECT_MS = 5_000
/** Between two tries while a Cluster has no master for a key. */
const CLUSTER_RETRY_MS = 100
/** A server that is silent for so long, asked something, is as good as gone. */
const SILENCE_MS = 15_000
const OLDEST_VERSION = 7
const LATE = 'no connection within the deadline'

export async function openRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { url, deadlineMs = DEADLINE_MS } = options
  const address = parseRedisUrl(url)
  const first = await connect(url, address, deadlineMs)
  try {
    // Asked where it is alone: any node of a Cluster leads to all of them.
    if (address.isCluster || !(await first.isOfCluster())) return await first.checked()
  } catch (error) {
    first.drop()
    throw error
  }
  first.drop()
  const cluster = await connect(url, { ...address, isCluster: true }, deadlineMs)
  try {
    return await cluster.checked()
  } catch (error) {
    cluster.drop()
    throw error
  }
}

async function connect(url: string, address: RedisAddress, deadlineMs: number): Promise<OpenRedis> {
  const opening = { isOpen: false }
  const client = createClient(address, opening, deadlineMs)
  const shownUrl = shownRedisUrl(url)
  let trouble: unknown = null
  client.on('error', (error: unknown) => {
    trouble = error
  })
  try {
    await client.connect()
  } catch (error) {
    client.disconnect()
    throw redisError(trouble ?? error, shownUrl)
  }
  opening.isOpen = true
  return new OpenRedis(client, { address, shownUrl, deadlineMs })
}

/** Until it is open once, nothing is tried again: a wrong address should be told at once. */
function createClient(
  address: RedisAddress,
  opening: { isOpen: boolean },
  deadlineMs: number,
): Redis | Cluster {
  const { nodes, username, password, db, tls } = address
  const again = (times: number): number | null =>
    opening.isOpen ? Math.min(50 * times, 1000) : null
  const one = {
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    ...{ connectTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, maxRetriesPerRequest: null },
  } satisfies RedisOptions
  if (address.isCluster) {
    return new Cluster([...nodes], {
      ...{ lazyConnect: true, redisOptions: one, clusterRetryStrategy: again },
      ...{
        slotsRefreshTimeout: CONNECT_MS,
        scaleReads: 'master',
        maxRedirections: 16 + Math.ceil(deadlineMs / CLUSTER_RETRY_MS),
      },
      // A master that is gone is replaced within seconds: until then all that is its own is tried again.
      ...{ retryDelayOnClusterDown: CLUSTER_RETRY_MS, retryDelayOnFailover: CLUSTER_RETRY_MS },
    })
  }
  const [node] = nodes
  return new Redis({
    ...{ ...one, ...node, db, lazyConnect: true, retryStrategy: again },
    // A master that has become a replica: the next connection leads to the new one.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  })
}

class OpenRedis implements RedisConnection {
  readonly prefix: string
  readonly shards: number | null
  readonly leaseMs: number
  readonly isCluster: boolean
  readonly shownUrl: string
  readonly warnings: string[] = []
  readonly #client: Redis | Cluster
  readonly #deadlineMs: number
  readonly #named = new Map<string, RedisScript>()
  /** How calls that have no answer yet are told that there will be none. */
  readonly #unanswered = new Set<(error: Error) => void>()
  #deadline: NodeJS.Timeout | null = null
  #isLate = false

  constructor(
    client: Redis | Cluster,
    options: { address: RedisAddress; shownUrl: string; deadlineMs: number },
  ) {
    this.#client = client
    this.prefix = options.address.prefix
    this.shards = options.address.shards
    this.leaseMs = options.address.leaseMs
    this.isCluster = options.address.isCluster
    this.shownUrl = options.shownUrl
    this.#deadlineMs = options.deadlineMs
    client.on('close', () => this.#lost())
    client.on('ready', () => this.#found())
  }

  async call(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await this.#answer(command, args)
    } catch (error) {
      throw this.#asOurs(error)
    }
  }

  async run(
    script: RedisScript | string,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const composed = typeof script === 'string' ? this.#scriptNamed(script) : script
    const answer = await this.runKnown(composed, keys, args)
    if (answer !== NOSCRIPT) return answer
    return this.call('EVAL', composed.text, keys.length, ...keys, ...args)
  }

  async runKnown(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await this.#answer('EVALSHA', [script.sha, keys.length, ...keys, ...args])
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return NOSCRIPT
      throw this.#asOurs(error)
    }
  }

  async isOfCluster(): Promise<boolean> {
    return /^redis_mode:cluster/m.test(String(await this.call('INFO', 'server')))
  }

  /** Itself, when the server is one we can work with. */
  async checked(): Promise<this> {
    const server = String(await this.call('INFO', 'server'))
    const version = /^(?:redis|valkey)_version:(\d+)[\d.]*/m.exec(server)
    if (Number(version?.[1] ?? 0) < OLDEST_VERSION) {
      const found = version?.[0].split(':')[1] ?? 'unknown'
      const message = `the Redis at ${this.shownUrl} is version ${found}: version ${OLDEST_VERSION} or newer is needed`
      throw new CrawlerError('store-older', message)
    }
    const memory = String(await this.call('INFO', 'memory'))
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction'
    if (policy !== 'noeviction' && !/^maxmemory:0\s*$/m.test(memory)) {
      this.warnings.push(
        `the Redis at ${this.shownUrl} may throw keys away when it is full (maxmemory-policy ${policy}): set it to noeviction`,
      )
    }
    return this
  }

  drop(): void {
    this.#found()
    this.#client.disconnect()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#found()
    const isUp = this.#client.status === 'ready'
    if (isUp) await this.#client.quit().catch(() => {})
    this.#client.disconnect()
  }

  /** The client keeps what it cannot send for as long as it takes, also when nobody connects any more. */
  async #answer(command: string, args: readonly (string | number)[]): Promise<unknown> {
    if (this.#isLate) throw new Error(LATE)
    const given = Promise.withResolvers<unknown>()
    this.#unanswered.add(given.reject)
    this.#client.call(command, ...args).then(given.resolve, given.reject)
    return given.promise.finally(() => this.#unanswered.delete(given.reject))
  }

  #scriptNamed(name: string): RedisScript {
    const known = this.#named.get(name) ?? composeScript(name, [name])
    this.#named.set(name, known)
    return known
  }

  #lost(): void {
    this.#deadline ??= setTimeout(() => {
      this.#isLate = true
      this.#client.disconnect()
      for (const reject of this.#unanswered) reject(new Error(LATE))
    }, this.#deadlineMs).unref()
  }

  #found(): void {
    if (this.#deadline !== null) clearTimeout(this.#deadline)
    this.#deadline = null
  }

  #asOurs(error: unknown): unknown {
    if (!this.#isLate) return redisError(error, this.shownUrl)
    const seconds = Math.ceil(this.#deadlineMs / 1000)
    const message = `the Redis at ${this.shownUrl} could not be reached for ${seconds} s`
    return new CrawlerError('store-unreachable', message, { cause: error })
  }
}
