// Pages whole, in short reads of some pages each: a crawl that writes is never in the way, and no more
// than those pages are in memory.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { CrawlerError } from '../../core/errors.ts'
import type { Part } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { openSqliteReader } from '../../db/sqlite.ts'
import { PAGE_COLUMNS } from '../page-columns.ts'
import { pageFromRow, partsFromRow } from '../page-rows.ts'
import { numberOf, textOf, urlOf } from '../row-values.ts'
import { partsOf, primaryTag, repeatsFrom } from '../whole-page-parts.ts'
import type {
  LeftOut,
  PageNeeds,
  WholePage,
  WholePageFilter,
  WholePageRange,
  WholePages,
} from '../whole-pages.ts'

const decompress = promisify(zstdDecompress)

type Row = Readonly<Record<string, SQLOutputValue>>

/** Texts, parts and compressed bodies of one read; the page that goes beyond it is the last. */
const BYTES_AT_ONCE = 4_000_000

export async function openSqliteWholePages(path: string): Promise<WholePages> {
  const db = openSqliteReader(path, 'store')
  if (db !== null) return new SqliteWholePages(db)
  throw new CrawlerError('store-unreachable', `there is no crawl at ${path} yet`)
}

class SqliteWholePages implements WholePages {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async mark(): Promise<string> {
    return textOf(this.#first('SELECT mark FROM page_ids'), 'mark')
  }

