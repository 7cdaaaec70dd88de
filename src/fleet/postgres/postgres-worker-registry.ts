// The registry in PostgreSQL. A program first writes its record and then, in a statement of its own, reads
// those of others: of two that do so at the same time, at least one sees the other.
import type { Postgres, Row } from '../../db/postgres.ts'
import {
  byArrival,
  OWNER_LIVES,
  otherProtocol,
  programText,
  readAnnouncements,
  readSnapshot,
  readWorkers,
  WORKER_MS,
  WorkerCache,
} from '../registry-records.ts'
import type {
  Announcement,
  Heard,
  ProgressSnapshot,
  WorkerRecord,
  WorkerRegistry,
} from '../worker-registry.ts'

/** Between two removals of rows that no longer count. */
const PURGE_MS = 60_000

/** $1 is the time that a test has set; NULL: the server's. */
const NOW = `coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`
/** $2: the protocol of who writes; $3: the crawl it announces, or NULL. */
const OTHERS = `
  SELECT owner FROM fleet_runs
  WHERE until > ${NOW} AND protocol <> $2 AND crawl_id IS DISTINCT FROM $3::bigint`
const REPORT = `
  INSERT INTO fleet_workers (id, protocol, until, record)
  SELECT $4, $2, ${NOW} + $5, $6 WHERE NOT EXISTS (${OTHERS})
  ON CONFLICT (id) DO UPDATE
    SET protocol = EXCLUDED.protocol, until = EXCLUDED.until, record = EXCLUDED.record`
const ANNOUNCE = `
  INSERT INTO fleet_runs (crawl_id, protocol, until, owner, record)
  SELECT $3::bigint, $2, ${NOW} + $5, $4, $6 WHERE NOT EXISTS (${OTHERS})
  ON CONFLICT (crawl_id) DO UPDATE
    SET protocol = EXCLUDED.protocol, until = EXCLUDED.until, owner = EXCLUDED.owner,
      record = EXCLUDED.record`
/** A snapshot of a crawl that nobody announces would never be removed. In one order, so that nobody deadlocks. */
const SNAPSHOTS = `
  INSERT INTO fleet_glances (crawl_id, at, glance)
  SELECT r.crawl_id, ${NOW}, g.glance
  FROM fleet_runs r JOIN jsonb_each_text($2::text::jsonb) g (crawl, glance) ON r.crawl_id = g.crawl::bigint
  WHERE r.until > ${NOW}
  ORDER BY 1
  ON CONFLICT (crawl_id) DO UPDATE SET at = EXCLUDED.at, glance = EXCLUDED.glance`
const RUNS = `
  SELECT crawl_id, protocol, owner, record FROM fleet_runs WHERE until > ${NOW} ORDER BY crawl_id`
/** $2: of which protocol; NULL: of any. */
const WORKERS = `
  SELECT record FROM fleet_workers
  WHERE until > ${NOW} AND protocol = coalesce($2::integer, protocol)`
const SNAPSHOT = `SELECT glance FROM fleet_glances WHERE crawl_id = $2 AND at > ${NOW} - $3`
const PURGE = `
  WITH workers AS (DELETE FROM fleet_workers WHERE until <= ${NOW}),
    glances AS (DELETE FROM fleet_glances WHERE at <= ${NOW} - $2)
  DELETE FROM fleet_runs WHERE until <= ${NOW}`

export type PostgresWorkerRegistryOptions = {
  /** Makes the tables if necessary. */
  readonly writing: () => Promise<Postgres>
  /** Null if there are no tables yet. */
  readonly reading: () => Promise<Postgres | null>
  /** Epoch ms; default: the server's time. */
  readonly now?: () => number
  /** How long a worker counts as present without a report. */
  readonly workerMs?: number
}

type Values = readonly (string | number | null)[]

export function createPostgresWorkerRegistry(
  options: PostgresWorkerRegistryOptions,
): WorkerRegistry {
  return new PostgresWorkerRegistry(options)
}

class PostgresWorkerRegistry implements WorkerRegistry {
  readonly #options: PostgresWorkerRegistryOptions
  readonly #workerMs: number
  readonly #cache = new WorkerCache()
  #purgedAt = Number.NEGATIVE_INFINITY

