// The pool of idle connections.

/** The properties of a connection that the pool needs. */
export interface PooledConnection {
  readonly key: string
  /** True if it is connected to one of these addresses. */
  leadsTo(addresses: readonly string[]): boolean
  /** True if it is connected, as far as is known. */
  readonly usable: boolean
  /** When it connected; monotonic. */
  readonly openedAt: number
  discard(): void
}

type ConnectionPoolOptions = {
  /** The most idle connections per origin, and in total. */
  readonly perOrigin: number
  readonly total: number
}

/** After this time the host may have another address, so its name is looked up again. */
const MAX_AGE_MS = 60_000

export class ConnectionPool<Connection extends PooledConnection> {
  readonly #options: ConnectionPoolOptions
  readonly #byKey = new Map<string, Connection[]>()
  /** All idle connections, the longest idle first. */
  readonly #idle = new Set<Connection>()
  #closed = false

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /**
   * The connection used last, which is the least likely to be dead. Null if no idle connection goes to one of
   * the addresses vetted for this request.
   */
  take(key: string, addresses: readonly string[]): Connection | null {
    const connections = this.#byKey.get(key)
    for (
      let connection = connections?.at(-1);
      connection !== undefined;
      connection = connections?.at(-1)
    ) {
      this.#remove(connection)
      const isYoung = performance.now() - connection.openedAt < MAX_AGE_MS
      if (isYoung && connection.usable && connection.leadsTo(addresses)) return connection
      connection.discard()
    }
    return null
  }

  put(connection: Connection): void {
    const connections = this.#byKey.get(connection.key)
    if (this.#closed || (connections?.length ?? 0) >= this.#options.perOrigin) {
      connection.discard()
      return
    }
    if (connections === undefined) this.#byKey.set(connection.key, [connection])
    else connections.push(connection)
    this.#idle.add(connection)
    if (this.#idle.size > this.#options.total) this.#dropOldest()
  }

  /** Removes a lost connection. A connection in use is discarded by its user. */
  drop(connection: Connection): void {
    if (!this.#idle.has(connection)) return
    this.#remove(connection)
    connection.discard()
  }

  /** Closes all idle connections. */
  empty(): void {
    for (const connection of this.#idle) connection.discard()
    this.#idle.clear()
    this.#byKey.clear()
  }

  close(): void {
    this.#closed = true
    this.empty()
  }

  #dropOldest(): void {
    const [oldest] = this.#idle
    if (oldest !== undefined) this.drop(oldest)
  }

  #remove(connection: Connection): void {
    this.#idle.delete(connection)
    const connections = this.#byKey.get(connection.key)
    if (connections === undefined) return
    connections.splice(connections.indexOf(connection), 1)
    if (connections.length === 0) this.#byKey.delete(connection.key)
  }
}

/** Reserved for other files: databases, name servers, system files. */
const SPARE_FILES = 16
/** The share for requests; the rest is for idle connections. */
const IN_USE = 0.75

type ConnectionRoom = {
  /** Requests in flight. */
  readonly concurrency: number
  /** Idle connections. */
  readonly idle: number
}

/**
 * The number of possible connections: each is an open file, and a process has a limit of these. `limit` is
 * the limit of open files, `open` the number already open. Never returns more than `wanted`.
 */
export function connectionRoom(
  wanted: ConnectionRoom,
  { limit, open }: { readonly limit: number; readonly open: number },
): ConnectionRoom {
  const room = Math.max(1, limit - open - SPARE_FILES)
  if (room >= wanted.concurrency + wanted.idle) return wanted
  const concurrency = Math.min(wanted.concurrency, Math.max(1, Math.floor(room * IN_USE)))
  return { concurrency, idle: Math.min(wanted.idle, room - concurrency) }
}
