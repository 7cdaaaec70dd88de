// Pages to look through, out of `pages`. Their texts are never asked for, so that the server does not
// fetch what a long one spills over into either.
import type { Postgres } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import type {
  HostPages,
  PageBrowser,
  PageGlance,
  PageSort,
  PageWithLinks,
} from '../page-browser.ts'
import { glanceFromRow, withLinksFromRow } from '../page-rows.ts'
import { numberOf, textOf } from '../row-values.ts'
import { ask, askOne, crawlOf } from './ask.ts'
import type { Conditions } from './conditions.ts'
import { conditionsOf } from './page-filter.ts'
import { ofPage, sizeOf, upToSize } from './up-to-size.ts'

type ListOptions = Parameters<PageBrowser['list']>[0]
type IdOptions = Parameters<PageBrowser['ids']>[0]

const GLANCE = `
  SELECT id, url, title, status_code, content_type, kind, language, depth, size_bytes, hot, relevance,
    noindex, truncated, duplicate_of, fetched_at
  FROM pages`

/** Of the links of pages that are in memory at once: those of one page may be four million alone. */
const MAX_LINK_BYTES = 4_000_000

/** Titles without regard to the case of plain letters, as everywhere. */
const ORDER: Readonly<Record<PageSort, string>> = {
  id: 'id',
  url: 'url COLLATE "C"',
  title: 'lower(title COLLATE "C")',
  depth: 'depth',
  relevance: 'relevance',
  size_bytes: 'size_bytes',
}

/** The store stays its opener's. */
export function createPostgresPageBrowser(db: Postgres): PageBrowser {
  return new PostgresPageBrowser(db)
}

class PostgresPageBrowser implements PageBrowser {
  readonly #db: Postgres

  constructor(db: Postgres) {
    this.#db = db
  }

  async list({ crawlId, after, limit, filter }: ListOptions): Promise<readonly PageGlance[]> {
    const wanted = conditionsOf(crawlId, filter).add('id > ?', after)
    const rest = `WHERE ${wanted.where} ORDER BY id ${wanted.bind('LIMIT ?', limit)}`
    return (await ask(this.#db, `${GLANCE} ${rest}`, wanted.values)).map(glanceFromRow)
  }

  async ids({ crawlId, filter, sort, descending, limit }: IdOptions) {
    const wanted = conditionsOf(crawlId, filter)
    const { where, values } = wanted
    const order = `${ORDER[sort]} ${descending ? 'DESC' : 'ASC'} NULLS LAST, id`
    const sorted = `SELECT id FROM pages WHERE ${where} ORDER BY ${order} ${wanted.bind('LIMIT ?', limit)}`
    // As one text: a hundred thousand rows would take longer to read than to find.
    const query = `SELECT string_agg(id::text, ',') AS ids FROM (${sorted}) sorted`
    const ids = idsIn(textOf(await askOne(this.#db, query, wanted.values), 'ids'))
    if (ids.length < limit) return { ids, total: ids.length }
    return { ids, total: await this.#count(where, values) }
  }

  async byIds(crawlId: number, ids: readonly number[]): Promise<readonly PageGlance[]> {
    const query = `${GLANCE} WHERE crawl_id = $1 AND id = ANY($2::bigint[])`
    const rows = (await ask(this.#db, query, [crawlId, numberArray(ids)])).map(glanceFromRow)
    const known = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => known.get(id) ?? [])
  }

  async idsByUrl(crawlId: number, urls: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const asked = urls.filter((url) => !url.includes('\0') && url.isWellFormed())
    const rows = await ask(this.#db, BY_URL, [crawlId, textArray(asked)])
    return new Map(rows.map((row) => [textOf(row, 'url'), numberOf(row, 'id')]))
  }

  async withLinks(
    crawlId: number,
    after: number,
    limit: number,
  ): Promise<readonly PageWithLinks[]> {
    const rows = await ask(this.#db, WITH_LINKS, [crawlId, after, limit])
    return rows.map(withLinksFromRow)
  }

  async hasHtml(pageId: number): Promise<boolean> {
    const crawlId = await crawlOf(this.#db, pageId)
    if (crawlId === null) return false
    const query = 'SELECT 1 FROM page_html WHERE crawl_id = $1 AND page_id = $2'
    return (await ask(this.#db, query, [crawlId, pageId])).length > 0
  }

  async hosts(crawlId: number): Promise<readonly HostPages[]> {
    const query = 'SELECT host, stored, hot FROM host_totals WHERE crawl_id = $1 AND stored > 0'
    return (await ask(this.#db, query, [crawlId])).map((row) => ({
      host: textOf(row, 'host'),
      stored: numberOf(row, 'stored'),
      hot: numberOf(row, 'hot'),
    }))
  }

  async lastId(crawlId: number): Promise<number> {
    const query = 'SELECT max(id) AS id FROM pages WHERE crawl_id = $1'
    return numberOf(await askOne(this.#db, query, [crawlId]), 'id')
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #count(where: string, values: Conditions['values']): Promise<number> {
    const query = `SELECT count(*) AS n FROM pages WHERE ${where}`
    return numberOf(await askOne(this.#db, query, values), 'n')
  }
}

const BY_URL = `
  SELECT url, id FROM pages
  WHERE crawl_id = $1 AND url = ANY($2::text[]) AND hashtextextended(url, 0) = ANY(
    ARRAY(SELECT hashtextextended(asked COLLATE "C", 0) FROM unnest($2::text[]) asked))`

const WITH_LINKS = upToSize(
  `SELECT p.*, parts.links, ${sizeOf(['parts.links'])}
   FROM (
     SELECT id, url, status_code, title, fetched_at FROM pages
     WHERE crawl_id = $1 AND id > $2 AND duplicate_of IS NULL ORDER BY id LIMIT $3
   ) p
   ${ofPage('page_parts', 'parts', '$1')}`,
  'id',
  String(MAX_LINK_BYTES),
)

function idsIn(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number)
}
