// Changes of pages: the table `page_changes`. Cursors become visible in their order, so reading on after the
// last one seen misses none.
//
// Whether something came is asked, not told by a server: NOTIFY would make all commits wait for each other,
// and a reader that was away for a moment would have to ask anyway.
import { CHANGES, type ChangeFeed, type Changes, type PageChange } from '../change-feed.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from '../row-values.ts'
import type { Sql } from './sql.ts'

const AFTER = `
  SELECT cursor, change, crawl_id, page_id, at, url, reason FROM page_changes
  WHERE cursor > $1 ORDER BY cursor LIMIT $2`
const PAGE = ['id', 'url', 'duplicate_of', 'noindex']

export class SqlChangeFeed implements ChangeFeed {
  readonly #sql: Sql
  #version: string | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async mark(): Promise<string> {
    return textOf((await this.#sql.get(this.#sql.dialect.statements.mark)) ?? {}, 'mark')
  }

  async after(cursor: number, limit: number): Promise<Changes> {
    const rows = await this.#sql.all(AFTER, [cursor, limit])
    const pages = await this.#pagesOf(rows)
    const changes = rows.flatMap((row) => changeFrom(row, pages.get(row.page_id)) ?? [])
    const last = rows.at(-1)
    return { changes, cursor: last === undefined ? cursor : numberOf(last, 'cursor') }
  }

  async last(): Promise<number> {
    const row = await this.#sql.get('SELECT max(cursor) AS cursor FROM page_changes')
    return numberOf(row ?? {}, 'cursor')
  }

  async mayHaveChanged(): Promise<boolean> {
    const version = await this.#sql.version()
    const hasChanged = version !== this.#version
    this.#version = version
    return hasChanged
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sql[Symbol.asyncDispose]()
  }

  /** Pages as they are now, by id; those that are gone are not there. */
  async #pagesOf(changes: readonly Row[]): Promise<ReadonlyMap<unknown, Row>> {
    const asked = changes.filter(({ page_id, url }) => page_id !== 0 && url === null)
    const ids = new Set(asked.map((row) => numberOf(row, 'page_id')))
    const crawlIds = [...new Set(asked.map((row) => numberOf(row, 'crawl_id')))]
    const { rows } = await this.#sql.pagesOf([...ids], { columns: PAGE, crawlIds })
    return new Map(rows.map((row) => [row.id, row]))
  }
}

/** `page` as it is now. Null for one that is gone: another change tells of that. */
function changeFrom(row: Row, page: Row = row): PageChange | null {
  const change = CHANGES.find((known) => known === row.change) ?? 'change'
  const removed = change === 'crawl-removed'
  if (!removed && page.url === null) return null
  return {
    cursor: numberOf(row, 'cursor'),
    change,
    crawlId: numberOf(row, 'crawl_id'),
    pageId: removed ? null : numberOf(row, 'page_id'),
    url: removed ? null : urlOf(page, 'url'),
    at: numberOf(row, 'at'),
    duplicateOf: numberOrNull(page, 'duplicate_of'),
    noindex: page.noindex === 1,
    reason: textOf(row, 'reason'),
  }
}
