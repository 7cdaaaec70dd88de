// Locks between processes on any machines, held by the database: advisory locks of a connection that is
// kept for nothing else. One goes when its holder goes, however it dies. Who has it and since when is
// written beside it, for people; the truth is the server's.
//
// A server that restarts lets go of all locks. Their holders take them again as soon as they notice;
// where another was faster, the lock is lost, and its holder is told.
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Postgres, type PostgresOptions, type Queries } from './postgres-pool.ts'

/** Between two looks whether it is still held. */
const LOOK_EVERY_MS = 2000
/** All locks of a database share its numbers with whatever else may use them there. */
const KEY = `hashtextextended('jelajah lock ' || $1, 0)`
const TAKE = `SELECT pg_try_advisory_lock(${KEY}) AS taken, pg_backend_pid() AS pid`
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

export type PostgresLock = AsyncDisposable & {
  /** Aborted when another process has it now. */
  readonly lost: AbortSignal
}

export type LockOptions = Pick<PostgresOptions, 'url' | 'deadlineMs'> & {
  readonly lookEveryMs?: number
}

/** Takes the lock; null when somebody else has it. The store's tables must be there. */
export async function openPostgresLock(
  name: string,
  { lookEveryMs = LOOK_EVERY_MS, ...options }: LockOptions,
): Promise<PostgresLock | null> {
  const db = new Postgres({ ...options, max: 1, lasts: true, name: `jelajah ${name}` })
  try {
    const pid = await take(db, name)
    if (pid !== null) return new HeldLock(db, { name, pid, lookEveryMs })
  } catch (error) {
    await db[Symbol.asyncDispose]()
    throw error
  }
  await db[Symbol.asyncDispose]()
  return null
}

/** True while somebody has the lock. Takes nothing. */
export async function postgresLockIsHeld(db: Postgres, name: string): Promise<boolean> {
  const [row] = await db.run((sql) => sql.unsafe(IS_HELD, [name]))
  return row?.held === true
}

export type Holder = { readonly holder: string; readonly since: number }

/** Null when nobody has it. */
export async function holderOfPostgresLock(db: Postgres, name: string): Promise<Holder | null> {
  if (!(await postgresLockIsHeld(db, name))) return null
  const [row] = await db.run(
    (sql) => sql`SELECT holder, since FROM lock_holders WHERE name = ${name}`,
  )
  return row === undefined ? null : { holder: String(row.holder), since: Number(row.since) }
}

type Held = { readonly name: string; readonly pid: number; readonly lookEveryMs: number }

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
    await this.#kept
    const { name } = this.#held
    // The lock itself goes with the connection.
    if (!this.lost.aborted) await forgetHolder(this.#db.sql, name).catch(() => {})
    await this.#db[Symbol.asyncDispose]()
  }

  async #keep(): Promise<void> {
    const { name, lookEveryMs } = this.#held
    let { pid } = this.#held
    for (;;) {
      await pause(lookEveryMs, undefined, { signal: this.#leaving.signal, ref: false }).catch(
        () => {},
      )
      if (this.#leaving.signal.aborted) return
      const now = await this.#pid()
      // Who cannot ask cannot know: whoever works meanwhile finds the server away, too.
      if (now === null || now === pid) continue
      const again = await take(this.#db, name).catch(() => undefined)
      if (again === null) return this.#lost.abort()
      pid = again ?? pid
    }
  }

  /** Of the connection: another one holds no lock. Null while there is none. */
  async #pid(): Promise<number | null> {
    try {
      const [row] = await this.#db.sql`SELECT pg_backend_pid() AS pid`
      return Number(row?.pid)
    } catch {
      return null
    }
  }
}

/** The number of the connection that has the lock now; null when another has it. */
async function take(db: Postgres, name: string): Promise<number | null> {
  const [row] = await db.run((sql) => sql.unsafe(TAKE, [name]))
  if (row?.taken !== true) return null
  const holder = `process ${process.pid} on ${hostname()}`
  // A server that may only be read says so at once: there is nothing to wait for.
  await db.run((sql) => sql.unsafe(WRITE_HOLDER, [name, holder]), 0)
  return Number(row.pid)
}

async function forgetHolder(sql: Queries, name: string): Promise<void> {
  await sql`DELETE FROM lock_holders WHERE name = ${name}`
}
