// The link graph out of `pages` and `page_parts`, in short reads of some pages each: no transaction stays
// open while somebody thinks about what was read, and no more than those pages are in memory.
import type { Postgres } from '../../db/postgres.ts'
import { numberArray } from '../../db/postgres-array.ts'
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
import { numberOf, type Row, textOf, urlOf } from '../row-values.ts'
import { ask } from './ask.ts'
import { ofPage, sizeOf, upToSize } from './up-to-size.ts'

const PAGES_AT_ONCE = 5000
/** Pages with their links, some kilobytes each … */
const LINKS_AT_ONCE = 1000
/** … and some megabytes at worst: then fewer. */
const BYTES_AT_ONCE = 4_000_000

/** The store stays its opener's. */
export function createPostgresGraphReader(db: Postgres): GraphReader {
  return new PostgresGraphReader(db)
}

class PostgresGraphReader implements GraphReader {
  readonly #db: Postgres

  constructor(db: Postgres) {
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
    for (let at = 0; at < ids.length; ) {
      const some = ids.slice(at, at + LINKS_AT_ONCE)
      const rows = await ask(this.#db, LINKED_OF, [crawlId, numberArray(some)])
      yield* rows.map(linkedPageFromRow)
      const last = rows.at(-1) ?? {}
      at += numberOf(last, 'sum') < BYTES_AT_ONCE ? some.length : numberOf(last, 'nth')
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
    for await (const row of this.#rows(LINKED, crawlId, LINKS_AT_ONCE)) {
      if (row.links === null) continue
      const from = originalOf(row)
      const wanted = { from, names, outside: options.outside === true }
      const { to, outside } = linkTargets(textOf(row, 'links'), wanted)
      if (to.length + outside.length > 0) yield { from, to, outside }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** All rows of a query that goes on after an id, at most `limit` at a time. */
  async *#rows(query: string, crawlId: number, limit: number, from = 0): AsyncGenerator<Row> {
    for (let after = from; ; ) {
      const rows = await ask(this.#db, query, [crawlId, after, limit])
      yield* rows
      const last = rows.at(-1)
      if (last === undefined) return
      after = numberOf(last, 'id')
    }
  }
}

const PAGES = `
  SELECT id, url, duplicate_of, relevance FROM pages
  WHERE crawl_id = $1 AND id > $2 ORDER BY id LIMIT $3`

const LINKED = withLinks(PAGES, 'id')
const LINKED_OF = withLinks(
  `SELECT p.id, p.url, p.duplicate_of, p.relevance, asked.nth
   FROM pages p JOIN unnest($2::bigint[]) WITH ORDINALITY asked (id, nth) ON asked.id = p.id
   WHERE p.crawl_id = $1 AND p.id = ANY($2::bigint[])`,
  'nth',
)

/** The pages of a query with their links, in an order. */
function withLinks(pages: string, order: string): string {
  const joined = `
    SELECT p.*, parts.links, ${sizeOf(['parts.links'])} FROM (${pages}) p
    ${ofPage('page_parts', 'parts', '$1')}`
  return upToSize(joined, order, String(BYTES_AT_ONCE))
}
