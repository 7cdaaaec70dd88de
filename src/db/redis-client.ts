// The driver, set up as we need it, and the Lua scripts that it runs.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress } from './redis-url.ts'

const CONNECT_MS = 5_000
/** Between two tries while a Cluster has no master for a key. */
const CLUSTER_RETRY_MS = 100
/**
 * A server that leaves a command unanswered for this long counts as gone. This is longer than any script runs,
 * since a new connection would send the same command again behind it. After a cut cable nothing goes wrong in
 * the meantime: an owner without answers stops using its leases when they end.
 */
const SILENCE_MS = 60_000
/** The minimum, however short the deadline is. */
const LEAST_SILENCE_MS = 1_000
/** After this time without traffic the system probes the connection, once a second, ten times. */
const KEEP_ALIVE_MS = 10_000
/** The longest pause before a loading server is asked again. */
const LOADING_MS = 2_000

type Opening = { isOpen: boolean }

/** Before the first successful connection nothing is retried, so that a wrong address is reported at once. */
export function createClient(
  address: RedisAddress,
  opening: Opening,
  deadlineMs: number,
): Redis | Cluster {
  const { nodes, username, password, db, tls } = address
  const again = (times: number): number | null =>
    opening.isOpen ? Math.min(50 * times, 1000) : null
  const one = {
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    ...{ connectTimeout: CONNECT_MS, keepAlive: KEEP_ALIVE_MS },
    socketTimeout: Math.max(LEAST_SILENCE_MS, Math.min(SILENCE_MS, deadlineMs)),
    ...{ maxLoadingRetryTime: LOADING_MS, maxRetriesPerRequest: null },
  } satisfies RedisOptions
  if (address.isCluster) {
    return new Cluster([...nodes], {
      ...{ lazyConnect: true, redisOptions: one, clusterRetryStrategy: again },
      ...{
        slotsRefreshTimeout: CONNECT_MS,
        scaleReads: 'master',
        maxRedirections: 16 + Math.ceil(deadlineMs / CLUSTER_RETRY_MS),
      },
      // A lost master is replaced within seconds; until then its commands are retried.
      ...{ retryDelayOnClusterDown: CLUSTER_RETRY_MS, retryDelayOnFailover: CLUSTER_RETRY_MS },
    })
  }
  const [node] = nodes
  return new Redis({
    ...{ ...one, ...node, db, lazyConnect: true, retryStrategy: again },
    // A master that has become a replica: the next connection leads to the new one.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 1 : false),
  })
}

type LoadingWatch = {
  readonly everyMs: number
  /** `seconds`: how long it will take by its own estimate; null: it has none. */
  readonly onLoading: (seconds: number | null) => void
}

/**
 * After every connection, asks until the server is ready.
 *
 * A server that starts reads its files first, which may take minutes. It answers, but runs no command.
 * Callers wait, and a message says why.
 */
export function watchLoading(client: Redis | Cluster, watch: LoadingWatch): void {
  // Loading nodes of a Cluster are replaced or waited for like lost ones.
  if ('nodes' in client) return
  client.on('connect', () => void lookUntilReady(client, watch).catch(() => {}))
}

async function lookUntilReady(client: Redis, { everyMs, onLoading }: LoadingWatch): Promise<void> {
  while (client.status === 'connect') {
    const text = await client.info('persistence')
    if (!/^loading:1/m.test(text)) return
    const seconds = Number(/^loading_eta_seconds:(\d+)/m.exec(text)?.[1] ?? Number.NaN)
    onLoading(Number.isFinite(seconds) ? seconds : null)
    await new Promise((resolve) => setTimeout(resolve, everyMs).unref())
  }
}

const SRC = join(import.meta.dirname, '..')

export type RedisScript = {
  readonly name: string
  readonly text: string
  /** What a server that has run it knows it by. */
  readonly sha: string
}

/**
 * The Lua script of a file in the `redis/lua` folder of a part of the program: `scouter/members` is in
 * src/scouter/redis/lua/members.lua. The text of the files `before` goes before it.
 */
export function readScript(name: string, ...before: readonly string[]): RedisScript {
  const texts = [...before, name].map((each) => {
    const [owner, file] = each.split('/')
    return readFileSync(join(SRC, `${owner}/redis/lua/${file}.lua`), 'utf8')
  })
  return scriptOf(name, texts.join('\n'))
}

export function scriptOf(name: string, lua: string): RedisScript {
  // A server keeps every script it has seen: what is only for people stays here.
  const lines = lua.split('\n').filter((line) => !/^\s*(?:--|$)/.test(line))
  const text = lines.join('\n')
  return { name, text, sha: createHash('sha1').update(text).digest('hex') }
}
