// Pages whole, in short reads of some pages each: no transaction stays open while they are written
// somewhere, and no more than those pages are in memory.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { CanonicalUrl } from '../../core/url.ts'
import { firstAfter } from '../../lib/sorted.ts'
import type { KeptCluster, PageCluster } from '../cluster-store.ts'
import { PAGE_COLUMNS } from '../page-columns.ts'
import type { LeftOut, PageNeeds, WholePage, WholePageRange } from '../page-reader.ts'
import { numberOf, type Row, textOf, urlOf } from '../row-values.ts'
import {
  pageFromRow,
  partsFromRow,
  type WholePageConditions,
  wholePageConditions,
} from './page-rows.ts'
import type { Sql } from './sql.ts'
import { clustersOfCrawl, clustersOfPages } from './sql-cluster-store.ts'

export const decompress = promisify(zstdDecompress)

/** Texts, parts and compressed bodies of one read; the page that goes beyond it is the last. */
const BYTES_AT_ONCE = 4_000_000
const IDS_AT_ONCE = 100_000
/** Ids that one query is given. */
const NAMED_AT_ONCE = 500
const TEXTS: readonly string[] = ['content_text', 'markdown']
const WHOLE = ['id', 'published_day', ...PAGE_COLUMNS].filter((name) => !TEXTS.includes(name))

export class SqlWholePages {
  protected readonly sql: Sql

  constructor(sql: Sql) {
    this.sql = sql
  }

  async mark(): Promise<string> {
    return textOf((await this.sql.get(this.sql.dialect.statements.mark)) ?? {}, 'mark')
  }

  async lastId(): Promise<number> {
    return numberOf((await this.sql.get('SELECT max(id) AS id FROM pages')) ?? {}, 'id')
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

  async idsIn(range: WholePageRange): Promise<readonly number[]> {
    const ids: number[] = []
    const crawlIds = await this.#crawlsOf(range)
    for (const part of partsOf(range)) {
      for (let { after } = part; ; ) {
        const wanted = wholePageConditions(this.sql.dialect, { ...part, after }, { crawlIds })
        const text = `SELECT p.id FROM pages p WHERE ${wanted.where} ORDER BY p.id`
        const some = await this.sql.ids(text, wanted.values, IDS_AT_ONCE)
        for (const id of some) ids.push(id)
        if (some.length < IDS_AT_ONCE) break
        after = some.at(-1) ?? after
      }
    }
    return ids
  }

  async wholePages(range: WholePageRange, needs: PageNeeds, limit: number): Promise<WholePage[]> {
    const { text = true, markdown = false, parts = [], html = false } = needs
    const texts = [...(text ? ['content_text'] : []), ...(markdown ? ['markdown'] : [])]
    const columns = [...WHOLE, ...texts]
    const large = [...texts, ...parts, ...(html ? ['html'] : [])]
    const crawlIds = await this.#crawlsOf(range)
    for (const part of partsOf(range)) {
      const { where, values } = wholePageConditions(this.sql.dialect, part, { crawlIds })
      const [crawlId, ...others] = crawlIds
      const read = {
        ...{ columns, parts, html, large, bound: BYTES_AT_ONCE, where, values, limit },
        ...(crawlId === undefined || others.length > 0 ? {} : { crawlId }),
      }
      const rows = await this.sql.somePages(read)
      if (rows.length > 0) return Promise.all(rows.map((row) => pageOf(row, needs)))
    }
    return []
  }

  async anyHtml(range: WholePageRange): Promise<boolean> {
    const crawlIds = await this.#crawlsOf(range)
    for (const part of partsOf(range)) {
      const { where, values } = wholePageConditions(this.sql.dialect, part, { crawlIds })
      const body = `SELECT 1 FROM page_html h WHERE ${this.sql.dialect.ofSamePage('h', 'p')}`
      const text = `SELECT p.id FROM pages p WHERE ${where} AND EXISTS (${body}) LIMIT 1`
      if ((await this.sql.get(text, values)) !== undefined) return true
    }
    return false
  }

  clusters(crawlId: number): Promise<readonly KeptCluster[]> {
    return clustersOfCrawl(this.sql, crawlId)
  }

  clustersOf(crawlId: number, ids: readonly number[]): Promise<ReadonlyMap<number, PageCluster>> {
    return clustersOfPages(this.sql, crawlId, ids)
  }

  async urlsOf(ids: readonly number[]): Promise<ReadonlyMap<number, CanonicalUrl>> {
    const { rows } = await this.sql.pagesOf(ids, { columns: ['id', 'url', 'noindex'] })
    const shown = rows.filter((row) => row.noindex === 0)
    return new Map(shown.map((row) => [numberOf(row, 'id'), urlOf(row, 'url')]))
  }

  async repeatsOf(crawlId: number): Promise<ReadonlyMap<number, readonly number[]>> {
    const repeats = new Map<number, number[]>()
    for (let after = 0; ; ) {
      const rows = await this.sql.all(REPEATS, [crawlId, after, IDS_AT_ONCE])
      for (const row of rows) {
        const of = numberOf(row, 'duplicate_of')
        const known = repeats.get(of)
        if (known === undefined) repeats.set(of, [numberOf(row, 'id')])
        else known.push(numberOf(row, 'id'))
      }
      if (rows.length < IDS_AT_ONCE) return repeats
      after = numberOf(rows.at(-1) ?? {}, 'id')
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.sql[Symbol.asyncDispose]()
  }

  /** Pages of a crawl that was removed are there for a while after it. */
  async #crawlsOf({ filter: { crawlIds } }: WholePageRange): Promise<readonly number[]> {
    if (crawlIds?.length === 1) return crawlIds
    const rows = await this.sql.all('SELECT id FROM crawls ORDER BY id')
    const ids = rows.map((row) => numberOf(row, 'id'))
    return ids.filter((id) => crawlIds?.includes(id) ?? true)
  }

  async #count(range: WholePageRange, choice: WholePageConditions['choice']): Promise<number> {
    const crawlIds = await this.#crawlsOf(range)
    const options = { crawlIds, ...(choice === undefined ? {} : { choice }) }
    let count = 0
    for (const part of partsOf(range)) {
      const { where, values } = wholePageConditions(this.sql.dialect, part, options)
      const row = await this.sql.get(`SELECT count(*) AS n FROM pages p WHERE ${where}`, values)
      count += numberOf(row ?? {}, 'n')
    }
    return count
  }
}

const REPEATS = `
  SELECT id, duplicate_of FROM pages
  WHERE crawl_id = $1 AND id > $2 AND duplicate_of IS NOT NULL AND noindex = 0
  ORDER BY id LIMIT $3`

/** Where ids are named, the range in parts with some of them each. */
function* partsOf({ filter, after, upTo }: WholePageRange): Generator<WholePageRange> {
  const { among } = filter
  if (among === undefined) {
    yield { filter, after, upTo }
    return
  }
  for (let at = firstAfter(among, after); at < among.length; at += NAMED_AT_ONCE) {
    yield { filter: { ...filter, among: among.slice(at, at + NAMED_AT_ONCE) }, after, upTo }
  }
}

async function pageOf(row: Row, { parts = [], html = false }: PageNeeds): Promise<WholePage> {
  return {
    ...pageFromRow(row),
    parts: partsFromRow(row, parts),
    html: html && row.html instanceof Uint8Array ? await decompress(row.html) : null,
  }
}
