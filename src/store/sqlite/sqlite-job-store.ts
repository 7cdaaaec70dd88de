// Jobs in SQLite: the table `crawls` beside the pages they brought.
import { randomInt } from 'node:crypto'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
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
import { forgetSecrets, type KeptSecrets, keepSecrets, secretsOf } from '../../db/secrets-file.ts'
import {
  HARDLY_EVER_PAGES,
  inTransaction,
  openSqliteReader,
  setCheckpoints,
  USUAL_PAGES,
  whenFree,
} from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { withoutNul } from '../../lib/column-text.ts'
import { jobFromRow, orderFromRow, runFromRow, secretsIn, withProxies } from '../job-row.ts'
import type { JobOrder, JobReader, JobStore, LaterRun, ListOptions, Ordered } from '../job-store.ts'
import { numberOf, type Row, textOf } from '../row-values.ts'
import { openJobs } from './open-jobs.ts'
import { sweepCrawl } from './sweep-crawl.ts'

/** What `randomInt` can give at most. */
const SALTS = 2 ** 48 - 1
const WHOLE = 'SELECT crawls.*, topic FROM crawls LEFT JOIN crawl_topics ON crawl_id = id'
const LISTED = `
  SELECT crawls.*, crawl_topics.fingerprint AS topic_fingerprint
  FROM crawls LEFT JOIN crawl_topics ON crawl_id = id`

export async function openSqliteJobStore(
  path: string,
  clock: Clock = systemClock,
): Promise<JobStore> {
  return new SqliteJobStore(openJobs(path), { path, clock, tellsSecrets: true })
}

/** For reading only, touching nothing and without secrets; null when there is no store at that path. */
export async function openSqliteJobReader(path: string): Promise<JobReader | null> {
  const db = openSqliteReader(path, 'store')
  const options = { path, clock: systemClock, tellsSecrets: false }
  return db === null ? null : new SqliteJobStore(db, options)
}

type JobStoreOptions = {
  readonly path: string
  readonly clock: Clock
  readonly tellsSecrets: boolean
}

class SqliteJobStore implements JobStore {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #clock: Clock
  readonly #tellsSecrets: boolean

  constructor(db: DatabaseSync, { path, clock, tellsSecrets }: JobStoreOptions) {
    this.#db = db
    this.#path = path
    this.#clock = clock
    this.#tellsSecrets = tellsSecrets
  }

