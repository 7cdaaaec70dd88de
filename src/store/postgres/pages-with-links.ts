// Pages with where they lead, for a frontier that does not know of them.
import type { CanonicalUrl } from '../../core/url.ts'
import type { Postgres } from '../../db/postgres.ts'
import { linkColumns } from '../link-columns.ts'
import type { PageWithLinks } from '../page-store.ts'

const AT_ONCE = 50
const NOFOLLOW = /(?:^| )nofollow(?: |$)/
/** Whether links of a page without text may be followed is not kept. */
const AFTER = `
  SELECT p.id, p.url, p.depth, first.url AS duplicate_of,
    CASE WHEN p.noindex = 0 THEN parts.links END AS links,
    p.about ~ '"robots":\\[[^]]*"nofollow"' AS nofollow
  FROM pages p
  LEFT JOIN pages first ON first.crawl_id = $1 AND first.id = p.duplicate_of
  LEFT JOIN page_parts parts ON parts.crawl_id = $1 AND parts.page_id = p.id
  WHERE p.crawl_id = $1 AND p.id > $2
    AND NOT EXISTS (SELECT FROM undelivered u WHERE u.crawl_id = $1 AND u.page_id = p.id)
  ORDER BY p.id LIMIT $3`

/** All pages of a crawl, some at a time. Those whose receipt waits are settled by it. */
export async function* pagesWithLinks(
  db: Postgres,
  crawlId: number,
): AsyncGenerator<readonly PageWithLinks[]> {
  for (let after = 0; ; ) {
    const last = after
    const rows = await db.run((sql) =>
      sql.unsafe<Record<string, unknown>[]>(AFTER, [crawlId, last, AT_ONCE], { prepare: true }),
    )
    if (rows.length === 0) return
    yield rows.map(decode)
    after = Number(rows.at(-1)?.id)
  }
}

/** How many of them have links, so that nobody has to fetch them again. */
export async function countPagesWithLinks(db: Postgres, crawlId: number): Promise<number> {
  const [row] = await db.run(
    (sql) => sql`
      SELECT (SELECT count(*) FROM pages WHERE crawl_id = ${crawlId} AND noindex = 0)
        - (SELECT count(*) FROM undelivered WHERE crawl_id = ${crawlId}) AS pages`,
  )
  return Number(row?.pages)
}

function decode(row: Record<string, unknown>): PageWithLinks {
  const columns = typeof row.links === 'string' ? linkColumns(row.links) : null
  return {
    pageId: Number(row.id),
    url: String(row.url) as CanonicalUrl,
    depth: Number(row.depth),
    duplicateOf: row.duplicate_of === null ? null : (String(row.duplicate_of) as CanonicalUrl),
    links:
      columns?.urls.map((url, nth) => ({
        url,
        nofollow: row.nofollow === true || NOFOLLOW.test(columns.rels[nth] ?? ''),
      })) ?? null,
  }
}
