// Pages whole, in short reads of some pages each: no transaction stays open while they are written
// somewhere, and no more than those pages are in memory.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Postgres } from '../../db/postgres.ts'
import { numberArray } from '../../db/postgres-array.ts'
import { pageFromRow, partsFromRow } from '../page-rows.ts'
import { numberOf, type Row, textOf, urlOf } from '../row-values.ts'
import { partsOf, repeatsFrom } from '../whole-page-parts.ts'
import type { LeftOut, PageNeeds, WholePage, WholePageRange, WholePages } from '../whole-pages.ts'
import { ask, askOne, crawlsOf } from './ask.ts'
import { ofPage, sizeOf, upToSize } from './up-to-size.ts'
import { type Choice, conditionsOf } from './whole-page-filter.ts'

const decompress = promisify(zstdDecompress)

/** Texts, parts and compressed bodies of one read; the page that goes beyond it is the last. */
const BYTES_AT_ONCE = 4_000_000
const IDS_AT_ONCE = 100_000

/** The store stays its opener's. */
export function createPostgresWholePages(db: Postgres): WholePages {
  return new PostgresWholePages(db)
}

class PostgresWholePages implements WholePages {
  readonly #db: Postgres

  constructor(db: Postgres) {
    this.#db = db
  }

  async mark(): Promise<string> {
    return textOf(await askOne(this.#db, 'SELECT mark FROM page_log'), 'mark')
  }

  async lastId(): Promise<number> {
    return numberOf(await askOne(this.#db, 'SELECT max(id) AS id FROM pages'), 'id')
  }

  count(range: WholePageRange): Promise<number> {
    return this.#count(range, 'wanted')
  }

  async leftOut(range: WholePageRange): Promise<LeftOut> {
    const isAll = range.filter.duplicates === true
    return {
      noindex: await this.#count(range, 'noindex'),
      duplicates: isAll ? 0 : await this.#count(range, 'repeating'),
    }
  }

  async ids(range: WholePageRange): Promise<readonly number[]> {
    const ids: number[] = []
    const crawlIds = await this.#crawlsOf(range)
    for (const part of partsOf(range)) {
      for (let { after } = part; ; ) {
        const some = await this.#someIds({ ...part, after }, crawlIds)
        for (const id of some) ids.push(id)
        if (some.length < IDS_AT_ONCE) break
        after = some.at(-1) ?? after
      }
    }
    return ids
  }

  async some(range: WholePageRange, needs: PageNeeds, limit: number): Promise<WholePage[]> {
    const crawlIds = await this.#crawlsOf(range)
    for (const part of partsOf(range)) {
      const wanted = conditionsOf(part, crawlIds)
      const pages = `
        SELECT ${columnsOf(needs)} FROM pages p WHERE ${wanted.where}
        ORDER BY p.id ${wanted.bind('LIMIT ?', limit)}`
      const rows = await ask(this.#db, wholeQuery(pages, needs), wanted.values)
      if (rows.length > 0) return Promise.all(rows.map((row) => pageOf(row, needs)))
    }
    return []
  }

  async hasHtml(range: WholePageRange): Promise<boolean> {
    const crawlIds = await this.#crawlsOf(range)
    for (const part of partsOf(range)) {
      const { where, values } = conditionsOf(part, crawlIds)
      const body = 'SELECT FROM page_html h WHERE h.crawl_id = p.crawl_id AND h.page_id = p.id'
      const query = `SELECT 1 FROM pages p WHERE ${where} AND EXISTS (${body}) LIMIT 1`
      if ((await ask(this.#db, query, values)).length > 0) return true
    }
    return false
  }

  async urlsOf(ids: readonly number[]): Promise<ReadonlyMap<number, CanonicalUrl>> {
    const query = `
      SELECT id, url FROM pages
      WHERE crawl_id = ANY($1::bigint[]) AND id = ANY($2::bigint[]) AND noindex = 0 ORDER BY id`
    const crawls = await crawlsOf(this.#db, ids)
    const rows = await ask(this.#db, query, [numberArray(crawls), numberArray(ids)])
    return new Map(rows.map((row) => [numberOf(row, 'id'), urlOf(row, 'url')]))
  }

  async repeatsOf(crawlId: number): Promise<ReadonlyMap<number, readonly number[]>> {
    const query = `
      SELECT id, duplicate_of FROM pages
      WHERE crawl_id = $1 AND duplicate_of IS NOT NULL AND noindex = 0 ORDER BY id`
    const rows = await ask(this.#db, query, [crawlId])
    return repeatsFrom(rows.map((row) => [numberOf(row, 'duplicate_of'), numberOf(row, 'id')]))
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Pages of a crawl that was removed are there for a while after it. */
  async #crawlsOf({ filter }: WholePageRange): Promise<readonly number[]> {
    if (filter.crawlIds?.length === 1) return filter.crawlIds
    const known = await ask(this.#db, 'SELECT id FROM crawls ORDER BY id')
    const ids = known.map((row) => numberOf(row, 'id'))
    return ids.filter((id) => filter.crawlIds?.includes(id) ?? true)
  }

  async #count(range: WholePageRange, choice: Choice): Promise<number> {
    const crawlIds = await this.#crawlsOf(range)
    let count = 0
    for (const part of partsOf(range)) {
      const { where, values } = conditionsOf(part, crawlIds, choice)
      const row = await askOne(this.#db, `SELECT count(*) AS n FROM pages p WHERE ${where}`, values)
      count += numberOf(row, 'n')
    }
    return count
  }

  async #someIds(range: WholePageRange, crawlIds: readonly number[]): Promise<readonly number[]> {
    const wanted = conditionsOf(range, crawlIds)
    const query = `
      SELECT p.id FROM pages p WHERE ${wanted.where}
      ORDER BY p.id ${wanted.bind('LIMIT ?', IDS_AT_ONCE)}`
    return (await ask(this.#db, query, wanted.values)).map((row) => numberOf(row, 'id'))
  }
}

/** In what order they stand does not matter. */
const COLUMNS = [
  ...['id', 'crawl_id', 'duplicate_of', 'url', 'canonical_url', 'status_code', 'content_type'],
  ...['charset', 'title', 'description', 'keywords', 'language', 'author', 'kind'],
  ...['published_at', 'published_day'],
  ...['html5', 'hot', 'relevance', 'depth', 'size_bytes', 'truncated', 'noindex', 'content_hash'],
  ...['fetched_at', 'fetch_ms', 'parse_ms', 'etag', 'last_modified', 'about'],
]

function columnsOf({ text = true }: PageNeeds): string {
  return [...COLUMNS, ...(text ? ['content_text'] : [])].map((name) => `p.${name}`).join(', ')
}

/** The pages of a query with what else is needed of each. */
function wholeQuery(pages: string, { text = true, parts = [], html = false }: PageNeeds): string {
  const more = [...parts.map((part) => `parts.${part}`), ...(html ? ['body.html'] : [])]
  const large = [...(text ? ['p.content_text'] : []), ...more]
  const whole = `
    SELECT ${['p.*', ...more, sizeOf(large)].join(', ')} FROM (${pages}) p
    ${parts.length > 0 ? ofPage('page_parts', 'parts') : ''}
    ${html ? ofPage('page_html', 'body') : ''}`
  return upToSize(whole, 'id', String(BYTES_AT_ONCE))
}

async function pageOf(row: Row, { parts = [], html = false }: PageNeeds): Promise<WholePage> {
  return {
    ...pageFromRow(row),
    parts: partsFromRow(row, parts),
    html: html && row.html instanceof Uint8Array ? await decompress(row.html) : null,
  }
}
