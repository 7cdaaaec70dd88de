// What must be known to decide on a batch of pages, in two short looks under the crawl's lock.

import { PARTS } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import type { PageCheck, PageToSave } from '../page-store.ts'
import { numberOf } from '../row-values.ts'
import { PageShelf, shelvedFrom } from './page-shelf.ts'
import { send } from './send.ts'

export type Entry = PageToSave | PageCheck

export type BatchFacts = {
  readonly shelf: PageShelf
  /** Pages the crawl has, duplicates not counted, and the hot ones among them. */
  readonly stock: { readonly stored: number; readonly hot: number }
  /** The first of the ids for new pages, as many as there may be. */
  readonly firstId: number
  /** The largest id a page had when the round began. */
  readonly afterPage: number
}

const BRIEF = [
  'id, url, canonical_url, content_hash, duplicate_of, noindex, size_bytes, relevance, hot, kind',
  'fetched_at',
].join(', ')

export class FactReader {
  readonly #crawlId: number
  readonly #round: number
  readonly #sql: ReturnType<typeof queries>

  constructor(crawlId: number, round: number) {
    this.#crawlId = crawlId
    this.#round = round
    this.#sql = queries(crawlId)
  }

  /** Null when there is no such crawl any more. To be called by who has no lock but its writer's. */
  async read(sql: Transaction, batch: readonly Entry[]): Promise<BatchFacts | null> {
    const shelf = new PageShelf()
    const [counts, ...found] = await Promise.all([
      this.#lock(sql),
      this.#byUrl(sql, urlsOf(batch), this.#round > 0 && batch.some(isPage)),
      this.#twins(sql, canonicalUrlsOf(batch)),
      this.#byHash(sql, batch),
    ])
    if (counts === undefined) return null
    const [known, twins, firsts] = found
    // What has most columns first: that stays.
    const isWhole = known.some((row) => 'links' in row)
    if (isWhole) for (const row of known) shelf.put(shelvedFrom(row, true))
    for (const row of twins) shelf.put(shelvedFrom(row, false))
    for (const row of known) shelf.put(shelvedFrom(row, false))
    for (const row of firsts) shelf.put(shelvedFrom(row, false))
    const stock = { stored: numberOf(counts, 'stored'), hot: numberOf(counts, 'hot') }
    return { shelf, stock, ...(await this.#lookAgain(sql, shelf, batch)) }
  }

  async #lock(sql: Transaction): Promise<Row | undefined> {
    const [row] = await send(sql, this.#sql.lock, [this.#crawlId])
    return row
  }

  async #byUrl(sql: Transaction, urls: string[], isWhole: boolean): Promise<readonly Row[]> {
    const query = isWhole ? this.#sql.whole : this.#sql.byUrl
    return send(sql, query, [textArray(urls)])
  }

  async #twins(sql: Transaction, urls: string[]): Promise<readonly Row[]> {
    if (urls.length === 0) return []
    return send(sql, this.#sql.twins, [textArray(urls)])
  }

  async #byHash(sql: Transaction, batch: readonly Entry[]): Promise<readonly Row[]> {
    const hashes = [...new Set(batch.filter(isPage).map(({ page }) => page.fields.contentHash))]
    if (hashes.length === 0) return []
    return send(sql, this.#sql.byHash, [textArray(hashes)])
  }

  /** What depends on what was found: ids for new pages, and who repeats whom. */
  async #lookAgain(
    sql: Transaction,
    shelf: PageShelf,
    batch: readonly Entry[],
  ): Promise<Pick<BatchFacts, 'firstId' | 'afterPage'>> {
    const pages = batch.filter(isPage).map(({ page }) => page.fields.url)
    const fresh = new Set(pages.filter((url) => shelf.find(url) === undefined))
    const seen = urlsOf(batch).flatMap((url) => shelf.find(url)?.id ?? [])
    const [firstId, afterPage, repeating, missing] = await Promise.all([
      this.#takeIds(sql, fresh.size),
      this.#afterPage(sql),
      this.#round > 0 ? this.#ofIds(sql, this.#sql.repeating, seen) : [],
      this.#ofIds(sql, this.#sql.byId, shelf.missing()),
    ])
    for (const row of [...repeating, ...missing]) shelf.put(shelvedFrom(row, false))
    if (this.#round > 0) {
      const ids = [...seen, ...[...repeating, ...missing].map((row) => numberOf(row, 'id'))]
      await this.#putChecks(sql, shelf, ids)
    }
    return { firstId, afterPage }
  }

