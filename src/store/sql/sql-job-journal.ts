// The journal of jobs: `crawl_events` and `crawl_history`.
import { JOB_STATUSES } from '../../core/job.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { withoutNul } from '../../lib/column-text.ts'
import type { JobEvent, JobJournal, KeptEvent, Sample } from '../job-journal.ts'
import { numberOf, numberOrNull, type Row, textOf } from '../row-values.ts'
import type { Queries, Sql, SqlValues, Work } from './sql.ts'

type EventsWanted = Parameters<JobJournal['list']>[0]

export class SqlJobJournal implements JobJournal {
  readonly #sql: Sql
  readonly #clock: Clock

  constructor(sql: Sql, clock: Clock = systemClock) {
    this.#sql = sql
    this.#clock = clock
  }

  async append(crawlId: number, event: JobEvent): Promise<KeptEvent> {
    const at = this.#clock.now()
    const { status, text } = columnsOf(event)
    const values = [crawlId, Math.round(at), event.type, status, withoutNul(text)]
    const id = await this.#sql.transaction((sql, attempt) => append(sql, values, attempt))
    return { id, crawlId, at, event }
  }

  async list({ after, limit, crawlId }: EventsWanted): Promise<readonly KeptEvent[]> {
    const [ofOne, values] = crawlId === undefined ? ['', []] : ['crawl_id = $3 AND', [crawlId]]
    const text = `SELECT * FROM crawl_events WHERE ${ofOne} id > $1 ORDER BY id LIMIT $2`
    return (await this.#sql.all(text, [after, limit, ...values])).map(keptFrom)
  }

  async last(): Promise<number> {
    return numberOf((await this.#sql.get('SELECT max(id) AS id FROM crawl_events')) ?? {}, 'id')
  }

  async saveHistory(crawlId: number, samples: readonly Sample[]): Promise<void> {
    await this.#sql.run(
      `INSERT INTO crawl_history (crawl_id, samples) VALUES ($1, $2)
       ON CONFLICT (crawl_id) DO UPDATE SET samples = excluded.samples`,
      [crawlId, JSON.stringify(samples.map(numbersOf))],
    )
  }

  async history(crawlId: number): Promise<readonly Sample[]> {
    const text = 'SELECT samples FROM crawl_history WHERE crawl_id = $1'
    const row = await this.#sql.get(text, [crawlId])
    return row === undefined ? [] : samplesFrom(textOf(row, 'samples'))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sql[Symbol.asyncDispose]()
  }
}

function* append(sql: Queries, values: SqlValues, attempt: number): Work<number> {
  const { insertEvent, lockName } = sql.dialect.statements
  yield* sql.runAll(lockName, ['events'])
  const kept = attempt === 1 ? null : numberOrNull((yield* sql.get(KEPT, values)) ?? {}, 'id')
  return kept ?? numberOf((yield* sql.get(insertEvent, values)) ?? {}, 'id')
}

/** The event that an earlier attempt stored. */
const KEPT = `
  SELECT max(id) AS id FROM crawl_events
  WHERE crawl_id = $1 AND at = $2 AND type = $3 AND status = $4 AND text = $5`

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
  'outside',
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
    outside: at('outside'),
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

function samplesFrom(text: string): readonly Sample[] {
  const kept: unknown = JSON.parse(text)
  return Array.isArray(kept) ? kept.filter(Array.isArray).map(sampleFrom) : []
}
