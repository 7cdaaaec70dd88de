// Rows of frontiers in PostgreSQL: see src/store/postgres/migrations for the tables. Times are those of the
// server's clock.
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import type { Postgres, Row as SqlRow } from '../../db/postgres.ts'
import {
  type Batch,
  type CrawlView,
  FencedOut,
  type FrontierStorage,
  type Message,
  type Ownership,
  type PartitionView,
  type RowsOfTable,
  type StoredUrlStates,
} from '../storage.ts'
import { loadRows } from './load-rows.ts'
import { PostgresUrlStates } from './postgres-url-states.ts'
import { type NumberedBatch, writeStatement } from './write-statement.ts'

type Value = string | number

/** The caller closes the connections. */
export function createPostgresStorage(db: Postgres): FrontierStorage {
  return new PostgresStorage(db)
}

/** The number of batches that this process has sent. An epoch belongs to one process. */
let sent = 0

class PostgresStorage implements FrontierStorage {
  readonly #db: Postgres
  /** By crawl: the last write. The next one waits for it, as they may go different ways to the server. */
  readonly #writes = new Map<number, Promise<void>>()
  /** By partition: the last batch that the server said it had written. */
  readonly #written = new Map<string, { readonly epoch: number; readonly number: number }>()

  constructor(db: Postgres) {
    this.#db = db
  }

