// Pages with where they lead, for a frontier that does not know of them. Whether links of a page without text may
// be followed is not kept.
import type { CanonicalUrl } from '../../core/url.ts'
import { linkColumns } from '../link-columns.ts'
import type { PageWithLinks } from '../page-store.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from '../row-values.ts'
import type { Sql } from './sql.ts'

const AT_ONCE = 50
const READ = {
  columns: ['id', 'url', 'depth', 'noindex', 'about', 'duplicate_of'],
  parts: ['links'],
}
const NOFOLLOW = /(?:^| )nofollow(?: |$)/
const NOFOLLOW_PAGE = /"robots":\[[^\]]*"nofollow"/

export async function pagesWithLinks(sql: Sql, ids: readonly number[]): Promise<PageWithLinks[]> {
  return decode(sql, (await sql.pagesOf(ids, READ)).rows)
}

/** All pages of a crawl, some at a time. Those whose receipt waits are settled by it. */
export async function* allPagesWithLinks(
  sql: Sql,
  crawlId: number,
): AsyncGenerator<readonly PageWithLinks[]> {
  const waiting = `SELECT 1 FROM undelivered u WHERE ${sql.dialect.ofSamePage('u', 'p')}`
  const where = `p.id > $1 AND NOT EXISTS (${waiting})`
  for (let after = 0; ; ) {
    const rows = await sql.somePages({ ...READ, crawlId, where, values: [after], limit: AT_ONCE })
    const last = rows.at(-1)
    if (last === undefined) return
    yield await decode(sql, rows)
    after = numberOf(last, 'id')
  }
}

/** How many of them have links, so that nobody has to fetch them again. */
export async function countPagesWithLinks(sql: Sql, crawlId: number): Promise<number> {
  const text = `
    SELECT (SELECT count(*) FROM pages WHERE crawl_id = $1 AND noindex = 0)
      - (SELECT count(*) FROM undelivered WHERE crawl_id = $1) AS pages`
  return numberOf((await sql.get(text, [crawlId])) ?? {}, 'pages')
}

async function decode(sql: Sql, rows: readonly Row[]): Promise<PageWithLinks[]> {
  const firsts = new Set(rows.map((row) => numberOrNull(row, 'duplicate_of')))
  firsts.delete(null)
  const { rows: originals } = await sql.pagesOf(
    [...firsts].filter((id) => id !== null),
    {
      columns: ['id', 'url'],
    },
  )
  const urls = new Map(originals.map((row) => [numberOf(row, 'id'), urlOf(row, 'url')]))
  return rows.map((row) => pageFrom(row, urls))
}

function pageFrom(row: Row, urls: ReadonlyMap<number, CanonicalUrl>): PageWithLinks {
  const hasLinks = row.noindex === 0 && typeof row.links === 'string'
  const columns = hasLinks ? linkColumns(textOf(row, 'links')) : null
  const isClosed = NOFOLLOW_PAGE.test(textOf(row, 'about'))
  return {
    pageId: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    depth: numberOf(row, 'depth'),
    duplicateOf: urls.get(numberOf(row, 'duplicate_of')) ?? null,
    links:
      columns?.urls.map((url, nth) => ({
        url,
        nofollow: isClosed || NOFOLLOW.test(columns.rels[nth] ?? ''),
      })) ?? null,
  }
}
