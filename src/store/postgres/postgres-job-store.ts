// Jobs in PostgreSQL: the table `crawls` beside the pages they brought. A job has its partitions from the
// moment it is there.
import { randomInt } from 'node:crypto'
import {
  type CrawlSettings,
  isFinal,
  JOB_STATUSES,
  type Job,
  type JobOrigin,
  type JobRecord,
  type JobRunRecord,
  type JobStatus,
  type KeptTopic,
} from '../../core/job.ts'
import { maskProxies } from '../../core/proxy-secrets.ts'
import type { Postgres, Queries, Row, Transaction } from '../../db/postgres.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { withoutNul } from '../../lib/column-text.ts'
import { jobFromRow, orderFromRow, runFromRow, secretsIn, withProxies } from '../job-row.ts'
import type { JobOrder, JobReader, JobStore, LaterRun, ListOptions, Ordered } from '../job-store.ts'
import { numberOf, textOf } from '../row-values.ts'
import { tellRemoved } from './change-log.ts'
import { sweepCrawl } from './sweep-crawl.ts'

/** What `randomInt` can give at most. */
const SALTS = 2 ** 48 - 1
const WITH_TOPIC = 'topics.topic'
const WITH_FINGERPRINT = 'topics.fingerprint AS topic_fingerprint'
const CRAWLS = 'crawls LEFT JOIN crawl_topics topics ON topics.crawl_id = id'
const SECRETS = 'LEFT JOIN crawl_secrets secrets ON secrets.crawl_id = id'

type Values = (string | number | null)[]
type Making = Pick<Job, 'name' | 'origin' | 'seeds' | 'settings'> & { readonly salt: number }

/** The store stays its opener's. */
export function createPostgresJobStore(db: Postgres, clock: Clock = systemClock): JobStore {
  return new PostgresJobStore(db, clock)
}

/** For who may not read secrets: of proxies it tells all but the passwords. */
export function createPostgresJobReader(db: Postgres): JobReader {
  return new PostgresJobReader(db, { tellsSecrets: false })
}

class PostgresJobReader implements JobReader {
  readonly #db: Postgres
  readonly #whole: string
  readonly #listed: string

  constructor(db: Postgres, { tellsSecrets }: { readonly tellsSecrets: boolean }) {
    this.#db = db
    this.#whole = selecting(WITH_TOPIC, tellsSecrets)
    this.#listed = selecting(WITH_FINGERPRINT, tellsSecrets)
  }

  async findByName(name: string, origin?: JobOrigin): Promise<JobRecord | null> {
    const [row] = await this.ask(
      `${this.#whole}
       WHERE hashtextextended(name, 0) = hashtextextended($1, 0) AND name = $1
         AND ($2::text IS NULL OR origin = $2)
       ORDER BY id DESC LIMIT 1`,
      ...[withoutNul(name), origin ?? null],
    )
    return row === undefined ? null : jobFromRow(row)
  }

  async get(id: number): Promise<JobRecord | null> {
    const [row] = await this.ask(`${this.#whole} WHERE id = $1`, id)
    return row === undefined ? null : jobFromRow(row)
  }

  async list({ before, limit, status }: ListOptions = {}): Promise<readonly JobRecord[]> {
    return this.listed(
      `WHERE ($1::bigint IS NULL OR id < $1) AND ($2::text IS NULL OR status = $2)
       ORDER BY id DESC LIMIT $3::bigint`,
      ...[before ?? null, status ?? null, limit ?? null],
    )
  }

  async counts(): Promise<Readonly<Record<JobStatus, number>>> {
    const rows = await this.ask('SELECT status, count(*) AS jobs FROM crawls GROUP BY status')
    const jobs = new Map(rows.map((row) => [textOf(row, 'status'), numberOf(row, 'jobs')]))
    const of = (status: JobStatus) => [status, jobs.get(status) ?? 0]
    return Object.fromEntries(JOB_STATUSES.map(of)) as Record<JobStatus, number>
  }

  async runs(id: number): Promise<readonly JobRunRecord[]> {
    const rows = await this.ask('SELECT * FROM crawl_runs WHERE crawl_id = $1 ORDER BY run', id)
    return rows.map(runFromRow)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  protected async listed(rest: string, ...values: Values): Promise<readonly JobRecord[]> {
    return (await this.ask(`${this.#listed} ${rest}`, ...values)).map(jobFromRow)
  }

  protected ask(query: string, ...values: Values): Promise<readonly Row[]> {
    return this.#db.run((sql) => sql.unsafe<Row[]>(query, values, { prepare: true }))
  }
}

class PostgresJobStore extends PostgresJobReader implements JobStore {
  readonly #db: Postgres
  readonly #clock: Clock

  constructor(db: Postgres, clock: Clock) {
    super(db, { tellsSecrets: true })
    this.#db = db
    this.#clock = clock
  }

