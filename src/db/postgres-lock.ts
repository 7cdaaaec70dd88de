// Locks between processes on any machines, held by the database: advisory locks of a connection that is
// kept for nothing else. One goes when its holder goes, however it dies. Who has it and since when is
// written beside it, for people; the truth is the server's.
//
// A server that restarts lets go of all locks. Their holders take them again as soon as they notice;
// where another was faster, the lock is lost, and its holder is notified.
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Postgres, type PostgresOptions, type Queries } from './postgres-pool.ts'

/** Between two looks whether it is still held. */
const LOOK_EVERY_MS = 2000
/** How long the holder of a lock waits for an answer: if it drops its connection, the lock is released. */
const LOOK_FOR_MS = 5000
/** Between two tries to have one that another holds. */
const TRY_EVERY_MS = 100
/** A holder that leaves waits no longer for the server: the lock ends with the connection anyway. */
const LET_GO_MS = 2000
/** All locks of a database share its numbers with whatever else may use them there. */
const KEY = `hashtextextended('jelajah lock ' || $1, 0)`
/** Numbers come again: with its start, one is the same connection. */
const BACKEND = `
  SELECT pid || ' ' || backend_start AS backend FROM pg_stat_activity WHERE pid = pg_backend_pid()`
const TAKE = `SELECT pg_try_advisory_lock(${KEY}) AS taken, (${BACKEND}) AS backend`
const LET_GO = `SELECT pg_advisory_unlock(${KEY})`
const END_BACKEND = `
  SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
  WHERE pid || ' ' || backend_start = $1`
const IS_HELD = `
  SELECT EXISTS (
    SELECT FROM pg_locks, (SELECT ${KEY} AS key) wanted
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = ((key >> 32) & 4294967295)::oid AND objid = (key & 4294967295)::oid
  ) AS held`
const WRITE_HOLDER = `
  INSERT INTO lock_holders (name, holder, since)
  VALUES ($1, $2, extract(epoch FROM clock_timestamp()) * 1000)
  ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, since = EXCLUDED.since`

type PostgresLock = AsyncDisposable & {
  /** Aborted when another process has it now. */
  readonly lost: AbortSignal
}

type LockOptions = Pick<PostgresOptions, 'url' | 'deadlineMs'> & {
  readonly lookEveryMs?: number
  /** How long to wait for a lock that another process has; absent: not at all. */
  readonly waitMs?: number
}

/** Takes the lock; null if another process has it. The store's tables must exist. */
export async function openPostgresLock(
  name: string,
  { lookEveryMs = LOOK_EVERY_MS, waitMs = 0, ...options }: LockOptions,
): Promise<PostgresLock | null> {
  const db = new Postgres({ ...options, max: 1, lasts: true, name: `jelajah ${name}` })
  const until = performance.now() + waitMs
  try {
    for (;;) {
      const backend = await take(db, name)
      if (backend !== null) return new HeldLock(db, { name, backend, lookEveryMs })
      if (performance.now() >= until) break
      await pause(TRY_EVERY_MS)
    }
  } catch (error) {
    await db[Symbol.asyncDispose]()
    throw error
  }
  await db[Symbol.asyncDispose]()
  return null
}

/** True while a process has the lock. */
export async function postgresLockIsHeld(db: Postgres, name: string): Promise<boolean> {
  const [row] = await db.run((sql) => sql.unsafe(IS_HELD, [name]))
  return row?.held === true
}

type Holder = { readonly holder: string; readonly since: number }

/** Null when nobody has it. */
export async function holderOfPostgresLock(db: Postgres, name: string): Promise<Holder | null> {
  if (!(await postgresLockIsHeld(db, name))) return null
  const [row] = await db.run(
    (sql) => sql`SELECT holder, since FROM lock_holders WHERE name = ${name}`,
  )
  return row === undefined ? null : { holder: String(row.holder), since: Number(row.since) }
}

type Held = { readonly name: string; readonly backend: string; readonly lookEveryMs: number }

class HeldLock implements PostgresLock {
  readonly #db: Postgres
  readonly #held: Held
  readonly #lost = new AbortController()
  readonly #leaving = new AbortController()
  readonly #kept: Promise<void>

  constructor(db: Postgres, held: Held) {
    this.#db = db
    this.#held = held
    this.#kept = this.#keep()
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort()
    const hasLeft = await Promise.race([this.#leave(), pause(LET_GO_MS, false, { ref: false })])
    await (hasLeft ? this.#db[Symbol.asyncDispose]() : this.#db.close(0))
  }

  async #leave(): Promise<boolean> {
    await this.#kept
    if (this.lost.aborted) return true
    const { name } = this.#held
    // The lock itself goes with the connection.
    const forgotten = this.#db.run((sql) => forgetHolder(sql, name), 0)
    return forgotten.then(
      () => true,
      () => false,
    )
  }

  async #keep(): Promise<void> {
    const { lookEveryMs } = this.#held
    let { backend } = this.#held
    for (;;) {
      await pause(lookEveryMs, undefined, { signal: this.#leaving.signal, ref: false }).catch(
        () => {},
      )
      if (this.#leaving.signal.aborted) return
      const now = await this.#backend()
      // While the server is away nothing is known, and those who work here cannot reach it either.
      if (now === null || now === backend) continue
      const again = await this.#takeAgain(backend).catch(() => undefined)
      if (again === null) return this.#lost.abort()
      backend = again ?? backend
    }
  }

  /** A server that has not noticed the lost connection keeps the lock for a session that is gone. */
  async #takeAgain(before: string): Promise<string | null> {
    await this.#db.run((sql) => sql.unsafe(END_BACKEND, [before]), LOOK_FOR_MS)
    return take(this.#db, this.#held.name, LOOK_FOR_MS)
  }

  /** The server's end of the connection: another one holds no lock. Null while there is none. */
  async #backend(): Promise<string | null> {
    try {
      const [row] = await this.#db.run((sql) => sql.unsafe(BACKEND), LOOK_FOR_MS)
      return String(row?.backend)
    } catch {
      return null
    }
  }
}

/**
 * The server's end of the connection that has the lock now; null when another has it. A server that fails over may
 * only be read for a moment: the lock is let go there, and taken on the next connection.
 */
function take(db: Postgres, name: string, forMs?: number): Promise<string | null> {
  const holder = `process ${process.pid} on ${hostname()}`
  return db.run(async (sql) => {
    const [row] = await sql.unsafe(TAKE, [name])
    if (row?.taken !== true) return null
    try {
      await sql.unsafe(WRITE_HOLDER, [name, holder])
    } catch (error) {
      await sql.unsafe(LET_GO, [name]).catch(() => {})
      throw error
    }
    return String(row.backend)
  }, forMs)
}

async function forgetHolder(sql: Queries, name: string): Promise<void> {
  await sql`DELETE FROM lock_holders WHERE name = ${name}`
}
