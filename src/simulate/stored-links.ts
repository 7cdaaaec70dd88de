/** A link as the parser wrote it down; see core/part-columns.ts. */
export type StoredLink = {
  readonly url: string
  readonly anchor: string
  readonly context: string
}

/** The links part of a page, from its JSON; empty when the crawl kept none. */
export function storedLinks(json: string | undefined): StoredLink[] {
  const rows: unknown = json === undefined ? [] : JSON.parse(json)
  return Array.isArray(rows) ? rows.flatMap(linkOf) : []
}

function linkOf(row: unknown): StoredLink | [] {
  if (!Array.isArray(row)) return []
  const [url, anchor, , context] = row.map(textOrNothing)
  return { url: url ?? '', anchor: anchor ?? '', context: context ?? '' }
}

function textOrNothing(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