  async create(job: Omit<Job, 'id' | 'salt'>): Promise<JobRecord> {
    const making = { ...job, salt: randomInt(SALTS) }
    return this.#db.inTransaction(async (sql, attempt) => {
      const made = attempt === 1 ? null : await madeBefore(sql, making)
      if (made !== null) return withProxies(made, job.settings)
      const id = await this.#insert(sql, making)
      await setTopic(sql, id, job.topic)
      return withProxies(await read(sql, id), job.settings)
    })
  }

  async order(order: JobOrder): Promise<Ordered> {
    const making = { ...order, origin: 'api' as const, salt: randomInt(SALTS) }
    return this.#db.inTransaction(async (sql, attempt) => {
      const made = attempt === 1 ? null : await madeBefore(sql, making)
      if (made !== null) return { outcome: 'taken', job: made, isNew: true }
      return (await knownOrder(sql, order)) ?? this.#take(sql, order, making)
    })
  }

  async orderOf(id: number): Promise<JobOrder | null> {
    const [row] = await this.ask(ORDER, id)
    const job = row === undefined ? null : await this.get(id)
    return row === undefined || job === null ? null : orderFromRow(row, job)
  }

  async unfinished(): Promise<readonly JobRecord[]> {
    const unended = "status IN ('started', 'running')"
    return this.listed(`WHERE ${unended} AND run_by = 'api' ORDER BY id`)
  }

  async enqueue(id: number, settings?: CrawlSettings): Promise<JobRecord> {
    return this.#db.inTransaction(async (sql) => {
      const given = settings === undefined ? null : JSON.stringify(maskProxies(settings))
      await sql`
        UPDATE crawls SET settings = coalesce(${given}, settings),
          status = 'started', note = '', ended_at = NULL, run_by = 'api'
        WHERE id = ${id}`
      return withProxies(await read(sql, id), settings)
    })
  }

  async resume(id: number, { settings, seeds, topic }: LaterRun): Promise<JobRecord> {
    const more = seeds === undefined ? null : JSON.stringify(seeds)
    return this.#db.inTransaction(async (sql) => {
      await sql`
        UPDATE crawls SET settings = ${JSON.stringify(maskProxies(settings))}, seeds = coalesce(${more}, seeds),
          status = 'started', note = '', ended_at = NULL, run_by = 'cli'
        WHERE id = ${id}`
      if (topic !== undefined) await setTopic(sql, id, topic)
      return withProxies(await read(sql, id), settings)
    })
  }

  async beginRun({ id, settings, topic }: Pick<Job, 'id' | 'settings' | 'topic'>): Promise<void> {
    const at = this.#clock.now()
    await this.#db.inTransaction(async (sql, attempt) => {
      const [last = {}] = await sql`
        SELECT run, started_at FROM crawl_runs WHERE crawl_id = ${id} ORDER BY run DESC LIMIT 1`
      // An earlier attempt wrote it after all: one process runs a job.
      if (attempt > 1 && numberOf(last, 'started_at') === at) return
      await sql`
        INSERT INTO crawl_runs (crawl_id, run, started_at, settings, topic_fingerprint)
        SELECT id, ${numberOf(last, 'run') + 1}::integer, ${at}::bigint,
          ${JSON.stringify(maskProxies(settings))}::text, ${topic?.fingerprint ?? null}::text
        FROM crawls WHERE id = ${id}`
    })
  }

  async setTopic(id: number, topic: KeptTopic | null): Promise<void> {
    await this.#db.inTransaction((sql) => setTopic(sql, id, topic))
  }

  async setStatus(id: number, status: JobStatus, note = ''): Promise<void> {
    const endedAt = isFinal(status) ? this.#clock.now() : null
    await this.ask(
      'UPDATE crawls SET status = $1, note = $2, ended_at = $3::bigint WHERE id = $4',
      ...[status, withoutNul(note), endedAt, id],
    )
  }

  async addRanMs(id: number, ms: number): Promise<void> {
    const [row] = await this.ask('SELECT ran_ms FROM crawls WHERE id = $1', id)
    // One process runs a job, and tried again this comes to the same.
    const sum = numberOf(row ?? {}, 'ran_ms') + Math.round(ms)
    await this.ask('UPDATE crawls SET ran_ms = $1 WHERE id = $2', sum, id)
  }

  async remove(id: number): Promise<boolean> {
    const at = this.#clock.now()
    return this.#db.inTransaction(async (sql, attempt) => {
      const { count } = await sql`DELETE FROM crawls WHERE id = ${id}`
      if (count === 0) return attempt > 1 && (await isRemoved(sql, id))
      await sql`DELETE FROM crawl_topics WHERE crawl_id = ${id}`
      await sql`DELETE FROM crawl_orders WHERE crawl_id = ${id}`
      await sql`DELETE FROM crawl_runs WHERE crawl_id = ${id}`
      await sql`DELETE FROM crawl_secrets WHERE crawl_id = ${id}`
      await sql`INSERT INTO removed_crawls (crawl_id) VALUES (${id})`
      await tellRemoved(sql, id, at)
      return true
    })
  }

  async sweep(id: number): Promise<boolean> {
    return sweepCrawl(this.#db, id)
  }

  async unswept(): Promise<readonly number[]> {
    const rows = await this.ask('SELECT crawl_id FROM removed_crawls ORDER BY crawl_id')
    return rows.map((row) => numberOf(row, 'crawl_id'))
  }

  async #take(sql: Transaction, order: JobOrder, making: Making): Promise<Ordered> {
    const id = await this.#insert(sql, making)
    const { key, fingerprint, topicRequest } = order
    const { proxies, webhook } = secretsIn(order)
    await sql`
      INSERT INTO crawl_orders (crawl_id, key, fingerprint, topic_request)
      VALUES (${id}, ${key}, ${fingerprint}, ${JSON.stringify(topicRequest ?? null)})`
    if (proxies !== null || webhook !== null) {
      await sql`
        INSERT INTO crawl_secrets (crawl_id, proxies, webhook) VALUES (${id}, ${proxies}, ${webhook})`
    }
    return { outcome: 'taken', job: await read(sql, id), isNew: true }
  }

  async #insert(
    sql: Transaction,
    { name, origin, seeds, settings, salt }: Making,
  ): Promise<number> {
    const [row = {}] = await sql`
      INSERT INTO crawls (name, origin, run_by, status, seeds, settings, salt, started_at)
      VALUES (${withoutNul(name)}, ${origin}, ${origin}, 'started', ${JSON.stringify(seeds)},
        ${JSON.stringify(maskProxies(settings))}, ${salt}, ${this.#clock.now()})
      RETURNING id`
    const id = numberOf(row, 'id')
    await sql`INSERT INTO crawl_counts (crawl_id) VALUES (${id})`
    await sql`SELECT make_partitions(${id})`
    return id
  }
}

