// Pages with where they lead, for a frontier that does not know of them.
import type { DatabaseSync } from 'node:sqlite'
import { linkColumns } from '../link-columns.ts'
import type { PageWithLinks } from '../page-store.ts'
import { numberOf, type Row, textOf, urlOf } from '../row-values.ts'

/** Whether links of a page without text may be followed is not kept. */
const BY_ID = `
  SELECT p.id, p.url, p.depth, p.about, first.url AS duplicate_of,
    CASE WHEN p.noindex = 0 THEN parts.links END AS links
  FROM pages p
  LEFT JOIN pages first ON first.id = p.duplicate_of
  LEFT JOIN page_parts parts ON parts.page_id = p.id
  WHERE p.id = ?`
const NOFOLLOW = /(?:^| )nofollow(?: |$)/
const NOFOLLOW_PAGE = /"robots":\[[^\]]*"nofollow"/

export function readPagesWithLinks(db: DatabaseSync, ids: readonly number[]): PageWithLinks[] {
  const byId = db.prepare(BY_ID)
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [decode(row)]
  })
}

function decode(row: Row): PageWithLinks {
  const columns = typeof row.links === 'string' ? linkColumns(row.links) : null
  const isClosed = NOFOLLOW_PAGE.test(textOf(row, 'about'))
  return {
    pageId: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    depth: numberOf(row, 'depth'),
    duplicateOf: row.duplicate_of === null ? null : urlOf(row, 'duplicate_of'),
    links:
      columns?.urls.map((url, nth) => ({
        url,
        nofollow: isClosed || NOFOLLOW.test(columns.rels[nth] ?? ''),
      })) ?? null,
  }
}
