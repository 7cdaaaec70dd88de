// Connections to a PostgreSQL that all adapters of a process share, and the patience with it: see postgres.ts.
import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import { withoutPassword } from '../core/workspace-url.ts'
import {
  askAgain,
  connectPool,
  type Pool,
  type PostgresOptions,
  refusesSettings,
  SETTINGS_OF_TRANSACTION,
  type Sql,
  STILL_MS,
} from './postgres-connect.ts'
import { asPostgresError, isLost, mayPass } from './postgres-errors.ts'

export type { PostgresOptions, Sql } from './postgres-connect.ts'

/** Inside a transaction. */
export type Transaction = postgres.TransactionSql<{ bigint: number }>
/** Either. */
export type Queries = postgres.ISql<{ bigint: number }>
export type Row = Readonly<Record<string, unknown>>

const DEADLINE_MS = 60_000
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 1000
/** A server that is silent for this long counts as away; a new connection is opened. */
const SILENT_MS = 15_000
/** The minimum of that, if the deadline is near. */
const SILENT_AT_LEAST_MS = 1000
/** What runs on other connections of a pool may come to its end. */
const RETIRED_AFTER_S = 2
const CLOSED_AFTER_S = 5
const STILL = `
  SELECT setting AS ms FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`

export class Postgres implements AsyncDisposable {
  readonly #options: PostgresOptions
  /** How it is called in messages: without its password. */
  readonly shown: string
  readonly #deadlineMs: number
  readonly #watch: ServerWatch
  #pool: Pool
  /** A pooler of connections that is in between takes no settings. */
  #isPlain = false
  #isAway = false
  /** It was away for all the patience there is, and was not heard of since: nobody waits so long again. */
  #isGivenUp = false
  #closing: Promise<void> | null = null

  constructor(options: PostgresOptions) {
    this.shown = withoutPassword(options.url)
    this.#options = options
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS
    this.#pool = connectPool(options, false)
    this.#watch = new ServerWatch({ ask: () => askAgain(options) })
  }

  /** Read it each time: it changes after a connection broke. */
  get sql(): Sql {
    return this.#pool.sql
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
    const all = async (sql: Transaction): Promise<T> => {
      if (this.#isPlain) await sql.unsafe(SETTINGS_OF_TRANSACTION).simple()
      return work(sql, ++attempt)
    }
    return this.#patiently((pool) => transact(pool, all), forMs)
  }

  /** False where something in between keeps our settings from the server: then transactions bring them. */
  async hasSettings(): Promise<boolean> {
    const [row] = await this.run((sql) => sql.unsafe(STILL))
    const has = row?.ms === String(STILL_MS)
    if (!has) this.#isPlain = true
    return has
  }

  /** What runs may come to its end for so long. */
  async close(forS = this.#isAway ? 0 : CLOSED_AFTER_S): Promise<void> {
    this.#closing ??= this.#pool.end(forS)
    await this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #patiently<T>(work: (sql: Sql) => Promise<T>, forMs: number): Promise<T> {
    const until = performance.now() + (this.#isGivenUp ? 0 : forMs)
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(MAX_PAUSE_MS, wait * 2)) {
      const pool = this.#pool
      try {
        return await this.#answer(pool, work(pool.sql), until)
      } catch (error) {
        const isOver = this.#closing !== null || performance.now() + wait > until
        const isRefused = refusesSettings(error) && !this.#isPlain
        if (isRefused) this.#isPlain = true
        this.#isAway = isLost(error) && !isRefused
        if (isLost(error)) this.#retire(pool, error instanceof NoAnswer ? 0 : RETIRED_AFTER_S)
        this.#isGivenUp ||= isOver && isLost(error) && forMs >= this.#deadlineMs
        if ((isOver && !isRefused) || !mayPass(error)) throw asPostgresError(error, this.shown)
      }
      await pause(wait * (0.5 + Math.random() / 2))
    }
  }

  /** However long it takes, while the server answers others. */
  async #answer<T>(pool: Pool, work: Promise<T>, until: number): Promise<T> {
    const left = Math.min(SILENT_MS, until - performance.now())
    const answer = await this.#watch.answer(work, Math.max(SILENT_AT_LEAST_MS, left), pool)
    this.#isAway = false
    this.#isGivenUp = false
    return answer
  }

