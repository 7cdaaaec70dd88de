// The journal of jobs in SQLite: `crawl_events` and `crawl_history` beside the jobs themselves.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { JOB_STATUSES } from '../../core/job.ts'
import { asCrawlerError, inTransaction, whenFree } from '../../db/sqlite.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { JobEvent, JobJournal, KeptEvent, Sample } from '../job-journal.ts'
import { openJobs } from './open-jobs.ts'
import { numberOf, textOf } from './page-row.ts'
import { withoutNul } from './text.ts'

type Row = Readonly<Record<string, SQLOutputValue>>
type EventsWanted = Parameters<JobJournal['list']>[0]

export async function openSqliteJobJournal(
  path: string,
  clock: Clock = systemClock,
): Promise<JobJournal> {
  return new SqliteJobJournal(openJobs(path), path, clock)
}

class SqliteJobJournal implements JobJournal {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #clock: Clock

  constructor(db: DatabaseSync, path: string, clock: Clock) {
    this.#db = db
    this.#path = path
    this.#clock = clock
  }

  async append(crawlId: number, event: JobEvent): Promise<KeptEvent> {
    const at = this.#clock.now()
    const { status, text } = columnsOf(event)
    const id = await this.#write(
      'INSERT INTO crawl_events (crawl_id, at, type, status, text) VALUES (?, ?, ?, ?, ?)',
      ...[crawlId, at, event.type, status, withoutNul(text)],
    )
    return { id, crawlId, at, event }
  }

  async list({ after, limit, crawlId }: EventsWanted): Promise<readonly KeptEvent[]> {
    const ofOne = crawlId === undefined ? '' : 'crawl_id = ? AND'
    const sql = `SELECT * FROM crawl_events WHERE ${ofOne} id > ? ORDER BY id LIMIT ?`
    const values = crawlId === undefined ? [] : [crawlId]
    return (await this.#query(sql, ...values, after, limit)).map(keptFrom)
  }

  async last(): Promise<number> {
    const [row = {}] = await this.#query('SELECT max(id) AS id FROM crawl_events')
    return numberOf(row, 'id')
  }

  async saveHistory(crawlId: number, samples: readonly Sample[]): Promise<void> {
    await this.#write(
      'INSERT OR REPLACE INTO crawl_history (crawl_id, samples) VALUES (?, ?)',
      ...[crawlId, JSON.stringify(samples.map(numbersOf))],
    )
  }

  async history(crawlId: number): Promise<readonly Sample[]> {
    const [row] = await this.#query('SELECT samples FROM crawl_history WHERE crawl_id = ?', crawlId)
    const kept: unknown = JSON.parse(row === undefined ? '[]' : textOf(row, 'samples'))
    return Array.isArray(kept) ? kept.filter(Array.isArray).map(sampleFrom) : []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  async #write(sql: string, ...values: SQLInputValue[]): Promise<number> {
    const write = () => this.#db.prepare(sql).run(...values)
    const { lastInsertRowid } = await whenFree(() => inTransaction(this.#db, write, this.#path))
    return Number(lastInsertRowid)
  }

  #query(sql: string, ...values: SQLInputValue[]): Promise<Row[]> {
    return whenFree(() => {
      try {
        return this.#db.prepare(sql).all(...values)
      } catch (error) {
        throw asCrawlerError(error, this.#path)
      }
    })
  }
}

function columnsOf(event: JobEvent): { readonly status: string; readonly text: string } {
  switch (event.type) {
    case 'status':
      return { status: event.status, text: event.note }
    case 'notice':
      return { status: '', text: event.text }
    case 'removed':
      return { status: '', text: '' }
  }
}

function keptFrom(row: Row): KeptEvent {
  return {
    id: numberOf(row, 'id'),
    crawlId: numberOf(row, 'crawl_id'),
    at: numberOf(row, 'at'),
    event: eventFrom(row),
  }
}

function eventFrom(row: Row): JobEvent {
  const type = textOf(row, 'type')
  const text = textOf(row, 'text')
  if (type === 'removed') return { type }
  if (type !== 'status') return { type: 'notice', text }
  const status = JOB_STATUSES.find((known) => known === textOf(row, 'status')) ?? 'failed'
  return { type, status, note: text }
}

/** In the order of their numbers in the file. */
const FIELDS = [
  'at',
  'stored',
  'refused',
  'failed',
  'queued',
  'pagesPerSecond',
  'recentHarvestRate',
  'scouterRssBytes',
  'parserRssBytes',
  'cpu',
  'bytes',
] as const satisfies readonly (keyof Sample)[]

function numbersOf(sample: Sample): (number | null)[] {
  return FIELDS.map((field) => {
    const value = sample[field]
    return value === null ? null : Math.round(value * 1000) / 1000
  })
}

function sampleFrom(numbers: readonly unknown[]): Sample {
  const at = (field: (typeof FIELDS)[number]): number => Number(numbers[FIELDS.indexOf(field)] ?? 0)
  const rate = numbers[FIELDS.indexOf('recentHarvestRate')]
  return {
    at: at('at'),
    stored: at('stored'),
    refused: at('refused'),
    failed: at('failed'),
    queued: at('queued'),
    bytes: at('bytes'),
    pagesPerSecond: at('pagesPerSecond'),
    recentHarvestRate: typeof rate === 'number' ? rate : null,
    scouterRssBytes: at('scouterRssBytes'),
    parserRssBytes: at('parserRssBytes'),
    cpu: at('cpu'),
  }
}
