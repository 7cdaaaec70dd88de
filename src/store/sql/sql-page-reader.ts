// Pages as readers see them. Every call is one or two short reads: no writer ever waits for one.
import type { Link } from '../../core/link.ts'
import {
  type PageHistory,
  type PageLink,
  type PageParts,
  partRows,
  STORED_PARTS,
  type StoredPage,
} from '../../core/page.ts'
import { topicText } from '../../core/topic-text.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { decodeSettings } from '../../options/settings.ts'
import type {
  FeedCrawl,
  FeedPage,
  HostPages,
  PageLinks,
  PageReader,
  PageSummary,
  PageTotals,
  PageWithLinks,
  SomePages,
} from '../page-reader.ts'
import { jsonOf, numberOf, type Row, textOf, urlOf } from '../row-values.ts'
import {
  feedCrawlFromRow,
  goneFromRow,
  looksFromRow,
  pageFromRow,
  partsFromRow,
  summaryFromRow,
  tableConditions,
  totalsFromRows,
  withLinksFromRow,
} from './page-rows.ts'
import { Conditions } from './sql.ts'
import { decompress, SqlWholePages } from './sql-whole-pages.ts'

type ListOptions = Parameters<PageReader['list']>[0]
type SummaryOptions = Parameters<PageReader['summaries']>[0]
type SortOptions = Parameters<PageReader['sortedIds']>[0]
type Rank = readonly [pageId: number, rank: number]

/** Without the text, so that what a long one spills over into is not read either. */
const SUMMARY = [
  ...['id', 'url', 'title', 'status_code', 'content_type', 'kind', 'language', 'depth'],
  ...['size_bytes', 'hot', 'relevance', 'noindex', 'truncated', 'duplicate_of', 'fetched_at'],
]
const WITH_LINKS = ['id', 'url', 'status_code', 'title', 'fetched_at']
const OF_FEED = [
  ...['id', 'crawl_id', 'url', 'title', 'description', 'keywords', 'language', 'kind', 'hot'],
  ...['fetched_at', 'published_at', 'content_type', 'noindex', 'duplicate_of', 'content_text'],
]
/** Bytes of links in memory at once; the links of one page may be that long. */
const LINK_BYTES = 4_000_000
const RANKS_AT_ONCE = 50_000

function linksIn(row: Row): Link[] {
  return partRows('links', textOf(row, 'links')).map((link) => ({
    url: urlOf(link, 'url'),
    anchor: textOf(link, 'anchor'),
    rel: textOf(link, 'rel'),
  }))
}

export class SqlPageReader extends SqlWholePages implements PageReader {
  /** As of a version of the store. */
  #crawls: { readonly version: string; readonly list: readonly FeedCrawl[] } | null = null

  async get(id: number): Promise<StoredPage | null> {
    const row = await this.sql.ofPage('pages', '*', id)
    return row === undefined ? null : pageFromRow(row)
  }

  async findByUrl(crawlId: number, url: CanonicalUrl): Promise<StoredPage | null> {
    const row = await this.#byUrl('*', crawlId, url)
    return row === undefined ? null : pageFromRow(row)
  }

  async list(options: ListOptions): Promise<readonly StoredPage[]> {
    const { crawlId, after, limit, host, hot, minRelevance } = options
    const wanted = new Conditions()
    wanted.on(crawlId, (hole) => `crawl_id = ${hole}`).on(after, (hole) => `id > ${hole}`)
    if (host !== undefined) wanted.on(host, (hole) => `host = ${hole}`)
    if (hot === true) wanted.add('hot = 1')
    if (minRelevance !== undefined) wanted.on(minRelevance, (hole) => `relevance >= ${hole}`)
    const text = `SELECT * FROM pages WHERE ${wanted.where} ORDER BY id LIMIT ${wanted.hole(limit)}`
    return (await this.sql.all(text, wanted.values)).map(pageFromRow)
  }

  async linksOf(pageId: number): Promise<readonly PageLink[]> {
    const row = (await this.sql.ofPage('page_parts', 'links', pageId)) ?? { links: null }
    return row.links === null ? [] : linksIn(row).map((link) => ({ pageId, ...link }))
  }

  async partsOf(pageId: number): Promise<PageParts> {
    return partsFromRow((await this.sql.ofPage('page_parts', '*', pageId)) ?? {}, STORED_PARTS)
  }

  async htmlOf(pageId: number): Promise<Uint8Array | null> {
    const { html } = (await this.sql.ofPage('page_html', 'html', pageId)) ?? {}
    return html instanceof Uint8Array ? decompress(html) : null
  }

