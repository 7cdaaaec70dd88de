// The link graph out of `pages` and `page_parts`, in short reads of some pages each: a crawl that
// writes is never in the way, and no more than those pages are in memory.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import { openSqliteReader } from '../../db/sqlite.ts'
import type {
  EdgeOptions,
  GraphEdges,
  GraphPage,
  GraphReader,
  LinkedPage,
  PageNames,
  Redirect,
} from '../graph-reader.ts'
import { linkTargets } from '../link-targets.ts'
import { PageKeys } from '../page-keys.ts'
import { graphPageFromRow, linkedPageFromRow, originalOf } from '../reader-rows.ts'
import { numberOf, textOf, urlOf } from '../row-values.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

const PAGES_AT_ONCE = 1000
/** Pages with their links, some kilobytes each … */
const LINKS_AT_ONCE = 100
/** … and some megabytes at worst: then fewer. */
const CHARACTERS_AT_ONCE = 4_000_000

export async function openSqliteGraphReader(path: string): Promise<GraphReader> {
  const db = openSqliteReader(path, 'store')
  if (db !== null) return new SqliteGraphReader(db)
  throw new CrawlerError('store-unreachable', `there is no crawl at ${path} yet`)
}

class SqliteGraphReader implements GraphReader {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async *pages(crawlId: number): AsyncGenerator<GraphPage> {
    for await (const row of this.#rows(PAGES, crawlId, PAGES_AT_ONCE)) {
      if (row.duplicate_of === null) yield graphPageFromRow(row)
    }
  }

  async *linkedPages(crawlId: number, after = 0): AsyncGenerator<LinkedPage> {
    for await (const row of this.#rows(LINKED, crawlId, LINKS_AT_ONCE, after))
      yield linkedPageFromRow(row)
  }

  async *linkedPagesOf(crawlId: number, ids: readonly number[]): AsyncGenerator<LinkedPage> {
    const query = this.#db.prepare(LINKED_ONE)
    for (const id of ids) {
      const row = query.get(crawlId, id)
      if (row !== undefined) yield linkedPageFromRow(row)
    }
  }

  async names(crawlId: number, redirects?: AsyncIterable<Redirect>): Promise<PageNames> {
    const keys = new PageKeys()
    for await (const row of this.#rows(PAGES, crawlId, PAGES_AT_ONCE)) {
      keys.add(urlOf(row, 'url'), originalOf(row))
    }
    if (redirects !== undefined) await keys.addRedirects(redirects)
    return keys
  }

  async *edges(crawlId: number, options: EdgeOptions = {}): AsyncGenerator<GraphEdges> {
    const names = options.names ?? (await this.names(crawlId, options.redirects))
    for await (const row of this.#rows(LINKS, crawlId, LINKS_AT_ONCE)) {
      const from = originalOf(row)
      const wanted = { from, names, outside: options.outside === true }
      const { to, outside } = linkTargets(textOf(row, 'links'), wanted)
      if (to.length + outside.length > 0) yield { from, to, outside }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  /** All rows of a query that goes on after an id, `limit` at a time. */
  async *#rows(sql: string, crawlId: number, limit: number, from = 0): AsyncGenerator<Row> {
    const query = this.#db.prepare(sql)
    for (let after = from; ; ) {
      const rows = someOf(query.iterate(crawlId, after, limit))
      yield* rows
      const last = rows.at(-1)
      if (last === undefined) return
      after = numberOf(last, 'id')
    }
  }
}

const PAGES = `
  SELECT id, url, duplicate_of, relevance FROM pages
  WHERE crawl_id = ? AND id > ? ORDER BY id LIMIT ?`
const LINKS = `
  SELECT p.id, p.duplicate_of, parts.links FROM pages p
  JOIN page_parts parts ON parts.page_id = p.id
  WHERE p.crawl_id = ? AND p.id > ? AND parts.links IS NOT NULL ORDER BY p.id LIMIT ?`

const LINKED_COLUMNS = `
  SELECT p.id, p.url, p.duplicate_of, p.relevance, parts.links FROM pages p
  LEFT JOIN page_parts parts ON parts.page_id = p.id`
const LINKED = `${LINKED_COLUMNS} WHERE p.crawl_id = ? AND p.id > ? ORDER BY p.id LIMIT ?`
const LINKED_ONE = `${LINKED_COLUMNS} WHERE p.crawl_id = ? AND p.id = ?`

/** As many as have room in memory, and one at least where there is one. */
function someOf(found: Iterable<Row>): Row[] {
  const rows: Row[] = []
  let characters = 0
  for (const row of found) {
    rows.push(row)
    characters += typeof row.links === 'string' ? row.links.length : 0
    if (characters >= CHARACTERS_AT_ONCE) break
  }
  return rows
}
