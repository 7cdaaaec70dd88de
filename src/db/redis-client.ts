// The driver, set up as we need it.
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress } from './redis-url.ts'

const CONNECT_MS = 5_000
/** Between two tries while a Cluster has no master for a key. */
const CLUSTER_RETRY_MS = 100
/**
 * A server that is silent for so long, asked something, is as good as gone. Longer than any script runs:
 * who cuts the line sends the same again, behind it. Where a cable was cut nothing goes wrong
 * meanwhile: a session that hears nothing believes in none of its leases past its own end.
 */
const SILENCE_MS = 60_000
/** However short a deadline is. */
const LEAST_SILENCE_MS = 1_000
/** A line on which nothing is asked is tried by the system, once a second from then on, ten times. */
const KEEP_ALIVE_MS = 10_000
/** Loading is looked at again no later than this. */
const LOADING_MS = 2_000

export type Opening = { isOpen: boolean }

/** Until it is open once, nothing is tried again: a wrong address should be told at once. */
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
      // A master that is gone is replaced within seconds: until then all that is its own is tried again.
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

// A server that was started reads its files first, and may take minutes over it: it answers, but does
// nothing else. Whoever waits for it should neither give up nor wonder.

type LoadingWatch = {
  readonly everyMs: number
  /** `seconds`: how long it will take by its own estimate; null: it has none. */
  readonly onLoading: (seconds: number | null) => void
}

/** Looks after every connection until the server is ready. */
export function watchLoading(client: Redis | Cluster, watch: LoadingWatch): void {
  // Nodes of a Cluster that load are replaced or waited for as those that are gone.
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
