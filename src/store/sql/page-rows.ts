// Rows of the store as pages, totals and histories.
import {
  PAGE_KINDS,
  type PageHistory,
  type PageKind,
  type PageParts,
  type StoredPage,
  type StoredPart,
} from '../../core/page.ts'
import { linkColumns } from '../link-columns.ts'
import {
  type FeedCrawl,
  MAX_FILTER_TEXT,
  type PageFilter,
  type PageSummary,
  type PageTotals,
  type PageWithLinks,
  type WholePageRange,
} from '../page-reader.ts'
import { numberOf, numberOrNull, type Row, textOf, urlOf } from '../row-values.ts'
import { Conditions, type Dialect } from './sql.ts'

export function pageFromRow(row: Row): StoredPage {
  return {
    id: numberOf(row, 'id'),
    crawlId: numberOf(row, 'crawl_id'),
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    url: urlOf(row, 'url'),
    canonicalUrl: row.canonical_url === null ? null : urlOf(row, 'canonical_url'),
    statusCode: numberOf(row, 'status_code'),
    contentType: textOf(row, 'content_type'),
    charset: textOf(row, 'charset'),
    title: textOf(row, 'title'),
    description: textOf(row, 'description'),
    keywords: textOf(row, 'keywords'),
    language: textOf(row, 'language'),
    author: textOf(row, 'author'),
    publishedAt: numberOrNull(row, 'published_at'),
    publishedDay: typeof row.published_day === 'string' ? row.published_day : null,
    contentText: textOf(row, 'content_text'),
    markdown: textOf(row, 'markdown'),
    kind: kindOf(row),
    html5: row.html5 === 1,
    hot: row.hot === 1,
    relevance: numberOrNull(row, 'relevance'),
    depth: numberOf(row, 'depth'),
    sizeBytes: numberOf(row, 'size_bytes'),
    truncated: row.truncated === 1,
    noindex: row.noindex === 1,
    contentHash: textOf(row, 'content_hash'),
    fetchedAt: numberOf(row, 'fetched_at'),
    fetchMs: numberOf(row, 'fetch_ms'),
    parseMs: numberOf(row, 'parse_ms'),
    etag: textOf(row, 'etag'),
    lastModified: textOf(row, 'last_modified'),
    about: textOf(row, 'about'),
  }
}

export function summaryFromRow(row: Row): PageSummary {
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    title: textOf(row, 'title'),
    statusCode: numberOf(row, 'status_code'),
    contentType: textOf(row, 'content_type'),
    kind: kindOf(row),
    language: textOf(row, 'language'),
    depth: numberOf(row, 'depth'),
    sizeBytes: numberOf(row, 'size_bytes'),
    hot: row.hot === 1,
    relevance: numberOrNull(row, 'relevance'),
    noindex: row.noindex === 1,
    truncated: row.truncated === 1,
    duplicateOf: numberOrNull(row, 'duplicate_of'),
    fetchedAt: numberOf(row, 'fetched_at'),
  }
}

export function withLinksFromRow(row: Row): PageWithLinks {
  return {
    id: numberOf(row, 'id'),
    url: urlOf(row, 'url'),
    statusCode: numberOf(row, 'status_code'),
    title: textOf(row, 'title'),
    fetchedAt: numberOf(row, 'fetched_at'),
    links: row.links === null ? [] : linkColumns(textOf(row, 'links')).urls,
  }
}

/** Those of `parts` that were kept. */
export function partsFromRow(row: Row, parts: readonly StoredPart[]): PageParts {
  const kept = parts.filter((part) => typeof row[part] === 'string')
  return Object.fromEntries(kept.map((part) => [part, textOf(row, part)]))
}

function kindOf(row: Row): PageKind {
  return PAGE_KINDS.find((known) => known === row.kind) ?? 'other'
}

/** From rows of `host_totals`, those with most pages first. */
export function totalsFromRows(rows: Iterable<Row>): PageTotals {
  const hosts = new Map<string, number>()
  const sum = { stored: 0, duplicates: 0, bytes: 0, judged: 0, hot: 0 }
  for (const row of rows) {
    const stored = numberOf(row, 'stored')
    if (stored > 0) hosts.set(textOf(row, 'host'), stored)
    sum.stored += stored
    sum.duplicates += numberOf(row, 'duplicates')
    sum.bytes += numberOf(row, 'bytes')
    sum.judged += numberOf(row, 'judged')
    sum.hot += numberOf(row, 'hot')
  }
  return { ...sum, hosts }
}

