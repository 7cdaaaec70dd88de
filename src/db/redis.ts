// One connection to a Redis or Valkey, single or Cluster, for everything that a process keeps there.
//
// A lost connection is opened again and unanswered commands are sent again, so every change must be safe to
// repeat. After the deadline all calls fail with `store-unreachable`.
//
// Commands that a server cannot run at the moment are repeated until the deadline, in the order of the calls.
import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, Command, type Redis } from 'ioredis'
import { CrawlerError } from '../core/errors.ts'
import { withoutPassword } from '../core/workspace-url.ts'
import { createClient, type RedisScript, readScript, watchLoading } from './redis-client.ts'
import { isLoading, isPassing, redisError, SharedPause } from './redis-error.ts'
import { parseRedisUrl, type RedisAddress } from './redis-url.ts'

export type RedisArgument = string | number | Buffer

export interface RedisConnection extends AsyncDisposable {
  /** Before every key: `jelajah`. */
  readonly prefix: string
  readonly isCluster: boolean
  /** Without its password. */
  readonly shownUrl: string
  /** What people should know of this server's settings. */
  readonly warnings: readonly string[]
  call(command: string, ...args: readonly RedisArgument[]): Promise<unknown>
  /** The same, with texts in the answer as bytes. */
  callBytes(command: string, ...args: readonly RedisArgument[]): Promise<unknown>
  /** Runs a script, or the one in the file of that name, on keys of one tag. */
  run(
    script: RedisScript | string,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<unknown>
  /** Ends it at this moment, whatever is under way. */
  drop(): void
}

type RedisConnectionOptions = {
  readonly url: string
  /** How long a server that is gone, or can do nothing, is waited for. */
  readonly deadlineMs?: number
  /** The same for the first connection; if left out, a missing server is an error at once. */
  readonly openMs?: number
  /** Hears, now and then, why a server that answers is waited for, for as long as it takes. */
  readonly onWaiting?: (words: string) => void
}

const DEADLINE_MS = 60_000
const OPEN_AGAIN_MS = 200
/** A server that loads is asked so often how far it is. */
const LOADING_LOOK_MS = 5_000
const OLDEST_VERSION = 7
const LATE = 'no connection within the deadline'

export async function openRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const until = performance.now() + (options.openMs ?? 0)
  for (;;) {
    try {
      return await openNow(options)
    } catch (error) {
      const mayCome = error instanceof CrawlerError && error.code === 'store-unreachable'
      if (!mayCome || performance.now() >= until) throw error
    }
    await pause(OPEN_AGAIN_MS)
  }
}

async function openNow(options: RedisConnectionOptions): Promise<RedisConnection> {
  const address = parseRedisUrl(options.url)
  const first = await connect(options, address)
  try {
    // Asked where it is alone: any node of a Cluster leads to all of them.
    if (address.isCluster || !(await first.isOfCluster())) return await first.checked()
  } catch (error) {
    first.drop()
    throw error
  }
  first.drop()
  const cluster = await connect(options, { ...address, isCluster: true })
  try {
    return await cluster.checked()
  } catch (error) {
    cluster.drop()
    throw error
  }
}

async function connect(
  { url, deadlineMs = DEADLINE_MS, onWaiting }: RedisConnectionOptions,
  address: RedisAddress,
): Promise<OpenRedis> {
  const opening = { isOpen: false }
  const client = createClient(address, opening, deadlineMs)
  const shownUrl = withoutPassword(url)
  const open = new OpenRedis(client, { address, shownUrl, deadlineMs })
  let trouble: unknown = null
  client.on('error', (error: unknown) => {
    trouble = error
  })
  watchLoading(client, {
    everyMs: Math.min(LOADING_LOOK_MS, deadlineMs / 4),
    onLoading: (seconds) => {
      open.isAlive()
      const more = seconds === null ? '' : `: some ${seconds} s more`
      onWaiting?.(`the Redis at ${shownUrl} is still loading its data${more}`)
    },
  })
  try {
    await client.connect()
  } catch (error) {
    open.drop()
    throw redisError(trouble ?? error, shownUrl)
  }
  opening.isOpen = true
  return open
}

class OpenRedis implements RedisConnection {
  readonly prefix: string
  readonly isCluster: boolean
  readonly shownUrl: string
  readonly warnings: string[] = []
  readonly #client: Redis | Cluster
  readonly #deadlineMs: number
  readonly #named = new Map<string, RedisScript>()
  /** How calls without an answer are rejected, and since when they wait. */
  readonly #unanswered = new Map<(error: Error) => void, number>()
  readonly #pause = new SharedPause()
  /** Calls that have no answer yet, sent or not. */
  #waiting = 0
  /** Why nothing has been done since the last answer, where the server says so. */
  #trouble: unknown = null
  /** When a server that does nothing else said so last. */
  #aliveAt = 0
  #deadline: NodeJS.Timeout | null = null
  #isLate = false

