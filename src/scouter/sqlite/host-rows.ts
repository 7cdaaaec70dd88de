// The rows of hosts, each read and written once per transaction.
import { rmSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { CrawlerError, type CrawlerErrorCode } from '../../core/errors.ts'
import { waitForLock } from '../../db/lock.ts'
import { inTransaction, openSqlite } from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  decodeShares,
  emptyLine,
  encodeShares,
  type HostQueue,
  setBack,
  tidy,
} from '../host-limiter-rules.ts'

/** Clocks of processes on one machine are that close, unless one of them was set. */
const SKEW_MS = 1000

export class HostRows {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #clock: Clock
  readonly #read: StatementSync
  readonly #write: StatementSync
  readonly #sweep: StatementSync
  readonly #heldBy: StatementSync
  readonly #lines = new Map<string, HostQueue>()

  constructor(db: DatabaseSync, path: string, clock: Clock) {
    this.#db = db
    this.#path = path
    this.#clock = clock
    this.#read = db.prepare('SELECT * FROM host WHERE name = ?')
    this.#write = db.prepare('INSERT OR REPLACE INTO host VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    this.#sweep = db.prepare('DELETE FROM host WHERE used_at < ?')
    this.#heldBy = db.prepare('SELECT name FROM host WHERE instr(shares, ?) > 0')
  }

  /**
   * Nothing of `work` stays when it throws. It gets the time as of when all others had to wait: a time
   * from before may be older than what they have written since.
   */
  change<T>(work: (now: number) => T): T {
    this.#lines.clear()
    const all = () => {
      const now = this.#clock.now()
      const result = work(now)
      this.#writeAll(now)
      return result
    }
    return inTransaction(this.#db, all, this.#path)
  }

  /** As it is at this moment; what is changed in it is written at the end. */
  line(host: string, now: number): HostQueue {
    const known = this.#lines.get(host)
    if (known !== undefined) return known
    const row = this.#read.get(host)
    const line = row === undefined ? emptyLine() : lineOf(row)
    const aheadMs = Number(row?.used_at ?? 0) - now
    if (aheadMs > SKEW_MS) setBack(line, aheadMs)
    tidy(line, now)
    this.#lines.set(host, line)
    return line
  }

  /** Forgets hosts not used since: none of them rests longer than a day. */
  sweep(since: number): void {
    this.#sweep.run(since)
  }

  heldBy(holder: string): string[] {
    return this.#heldBy.all(JSON.stringify(holder)).map(({ name }) => String(name))
  }

  #writeAll(now: number): void {
    for (const [host, line] of this.#lines) {
      const { lastStart, startedBy, heardAt, restsUntil, trouble } = line
      const shares = encodeShares(line)
      this.#write.run(host, lastStart, startedBy, heardAt, restsUntil, trouble, shares, now)
    }
  }
}

function lineOf(row: Record<string, unknown>): HostQueue {
  return {
    lastStart: Number(row.last_start),
    startedBy: String(row.started_by),
    heardAt: Number(row.heard_at),
    restsUntil: Number(row.rests_until),
    trouble: String(row.trouble),
    shares: decodeShares(String(row.shares)),
  }
}

const OPENING_MS = 10_000
const CACHE_BYTES = 2 * 1024 * 1024
/** Others write for some microseconds; longer than this is not waited in one piece. */
const BUSY_MS = 5
const USELESS: readonly CrawlerErrorCode[] = ['store-damaged', 'store-older']

/**
 * Opens the file of request slots. Losing it is harmless, so a useless one is replaced. Processes open it
 * one after the other; otherwise two of them would each create their own.
 */
export async function openLimiterFile(path: string): Promise<DatabaseSync> {
  await using _lock = await waitForLock(`${path}-lock`, OPENING_MS)
  try {
    return openChecked(path)
  } catch (error) {
    if (!(error instanceof CrawlerError && USELESS.includes(error.code))) throw error
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    return openChecked(path)
  }
}

function openChecked(path: string): DatabaseSync {
  const db = openSqlite(path, {
    schema: 'scouter',
    durability: 'normal',
    cacheBytes: CACHE_BYTES,
    isHot: true,
  })
  try {
    const [verdict] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})
    if (verdict !== 'ok') throw new CrawlerError('store-damaged', `${path} is damaged`)
    db.exec('PRAGMA synchronous = OFF')
    return db
  } catch (error) {
    db.close()
    throw asCrawlerError(error, path)
  }
}

/** From now on a file in use is tried again later. */
export function waitBriefly(db: DatabaseSync): void {
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
}
