// The journal of jobs in SQLite: `crawl_events` and `crawl_history` beside the jobs themselves.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { inTransaction, whenFree } from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { withoutNul } from '../../lib/column-text.ts'
import type { JobEvent, JobJournal, KeptEvent, Sample } from '../job-journal.ts'
import { columnsOf, keptFrom, samplesFrom, samplesText } from '../journal-rows.ts'
import { numberOf, textOf } from '../row-values.ts'
import { openJobs } from './open-jobs.ts'

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
      ...[crawlId, samplesText(samples)],
    )
  }

  async history(crawlId: number): Promise<readonly Sample[]> {
    const [row] = await this.#query('SELECT samples FROM crawl_history WHERE crawl_id = ?', crawlId)
    return row === undefined ? [] : samplesFrom(textOf(row, 'samples'))
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