  constructor(options: PostgresWorkerRegistryOptions) {
    this.#options = options
    this.#workerMs = options.workerMs ?? WORKER_MS
  }

  async report(
    record: WorkerRecord,
    snapshots: ReadonlyMap<number, ProgressSnapshot> = new Map(),
  ): Promise<readonly Announcement[]> {
    const { protocol, id, version } = record
    const text = JSON.stringify(record)
    await this.#write(REPORT, [protocol, null, id, this.#workerMs, text])
    const runs = await this.#write(RUNS, [])
    const other = runs.find((run) => Number(run.protocol) !== protocol)
    if (other !== undefined) {
      await this.leave(id)
      throw otherProtocol(String(other.owner), version)
    }
    if (snapshots.size > 0 && runs.length > 0) await this.#keepSnapshots(snapshots)
    await this.#purge()
    return readAnnouncements(recordsOf(runs))
  }

  async leave(id: string): Promise<void> {
    const db = await this.#options.writing()
    await db.run((sql) => sql`DELETE FROM fleet_workers WHERE id = ${id}`)
  }

  async announce(announcement: Announcement): Promise<Heard> {
    const { crawl, owner } = announcement
    const text = JSON.stringify(announcement)
    const forMs = this.#ownerMs
    await this.#write(ANNOUNCE, [owner.protocol, crawl, programText(owner), forMs, text])
    const [other] = await this.#write(OTHERS, [owner.protocol, crawl])
    if (other !== undefined) {
      await this.#withdraw(announcement)
      throw otherProtocol(String(other.owner), owner.version)
    }
    await this.#purge()
    const [row] = await this.#write(SNAPSHOT, [crawl, forMs])
    const snapshot = readSnapshot(String(row?.glance ?? ''))
    const kept = this.#cache.recent(announcement)
    if (kept !== null) return { workers: kept, snapshot }
    const workers = readWorkers(recordsOf(await this.#write(WORKERS, [owner.protocol])))
    this.#cache.keep(announcement, workers)
    return { workers, snapshot }
  }

  async workers(): Promise<readonly WorkerRecord[]> {
    return byArrival(readWorkers(recordsOf(await this.#read(WORKERS, [null]))))
  }

  async announcements(): Promise<readonly Announcement[]> {
    return readAnnouncements(recordsOf(await this.#read(RUNS, [])))
  }

  async now(): Promise<number> {
    const [row] = await this.#write(`SELECT ${NOW} AS now`, [])
    return Number(row?.now)
  }

  get #ownerMs(): number {
    return OWNER_LIVES * this.#workerMs
  }

  async #keepSnapshots(snapshots: ReadonlyMap<number, ProgressSnapshot>): Promise<void> {
    const texts = [...snapshots].map(
      ([crawl, snapshot]) => [crawl, JSON.stringify(snapshot)] as const,
    )
    await this.#write(SNAPSHOTS, [JSON.stringify(Object.fromEntries(texts))])
  }

  /** Only its own: the program of the other protocol may have announced the same crawl meanwhile. */
  async #withdraw({ crawl, owner }: Announcement): Promise<void> {
    const db = await this.#options.writing()
    await db.run(
      (sql) =>
        sql`DELETE FROM fleet_runs WHERE crawl_id = ${crawl} AND protocol = ${owner.protocol}`,
    )
  }

  /** Rows that no longer count are not read, so it does not matter when they are removed. */
  async #purge(): Promise<void> {
    const now = performance.now()
    if (now - this.#purgedAt < PURGE_MS) return
    this.#purgedAt = now
    await this.#write(PURGE, [this.#ownerMs])
  }

  async #write(statement: string, values: Values): Promise<readonly Row[]> {
    return this.#run(await this.#options.writing(), statement, values)
  }

  async #read(statement: string, values: Values): Promise<readonly Row[]> {
    const db = await this.#options.reading()
    return db === null ? [] : this.#run(db, statement, values)
  }

  #run(db: Postgres, statement: string, values: Values): Promise<readonly Row[]> {
    const all = [this.#options.now?.() ?? null, ...values]
    return db.run((sql) => sql.unsafe(statement, all, { prepare: true }))
  }
}

function recordsOf(rows: readonly Row[]): readonly string[] {
  return rows.map(({ record }) => String(record))
}