  /**
   * What waited on a connection that broke may be left on it by the driver, and what is sent there later
   * stuck behind that: nobody uses that pool again. What has no answer when its connections are gone gets
   * none any more, and is asked on the next pool.
   */
  #retire(pool: Pool, afterS: number): void {
    if (pool !== this.#pool || this.#closing !== null) return
    this.#pool = connectPool(this.#options, this.#isPlain)
    // It ends by itself, and fails in silence.
    void pool.end(afterS).then(() => this.#watch.giveUp(pool))
  }
}

/**
 * On a connection that is gone the driver would still send a ROLLBACK, to nobody, and may stumble over that:
 * it is told nothing any more. What it then waits for goes with its pool.
 */
function transact<T>(pool: Sql, work: (sql: Transaction) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const results: T[] = []
    const guarded = async (sql: Transaction): Promise<void> => {
      try {
        results[0] = await work(sql)
      } catch (error) {
        reject(error)
        if (isLost(error)) await new Promise(() => {})
        throw error
      }
    }
    // Once it has begun to commit, there is one.
    pool.begin(guarded).then(() => results.forEach(resolve), reject)
  })
}

type ServerWatchOptions = {
  /** Asks it on a connection of its own; rejects, or never answers, while it is away. */
  readonly ask: () => Promise<unknown>
  readonly everyMs?: number
  readonly slowMs?: number
}

type Call = {
  /** Where it was asked. */
  readonly on: object | null
  readonly since: number
  readonly forMs: number
  readonly reject: (error: Error) => void
}

const EVERY_MS = 250
/** Most answers come within milliseconds. */
const SLOW_MS = 1000
/** In beats of the watch: after so long it was this process that stood still, not the server. */
const OWN_SLEEP_BEATS = 4

/**
 * The server did not answer, neither there nor elsewhere. A pulled cable breaks no connection, so a caller
 * would wait for a quarter of an hour. After a while the server is asked on another connection; if it
 * answers there, it is only slow, and the caller keeps waiting.
 */
export class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT'
}

export class ServerWatch {
  readonly #options: ServerWatchOptions
  readonly #everyMs: number
  readonly #slowMs: number
  readonly #calls = new Set<Call>()
  #heardAt = 0
  #lookedAt = 0
  #isAsking = false
  #timer: NodeJS.Timeout | null = null

  constructor(options: ServerWatchOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? EVERY_MS
    this.#slowMs = options.slowMs ?? SLOW_MS
  }

  /**
   * The answer; `NoAnswer` when nothing at all was heard of the server for so long, or when what it was asked
   * `on` is given up.
   */
  async answer<T>(answer: Promise<T>, forMs: number, on: object | null = null): Promise<T> {
    const late = Promise.withResolvers<never>()
    const call = { on, since: performance.now(), forMs, reject: late.reject }
    this.#calls.add(call)
    this.#lookAgain()
    try {
      const given = await Promise.race([answer, late.promise])
      this.#heardAt = performance.now()
      return given
    } finally {
      this.#calls.delete(call)
    }
  }

  /** Whatever was asked there will not be answered. */
  giveUp(on: object): void {
    for (const call of this.#calls) {
      if (call.on === on) call.reject(new NoAnswer('its connection is gone'))
    }
  }

  #lookAgain(): void {
    if (this.#timer !== null) return
    this.#lookedAt = performance.now()
    this.#timer = setInterval(() => this.#look(), this.#everyMs).unref()
  }

  #look(): void {
    const now = performance.now()
    if (now - this.#lookedAt > OWN_SLEEP_BEATS * this.#everyMs) this.#heardAt = now
    this.#lookedAt = now
    const [oldest] = this.#calls
    if (oldest === undefined && this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    if (oldest === undefined) return
    const slowMs = Math.min(this.#slowMs, oldest.forMs / 2)
    if (this.#silentFor(oldest, now) >= slowMs) void this.#ask()
    for (const call of this.#calls) {
      const seconds = Math.ceil(call.forMs / 1000)
      const isLate = this.#silentFor(call, now) >= call.forMs
      if (isLate) call.reject(new NoAnswer(`it did not answer for ${seconds} s`))
    }
  }

  #silentFor({ since }: Call, now: number): number {
    return now - Math.max(since, this.#heardAt)
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      await this.#options.ask()
      this.#heardAt = performance.now()
    } catch {
      // Nothing was heard.
    } finally {
      this.#isAsking = false
    }
  }
}
