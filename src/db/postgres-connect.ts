// A pool of the driver's connections as we want them.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { withoutParameters } from '../core/workspace-url.ts'
import { errorCode } from '../lib/present.ts'

export type Sql = postgres.Sql<{ bigint: number }>

export type PostgresOptions = {
  readonly url: string
  /** Connections at once. */
  readonly max?: number
  /** How long to wait for a server that went away before calls fail with `store-unreachable`. */
  readonly deadlineMs?: number
  /** The same for the first connection. */
  readonly openMs?: number
  /** Keeps connections until they are closed; by default each is replaced now and then. */
  readonly lasts?: boolean
  /** Shown by the server beside each connection. */
  readonly name?: string
}

const CONNECTIONS = 4
const CONNECT_TIMEOUT_S = 5
/**
 * A client that is suspended or cut off within a transaction holds locks that others wait for. After this
 * time the server releases them. Half of what a receipt waits for its writer (`DEAD_AFTER_MS`).
 */
export const STILL_MS = 10_000
/** The deadline of a query that only checks whether the server answers. */
const ANEW_MS = 3000
/** For the end of a pool, past what runs on it. */
const END_MS = 2000
const INT8 = 20
const SETTINGS: Readonly<Record<string, string | number>> = {
  idle_in_transaction_session_timeout: STILL_MS,
  // Our questions are short: compiling them takes longer than answering.
  jit: 'off',
  // How long we wait is ours to say, whatever a database or a role has as its default.
  statement_timeout: '0',
  lock_timeout: '0',
  // A cable that was pulled is noticed by the server, too, also while it works for us.
  client_connection_check_interval: 5000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
}
/** For the length of a transaction, where connections cannot have them. */
export const SETTINGS_OF_TRANSACTION = `
  SET LOCAL idle_in_transaction_session_timeout = ${STILL_MS};
  SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0`

export type Pool = {
  readonly sql: Sql
  /** What runs may come to its end for so long. */
  end(forS: number): Promise<void>
}

/** `isPlain`: without settings, for what stands before the server and refuses them. */
export function connectPool(options: PostgresOptions, isPlain: boolean): Pool {
  const { url, max = CONNECTIONS, name = 'jelajah', lasts } = options
  const sockets = new PostgresSockets(max)
  const sql: Sql = postgres(withoutParameters(url), {
    max,
    connection: { ...(isPlain ? {} : SETTINGS), application_name: name },
    ...(lasts ? { max_lifetime: null } : {}),
    connect_timeout: CONNECT_TIMEOUT_S,
    keep_alive: 10,
    // Between tries we wait ourselves.
    backoff: (retries: number) => Math.min(1, 0.01 * 2 ** retries),
    onnotice: () => {},
    // Asked by the driver, but not listened to when it fails.
    fetch_types: false,
    types: { bigint: { to: INT8, from: [INT8], serialize: String, parse: Number } },
    // An option of the driver that its types do not know.
    ...{ socket: (target: Target) => sockets.open(target) },
  })
  const end = async (forS: number): Promise<void> => {
    const ended = sql.end({ timeout: forS }).catch(() => {})
    // The driver may wait for an answer that it has lost.
    await Promise.race([ended, pause(forS * 1000 + END_MS, null, { ref: false })])
    sockets.destroy()
  }
  return { sql, end }
}

/** Whether a pooler of connections says that it will not pass our settings on. */
export function refusesSettings(error: unknown): boolean {
  return errorCode(error) === '08P01' && String(error).includes('startup parameter')
}

/** Opens a connection of its own and returns the process id of its backend. */
export async function askAgain(options: PostgresOptions): Promise<number> {
  const pool = connectPool({ ...options, max: 1 }, true)
  const timer = setTimeout(() => pool.end(0), ANEW_MS)
  try {
    const [row] = await pool.sql`SELECT pg_backend_pid() AS pid`
    return Number(row?.pid)
  } catch (error) {
    // Too many connections: somebody is there to say so.
    if (errorCode(error) === '53300') return 0
    throw error
  } finally {
    clearTimeout(timer)
    await pool.end(1)
  }
}

const CONNECT_MS = 5000
/** No more sockets than a pool has connections are made in this time. */
const PACE_MS = 250

/** As the driver has read it from the URL. */
type Target = {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** The path of a Unix socket. */
  readonly path?: string | false
}

/**
 * The sockets below a pool of connections to PostgreSQL. The driver lets go of one only when its peer
 * agrees, and calls a peer that hangs up at once again without a pause: so we make and end them ourselves.
 */
class PostgresSockets {
  readonly #atOnce: number
  readonly #open = new Set<Socket>()
  /** The last ones, as many as may be there at once. */
  readonly #madeAt: number[] = []
  #turn = 0
  #isClosed = false

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** A connected one. Where there are several hosts, the first that takes it. */
  async open(target: Target): Promise<Socket> {
    await this.#inPace()
    let failed: unknown = null
    for (const _ of target.host) {
      try {
        return await this.#connect(target, this.#turn % target.host.length)
      } catch (error) {
        failed = error
        this.#turn++
      }
    }
    throw failed
  }

  /** At once, whatever is on its way, and no new ones. */
  destroy(): void {
    this.#isClosed = true
    for (const socket of this.#open) socket.destroy()
  }

  /** One that was closed as soon as it was made is followed by the next: that goes on at a pace. */
  async #inPace(): Promise<void> {
    const first = this.#madeAt.length < this.#atOnce ? undefined : this.#madeAt.shift()
    const wait = first === undefined ? 0 : first + PACE_MS - performance.now()
    this.#madeAt.push(performance.now() + Math.max(0, wait))
    if (wait <= 0) return
    this.#turn++
    await pause(wait)
  }

  async #connect({ host, port, path }: Target, at: number): Promise<Socket> {
    if (this.#isClosed) throw lostError('the pool is closed')
    const to = { host: host[at] ?? '', port: port[at] ?? 0 }
    const socket = path ? connect(path) : connect(to)
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    await connected(socket)
    // If the peer hangs up before it has sent anything, the driver never answers the caller.
    socket.once('end', () => {
      if (!socket.writableEnded) socket.destroy(lostError('the server closed the connection'))
    })
    // Asked for by the driver's TLS.
    return Object.assign(socket, to)
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(lostError('no connection was made in time'))
    }, CONNECT_MS)
    const failed = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    const gone = (): void => failed(lostError('the connection was given up'))
    socket.once('error', failed).once('close', gone)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', failed).off('close', gone)
      resolve()
    })
  })
}

/** As the network would say it. */
function lostError(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' })
}