  async lastId(): Promise<number> {
    return numberOf(this.#first('SELECT max(id) AS id FROM pages'), 'id')
  }

  async count(range: WholePageRange): Promise<number> {
    return this.#count(range, WANTED)
  }

  async leftOut(range: WholePageRange): Promise<LeftOut> {
    const isAll = range.filter.duplicates === true
    return {
      noindex: this.#count(range, () => [['p.noindex = 1']]),
      duplicates: isAll ? 0 : this.#count(range, () => REPEATING),
    }
  }

  async ids(range: WholePageRange): Promise<readonly number[]> {
    const ids: number[] = []
    for (const part of partsOf(range)) {
      const { where, values } = conditionsOf(part)
      const query = this.#db.prepare(`SELECT p.id FROM pages p ${where} ORDER BY p.id`)
      for (const row of query.iterate(...values)) ids.push(numberOf(row, 'id'))
    }
    return ids
  }

  async some(range: WholePageRange, needs: PageNeeds, limit: number): Promise<WholePage[]> {
    for (const part of partsOf(range)) {
      const rows = this.#rows(part, needs, limit)
      if (rows.length > 0) return Promise.all(rows.map((row) => pageOf(row, needs)))
    }
    return []
  }

  async hasHtml(range: WholePageRange): Promise<boolean> {
    return partsOf(range).some((part) => {
      const { where, values } = conditionsOf(part)
      const from = `FROM pages p JOIN page_html h ON h.page_id = p.id ${where}`
      return this.#db.prepare(`SELECT 1 ${from} LIMIT 1`).get(...values) !== undefined
    })
  }

  async urlsOf(ids: readonly number[]): Promise<ReadonlyMap<number, CanonicalUrl>> {
    const query = this.#db.prepare(`
      SELECT id, url FROM pages
      WHERE id IN (SELECT value FROM json_each(?)) AND noindex = 0`)
    const rows = query.all(JSON.stringify(ids))
    return new Map(rows.map((row) => [numberOf(row, 'id'), urlOf(row, 'url')]))
  }

  async repeatsOf(crawlId: number): Promise<ReadonlyMap<number, readonly number[]>> {
    const query = this.#db.prepare(`
      SELECT id, duplicate_of FROM pages
      WHERE crawl_id = ? AND duplicate_of IS NOT NULL AND noindex = 0 ORDER BY id`)
    const pairs = Array.from(query.iterate(crawlId), (row): [number, number] => [
      numberOf(row, 'duplicate_of'),
      numberOf(row, 'id'),
    ])
    return repeatsFrom(pairs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #first(sql: string, values: readonly SQLInputValue[] = []): Row {
    return this.#db.prepare(sql).get(...values) ?? {}
  }

  #count(range: WholePageRange, choice: Choice): number {
    let count = 0
    for (const part of partsOf(range)) {
      const { where, values } = conditionsOf(part, choice)
      count += numberOf(this.#first(`SELECT count(*) AS n FROM pages p ${where}`, values), 'n')
    }
    return count
  }

  #rows(range: WholePageRange, needs: PageNeeds, limit: number): Row[] {
    const { where, values } = conditionsOf(range)
    const { parts = [], html = false } = needs
    const query = this.#db.prepare(`
      SELECT ${columnsOf(needs)} FROM pages p
      ${parts.length > 0 ? 'LEFT JOIN page_parts parts ON parts.page_id = p.id' : ''}
      ${html ? 'LEFT JOIN page_html h ON h.page_id = p.id' : ''}
      ${where} ORDER BY p.id LIMIT ?`)
    const rows: Row[] = []
    let bytes = 0
    for (const row of query.iterate(...values, limit)) {
      rows.push(row)
      bytes += sizeOf(row, parts)
      if (bytes >= BYTES_AT_ONCE) break
    }
    return rows
  }
}

function columnsOf({ text = true, parts = [], html = false }: PageNeeds): string {
  const fields = PAGE_COLUMNS.map((name) => {
    return name === 'content_text' && !text ? `'' AS content_text` : `p.${name}`
  })
  const more = [...parts.map((part) => `parts.${part}`), ...(html ? ['h.html'] : [])]
  return ['p.id', 'p.published_day', ...fields, ...more].join(', ')
}

function sizeOf(row: Row, parts: readonly Part[]): number {
  const texts = ['content_text', ...parts].map((name) => textOf(row, name).length)
  const html = row.html instanceof Uint8Array ? row.html.length : 0
  return texts.reduce((sum, length) => sum + length, html)
}

async function pageOf(row: Row, { parts = [], html = false }: PageNeeds): Promise<WholePage> {
  return {
    ...pageFromRow(row),
    parts: partsFromRow(row, parts),
    html: html && row.html instanceof Uint8Array ? await decompress(row.html) : null,
  }
}

type Condition = readonly [condition: string, ...values: SQLInputValue[]]

/** Which pages of all that are asked for. */
type Choice = (filter: WholePageFilter) => readonly Condition[]

const WANTED: Choice = ({ duplicates }) =>
  duplicates === true ? [['p.noindex = 0']] : [['p.noindex = 0'], ['p.duplicate_of IS NULL']]
const REPEATING: readonly Condition[] = [['p.noindex = 0'], ['p.duplicate_of IS NOT NULL']]

function conditionsOf({ filter, after, upTo }: WholePageRange, choice = WANTED) {
  const { host, language, kind, hot, since, minRelevance, among } = filter
  const wanted: Condition[] = [crawlCondition(filter.crawlIds), ['p.id > ?', after]]
  wanted.push(['p.id <= ?', upTo], ...choice(filter))
  if (host !== undefined) wanted.push(['p.host = ?', host])
  if (language !== undefined) wanted.push([LANGUAGE, primaryTag(language)])
  if (kind !== undefined) wanted.push(['p.kind = ?', kind])
  if (hot !== undefined) wanted.push(['p.hot = ?', Number(hot)])
  if (since !== undefined) wanted.push(['p.fetched_at >= ?', since])
  if (minRelevance !== undefined) wanted.push(['p.relevance >= ?', minRelevance])
  if (among !== undefined) {
    wanted.push(['p.id IN (SELECT value FROM json_each(?))', JSON.stringify(among)])
  }
  return {
    where: `WHERE ${wanted.map(([condition]) => condition).join(' AND ')}`,
    values: wanted.flatMap(([, ...values]) => values),
  }
}

/** Pages of a crawl that was removed are there for a while after it. */
function crawlCondition(crawlIds: readonly number[] | undefined): Condition {
  const [only, ...more] = crawlIds ?? []
  if (only !== undefined && more.length === 0) return ['p.crawl_id = ?', only]
  // The plus keeps the order of ids: by the index of one crawl after the other all would be sorted.
  if (crawlIds === undefined) return ['+p.crawl_id IN (SELECT id FROM crawls)']
  return ['+p.crawl_id IN (SELECT value FROM json_each(?))', JSON.stringify(crawlIds)]
}

const LANGUAGE = `substr(lower(p.language), 1,
  instr(replace(p.language, '_', '-') || '-', '-') - 1) = ?`