/** From a row of `page_checks`. */
export function looksFromRow(row: Row): PageHistory['looks'] {
  const checkedAt = numberOf(row, 'checked_at')
  return {
    checks: numberOf(row, 'checks'),
    changes: numberOf(row, 'changes'),
    checkedAt,
    round: numberOf(row, 'round'),
    dueAt: checkedAt + numberOf(row, 'interval_ms'),
  }
}

export function goneFromRow(row: Row): PageHistory['gone'] {
  return {
    at: numberOf(row, 'at'),
    round: numberOf(row, 'round'),
    reason: textOf(row, 'reason'),
    pageId: numberOf(row, 'page_id'),
  }
}

/** From a row of `crawls`, with the number of hot pages. */
export function feedCrawlFromRow(row: Row): FeedCrawl {
  const endedAt = numberOrNull(row, 'ended_at')
  const hotMark = endedAt === null ? null : `${endedAt}:${numberOf(row, 'hot')}`
  return { id: numberOf(row, 'id'), hotMark }
}

/** Which pages are asked for, as conditions of a query on `pages` without a name. */
export function tableConditions(
  dialect: Dialect,
  crawlId: number,
  filter: PageFilter = {},
): Conditions {
  const { text = '', host, kind, language, hot, minRelevance } = filter
  const wanted = new Conditions().on(crawlId, (hole) => `crawl_id = ${hole}`)
  if (filter.duplicates !== true) wanted.add('duplicate_of IS NULL')
  if (text !== '') {
    const part = text.slice(0, MAX_FILTER_TEXT)
    const { value, condition } = dialect.contains(['url', 'title'], part)
    wanted.on(part.includes('\0') ? part : value, condition)
  }
  if (host !== undefined) wanted.on(host, (hole) => `host = ${hole}`)
  if (kind !== undefined) wanted.on(kind, (hole) => `kind = ${hole}`)
  if (language !== undefined) wanted.on(language, (hole) => `language = ${hole}`)
  if (hot !== undefined) wanted.on(Number(hot), (hole) => `hot = ${hole}`)
  if (minRelevance !== undefined) wanted.on(minRelevance, (hole) => `relevance >= ${hole}`)
  return wanted
}

export type WholePageConditions = {
  /** The crawls that are there, of those that are asked for. */
  readonly crawlIds: readonly number[]
  /** Those that are asked for; or of those left out, which: see `LeftOut`. */
  readonly choice?: 'wanted' | 'noindex' | 'repeating'
}

/** On pages `p`. */
export function wholePageConditions(
  dialect: Dialect,
  { filter, after, upTo }: WholePageRange,
  { crawlIds, choice = 'wanted' }: WholePageConditions,
): Conditions {
  const { host, language, kind, hot, since, minRelevance, among, duplicates } = filter
  const wanted = ofCrawls(dialect, crawlIds)
  wanted.on(after, (hole) => `p.id > ${hole}`).on(upTo, (hole) => `p.id <= ${hole}`)
  wanted.add(choice === 'noindex' ? 'p.noindex = 1' : 'p.noindex = 0')
  if (choice === 'repeating') wanted.add('p.duplicate_of IS NOT NULL')
  if (choice === 'wanted' && duplicates !== true) wanted.add('p.duplicate_of IS NULL')
  if (host !== undefined) wanted.on(host, (hole) => `p.host = ${hole}`)
  if (language !== undefined) {
    const tags = "replace(lower(p.language), '_', '-') || '-'"
    wanted.on(`${primaryTag(language)}-`, (hole) => `substr(${tags}, 1, length(${hole})) = ${hole}`)
  }
  if (kind !== undefined) wanted.on(kind, (hole) => `p.kind = ${hole}`)
  if (hot !== undefined) wanted.on(Number(hot), (hole) => `p.hot = ${hole}`)
  if (since !== undefined) wanted.on(since, (hole) => `p.fetched_at >= ${hole}`)
  if (minRelevance !== undefined) wanted.on(minRelevance, (hole) => `p.relevance >= ${hole}`)
  if (among !== undefined) wanted.bind(dialect.isAmong('p.id', among))
  return wanted
}

function ofCrawls(dialect: Dialect, [only, ...more]: readonly number[]): Conditions {
  const wanted = new Conditions()
  if (only === undefined) return wanted.add('false')
  if (more.length === 0) return wanted.on(only, (hole) => `p.crawl_id = ${hole}`)
  return wanted.bind(dialect.ofCrawls([only, ...more]))
}

/** Only the language of a tag counts. */
function primaryTag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? ''
}
