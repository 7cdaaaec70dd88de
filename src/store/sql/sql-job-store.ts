// Jobs: the table `crawls` and those that belong to it.
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
import { isMasked, maskProxies } from '../../core/proxy-secrets.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { withoutNul } from '../../lib/column-text.ts'
import type { JobOrder, JobReader, JobStore, LaterRun, ListOptions, Ordered } from '../job-store.ts'
import { numberOf, textOf } from '../row-values.ts'
import { jobFromRow, orderFromRow, runFromRow, secretsIn, withProxies } from './job-row.ts'
import { Conditions, type Queries, type Sql, type SqlValues, type Work } from './sql.ts'

/** `randomInt` gives no larger numbers. */
const SALTS = 2 ** 48 - 1
const WHOLE = 'SELECT crawls.*, topic FROM crawls LEFT JOIN crawl_topics ON crawl_id = id'
const LISTED = `
  SELECT crawls.*, crawl_topics.fingerprint AS topic_fingerprint
  FROM crawls LEFT JOIN crawl_topics ON crawl_id = id`

/** JSON of what must not be in the rows of a job; null where there is none. */
type KeptSecrets = { readonly proxies: string | null; readonly webhook: string | null }

type SecretOwner = { readonly id: number; readonly salt: number }

/** Where secrets of jobs are kept, apart from the rows that everybody may read. */
export interface JobSecrets {
  /** Durable no later than the transaction. */
  keep(sql: Queries, of: SecretOwner, secrets: KeptSecrets): Work<void>
  read(sql: Queries, of: SecretOwner): Work<KeptSecrets>
  forget(sql: Queries, of: SecretOwner): Work<void>
}

/** A table of their own may be kept from readers. */
const IN_A_TABLE: JobSecrets = {
  *keep(sql, { id }, { proxies, webhook }) {
    if (proxies === null && webhook === null) return
    const text = 'INSERT INTO crawl_secrets (crawl_id, proxies, webhook) VALUES ($1, $2, $3)'
    yield* sql.run(text, [id, proxies, webhook])
  },
  *read(sql, { id }) {
    const text = 'SELECT proxies, webhook FROM crawl_secrets WHERE crawl_id = $1'
    const row = (yield* sql.get(text, [id])) ?? {}
    return { proxies: textOf(row, 'proxies') || null, webhook: textOf(row, 'webhook') || null }
  },
  *forget(sql, { id }) {
    yield* sql.run('DELETE FROM crawl_secrets WHERE crawl_id = $1', [id])
  },
}

type Making = Pick<Job, 'name' | 'origin' | 'seeds' | 'settings'> & { readonly salt: number }

/** Without `secrets`, passwords of proxies stay masked. */
export class SqlJobReader implements JobReader {
  protected readonly sql: Sql
  readonly #secrets: JobSecrets | null

  constructor(sql: Sql, secrets: JobSecrets | null = null) {
    this.sql = sql
    this.#secrets = secrets
  }

  async findByName(name: string, origin?: JobOrigin): Promise<JobRecord | null> {
    const wanted = new Conditions()
    wanted.on(withoutNul(name), (hole) => this.sql.dialect.equals('name', hole))
    if (origin !== undefined) wanted.on(origin, (hole) => `origin = ${hole}`)
    const text = `${WHOLE} WHERE ${wanted.where} ORDER BY id DESC LIMIT 1`
    return this.sql.perform((sql) => this.find(sql, text, wanted.values))
  }

  async get(id: number): Promise<JobRecord | null> {
    return this.sql.perform((sql) => this.find(sql, BY_ID, [id]))
  }

  async list({ before, limit, status }: ListOptions = {}): Promise<readonly JobRecord[]> {
    const wanted = new Conditions()
    if (before !== undefined) wanted.on(before, (hole) => `id < ${hole}`)
    if (status !== undefined) wanted.on(status, (hole) => `status = ${hole}`)
    const most = limit === undefined ? '' : `LIMIT ${wanted.hole(limit)}`
    const text = `${LISTED} WHERE ${wanted.where} ORDER BY id DESC ${most}`
    return (await this.sql.all(text, wanted.values)).map(jobFromRow)
  }

  async counts(): Promise<Readonly<Record<JobStatus, number>>> {
    const rows = await this.sql.all('SELECT status, count(*) AS jobs FROM crawls GROUP BY status')
    const jobs = new Map(rows.map((row) => [textOf(row, 'status'), numberOf(row, 'jobs')]))
    const of = (status: JobStatus) => [status, jobs.get(status) ?? 0]
    return Object.fromEntries(JOB_STATUSES.map(of)) as Record<JobStatus, number>
  }