  async divide({ id, salt }: Pick<Job, 'id' | 'salt'>, partitions: number): Promise<number> {
    const known = await this.#crawl(id)
    const crawl = known ?? (await this.#divide(id, salt, partitions))
    if (Number(crawl?.salt) === salt) return Number(crawl?.partitions)
    throw new CrawlerError(
      'store-damaged',
      `${this.#db.shown} has the frontier of another crawl with the number ${id}`,
    )
  }

  async partitionsOf(crawlId: number): Promise<number> {
    return Number((await this.#crawl(crawlId))?.partitions ?? 0)
  }

  async report(crawlId: number, owner: string, forMs: number): Promise<CrawlView> {
    return crawlViewOf(await this.#ask(REPORT, [crawlId, owner, forMs]))
  }

  async view(crawlId: number): Promise<CrawlView> {
    return crawlViewOf(await this.#ask(VIEW, [crawlId]))
  }

  async claim(crawlId: number, partition: number, owner: string): Promise<Ownership | null> {
    const [row] = await this.#ask(CLAIM, [crawlId, partition, owner])
    if (row === undefined) return null
    const wasReleased = row.was_released === true
    return { crawlId, partition, owner, epoch: Number(row.epoch), wasReleased }
  }

  async release({ crawlId, partition, owner, epoch }: Ownership): Promise<void> {
    await this.#ask(RELEASE, [crawlId, partition, owner, epoch])
  }

  async leave(crawlId: number, owner: string): Promise<void> {
    await this.#ask('DELETE FROM frontier_owners WHERE crawl_id = $1 AND owner = $2', [
      crawlId,
      owner,
    ])
  }

  async *load(ownership: Ownership): AsyncGenerator<RowsOfTable> {
    yield* loadRows(this.#db, ownership)
    const rows = await this.#ask(OWNED, [ownership.crawlId])
    const row = rows.find(({ partition }) => Number(partition) === ownership.partition)
    if (!isOwnedBy(row, ownership)) throw new FencedOut(ownership)
  }

  async write(batches: readonly Batch[]): Promise<void> {
    const byCrawl = Map.groupBy(batches, ({ ownership }) => ownership.crawlId)
    await Promise.all(Array.from(byCrawl, ([crawlId, some]) => this.#inTurn(crawlId, some)))
  }

  async inbox({ crawlId, partition }: Ownership, limit: number): Promise<readonly Message[]> {
    const rows = await this.#ask(INBOX, [crawlId, partition, limit])
    return rows.map((row) => ({
      from: Number(row.from_partition),
      to: partition,
      number: Number(row.number),
      body: row.body instanceof Uint8Array ? row.body : new Uint8Array(0),
    }))
  }

  async states({ id }: Pick<Job, 'id'>): Promise<StoredUrlStates | null> {
    const partitions = await this.partitionsOf(id)
    return partitions === 0 ? null : new PostgresUrlStates(this.#db, id, partitions)
  }

  async discard(crawlId: number): Promise<void> {
    await this.#ask('SELECT discard_frontier($1)', [crawlId])
  }

  async #crawl(crawlId: number): Promise<SqlRow | undefined> {
    const text = 'SELECT salt, partitions FROM frontier_crawls WHERE crawl_id = $1'
    return (await this.#ask(text, [crawlId]))[0]
  }

  #divide(crawlId: number, salt: number, partitions: number): Promise<SqlRow | undefined> {
    return this.#db.inTransaction(async (sql) => {
      const ask = (text: string, values: Value[]) => sql.unsafe(text, values, { prepare: true })
      await ask(`SELECT pg_advisory_xact_lock(hashtextextended('jelajah frontier', $1))`, [crawlId])
      await ask('SELECT make_partitions($1)', [crawlId])
      const added = await ask(ADD_CRAWL, [crawlId, salt, partitions])
      if (added.length > 0) await ask(ADD_PARTITIONS, [crawlId, partitions])
      const all = await ask('SELECT * FROM frontier_crawls WHERE crawl_id = $1', [crawlId])
      return all[0]
    })
  }

  /** After every write before it that was not answered yet; if one of those fails, so does this one. */
  #inTurn(crawlId: number, batches: readonly Batch[]): Promise<void> {
    const before = this.#writes.get(crawlId) ?? Promise.resolve()
    const written = before.then(() => this.#write(crawlId, batches))
    this.#writes.set(crawlId, written)
    const forget = (): void => {
      if (this.#writes.get(crawlId) === written) this.#writes.delete(crawlId)
    }
    written.then(forget, forget)
    return written
  }

  async #write(crawlId: number, batches: readonly Batch[]): Promise<void> {
    const numbered = batches.map((batch) => this.#numbered(batch))
    const { text, values } = writeStatement(numbered)
    const passed = await this.#ask(text, values)
    if (passed.length < batches.length) await this.#checkOthers(crawlId, numbered, passed)
    for (const { ownership, number } of numbered) {
      this.#written.set(nameOf(ownership), { epoch: ownership.epoch, number })
    }
  }

  #numbered(batch: Batch): NumberedBatch {
    const last = this.#written.get(nameOf(batch.ownership))
    const after = last?.epoch === batch.ownership.epoch ? last.number : 0
    return { ...batch, number: ++sent, after }
  }

  /** Batches that did not pass the fence: an earlier try of this write has written them, or nobody will. */
  async #checkOthers(
    crawlId: number,
    batches: readonly NumberedBatch[],
    passed: readonly SqlRow[],
  ): Promise<void> {
    const done = new Set(passed.map(({ partition }) => Number(partition)))
    const rows = await this.#ask(OWNED, [crawlId])
    const owned = new Map(rows.map((row) => [Number(row.partition), row]))
    for (const { ownership, number } of batches) {
      const row = owned.get(ownership.partition)
      const isOwn = isOwnedBy(row, ownership)
      const isWritten = done.has(ownership.partition) || (isOwn && Number(row?.written) >= number)
      if (!isWritten) throw new FencedOut(ownership)
    }
  }

  #ask(text: string, values: readonly Value[]): Promise<readonly SqlRow[]> {
    return this.#db.run(async (sql) => sql.unsafe<SqlRow[]>(text, [...values], { prepare: true }))
  }
}

const ADD_CRAWL = `
  INSERT INTO frontier_crawls (crawl_id, salt, partitions) VALUES ($1, $2, $3)
  ON CONFLICT DO NOTHING RETURNING crawl_id`
const ADD_PARTITIONS = `
  INSERT INTO frontier_partitions (crawl_id, partition)
  SELECT $1, partition FROM generate_series(0, $2::integer - 1) partition`

/** The row that is written here is not seen here: this owner is alive whatever the table says. */

function crawlViewOf([row]: readonly SqlRow[]): CrawlView {
  const owners = listOf(row?.owners).map(String)
  return {
    now: Number(row?.now),
    owners: owners.sort(),
    partitions: listOf(row?.partitions).map((each) => viewOf(each, owners)),
  }
}

const SEEN = `
  waiting AS (
    SELECT to_partition AS partition, count(*) AS messages
    FROM frontier_messages WHERE crawl_id = $1 GROUP BY 1
  )
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
    (SELECT json_agg(owner) FROM alive)::text AS owners,
    (SELECT json_agg(json_build_array(partition, owner, epoch, summary, coalesce(messages, 0))
      ORDER BY partition)
    FROM frontier_partitions LEFT JOIN waiting USING (partition) WHERE crawl_id = $1
    )::text AS partitions`
const REPORT = `
  WITH own AS (
    INSERT INTO frontier_owners (crawl_id, owner, until)
    SELECT crawl_id, $2, clock_timestamp() + $3::float8 * interval '1 ms'
    FROM frontier_crawls WHERE crawl_id = $1
    ON CONFLICT (crawl_id, owner) DO UPDATE SET until = excluded.until RETURNING owner
  ), alive AS (
    SELECT owner FROM frontier_owners WHERE crawl_id = $1 AND until > clock_timestamp()
    UNION SELECT owner FROM own
  ), ${SEEN}`
const VIEW = `
  WITH alive AS (
    SELECT owner FROM frontier_owners WHERE crawl_id = $1 AND until > clock_timestamp()
  ), ${SEEN}`

const ALIVE = `
  SELECT FROM frontier_owners o WHERE o.crawl_id = $1 AND o.until > clock_timestamp() AND o.owner`
/** Owners that were silent for so long are forgotten; they have lost their partitions before. */
const CLAIM = `
  WITH gone AS (
    DELETE FROM frontier_owners WHERE crawl_id = $1 AND until < clock_timestamp() - interval '1 day'
  )
  UPDATE frontier_partitions p SET owner = $3, epoch = epoch + 1, written = 0
  WHERE crawl_id = $1 AND partition = $2 AND EXISTS (${ALIVE} = $3)
    AND (owner = $3 OR NOT EXISTS (${ALIVE} = p.owner))
  RETURNING epoch, released_epoch = epoch - 1 AS was_released`
const RELEASE = `
  UPDATE frontier_partitions SET owner = '', released_epoch = epoch
  WHERE crawl_id = $1 AND partition = $2 AND owner = $3 AND epoch = $4`
const OWNED = `
  SELECT partition, owner, epoch, written FROM frontier_partitions WHERE crawl_id = $1`

/** The first of each sender, then the second of each. */
const INBOX = `
  SELECT m.from_partition, m.number, m.body FROM (
    SELECT sender.partition, number, nth FROM frontier_partitions sender, LATERAL (
      SELECT number, row_number() OVER (ORDER BY number) AS nth FROM (
        SELECT number FROM frontier_messages
        WHERE crawl_id = $1 AND to_partition = $2 AND from_partition = sender.partition
        ORDER BY number LIMIT $3
      ) oldest
    ) oldest
    WHERE sender.crawl_id = $1 ORDER BY nth, sender.partition LIMIT $3
  ) first JOIN frontier_messages m ON m.crawl_id = $1 AND m.to_partition = $2
    AND m.from_partition = first.partition AND m.number = first.number
  ORDER BY first.nth, first.partition`

function isOwnedBy(row: SqlRow | undefined, { owner, epoch }: Ownership): boolean {
  return row?.owner === owner && Number(row.epoch) === epoch
}

function nameOf({ crawlId, partition }: Ownership): string {
  return `${crawlId}/${partition}`
}

function listOf(json: unknown): readonly unknown[] {
  const list: unknown = typeof json === 'string' ? JSON.parse(json) : []
  return Array.isArray(list) ? list : []
}

function viewOf(json: unknown, owners: readonly string[]): PartitionView {
  const [partition, owner, epoch, summary, messages] = Array.isArray(json) ? json : []
  return {
    partition: Number(partition),
    owner: owners.includes(String(owner)) ? String(owner) : '',
    epoch: Number(epoch),
    summary: String(summary),
    messages: Number(messages),
  }
}