  async #takeIds(sql: Transaction, pages: number): Promise<number> {
    if (pages === 0) return 0
    const values = [this.#crawlId, pages]
    const [row = {}] = await send(sql, this.#sql.takeIds, values)
    return numberOf(row, 'first')
  }

  async #afterPage(sql: Transaction): Promise<number> {
    if (this.#round === 0) return 0
    const values = [this.#crawlId, this.#round]
    const [row = {}] = await send(sql, this.#sql.afterPage, values)
    return numberOf(row, 'after_page')
  }

  async #ofIds(sql: Transaction, query: string, ids: readonly number[]): Promise<readonly Row[]> {
    if (ids.length === 0) return []
    return send(sql, query, [numberArray(ids)])
  }

  async #putChecks(sql: Transaction, shelf: PageShelf, ids: readonly number[]): Promise<void> {
    for (const row of await this.#ofIds(sql, this.#sql.checks, ids)) {
      const page = shelf.get(numberOf(row, 'page_id'))
      if (page !== undefined) page.check = row
    }
  }
}

export function isPage(entry: Entry): entry is PageToSave {
  return 'page' in entry
}

function urlsOf(batch: readonly Entry[]): CanonicalUrl[] {
  return [...new Set(batch.map((entry) => (isPage(entry) ? entry.page.fields.url : entry.url)))]
}

/** Those that a page may be near-equal to. */
function canonicalUrlsOf(batch: readonly Entry[]): CanonicalUrl[] {
  const all = batch.filter(isPage).map(({ page }) => page.fields)
  const named = all.map(({ url, canonicalUrl }) => (canonicalUrl === url ? null : canonicalUrl))
  return [...new Set(named.filter((url) => url !== null))]
}

/**
 * Of the crawl's own partitions, by name: a crawl's statements know nothing of other crawls, however many
 * there are. What is asked for is looked up one by one (`OFFSET 0` keeps the server from turning that
 * round): what it expects of a table that has just begun to fill is wrong a moment later, and is kept with
 * the statement.
 */
function queries(crawlId: number) {
  const pages = `pages_${crawlId}`
  const ofUrl = 'hashtextextended(url, 0) = hashtextextended(asked.url, 0) AND url = asked.url'
  const lookUp = (asked: string, columns: string, from: string, where: string) => `
    SELECT found.* FROM unnest($1::${asked}
    CROSS JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE ${where} OFFSET 0) found`
  const partsOf = `LEFT JOIN page_parts_${crawlId} parts ON parts.page_id = p.id`
  return {
    lock: 'SELECT stored, hot FROM crawl_counts WHERE crawl_id = $1 FOR UPDATE',
    byUrl: lookUp('text[]) asked (url)', BRIEF, pages, ofUrl),
    twins: lookUp('text[]) asked (url)', `${BRIEF}, content_text`, pages, ofUrl),
    whole: lookUp(
      'text[]) asked (url)',
      `p.*, ${PARTS.join(', ')}`,
      `(SELECT * FROM ${pages} WHERE ${ofUrl} OFFSET 0) p ${partsOf}`,
      'true',
    ),
    byHash: lookUp(
      'text[]) asked (hash)',
      BRIEF,
      pages,
      'content_hash = asked.hash AND duplicate_of IS NULL',
    ),
    byId: lookUp('bigint[]) asked (id)', BRIEF, pages, `${pages}.id = asked.id`),
    repeating: lookUp(
      'bigint[]) asked (id)',
      BRIEF,
      pages,
      'duplicate_of = asked.id AND duplicate_of IS NOT NULL',
    ),
    checks: lookUp('bigint[]) asked (id)', '*', `page_checks_${crawlId}`, 'page_id = asked.id'),
    takeIds: 'SELECT take_page_ids($1, $2) AS first',
    afterPage: 'SELECT after_page FROM crawl_rounds WHERE crawl_id = $1 AND round = $2',
  } as const
}