  async runs(id: number): Promise<readonly JobRunRecord[]> {
    const text = 'SELECT * FROM crawl_runs WHERE crawl_id = $1 ORDER BY run'
    return (await this.sql.all(text, [id])).map(runFromRow)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.sql[Symbol.asyncDispose]()
  }

  /** The job of the first row, with the passwords of its proxies where they are kept. */
  protected *find(sql: Queries, text: string, values: SqlValues): Work<JobRecord | null> {
    const row = yield* sql.get(text, values)
    if (row === undefined) return null
    const job = jobFromRow(row)
    if (this.#secrets === null || !job.settings.proxies.some(isMasked)) return job
    const { proxies } = yield* this.#secrets.read(sql, job)
    return proxies === null ? job : jobFromRow({ ...row, proxies })
  }
}

export type JobStoreOptions = {
  /** In a table of the database if missing. */
  readonly secrets?: JobSecrets
  /** Deletes some pages of a removed crawl; when there are none left, `rest` deletes other rows of it. */
  readonly sweep: (crawlId: number, rest: () => Promise<boolean>) => Promise<boolean>
  readonly clock?: Clock
}

export class SqlJobStore extends SqlJobReader implements JobStore {
  readonly #secrets: JobSecrets
  readonly #sweep: JobStoreOptions['sweep']
  readonly #clock: Clock

  constructor(sql: Sql, { secrets = IN_A_TABLE, sweep, clock = systemClock }: JobStoreOptions) {
    super(sql, secrets)
    this.#secrets = secrets
    this.#sweep = sweep
    this.#clock = clock
  }