  async create(job: Omit<Job, 'id' | 'salt'>): Promise<JobRecord> {
    return this.#inTransaction(() => {
      const id = this.#insert(job, randomInt(SALTS))
      this.#setTopic(id, job.topic)
      return withProxies(this.#read(id), job.settings)
    })
  }

  async order(order: JobOrder): Promise<Ordered> {
    return this.#inTransaction(() => {
      const known = this.#db.prepare('SELECT * FROM crawl_orders WHERE key = ?').get(order.key)
      if (known !== undefined) {
        const job = this.#read(numberOf(known, 'crawl_id'))
        return textOf(known, 'fingerprint') === order.fingerprint
          ? { outcome: 'taken', job, isNew: false }
          : { outcome: 'key-taken', job }
      }
      const salt = randomInt(SALTS)
      // Before the row is there: what is in it will be asked for, also after a power cut.
      keepSecrets(this.#path, salt, secretsIn(order))
      const id = this.#insert({ ...order, origin: 'api' }, salt)
      this.#keepOrder(id, order)
      return { outcome: 'taken', job: this.#read(id), isNew: true }
    })
  }

  async orderOf(id: number): Promise<JobOrder | null> {
    const [row] = await this.#query('SELECT * FROM crawl_orders WHERE crawl_id = ?', id)
    const job = row === undefined ? null : await this.get(id)
    if (row === undefined || job === null) return null
    return orderFromRow({ ...row, webhook: this.#secretsOf(job.salt).webhook }, job)
  }

  async findByName(name: string, origin?: JobOrigin): Promise<JobRecord | null> {
    const newest = 'ORDER BY id DESC LIMIT 1'
    const wanted = origin ?? null
    const [row] = await this.#query(
      `${WHOLE} WHERE name = ?1 AND (?2 IS NULL OR origin = ?2) ${newest}`,
      withoutNul(name),
      wanted,
    )
    return row === undefined ? null : this.#jobFrom(row)
  }

  async get(id: number): Promise<JobRecord | null> {
    const [row] = await this.#query(`${WHOLE} WHERE id = ?`, id)
    return row === undefined ? null : this.#jobFrom(row)
  }

  async list({ before, limit, status }: ListOptions = {}): Promise<readonly JobRecord[]> {
    const wanted: [condition: string, value: string | number][] = []
    if (before !== undefined) wanted.push(['id < ?', before])
    if (status !== undefined) wanted.push(['status = ?', status])
    const where = ['true', ...wanted.map(([condition]) => condition)].join(' AND ')
    const sql = `${LISTED} WHERE ${where} ORDER BY id DESC LIMIT ?`
    const values = wanted.map(([, value]) => value)
    return (await this.#query(sql, ...values, limit ?? -1)).map(jobFromRow)
  }

  async counts(): Promise<Readonly<Record<JobStatus, number>>> {
    const rows = await this.#query('SELECT status, count(*) AS jobs FROM crawls GROUP BY status')
    const jobs = new Map(rows.map((row) => [textOf(row, 'status'), numberOf(row, 'jobs')]))
    const of = (status: JobStatus) => [status, jobs.get(status) ?? 0]
    return Object.fromEntries(JOB_STATUSES.map(of)) as Record<JobStatus, number>
  }

  async runs(id: number): Promise<readonly JobRunRecord[]> {
    const sql = 'SELECT * FROM crawl_runs WHERE crawl_id = ? ORDER BY run'
    return (await this.#query(sql, id)).map(runFromRow)
  }

  async unfinished(): Promise<readonly JobRecord[]> {
    const unended = "status IN ('started', 'running')"
    const sql = `${LISTED} WHERE ${unended} AND run_by = 'api' ORDER BY id`
    return (await this.#query(sql)).map(jobFromRow)
  }

  async enqueue(id: number, settings?: CrawlSettings): Promise<JobRecord> {
    return this.#inTransaction(() => {
      this.#run(
        `UPDATE crawls SET settings = coalesce(?, settings),
           status = 'started', note = '', ended_at = NULL, run_by = 'api'
         WHERE id = ?`,
        settings === undefined ? null : JSON.stringify(maskProxies(settings)),
        id,
      )
      return withProxies(this.#read(id), settings)
    })
  }

  async resume(id: number, { settings, seeds, topic }: LaterRun): Promise<JobRecord> {
    return this.#inTransaction(() => {
      this.#run(
        `UPDATE crawls SET settings = ?, seeds = coalesce(?, seeds),
           status = 'started', note = '', ended_at = NULL, run_by = 'cli'
         WHERE id = ?`,
        JSON.stringify(maskProxies(settings)),
        seeds === undefined ? null : JSON.stringify(seeds),
        id,
      )
      if (topic !== undefined) this.#setTopic(id, topic)
      return withProxies(this.#read(id), settings)
    })
  }

  async beginRun({ id, settings, topic }: Pick<Job, 'id' | 'settings' | 'topic'>): Promise<void> {
    await this.#write(
      `INSERT INTO crawl_runs (crawl_id, run, started_at, settings, topic_fingerprint)
       SELECT id, 1 + coalesce((SELECT max(run) FROM crawl_runs WHERE crawl_id = id), 0), ?, ?, ?
       FROM crawls WHERE id = ?`,
      this.#clock.now(),
      JSON.stringify(maskProxies(settings)),
      topic?.fingerprint ?? null,
      id,
    )
  }

  async setTopic(id: number, topic: KeptTopic | null): Promise<void> {
    await this.#inTransaction(() => this.#setTopic(id, topic))
  }

  async setStatus(id: number, status: JobStatus, note = ''): Promise<void> {
    await this.#write(
      'UPDATE crawls SET status = ?, note = ?, ended_at = ? WHERE id = ?',
      status,
      withoutNul(note),
      isFinal(status) ? this.#clock.now() : null,
      id,
    )
  }

  async addRanMs(id: number, ms: number): Promise<void> {
    await this.#write('UPDATE crawls SET ran_ms = ran_ms + ? WHERE id = ?', Math.round(ms), id)
  }

  async remove(id: number): Promise<boolean> {
    const [row] = await this.#query('SELECT salt FROM crawls WHERE id = ?', id)
    if (row !== undefined) forgetSecrets(this.#path, numberOf(row, 'salt'))
    return this.#inTransaction(() => {
      const { changes } = this.#run('DELETE FROM crawls WHERE id = ?', id)
      if (changes === 0) return false
      this.#run('DELETE FROM crawl_topics WHERE crawl_id = ?', id)
      this.#run('DELETE FROM crawl_orders WHERE crawl_id = ?', id)
      this.#run('DELETE FROM crawl_runs WHERE crawl_id = ?', id)
      this.#run('INSERT INTO removed_crawls (crawl_id) VALUES (?)', id)
      this.#run(
        `INSERT INTO page_changes (crawl_id, page_id, change, at) VALUES (?, 0, 'crawl-removed', ?)`,
        id,
        this.#clock.now(),
      )
      return true
    })
  }

  async sweep(id: number): Promise<boolean> {
    // This writes much, and perhaps alone: many short copies let others in between.
    setCheckpoints(this.#db, USUAL_PAGES)
    try {
      return await this.#inTransaction(() => sweepCrawl(this.#db, id))
    } finally {
      if (this.#db.isOpen) setCheckpoints(this.#db, HARDLY_EVER_PAGES)
    }
  }

  async unswept(): Promise<readonly number[]> {
    const rows = await this.#query('SELECT crawl_id FROM removed_crawls ORDER BY crawl_id')
    return rows.map((row) => numberOf(row, 'crawl_id'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #insert(
    { name, origin, seeds, settings }: Omit<Job, 'id' | 'salt' | 'topic'>,
    salt: number,
  ): number {
    const { lastInsertRowid } = this.#run(
      `INSERT INTO crawls (name, origin, run_by, status, seeds, settings, salt, started_at)
       VALUES (?1, ?2, ?2, 'started', ?3, ?4, ?5, ?6)`,
      withoutNul(name),
      origin,
      JSON.stringify(seeds),
      JSON.stringify(maskProxies(settings)),
      salt,
      this.#clock.now(),
    )
    return Number(lastInsertRowid)
  }

  #keepOrder(id: number, { key, fingerprint, topicRequest }: JobOrder): void {
    this.#run(
      `INSERT INTO crawl_orders (crawl_id, key, fingerprint, topic_request)
       VALUES (?, ?, ?, ?)`,
      id,
      key,
      fingerprint,
      JSON.stringify(topicRequest ?? null),
    )
  }

  #setTopic(id: number, topic: KeptTopic | null): void {
    this.#run('DELETE FROM crawl_topics WHERE crawl_id = ?', id)
    if (topic === null) return
    this.#run(
      'INSERT INTO crawl_topics (crawl_id, fingerprint, topic) VALUES (?, ?, ?)',
      id,
      topic.fingerprint,
      JSON.stringify(topic),
    )
  }

  /** Inside a transaction. */
  #read(id: number): JobRecord {
    const row = this.#db.prepare(`${WHOLE} WHERE id = ?`).get(id)
    if (row === undefined) throw new Error('there is no such crawl')
    return this.#jobFrom(row)
  }

  /** With the passwords of its proxies, where they are kept and may be told. */
  #jobFrom(row: Row): JobRecord {
    const job = jobFromRow(row)
    if (!job.settings.proxies.some(isMasked)) return job
    const { proxies } = this.#secretsOf(job.salt)
    return proxies === null ? job : jobFromRow({ ...row, proxies })
  }

  #secretsOf(salt: number): KeptSecrets {
    if (!this.#tellsSecrets) return { proxies: null, webhook: null }
    return secretsOf(this.#path, salt)
  }

  #query(sql: string, ...values: SQLInputValue[]) {
    return whenFree(() => {
      try {
        return this.#db.prepare(sql).all(...values)
      } catch (error) {
        throw asCrawlerError(error, this.#path)
      }
    })
  }

  #run(sql: string, ...values: SQLInputValue[]) {
    return this.#db.prepare(sql).run(...values)
  }

  async #write(sql: string, ...values: SQLInputValue[]): Promise<void> {
    await this.#inTransaction(() => this.#run(sql, ...values))
  }

  #inTransaction<T>(work: () => T): Promise<T> {
    return whenFree(() => inTransaction(this.#db, work, this.#path))
  }
}
