// Jobs in SQLite: the table `crawls` beside the pages they brought.
import { randomInt } from 'node:crypto'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import {
  JOB_STATUSES,
  type Job,
  type JobRecord,
  type JobStatus,
  type KeptTopic,
} from '../../core/job.ts'
import { decodeSettings } from '../../core/settings.ts'
import { type CanonicalUrl, canonicalise } from '../../core/url.ts'
import { asCrawlerError, openSqlite, openSqliteReader } from '../../db/sqlite.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { JobReader, JobStore, LaterRun } from '../job-store.ts'
import { numberOf, numberOrNull, textOf } from './page-row.ts'

const FINAL: readonly JobStatus[] = ['completed', 'stopped', 'failed']
/** What `randomInt` can give at most. */
const SALTS = 2 ** 48 - 1

export async function openSqliteJobStore(
  path: string,
  clock: Clock = systemClock,
): Promise<JobStore> {
  return new SqliteJobStore(openSqlite(path, { schema: 'store', durability: 'full' }), path, clock)
}

/** For reading only, touching nothing; null when there is no store at that path. */
export async function openSqliteJobReader(path: string): Promise<JobReader | null> {
  const db = openSqliteReader(path, 'store')
  return db === null ? null : new SqliteJobStore(db, path, systemClock)
}

class SqliteJobStore implements JobStore {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #clock: Clock

  constructor(db: DatabaseSync, path: string, clock: Clock) {
    this.#db = db
    this.#path = path
    this.#clock = clock
  }

  async create({ name, seeds, settings, topic }: Omit<Job, 'id' | 'salt'>): Promise<JobRecord> {
    return this.#one(
      `INSERT INTO crawls (name, status, seeds, settings, topic, salt, started_at)
       VALUES (?, 'started', ?, ?, ?, ?, ?) RETURNING *`,
      name,
      JSON.stringify(seeds),
      JSON.stringify(settings),
      topicToText(topic),
      randomInt(SALTS),
      this.#clock.now(),
    )
  }

  async findByName(name: string): Promise<JobRecord | null> {
    return this.#first('SELECT * FROM crawls WHERE name = ? ORDER BY id DESC LIMIT 1', name)
  }

  async get(id: number): Promise<JobRecord | null> {
    return this.#first('SELECT * FROM crawls WHERE id = ?', id)
  }

  async list(): Promise<readonly JobRecord[]> {
    return this.#db.prepare('SELECT * FROM crawls ORDER BY id DESC').all().map(jobFromRow)
  }

  async resume(id: number, later: LaterRun): Promise<JobRecord> {
    const { settings, seeds, topic } = later
    return this.#one(
      `UPDATE crawls SET settings = ?, seeds = coalesce(?, seeds), topic = iif(?, ?, topic),
         status = 'started', note = '', ended_at = NULL
       WHERE id = ? RETURNING *`,
      JSON.stringify(settings),
      seeds === undefined ? null : JSON.stringify(seeds),
      topic === undefined ? 0 : 1,
      topicToText(topic ?? null),
      id,
    )
  }

  async setStatus(id: number, status: JobStatus, note = ''): Promise<void> {
    const endedAt = FINAL.includes(status) ? this.#clock.now() : null
    this.#first(
      'UPDATE crawls SET status = ?, note = ?, ended_at = ? WHERE id = ? RETURNING *',
      status,
      note,
      endedAt,
      id,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #first(sql: string, ...values: (string | number | null)[]): JobRecord | null {
    try {
      const row = this.#db.prepare(sql).get(...values)
      return row ? jobFromRow(row) : null
    } catch (error) {
      throw asCrawlerError(error, this.#path)
    }
  }

  #one(sql: string, ...values: (string | number | null)[]): JobRecord {
    const job = this.#first(sql, ...values)
    if (job === null) throw new Error('there is no such crawl')
    return job
  }
}

function jobFromRow(row: Readonly<Record<string, SQLOutputValue>>): JobRecord {
  const status = textOf(row, 'status')
  return {
    id: numberOf(row, 'id'),
    name: textOf(row, 'name'),
    status: JOB_STATUSES.find((known) => known === status) ?? 'failed',
    note: textOf(row, 'note'),
    seeds: seedsFrom(JSON.parse(textOf(row, 'seeds'))),
    settings: decodeSettings(JSON.parse(textOf(row, 'settings'))),
    topic: topicFrom(JSON.parse(textOf(row, 'topic') || 'null')),
    salt: numberOf(row, 'salt'),
    startedAt: numberOf(row, 'started_at'),
    endedAt: numberOrNull(row, 'ended_at'),
  }
}

function topicToText(topic: KeptTopic | null): string | null {
  return topic === null ? null : JSON.stringify(topic)
}

function topicFrom(json: unknown): KeptTopic | null {
  if (typeof json !== 'object' || json === null || !('fingerprint' in json)) return null
  return { ...json, fingerprint: String(json.fingerprint) }
}

function seedsFrom(json: unknown): CanonicalUrl[] {
  const seeds = Array.isArray(json) ? json : []
  return seeds.map((seed) => canonicalise(String(seed))).filter((seed) => seed !== null)
}