  async create(job: Omit<Job, 'id' | 'salt'>): Promise<JobRecord> {
    const making = { ...job, salt: randomInt(SALTS) }
    const made = await this.sql.transaction((sql, attempt) => this.#create(sql, making, attempt))
    return withProxies(made, job.settings)
  }

  async order(order: JobOrder): Promise<Ordered> {
    const making = { ...order, origin: 'api' as const, salt: randomInt(SALTS) }
    return this.sql.transaction((sql, attempt) => this.#order(sql, making, attempt))
  }

  async orderOf(id: number): Promise<JobOrder | null> {
    const row = await this.sql.get('SELECT * FROM crawl_orders WHERE crawl_id = $1', [id])
    const job = row === undefined ? null : await this.get(id)
    if (row === undefined || job === null) return null
    const { webhook } = await this.sql.perform((sql) => this.#secrets.read(sql, job))
    return orderFromRow({ ...row, webhook }, job)
  }

  async unfinished(): Promise<readonly JobRecord[]> {
    const unended = "status IN ('started', 'running')"
    const text = `${LISTED} WHERE ${unended} AND run_by = 'api' ORDER BY id`
    return (await this.sql.all(text)).map(jobFromRow)
  }

  async enqueue(id: number, settings?: CrawlSettings): Promise<JobRecord> {
    const given = settings === undefined ? null : JSON.stringify(maskProxies(settings))
    return this.#update(id, { text: ENQUEUE, values: [id, given], settings })
  }

  async resume(id: number, { settings, seeds, topic }: LaterRun): Promise<JobRecord> {
    const given = seeds === undefined ? null : JSON.stringify(seeds)
    const values = [id, JSON.stringify(maskProxies(settings)), given]
    return this.#update(id, { text: RESUME, values, settings, topic })
  }

  async beginRun({ id, settings, topic }: Pick<Job, 'id' | 'settings' | 'topic'>): Promise<void> {
    const at = Math.round(this.#clock.now())
    const values = [JSON.stringify(maskProxies(settings)), topic?.fingerprint ?? null]
    await this.sql.transaction(function* (sql, attempt) {
      const last = (yield* sql.get(LAST_RUN, [id])) ?? {}
      // An earlier attempt was committed: one process runs a job.
      if (attempt > 1 && numberOf(last, 'started_at') === at) return
      yield* sql.run(INSERT_RUN, [id, numberOf(last, 'run') + 1, at, ...values])
    })
  }

  async setTopic(id: number, topic: KeptTopic | null): Promise<void> {
    await this.sql.transaction((sql) => setTopic(sql, id, topic))
  }

  async setStatus(id: number, status: JobStatus, note = ''): Promise<void> {
    const endedAt = isFinal(status) ? Math.round(this.#clock.now()) : null
    await this.sql.run('UPDATE crawls SET status = $1, note = $2, ended_at = $3 WHERE id = $4', [
      ...[status, withoutNul(note), endedAt, id],
    ])
  }

  async addRanMs(id: number, ms: number): Promise<void> {
    // One process runs a job. The sum is computed here because the statement may run twice.
    const row = await this.sql.get('SELECT ran_ms FROM crawls WHERE id = $1', [id])
    const sum = numberOf(row ?? {}, 'ran_ms') + Math.round(ms)
    await this.sql.run('UPDATE crawls SET ran_ms = $1 WHERE id = $2', [sum, id])
  }

  async remove(id: number): Promise<boolean> {
    const at = Math.round(this.#clock.now())
    return this.sql.transaction((sql, attempt) => this.#remove(sql, { id, at }, attempt))
  }

  async sweep(id: number): Promise<boolean> {
    return this.#sweep(id, () => sweepRows(this.sql, id))
  }

  async unswept(): Promise<readonly number[]> {
    const rows = await this.sql.all('SELECT crawl_id FROM removed_crawls ORDER BY crawl_id')
    return rows.map((row) => numberOf(row, 'crawl_id'))
  }

  *#create(sql: Queries, making: Making & Pick<Job, 'topic'>, attempt: number): Work<JobRecord> {
    const made = attempt === 1 ? null : yield* this.#madeBefore(sql, making)
    if (made !== null) return made
    const id = yield* this.#insert(sql, making)
    yield* setTopic(sql, id, making.topic)
    return yield* this.#read(sql, id)
  }

  *#order(sql: Queries, making: JobOrder & Making, attempt: number): Work<Ordered> {
    const made = attempt === 1 ? null : yield* this.#madeBefore(sql, making)
    if (made !== null) return { outcome: 'taken', job: made, isNew: true }
    const known = yield* this.#knownOrder(sql, making)
    if (known !== null) return known
    const id = yield* this.#insert(sql, making)
    yield* this.#secrets.keep(sql, { id, salt: making.salt }, secretsIn(making))
    const { key, fingerprint, topicRequest } = making
    const request = JSON.stringify(topicRequest ?? null)
    yield* sql.run(INSERT_ORDER, [id, key, fingerprint, request])
    return { outcome: 'taken', job: yield* this.#read(sql, id), isNew: true }
  }

  *#knownOrder(sql: Queries, { key, fingerprint }: JobOrder): Work<Ordered | null> {
    if (key === null) return null
    const { equals, statements } = sql.dialect
    // Two orders with one key at the same moment: the second waits, and finds the job of the first.
    yield* sql.runAll(statements.lockName, [`order ${key}`])
    const known = yield* sql.get(`SELECT * FROM crawl_orders WHERE ${equals('key', '$1')}`, [key])
    if (known === undefined) return null
    const job = yield* this.#read(sql, numberOf(known, 'crawl_id'))
    return textOf(known, 'fingerprint') === fingerprint
      ? { outcome: 'taken', job, isNew: false }
      : { outcome: 'key-taken', job }
  }

  *#insert(sql: Queries, { name, origin, seeds, settings, salt }: Making): Work<number> {
    const row = yield* sql.get(INSERT_CRAWL, [
      ...[withoutNul(name), origin, JSON.stringify(seeds), JSON.stringify(maskProxies(settings))],
      ...[salt, Math.round(this.#clock.now())],
    ])
    const id = numberOf(row ?? {}, 'id')
    yield* sql.runAll(sql.dialect.statements.addCrawl, [id])
    return id
  }

  /** A job that an earlier attempt made: no other has its salt. */
  #madeBefore(sql: Queries, { name, salt }: Making): Work<JobRecord | null> {
    const text = `${WHOLE} WHERE ${sql.dialect.equals('name', '$1')} AND salt = $2`
    return this.find(sql, text, [withoutNul(name), salt])
  }

  /** Settings are returned as they were given, with their passwords. */
  async #update(id: number, { text, values, settings, topic }: JobUpdate): Promise<JobRecord> {
    const read = (sql: Queries) => this.#read(sql, id)
    const job = await this.sql.transaction(function* (sql) {
      yield* sql.run(text, values)
      if (topic !== undefined) yield* setTopic(sql, id, topic)
      return yield* read(sql)
    })
    return withProxies(job, settings)
  }

  *#remove(sql: Queries, { id, at }: Record<'id' | 'at', number>, attempt: number): Work<boolean> {
    const row = yield* sql.get('DELETE FROM crawls WHERE id = $1 RETURNING salt', [id])
    if (row === undefined) return attempt > 1 && (yield* sql.get(REMOVED, [id])) !== undefined
    yield* this.#secrets.forget(sql, { id, salt: numberOf(row, 'salt') })
    const tables = ['crawl_topics', 'crawl_orders', 'crawl_runs', 'clusters', 'page_clusters']
    const deletions = tables.map((table) => `DELETE FROM ${table} WHERE crawl_id = $1`)
    const insertion = 'INSERT INTO removed_crawls (crawl_id) VALUES ($1)'
    yield* sql.runAll([...deletions, insertion], [id])
    yield* sql.run(sql.dialect.statements.insertRemoval, [id, at])
    return true
  }

  *#read(sql: Queries, id: number): Work<JobRecord> {
    const job = yield* this.find(sql, BY_ID, [id])
    if (job === null) throw new Error('there is no such crawl')
    return job
  }
}

type JobUpdate = {
  readonly text: string
  readonly values: SqlValues
  readonly settings: CrawlSettings | undefined
  readonly topic?: KeptTopic | null | undefined
}

const BY_ID = `${WHOLE} WHERE id = $1`
const REMOVED = 'SELECT crawl_id FROM removed_crawls WHERE crawl_id = $1'
const INSERT_ORDER = `
  INSERT INTO crawl_orders (crawl_id, key, fingerprint, topic_request) VALUES ($1, $2, $3, $4)`
const ENQUEUE = `
  UPDATE crawls SET settings = coalesce($2, settings),
    status = 'started', note = '', ended_at = NULL, run_by = 'api'
  WHERE id = $1`
const RESUME = `
  UPDATE crawls SET settings = $2, seeds = coalesce($3, seeds),
    status = 'started', note = '', ended_at = NULL, run_by = 'cli'
  WHERE id = $1`
const INSERT_CRAWL = `
  INSERT INTO crawls (name, origin, run_by, status, seeds, settings, salt, started_at)
  VALUES ($1, $2, $2, 'started', $3, $4, $5, $6) RETURNING id`
const LAST_RUN = `
  SELECT run, started_at FROM crawl_runs WHERE crawl_id = $1 ORDER BY run DESC LIMIT 1`
const INSERT_RUN = `
  INSERT INTO crawl_runs (crawl_id, run, started_at, settings, topic_fingerprint)
  SELECT id, CAST($2 AS integer), CAST($3 AS bigint), CAST($4 AS text), CAST($5 AS text)
  FROM crawls WHERE id = $1`

function* setTopic(sql: Queries, id: number, topic: KeptTopic | null): Work<void> {
  yield* sql.run('DELETE FROM crawl_topics WHERE crawl_id = $1', [id])
  if (topic === null) return
  const text = 'INSERT INTO crawl_topics (crawl_id, fingerprint, topic) VALUES ($1, $2, $3)'
  yield* sql.run(text, [id, topic.fingerprint, JSON.stringify(topic)])
}

/** Changes that one step reads; it takes a few milliseconds even if it deletes all of them. */
const CHANGES_AT_ONCE = 5000
const TABLES_OF_CRAWL = [
  'host_totals',
  'crawl_history',
  'crawl_rounds',
  'undelivered',
  'removed_crawls',
] as const

/**
 * Deletes what a removed crawl leaves beside its pages, in short steps, so that no crawl waits for long.
 * False if nothing is left.
 */
function sweepRows(sql: Sql, crawlId: number): Promise<boolean> {
  return sql.transaction(function* (queries) {
    const row = (yield* queries.get(SWEPT, [crawlId])) ?? {}
    const from = numberOf(row, 'swept_to')
    const to = from + CHANGES_AT_ONCE
    yield* queries.run(DELETE_CHANGES, [crawlId, from, to])
    yield* queries.run('UPDATE removed_crawls SET swept_to = $2 WHERE crawl_id = $1', [crawlId, to])
    if (to < numberOf(row, 'last')) return true
    const deletions = TABLES_OF_CRAWL.map((table) => `DELETE FROM ${table} WHERE crawl_id = $1`)
    const { forgetCrawl } = queries.dialect.statements
    yield* queries.runAll([DELETE_EVENTS, ...deletions, ...forgetCrawl], [crawlId])
    return false
  })
}

const SWEPT = `
  SELECT swept_to, (SELECT max(cursor) FROM page_changes) AS last
  FROM removed_crawls WHERE crawl_id = $1`
/** A range of the log. It has no index by crawl, which every page would pay for. */
const DELETE_CHANGES = `
  DELETE FROM page_changes
  WHERE cursor > $2 AND cursor <= $3 AND crawl_id = $1 AND change <> 'crawl-removed'`
/** The removal itself stays for readers that are behind. */
const DELETE_EVENTS = `DELETE FROM crawl_events WHERE crawl_id = $1 AND type <> 'removed'`
