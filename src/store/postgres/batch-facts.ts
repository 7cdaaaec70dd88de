// What must be known to decide on a batch of pages, in one or two short looks under the crawl's lock.
import { STORED_PARTS } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import { type BatchFacts, cachedPageFrom, PageBatchCache } from '../batch/page-batch-cache.ts'
import { type Entry, isPage, urlIn } from '../page-store.ts'
import { numberOf } from '../row-values.ts'
import { send } from './many-rows.ts'

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

  /** Null if the crawl no longer exists. The caller holds no lock but the writer's. */
  async read(sql: Transaction, batch: readonly Entry[]): Promise<BatchFacts | null> {
    const cache = new PageBatchCache()
    // Nearly all pages of a first crawl are new: ids for all of them save a look-up and waste few ids.
    const isFirst = this.#round === 0
    const isWhole = !isFirst && batch.some(isPage)
    const [counts, whole, twins, brief, firstId] = await Promise.all([
      this.#lock(sql),
      isWhole ? send(sql, this.#sql.whole, [textArray(urlsOf(batch))]) : [],
      this.#twins(sql, canonicalUrlsOf(batch)),
      this.#brief(sql, isWhole ? [] : urlsOf(batch), batch),
      isFirst ? this.#takeIds(sql, pagesOf(batch).size) : 0,
    ])
    if (counts === undefined) return null
    // What has most columns first: that stays.
    for (const row of whole) cache.put(cachedPageFrom(row, true))
    for (const row of [...twins, ...brief]) cache.put(cachedPageFrom(row, false))
    const stock = { stored: numberOf(counts, 'stored'), hot: numberOf(counts, 'hot') }
    if (!isFirst) return { cache, stock, ...(await this.#lookAgain(sql, cache, batch)) }
    await this.#putMissing(sql, cache)
    return { cache, stock, firstId, afterPage: 0 }
  }

  async #lock(sql: Transaction): Promise<Row | undefined> {
    const [row] = await send(sql, this.#sql.lock, [this.#crawlId])
    return row
  }

  async #twins(sql: Transaction, urls: string[]): Promise<readonly Row[]> {
    if (urls.length === 0) return []
    return send(sql, this.#sql.twins, [textArray(urls)])
  }

  /** By their URLs, and then the first ones of their content. */
  async #brief(sql: Transaction, urls: string[], batch: readonly Entry[]): Promise<readonly Row[]> {
    const hashes = [...new Set(batch.filter(isPage).map(({ page }) => page.fields.contentHash))]
    if (urls.length === 0 && hashes.length === 0) return []
    return send(sql, this.#sql.brief, [textArray(urls), textArray(hashes)])
  }

  /** Pages that others repeat. */
  async #putMissing(sql: Transaction, cache: PageBatchCache): Promise<readonly Row[]> {
    const rows = await this.#ofIds(sql, this.#sql.byId, cache.missing())
    for (const row of rows) cache.put(cachedPageFrom(row, false))
    return rows
  }

  /** In a recrawl: ids for new pages, and which pages duplicate which; both depend on what was found. */
  async #lookAgain(
    sql: Transaction,
    cache: PageBatchCache,
    batch: readonly Entry[],
  ): Promise<Pick<BatchFacts, 'firstId' | 'afterPage'>> {
    const fresh = [...pagesOf(batch)].filter((url) => cache.find(url) === undefined)
    const seen = urlsOf(batch).flatMap((url) => cache.find(url)?.id ?? [])
    const [firstId, afterPage, repeating, missing] = await Promise.all([
      this.#takeIds(sql, fresh.length),
      this.#afterPage(sql),
      this.#ofIds(sql, this.#sql.repeating, seen),
      this.#putMissing(sql, cache),
    ])
    for (const row of repeating) cache.put(cachedPageFrom(row, false))
    const others = [...repeating, ...missing].map((row) => numberOf(row, 'id'))
    await this.#putChecks(sql, cache, [...seen, ...others])
    return { firstId, afterPage }
  }

  async #takeIds(sql: Transaction, pages: number): Promise<number> {
    if (pages === 0) return 0
    const values = [this.#crawlId, pages]
    const [row = {}] = await send(sql, this.#sql.takeIds, values)
    return numberOf(row, 'first')
  }

  async #afterPage(sql: Transaction): Promise<number> {
    const values = [this.#crawlId, this.#round]
    const [row = {}] = await send(sql, this.#sql.afterPage, values)
    return numberOf(row, 'after_page')
  }

  async #ofIds(sql: Transaction, query: string, ids: readonly number[]): Promise<readonly Row[]> {
    if (ids.length === 0) return []
    return send(sql, query, [numberArray(ids)])
  }

  async #putChecks(sql: Transaction, cache: PageBatchCache, ids: readonly number[]): Promise<void> {
    for (const row of await this.#ofIds(sql, this.#sql.checks, ids)) {
      const page = cache.get(numberOf(row, 'page_id'))
      if (page !== undefined) page.check = row
    }
  }
}

function pagesOf(batch: readonly Entry[]): Set<CanonicalUrl> {
  return new Set(batch.filter(isPage).map(({ page }) => page.fields.url))
}

function urlsOf(batch: readonly Entry[]): CanonicalUrl[] {
  return [...new Set(batch.map(urlIn))]
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
  const ofContent = 'content_hash = asked.hash AND duplicate_of IS NULL'
  const lookUp = (asked: string, columns: string, from: string, where: string, hole = '$1') => `
    SELECT found.* FROM unnest(${hole}::${asked}
    CROSS JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE ${where} OFFSET 0) found`
  const partsOf = `LEFT JOIN page_parts_${crawlId} parts ON parts.page_id = p.id`
  return {
    lock: 'SELECT stored, hot FROM crawl_counts WHERE crawl_id = $1 FOR UPDATE',
    brief: `${lookUp('text[]) asked (url)', BRIEF, pages, ofUrl)} UNION ALL
      ${lookUp('text[]) asked (hash)', BRIEF, pages, ofContent, '$2')}`,
    twins: lookUp('text[]) asked (url)', `${BRIEF}, content_text`, pages, ofUrl),
    whole: lookUp(
      'text[]) asked (url)',
      `p.*, ${STORED_PARTS.join(', ')}`,
      `(SELECT * FROM ${pages} WHERE ${ofUrl} OFFSET 0) p ${partsOf}`,
      'true',
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
