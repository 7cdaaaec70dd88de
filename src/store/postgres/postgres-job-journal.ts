// The journal of jobs in PostgreSQL: `crawl_events` and `crawl_history` beside the jobs themselves.
import type { Postgres, Queries, Row } from '../../db/postgres.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { withoutNul } from '../../lib/column-text.ts'
import type { JobEvent, JobJournal, KeptEvent, Sample } from '../job-journal.ts'
import { columnsOf, keptFrom, samplesFrom, samplesText } from '../journal-rows.ts'
import { numberOf, textOf } from '../row-values.ts'

type EventsWanted = Parameters<JobJournal['list']>[0]
type EventRow = Readonly<Record<'type' | 'status' | 'text', string>> & {
  readonly crawlId: number
  readonly at: number
}

/** The store stays its opener's. */
export function createPostgresJobJournal(db: Postgres, clock: Clock = systemClock): JobJournal {
  return new PostgresJobJournal(db, clock)
}

class PostgresJobJournal implements JobJournal {
  readonly #db: Postgres
  readonly #clock: Clock

  constructor(db: Postgres, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async append(crawlId: number, event: JobEvent): Promise<KeptEvent> {
    const at = this.#clock.now()
    const { status, text } = columnsOf(event)
    const row = { crawlId, at: Math.round(at), type: event.type, status, text: withoutNul(text) }
    const id = await this.#db.inTransaction(async (sql, attempt) => {
      // Held to the commit: ids become visible in their order.
      const [ids = {}] = await sql`SELECT last FROM crawl_event_ids FOR UPDATE`
      const kept = attempt === 1 ? null : await keptBefore(sql, row)
      return kept ?? insert(sql, numberOf(ids, 'last') + 1, row)
    })
    return { id, crawlId, at, event }
  }

  async list({ after, limit, crawlId }: EventsWanted): Promise<readonly KeptEvent[]> {
    const rows = await this.#db.run((sql) =>
      crawlId === undefined
        ? sql<Row[]>`SELECT * FROM crawl_events WHERE id > ${after} ORDER BY id LIMIT ${limit}`
        : sql<Row[]>`
            SELECT * FROM crawl_events WHERE crawl_id = ${crawlId} AND id > ${after}
            ORDER BY id LIMIT ${limit}`,
    )
    return rows.map(keptFrom)
  }

  async last(): Promise<number> {
    const [row = {}] = await this.#db.run((sql) => sql`SELECT max(id) AS id FROM crawl_events`)
    return numberOf(row, 'id')
  }

  async saveHistory(crawlId: number, samples: readonly Sample[]): Promise<void> {
    await this.#db.run(
      (sql) => sql`
        INSERT INTO crawl_history (crawl_id, samples) VALUES (${crawlId}, ${samplesText(samples)})
        ON CONFLICT (crawl_id) DO UPDATE SET samples = excluded.samples`,
    )
  }

  async history(crawlId: number): Promise<readonly Sample[]> {
    const [row] = await this.#db.run(
      (sql) => sql`SELECT samples FROM crawl_history WHERE crawl_id = ${crawlId}`,
    )
    return row === undefined ? [] : samplesFrom(textOf(row, 'samples'))
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

async function insert(sql: Queries, id: number, event: EventRow): Promise<number> {
  const { crawlId, at, type, status, text } = event
  await sql`
    INSERT INTO crawl_events (id, crawl_id, at, type, status, text)
    VALUES (${id}, ${crawlId}, ${at}, ${type}, ${status}, ${text})`
  await sql`UPDATE crawl_event_ids SET last = ${id}`
  return id
}

/** The event that an earlier attempt kept after all. */
async function keptBefore(sql: Queries, event: EventRow): Promise<number | null> {
  const { crawlId, at, type, status, text } = event
  const [row] = await sql`
    SELECT max(id) AS id FROM crawl_events
    WHERE crawl_id = ${crawlId} AND at = ${at} AND type = ${type} AND status = ${status}
      AND text = ${text}`
  return row?.id === null || row === undefined ? null : numberOf(row, 'id')
}
