// Pages as readers see them. Every call is one or two short reads: no writer ever waits for one.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import {
  PARTS,
  type PageHistory,
  type PageLink,
  type PageParts,
  partRows,
  type StoredPage,
} from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Postgres } from '../../db/postgres.ts'
import { pageFromRow, partsFromRow } from '../page-rows.ts'
import type { PageReader, PageTotals } from '../page-store.ts'
import { goneFromRow, looksFromRow, totalsFromRows } from '../reader-rows.ts'
import { numberOf, type Row, textOf, urlOf } from '../row-values.ts'
import { ask, crawlOf } from './ask.ts'
import { Conditions } from './conditions.ts'

const decompress = promisify(zstdDecompress)

type ListOptions = Parameters<PageReader['list']>[0]

/** The store stays its opener's. */
export function createPostgresPageReader(db: Postgres): PageReader {
  return new PostgresPageReader(db)
}

class PostgresPageReader implements PageReader {
  readonly #db: Postgres

  constructor(db: Postgres) {
    this.#db = db
  }

  async get(id: number): Promise<StoredPage | null> {
    const row = await this.#ofPage(id, 'SELECT * FROM pages WHERE crawl_id = $1 AND id = $2')
    return row === undefined ? null : pageFromRow(row)
  }

  async findByUrl(crawlId: number, url: CanonicalUrl): Promise<StoredPage | null> {
    const row = await this.#byUrl('SELECT * FROM pages', crawlId, url)
    return row === undefined ? null : pageFromRow(row)
  }

  async list(options: ListOptions): Promise<readonly StoredPage[]> {
    const { crawlId, after, limit, host, hot, minRelevance } = options
    const wanted = new Conditions().add('crawl_id = ?', crawlId).add('id > ?', after)
    if (host !== undefined) wanted.add('host = ?', host)
    if (hot === true) wanted.add('hot = 1')
    if (minRelevance !== undefined) wanted.add('relevance >= ?', minRelevance)
    const rest = `WHERE ${wanted.where} ORDER BY id ${wanted.bind('LIMIT ?', limit)}`
    const rows = await ask(this.#db, `SELECT * FROM pages ${rest}`, wanted.values)
    return rows.map(pageFromRow)
  }

  async linksOf(pageId: number): Promise<readonly PageLink[]> {
    const query = 'SELECT links FROM page_parts WHERE crawl_id = $1 AND page_id = $2'
    const { links = null } = (await this.#ofPage(pageId, query)) ?? {}
    return partRows('links', links === null ? '[]' : String(links)).map((row) => ({
      pageId,
      url: urlOf(row, 'url'),
      anchor: textOf(row, 'anchor'),
      rel: textOf(row, 'rel'),
    }))
  }

  async partsOf(pageId: number): Promise<PageParts> {
    const query = 'SELECT * FROM page_parts WHERE crawl_id = $1 AND page_id = $2'
    const row = (await this.#ofPage(pageId, query)) ?? {}
    return partsFromRow(row, PARTS)
  }

  async htmlOf(pageId: number): Promise<Uint8Array | null> {
    const query = 'SELECT html FROM page_html WHERE crawl_id = $1 AND page_id = $2'
    const html = (await this.#ofPage(pageId, query))?.html
    return html instanceof Uint8Array ? decompress(html) : null
  }

  async historyOf(crawlId: number, url: CanonicalUrl): Promise<PageHistory> {
    const page = await this.#byUrl('SELECT id FROM pages', crawlId, url)
    if (page === undefined) return { looks: null, gone: await this.#goneOf(crawlId, url) }
    const query = 'SELECT * FROM page_checks WHERE crawl_id = $1 AND page_id = $2'
    const [looks] = await ask(this.#db, query, [crawlId, numberOf(page, 'id')])
    return { looks: looks === undefined ? null : looksFromRow(looks), gone: null }
  }

  async totals(crawlId: number): Promise<PageTotals> {
    const query = 'SELECT * FROM host_totals WHERE crawl_id = $1 ORDER BY stored DESC, host'
    return totalsFromRows(await ask(this.#db, query, [crawlId]))
  }

  async truncated(crawlId: number): Promise<number> {
    const where = 'crawl_id = $1 AND truncated = 1 AND duplicate_of IS NULL'
    const query = `SELECT count(*) AS n FROM pages WHERE ${where}`
    return Number((await ask(this.#db, query, [crawlId]))[0]?.n ?? 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #ofPage(id: number, query: string): Promise<Row | undefined> {
    const crawlId = await crawlOf(this.#db, id)
    return crawlId === null ? undefined : (await ask(this.#db, query, [crawlId, id]))[0]
  }

  async #byUrl(select: string, crawlId: number, url: CanonicalUrl): Promise<Row | undefined> {
    const where = 'crawl_id = $1 AND hashtextextended(url, 0) = hashtextextended($2, 0)'
    return (await ask(this.#db, `${select} WHERE ${where} AND url = $2`, [crawlId, url]))[0]
  }

  async #goneOf(crawlId: number, url: CanonicalUrl): Promise<PageHistory['gone']> {
    const [row] = await ask(this.#db, GONE, [url, crawlId])
    return row === undefined ? null : goneFromRow(row)
  }
}

const GONE = `
  SELECT page_id, at, reason, coalesce((SELECT max(round) FROM crawl_rounds r
    WHERE r.crawl_id = gone.crawl_id AND r.began_at <= gone.at), 1) AS round
  FROM page_changes gone
  WHERE change = 'delete' AND hashtextextended(url, 0) = hashtextextended($1, 0) AND url = $1
    AND crawl_id = $2
  ORDER BY cursor DESC LIMIT 1`
