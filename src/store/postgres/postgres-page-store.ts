// Pages of one crawl in PostgreSQL, for one of many writers. One transaction per batch, under the crawl's
// lock: what is there is read, the batch is decided on in memory, and the result is written.
//
// A commit whose answer is lost is found out about by the number of the batch, which is written with it:
// nothing is lost or done twice. Receipts are their writer's; when that is not seen any more, another one
// delivers them.
import { randomUUID } from 'node:crypto'
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { RoleChange } from '../../core/visit.ts'
import type { Postgres, Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import { type Answer, PageBatch } from '../batch/page-batch.ts'
import { keptHtml } from '../page-columns.ts'
import { savedFrom } from '../page-revisits.ts'
import {
  type Entry,
  type PageOutcome,
  type PageStore,
  type Undelivered,
  urlIn,
} from '../page-store.ts'
import { bytesOf, numberOf, numberOrNull, textOf, urlOf, urlsOf } from '../row-values.ts'
import { FactReader } from './batch-facts.ts'
import { BatchWriter } from './batch-writer.ts'
import { send } from './many-rows.ts'

/** A writer that gave no sign of life for this long is taken to be gone. */
const DEAD_AFTER_MS = 30_000
const SIGN_EVERY_MS = 10_000
/** Nobody asks for a writer that was gone for a day. */
const FORGOTTEN_AFTER_MS = 86_400_000

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
const SIGN = `
  INSERT INTO writers (id, seen_at, last_save) VALUES ($1, ${NOW}, $2)
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, last_save = excluded.last_save`
/** For what follows in the transaction, see batch-facts.ts; said with the sign, not to ask twice. */
const SIGN_AND_GO_BY_INDEX = `${SIGN}
  RETURNING set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_sort', 'off', true)`

type PageStoreOptions = {
  /** The caller closes it. */
  readonly db: Postgres
  readonly job: Job
  /** How long another writer's receipts wait for it. */
  readonly deadAfterMs?: number
}

export async function openPostgresPageStore(options: PageStoreOptions): Promise<PageStore> {
  const store = new PostgresPageStore(options)
  await store.begin()
  return store
}

class PostgresPageStore implements PageStore {
  readonly #db: Postgres
  readonly #job: Job
  readonly #deadAfterMs: number
  readonly #id = randomUUID()
  readonly #facts: FactReader
  readonly #writer: BatchWriter
  /** URL → page id of every receipt that this writer has to deliver. */
  readonly #receipts = new Map<string, number>()
  /** Acknowledged since the last commit. */
  #acknowledged: string[] = []
  #saves = 0
  /** One transaction after the other. */
  #last: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ db, job, deadAfterMs = DEAD_AFTER_MS }: PageStoreOptions) {
    const round = job.round ?? 0
    this.#db = db
    this.#job = job
    this.#deadAfterMs = deadAfterMs
    this.#facts = new FactReader(job.id, round)
    this.#writer = new BatchWriter({ crawlId: job.id, round, holder: this.#id })
  }

  async begin(): Promise<void> {
    await this.#db.run(async (sql) => {
      await send(sql, SIGN, [this.#id, 0])
      await sql.unsafe(`DELETE FROM writers WHERE seen_at < ${NOW} - ${FORGOTTEN_AFTER_MS}`)
    })
    this.#timer = setInterval(() => this.#giveSign(), SIGN_EVERY_MS)
    this.#timer.unref()
  }

  async save(batch: readonly Entry[]): Promise<readonly PageOutcome[]> {
    if (batch.length === 0) return []
    const bodies = await Promise.all(batch.map(keptHtml))
    const answers = await this.#inTurn(() => this.#commit(batch, bodies))
    batch.forEach((entry, at) => {
      const pageId = answers[at]?.pageId ?? null
      if (pageId !== null) this.#receipts.set(urlIn(entry), pageId)
    })
    return answers.map(({ saved }) => saved)
  }

  async undelivered(): Promise<readonly Undelivered[]> {
    const found = await this.#inTurn(() =>
      this.#db.inTransaction(async (sql) => {
        await this.#takeOver(sql)
        return undeliveredFrom(sql, this.#job.id, this.#id)
      }),
    )
    for (const { url, pageId } of found) this.#receipts.set(url, pageId)
    const acknowledged = new Set(this.#acknowledged)
    return found
      .filter(({ url }) => !acknowledged.has(url))
      .map(({ pageId: _, ...receipt }) => receipt)
  }

  acknowledge(urls: readonly CanonicalUrl[]): void {
    for (const url of urls) if (this.#receipts.has(url)) this.#acknowledged.push(url)
  }

  async count(): Promise<number> {
    const [row = {}] = await this.#db.run(
      (sql) => sql`SELECT stored FROM crawl_counts WHERE crawl_id = ${this.#job.id}`,
    )
    return numberOf(row, 'stored')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#inTurn(async () => {
      await this.#forget()
      // What it still had to deliver is anybody's from now on.
      await this.#db.run((sql) => sql`DELETE FROM writers WHERE id = ${this.#id}`)
    })
  }

  /** In one transaction: the receipts that may go, and the batch. Memory follows only when it held. */
  async #commit(
    batch: readonly Entry[],
    bodies: readonly (Uint8Array | null)[],
  ): Promise<readonly Answer[]> {
    const save = ++this.#saves
    const acknowledged = [...this.#acknowledged]
    let answers: readonly Answer[] = []
    await this.#db.inTransaction(async (sql, attempt) => {
      if (attempt > 1 && (await this.#lastSave(sql)) === save) return
      answers = await this.#write(sql, { save, acknowledged, batch, bodies })
    })
    this.#forgotten(acknowledged)
    return answers
  }

  async #write(
    sql: Transaction,
    work: {
      readonly save: number
      readonly acknowledged: readonly string[]
      readonly batch: readonly Entry[]
      readonly bodies: readonly (Uint8Array | null)[]
    },
  ): Promise<readonly Answer[]> {
    const { save, acknowledged, batch, bodies } = work
    const [facts] = await Promise.all([
      this.#readFacts(sql, save, batch),
      this.#deleteReceipts(sql, acknowledged),
    ])
    const decided = new PageBatch(this.#job, facts)
    const answers = batch.map((entry, at) => decided.save(entry, bodies[at] ?? null))
    await this.#writer.write(sql, decided.writes, facts.cache)
    return answers
  }

  async #readFacts(sql: Transaction, save: number, batch: readonly Entry[]) {
    const [, facts] = await Promise.all([
      send(sql, SIGN_AND_GO_BY_INDEX, [this.#id, save]),
      this.#facts.read(sql, batch),
    ])
    if (facts !== null) return facts
    throw new CrawlerError('store-damaged', `crawl ${this.#job.id} is not in ${this.#db.shown}`)
  }

  /** Waits for an earlier attempt that may still be at it. */
  async #lastSave(sql: Transaction): Promise<number> {
    const [row = {}] = await sql`SELECT last_save FROM writers WHERE id = ${this.#id} FOR UPDATE`
    return numberOf(row, 'last_save')
  }

  async #deleteReceipts(sql: Transaction, urls: readonly string[]): Promise<void> {
    const pageIds = urls.flatMap((url) => this.#receipts.get(url) ?? [])
    if (pageIds.length === 0) return
    // A writer that slept too long has lost them, and another may have written newer ones.
    const text = 'DELETE FROM undelivered WHERE page_id = ANY ($1::bigint[]) AND holder = $2'
    await send(sql, text, [numberArray(pageIds), this.#id])
  }

  #forgotten(urls: readonly string[]): void {
    for (const url of urls) this.#receipts.delete(url)
    this.#acknowledged = this.#acknowledged.slice(urls.length)
  }

  /** What was acknowledged, also when nothing is saved for a while. */
  async #forget(): Promise<void> {
    const acknowledged = [...this.#acknowledged]
    if (acknowledged.length === 0) return
    await this.#db.inTransaction((sql) => this.#deleteReceipts(sql, acknowledged))
    this.#forgotten(acknowledged)
  }

  /** Receipts of writers that are gone. */
  async #takeOver(sql: Transaction): Promise<void> {
    await send(
      sql,
      `UPDATE undelivered SET holder = $1
       WHERE crawl_id = $2 AND holder <> $1 AND NOT EXISTS (
         SELECT FROM writers WHERE writers.id = holder AND seen_at > ${NOW} - $3::bigint)`,
      [this.#id, this.#job.id, this.#deadAfterMs],
    )
  }

  #giveSign(): void {
    const sign = async () => {
      await this.#db.run((sql) => send(sql, SIGN, [this.#id, this.#saves]))
      await this.#forget()
    }
    // The next save gets the error.
    this.#inTurn(sign).catch(() => {})
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}

type UndeliveredRow = Undelivered & { readonly pageId: number }

/**
 * The receipts of one holder, oldest first: results as they were saved, but the page and those that moved
 * because of it as they are now.
 */
async function undeliveredFrom(
  sql: Transaction,
  crawlId: number,
  holder: string,
): Promise<readonly UndeliveredRow[]> {
  const rows = await sql<Row[]>`
    SELECT u.url_id, u.receipt, u.round, u.outcome, u.reason, u.moved, u.page_id AS id,
      first.url AS of, u.url, p.depth
    FROM undelivered u
    LEFT JOIN pages p ON p.crawl_id = ${crawlId} AND p.id = u.page_id
    LEFT JOIN pages first ON first.crawl_id = ${crawlId} AND first.id = p.duplicate_of
    WHERE u.crawl_id = ${crawlId} AND u.holder = ${holder} ORDER BY u.page_id`
  const moved = rows.flatMap((row) => (row.moved === null ? [] : urlsOf(row, 'moved')))
  const roles = moved.length === 0 ? new Map() : await rolesOf(sql, crawlId, moved)
  return rows.map((row) => ({
    pageId: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    urlId: numberOf(row, 'url_id'),
    depth: numberOrNull(row, 'depth'),
    round: numberOf(row, 'round'),
    saved: savedFrom(row, movedIn(row, roles)),
    receipt: bytesOf(row, 'receipt'),
  }))
}

function movedIn(row: Row, roles: ReadonlyMap<string, RoleChange>): readonly RoleChange[] | null {
  return row.moved === null ? null : urlsOf(row, 'moved').flatMap((url) => roles.get(url) ?? [])
}

async function rolesOf(
  sql: Transaction,
  crawlId: number,
  urls: readonly string[],
): Promise<ReadonlyMap<string, RoleChange>> {
  const rows = await sql<Row[]>`
    SELECT p.url, first.url AS of
    FROM unnest(${textArray([...new Set(urls)])}::text[]) asked (url)
    JOIN pages p ON p.crawl_id = ${crawlId} AND p.url = asked.url
      AND hashtextextended(p.url, 0) = hashtextextended(asked.url, 0)
    LEFT JOIN pages first ON first.crawl_id = ${crawlId} AND first.id = p.duplicate_of`
  return new Map(
    rows.map((row) => [
      textOf(row, 'url'),
      { url: urlOf(row, 'url'), of: row.of === null ? null : urlOf(row, 'of') },
    ]),
  )
}
