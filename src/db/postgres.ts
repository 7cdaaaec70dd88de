// Opens PostgreSQL: a pool of connections, migrations, patience, and our errors instead of the driver's.
//
// A process opens a store once and hands it to all adapters over it (`src/store/postgres`); whoever
// opened it closes it. A server that is away for a while is waited for, up to a deadline. Whatever is
// given to `run` and `inTransaction` may therefore run more than once, the second time after the first
// was done without an answer: it must come to the same.
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { CrawlerError } from '../core/errors.ts'
import { withoutPassword } from '../core/place-text.ts'
import { asPostgresError, codeOf, mayPass } from './postgres-errors.ts'
import { checkSchema, migrate } from './postgres-schema.ts'

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
  /** Shown by the server beside each connection. */
  readonly name?: string
}

const CONNECTIONS = 4
const DEADLINE_MS = 60_000
const OPEN_MS = 5000
const CONNECT_TIMEOUT_S = 10
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 1000
/**
 * Who stands still inside a transaction, stopped or cut off, holds locks that others wait for. After this
 * the server takes them away. Half of what a receipt waits for its writer (`DEAD_AFTER_MS`).
 */
const STILL_MS = 10_000
const INT8 = 20

export class Postgres implements AsyncDisposable {
  readonly sql: Sql
  /** How it is called in messages: without its password. */
  readonly shown: string
  readonly #deadlineMs: number
  #closing: Promise<void> | null = null

  constructor(options: PostgresOptions) {
    this.shown = withoutPassword(options.url)
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS
    this.sql = connect(options)
  }

  /** The result of `work`, tried again while the server is away. */
  run<T>(work: (sql: Sql) => Promise<T>, forMs = this.#deadlineMs): Promise<T> {
    return this.#patiently(() => work(this.sql), forMs)
  }

  /** Runs `work` in one transaction; nothing of it stays when it throws. Tried again as `run` does. */
  inTransaction<T>(work: (sql: Transaction) => Promise<T>, forMs = this.#deadlineMs): Promise<T> {
    return this.#patiently(async () => {
      const kept: { result?: T } = {}
      await this.sql.begin(async (sql) => {
        kept.result = await work(sql)
      })
      return kept.result as T
    }, forMs)
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.sql.end({ timeout: 5 })
    return this.#closing
  }

  async #patiently<T>(work: () => Promise<T>, forMs: number): Promise<T> {
    const until = performance.now() + forMs
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(MAX_PAUSE_MS, wait * 2)) {
      try {
        return await work()
      } catch (error) {
        const isOver = this.#closing !== null || performance.now() + wait > until
        if (isOver || !mayPass(error)) throw asPostgresError(error, this.shown)
      }
      await pause(wait * (0.5 + Math.random() / 2))
    }
  }
}

/** Opens a store for writing, making or migrating its tables as needed. */
export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  return opened(options, async (db) => {
    await migrate(db)
    return db
  })
}

/** Opens a store for reading, touching nothing; null when there is none in that database yet. */
export async function openPostgresReader(options: PostgresOptions): Promise<Postgres | null> {
  return opened(options, async (db) => {
    if (await checkSchema(db)) return db
    await db[Symbol.asyncDispose]()
    return null
  })
}

async function opened<T>(options: PostgresOptions, work: (db: Postgres) => Promise<T>): Promise<T> {
  refuseNonsense(options.url)
  const db = new Postgres(options)
  try {
    await db.run((sql) => sql`SELECT 1`, options.openMs ?? OPEN_MS)
    return await work(db)
  } catch (error) {
    await db[Symbol.asyncDispose]()
    throw error
  }
}

function refuseNonsense(url: string): void {
  const isPostgres = /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)
  if (isPostgres) return
  throw new CrawlerError(
    'store-unreachable',
    `${withoutPassword(url)} is not the URL of a PostgreSQL: postgres://user:password@host:5432/name`,
  )
}

function connect({ url, max = CONNECTIONS, name = 'jelajah' }: PostgresOptions): Sql {
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
    connect_timeout: CONNECT_TIMEOUT_S,
    keep_alive: 10,
    // Between tries we wait ourselves.
    backoff: () => 0.01,
    onnotice: () => {},
    types: { bigint: { to: INT8, from: [INT8], serialize: String, parse: Number } },
  })
}

/** True when the server said that such a thing is there already. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === '23505'
}
