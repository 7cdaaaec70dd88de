// Connections to a PostgreSQL that all adapters of a process share, and the patience with it: see postgres.ts.
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { withoutPassword } from '../core/place-text.ts'
import { asPostgresError, isLost, mayPass } from './postgres-errors.ts'

export type Sql = postgres.Sql<{ bigint: number }>
/** Inside a transaction. */
export type Transaction = postgres.TransactionSql<{ bigint: number }>
/** Either. */
export type Queries = postgres.ISql<{ bigint: number }>
export type Row = Readonly<Record<string, unknown>>

export type PostgresOptions = {
  readonly url: string
  /** Connections at once. */
  readonly max?: number
  /** So long a server that was there is waited for when it goes away; then it is `store-unreachable`. */
  readonly deadlineMs?: number
  /** The same for the first connection. */
  readonly openMs?: number
  /** Connections last until they are closed: by default each is made anew now and then. */
  readonly lasts?: boolean
  /** Shown by the server beside each connection. */
  readonly name?: string
}

const CONNECTIONS = 4
const DEADLINE_MS = 60_000
const CONNECT_TIMEOUT_S = 5
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 1000
/**
 * Who stands still inside a transaction, stopped or cut off, holds locks that others wait for. After this
 * the server takes them away. Half of what a receipt waits for its writer (`DEAD_AFTER_MS`).
 */
const STILL_MS = 10_000
/** What runs on other connections of a pool may come to its end. */
const RETIRED_AFTER_S = 2
const INT8 = 20

export class Postgres implements AsyncDisposable {
  readonly #options: PostgresOptions
  /** How it is called in messages: without its password. */
  readonly shown: string
  readonly #deadlineMs: number
  #sql: Sql
  #closing: Promise<void> | null = null

  constructor(options: PostgresOptions) {
    this.shown = withoutPassword(options.url)
    this.#options = options
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS
    this.#sql = connect(options)
  }

  /** To be asked for anew each time: after a connection broke, it is another one. */
  get sql(): Sql {
    return this.#sql
  }

  /** The result of `work`, tried again while the server is away. */
  run<T>(work: (sql: Sql) => Promise<T>, forMs = this.#deadlineMs): Promise<T> {
    return this.#patiently((sql) => work(sql), forMs)
  }

  /**
   * Runs `work` in one transaction; nothing of it stays when it throws. Tried again as `run` does. From the
   * second `attempt` on, an earlier one may have held after all.
   */
  inTransaction<T>(
    work: (sql: Transaction, attempt: number) => Promise<T>,
    forMs = this.#deadlineMs,
  ): Promise<T> {
    let attempt = 0
    return this.#patiently((pool) => transact(pool, (sql) => work(sql, ++attempt)), forMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#sql.end({ timeout: 5 })
    await this.#closing
  }

  async #patiently<T>(work: (sql: Sql) => Promise<T>, forMs: number): Promise<T> {
    const until = performance.now() + forMs
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(MAX_PAUSE_MS, wait * 2)) {
      const pool = this.#sql
      try {
        return await work(pool)
      } catch (error) {
        const isOver = this.#closing !== null || performance.now() + wait > until
        if (isLost(error) && this.#closing === null) this.#retire(pool)
        if (isOver || !mayPass(error)) throw asPostgresError(error, this.shown)
      }
      await pause(wait * (0.5 + Math.random() / 2))
    }
  }

  /**
   * What waited on a connection that broke may be left on it by the driver, and what is sent there later
   * stuck behind that: nobody uses that pool again.
   */
  #retire(pool: Sql): void {
    if (pool !== this.#sql) return
    this.#sql = connect(this.#options)
    pool.end({ timeout: RETIRED_AFTER_S }).catch(() => {})
  }
}

/**
 * On a connection that is gone the driver would still send a ROLLBACK, to nobody, and may stumble over that:
 * it is told nothing any more. What it then waits for goes with its pool.
 */
function transact<T>(pool: Sql, work: (sql: Transaction) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const kept: { result?: T } = {}
    const guarded = async (sql: Transaction): Promise<void> => {
      try {
        kept.result = await work(sql)
      } catch (error) {
        reject(error)
        if (isLost(error)) await new Promise(() => {})
        throw error
      }
    }
    pool.begin(guarded).then(() => resolve(kept.result as T), reject)
  })
}

function connect({ url, max = CONNECTIONS, name = 'jelajah', lasts }: PostgresOptions): Sql {
  const connection = {
    application_name: name,
    idle_in_transaction_session_timeout: STILL_MS,
    // Our questions are short: compiling them takes longer than answering.
    jit: 'off',
    // A cable that was pulled is noticed by the server, too.
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
  }
  return postgres(url, {
    max,
    connection,
    ...(lasts ? { max_lifetime: null } : {}),
    connect_timeout: CONNECT_TIMEOUT_S,
    keep_alive: 10,
    // Between tries we wait ourselves.
    backoff: () => 0.01,
    onnotice: () => {},
    // Asked by the driver, but not listened to when it fails.
    fetch_types: false,
    types: { bigint: { to: INT8, from: [INT8], serialize: String, parse: Number } },
  })
}