const WHOLE = selecting(WITH_TOPIC, true)
const ORDER = `
  SELECT crawl_orders.*, secrets.webhook
  FROM crawl_orders LEFT JOIN crawl_secrets secrets USING (crawl_id) WHERE crawl_id = $1`

function selecting(topic: string, tellsSecrets: boolean): string {
  if (!tellsSecrets) return `SELECT crawls.*, ${topic} FROM ${CRAWLS}`
  return `SELECT crawls.*, ${topic}, secrets.proxies FROM ${CRAWLS} ${SECRETS}`
}

/** A job that an earlier attempt made after all: no other has its salt. */
async function madeBefore(sql: Queries, { name, salt }: Making): Promise<JobRecord | null> {
  const named = withoutNul(name)
  const [row] = await sql`
    SELECT id FROM crawls
    WHERE hashtextextended(name, 0) = hashtextextended(${named}, 0) AND name = ${named}
      AND salt = ${salt}`
  return row === undefined ? null : read(sql, numberOf(row, 'id'))
}

async function knownOrder(sql: Queries, { key, fingerprint }: JobOrder): Promise<Ordered | null> {
  if (key === null) return null
  // Two that come with one key at the same moment: the second waits, and finds the first one's job.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('jelajah order ' || ${key}, 0))`
  const [known] = await sql`
    SELECT * FROM crawl_orders
    WHERE hashtextextended(key, 0) = hashtextextended(${key}, 0) AND key = ${key}`
  if (known === undefined) return null
  const job = await read(sql, numberOf(known, 'crawl_id'))
  return textOf(known, 'fingerprint') === fingerprint
    ? { outcome: 'taken', job, isNew: false }
    : { outcome: 'key-taken', job }
}

async function setTopic(sql: Queries, id: number, topic: KeptTopic | null): Promise<void> {
  await sql`DELETE FROM crawl_topics WHERE crawl_id = ${id}`
  if (topic === null) return
  await sql`
    INSERT INTO crawl_topics (crawl_id, fingerprint, topic)
    VALUES (${id}, ${topic.fingerprint}, ${JSON.stringify(topic)})`
}

async function isRemoved(sql: Queries, id: number): Promise<boolean> {
  return (await sql`SELECT FROM removed_crawls WHERE crawl_id = ${id}`).length > 0
}

/** Inside a transaction. */
async function read(sql: Queries, id: number): Promise<JobRecord> {
  const [row] = await sql.unsafe<Row[]>(`${WHOLE} WHERE id = $1`, [id], { prepare: true })
  if (row === undefined) throw new Error('there is no such crawl')
  return jobFromRow(row)
}