  async hasHtml(pageId: number): Promise<boolean> {
    return (await this.sql.ofPage('page_html', 'page_id', pageId)) !== undefined
  }

  async historyOf(crawlId: number, url: CanonicalUrl): Promise<PageHistory> {
    const page = await this.#byUrl('id', crawlId, url)
    if (page === undefined) return { looks: null, gone: await this.#goneOf(crawlId, url) }
    const text = 'SELECT * FROM page_checks WHERE crawl_id = $1 AND page_id = $2'
    const looks = await this.sql.get(text, [crawlId, numberOf(page, 'id')])
    return { looks: looks === undefined ? null : looksFromRow(looks), gone: null }
  }

  async totals(crawlId: number): Promise<PageTotals> {
    const text = 'SELECT * FROM host_totals WHERE crawl_id = $1 ORDER BY stored DESC, host'
    return totalsFromRows(await this.sql.all(text, [crawlId]))
  }

  async truncated(crawlId: number): Promise<number> {
    const where = 'crawl_id = $1 AND truncated = 1 AND duplicate_of IS NULL'
    const row = await this.sql.get(`SELECT count(*) AS n FROM pages WHERE ${where}`, [crawlId])
    return numberOf(row ?? {}, 'n')
  }

  async summaries(options: SummaryOptions): Promise<readonly PageSummary[]> {
    const { crawlId, after, limit, filter } = options
    const wanted = tableConditions(this.sql.dialect, crawlId, filter)
    wanted.on(after, (hole) => `id > ${hole}`)
    const text = `
      SELECT ${SUMMARY.join(', ')} FROM pages WHERE ${wanted.where}
      ORDER BY id LIMIT ${wanted.hole(limit)}`
    return (await this.sql.all(text, wanted.values)).map(summaryFromRow)
  }

  async sortedIds({ crawlId, filter, sort, descending, limit }: SortOptions) {
    const { where, values } = tableConditions(this.sql.dialect, crawlId, filter)
    const by = sort === 'title' ? 'lower(title)' : sort
    const order = `${by} ${descending ? 'DESC' : 'ASC'} NULLS LAST, id`
    const text = `SELECT id FROM pages WHERE ${where} ORDER BY ${order}`
    const ids = await this.sql.ids(text, values, limit)
    if (ids.length < limit) return { ids, total: ids.length }
    const row = await this.sql.get(`SELECT count(*) AS n FROM pages WHERE ${where}`, values)
    return { ids, total: numberOf(row ?? {}, 'n') }
  }

  async summariesOf(crawlId: number, ids: readonly number[]): Promise<readonly PageSummary[]> {
    const { rows } = await this.sql.pagesOf(ids, { columns: SUMMARY, crawlIds: [crawlId] })
    return rows.map(summaryFromRow)
  }

  async idsByUrl(crawlId: number, urls: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const asked = urls.filter((url) => !url.includes('\0') && url.isWellFormed())
    const { value, condition } = this.sql.dialect.equalsAny('url', asked)
    const text = `SELECT url, id FROM pages WHERE crawl_id = $1 AND ${condition('$2')}`
    const rows = await this.sql.all(text, [crawlId, value])
    return new Map(rows.map((row) => [textOf(row, 'url'), numberOf(row, 'id')]))
  }

  async withLinks(
    crawlId: number,
    after: number,
    limit: number,
  ): Promise<readonly PageWithLinks[]> {
    const rows = await this.sql.somePages({
      ...{ columns: WITH_LINKS, parts: ['links'], large: ['links'], bound: LINK_BYTES },
      ...{ crawlId, where: 'p.id > $1 AND p.duplicate_of IS NULL', values: [after], limit },
    })
    return rows.map(withLinksFromRow)
  }

  async hosts(crawlId: number): Promise<readonly HostPages[]> {
    const text = 'SELECT host, stored, hot FROM host_totals WHERE crawl_id = $1 AND stored > 0'
    return (await this.sql.all(text, [crawlId])).map((row) => ({
      host: textOf(row, 'host'),
      stored: numberOf(row, 'stored'),
      hot: numberOf(row, 'hot'),
    }))
  }

  async lastIdOf(crawlId: number): Promise<number> {
    const text = 'SELECT max(id) AS id FROM pages WHERE crawl_id = $1'
    return numberOf((await this.sql.get(text, [crawlId])) ?? {}, 'id')
  }

  async pagesOf(ids: readonly number[]): Promise<readonly FeedPage[]> {
    return (await this.somePages(ids, Number.POSITIVE_INFINITY)).pages
  }

  async somePages(ids: readonly number[], maxChars: number): Promise<SomePages> {
    const pages: FeedPage[] = []
    let read = 0
    let chars = 0
    while (read < ids.length && chars < maxChars) {
      // A database may count bytes, which are at least as many as characters.
      const bound = maxChars - chars
      const columns = { columns: OF_FEED, large: ['content_text'], bound }
      const some = await this.sql.pagesOf(read === 0 ? ids : ids.slice(read), columns)
      read += some.read
      for (const page of some.rows.map(pageFromRow)) {
        pages.push(page)
        chars += page.contentText.length
      }
    }
    return { pages, read }
  }

  async *linksOfPages(ids: readonly number[]): AsyncGenerator<PageLinks> {
    const wanted = { columns: ['id'], parts: ['links'], large: ['links'], bound: LINK_BYTES }
    for (let read = 0; read < ids.length; ) {
      const some = await this.sql.pagesOf(read === 0 ? ids : ids.slice(read), wanted)
      read += some.read
      for (const row of some.rows) {
        if (row.links !== null) yield { pageId: numberOf(row, 'id'), links: linksIn(row) }
      }
    }
  }

  async crawls(): Promise<readonly FeedCrawl[]> {
    const version = await this.sql.version()
    if (this.#crawls?.version !== version) {
      const { hotOfCrawl } = this.sql.dialect.statements
      const text = `SELECT id, ended_at, ${hotOfCrawl} AS hot FROM crawls ORDER BY id`
      this.#crawls = { version, list: (await this.sql.all(text)).map(feedCrawlFromRow) }
    }
    return this.#crawls.list
  }

  async hotPages(crawlId: number): Promise<readonly number[]> {
    const where = 'crawl_id = $1 AND hot = 1 AND duplicate_of IS NULL'
    const text = `SELECT id FROM pages WHERE ${where} ORDER BY id`
    return this.sql.ids(text, [crawlId], Number.POSITIVE_INFINITY)
  }

  /** Sixteen bytes for each page are in memory. */
  async ranks(crawlId: number): Promise<Iterable<Rank>> {
    const parts: Float64Array[] = []
    for (let after = 0; ; ) {
      const rows = await this.sql.all(RANKS, [crawlId, after, RANKS_AT_ONCE])
      const pairs = rows.flatMap((row) => [numberOf(row, 'page_id'), numberOf(row, 'pagerank')])
      parts.push(Float64Array.from(pairs))
      if (rows.length < RANKS_AT_ONCE) return pairsIn(parts)
      after = numberOf(rows.at(-1) ?? {}, 'page_id')
    }
  }

  async topics(): Promise<ReadonlyMap<number, string>> {
    const said = this.sql.dialect.json('settings')
    // Most crawls have a topic in none of these, and need not be read.
    const text = `
      SELECT id, settings FROM crawls
      WHERE ${said} ->> 'topic' <> '' OR ${said} ->> 'keywords' <> '[]'
        OR ${said} ->> 'topicModel' <> '[]' OR ${said} ->> 'examples' IS NOT NULL OR ${said} ->> 'classifier' IS NOT NULL
      ORDER BY id`
    const topics = (await this.sql.all(text)).map((row): [number, string] => {
      const settings = decodeSettings(jsonOf(row, 'settings'))
      return [numberOf(row, 'id'), topicText(settings)]
    })
    return new Map(topics.filter(([, topic]) => topic !== ''))
  }

  #byUrl(columns: string, crawlId: number, url: CanonicalUrl): Promise<Row | undefined> {
    const where = `crawl_id = $1 AND ${this.sql.dialect.equals('url', '$2')}`
    return this.sql.get(`SELECT ${columns} FROM pages WHERE ${where}`, [crawlId, url])
  }

  async #goneOf(crawlId: number, url: CanonicalUrl): Promise<PageHistory['gone']> {
    const text = `
      SELECT page_id, at, reason, coalesce((SELECT max(round) FROM crawl_rounds r
        WHERE r.crawl_id = gone.crawl_id AND r.began_at <= gone.at), 1) AS round
      FROM page_changes gone
      WHERE change = 'delete' AND ${this.sql.dialect.equals('url', '$2')} AND crawl_id = $1
      ORDER BY cursor DESC LIMIT 1`
    const row = await this.sql.get(text, [crawlId, url])
    return row === undefined ? null : goneFromRow(row)
  }
}

const RANKS = `
  SELECT page_id, pagerank FROM page_importance
  WHERE crawl_id = $1 AND page_id > $2 ORDER BY page_id LIMIT $3`

function* pairsIn(parts: readonly Float64Array[]): Generator<Rank> {
  for (const pairs of parts) {
    for (let at = 0; at < pairs.length; at += 2) yield [pairs[at] ?? 0, pairs[at + 1] ?? 0]
  }
}