  constructor(
    client: Redis | Cluster,
    options: { address: RedisAddress; shownUrl: string; deadlineMs: number },
  ) {
    this.#client = client
    this.prefix = options.address.prefix
    this.isCluster = options.address.isCluster
    this.shownUrl = options.shownUrl
    this.#deadlineMs = options.deadlineMs
    client.on('close', () => this.#lost())
    // A connection says little: one that can do nothing is made as well. Only an answer tells.
    client.on('ready', () => {
      if (this.#waiting === 0) this.#found()
    })
  }

  async call(command: string, ...args: readonly RedisArgument[]): Promise<unknown> {
    try {
      return await this.#answer(command, args)
    } catch (error) {
      throw this.#asOurs(error)
    }
  }

  async callBytes(command: string, ...args: readonly RedisArgument[]): Promise<unknown> {
    try {
      return await this.#answer(command, args, null)
    } catch (error) {
      throw this.#asOurs(error)
    }
  }

  async run(
    script: RedisScript | string,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<unknown> {
    const { sha, text } = typeof script === 'string' ? this.#scriptNamed(script) : script
    const words = [keys.length, ...keys, ...args]
    try {
      return await this.#answer('EVALSHA', [sha, ...words]).catch((error: unknown) => {
        const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT')
        if (isUnknown) return this.#answer('EVAL', [text, ...words])
        throw error
      })
    } catch (error) {
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
    await this.#refuseReplica()
    const memory = String(await this.call('INFO', 'memory'))
    const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction'
    if (policy !== 'noeviction' && !/^maxmemory:0\s*$/m.test(memory)) {
      this.warnings.push(
        `the Redis at ${this.shownUrl} may throw keys away when it is full (maxmemory-policy ${policy}): set it to noeviction`,
      )
    }
    return this
  }

  /** Nodes of a Cluster lead to their masters by themselves. */
  async #refuseReplica(): Promise<void> {
    if (this.isCluster) return
    const replication = String(await this.call('INFO', 'replication'))
    if (/^role:slave/m.test(replication)) {
      throw redisError(new Error('READONLY it is a replica'), this.shownUrl)
    }
  }

  /** The server runs nothing yet, but it is there: the deadline starts again. */
  isAlive(): void {
    if (this.#deadline === null) return
    this.#aliveAt = performance.now()
    this.#found()
    this.#lost()
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

  /** Asks again while the server cannot for the moment, until the deadline. */
  async #answer(
    command: string,
    args: readonly RedisArgument[],
    encoding: 'utf8' | null = 'utf8',
  ): Promise<unknown> {
    this.#waiting += 1
    let since: number | null = null
    try {
      for (;;) {
        // In one turn of the event loop, unless others wait: calls go out in the order they are made.
        if (this.#pause.current !== null) await this.#pause.current
        try {
          const answer = await this.#sent(command, args, encoding)
          this.#heard()
          return answer
        } catch (error) {
          const at = performance.now()
          since = isLoading(error) ? at : (since ?? at)
          if (!this.#mayPass(error) || at - since >= this.#deadlineMs) throw error
          await this.#pause.begin()
        }
      }
    } finally {
      this.#waiting -= 1
    }
  }

  /** The client keeps what it cannot send for as long as it takes, also when nobody connects any more. */
  async #sent(
    command: string,
    args: readonly RedisArgument[],
    encoding: 'utf8' | null,
  ): Promise<unknown> {
    if (this.#isLate) throw new Error(LATE)
    const given = Promise.withResolvers<unknown>()
    this.#unanswered.set(given.reject, performance.now())
    const whole = new Command(command, [...args], { replyEncoding: encoding })
    this.#cork()
    Promise.resolve(this.#client.sendCommand(whole)).then(given.resolve, given.reject)
    return given.promise.finally(() => this.#unanswered.delete(given.reject))
  }

  /** Commands of one turn of the event loop leave in one write: a report or an inbox takes dozens of them. */
  #cork(): void {
    const stream = 'stream' in this.#client ? this.#client.stream : undefined
    if (stream === undefined || stream.destroyed || stream.writableCorked > 0) return
    stream.cork()
    setImmediate(() => stream.uncork())
  }

  #mayPass(error: unknown): boolean {
    if (isPassing(error)) {
      this.#trouble = error
      return true
    }
    const isAnswer = error instanceof Error && error.name === 'ReplyError'
    if (isAnswer) this.#heard()
    return false
  }

  #heard(): void {
    this.#trouble = null
    this.#pause.answered()
    this.#found()
  }

  #scriptNamed(name: string): RedisScript {
    const known = this.#named.get(name) ?? readScript(name)
    this.#named.set(name, known)
    return known
  }

  /** The silence before counts; but it may have been this process that stood still. */
  #lost(): void {
    if (this.#deadline !== null) return
    const now = performance.now()
    const [asked = now] = this.#unanswered.values()
    const since = Math.max(asked, this.#aliveAt)
    const leftMs = Math.max(since + this.#deadlineMs - now, this.#deadlineMs / 3)
    this.#deadline = setTimeout(() => {
      this.#isLate = true
      this.#client.disconnect()
      for (const reject of this.#unanswered.keys()) reject(new Error(LATE))
    }, leftMs).unref()
  }

  #found(): void {
    if (this.#deadline !== null) clearTimeout(this.#deadline)
    this.#deadline = null
  }

  #asOurs(error: unknown): unknown {
    if (!this.#isLate || this.#trouble !== null) {
      return redisError(this.#isLate ? this.#trouble : error, this.shownUrl)
    }
    const seconds = Math.ceil(this.#deadlineMs / 1000)
    const message = `the Redis at ${this.shownUrl} could not be reached for ${seconds} s`
    return new CrawlerError('store-unreachable', message, { cause: error })
  }
}
