// Which pages are asked for, as conditions of a query.
import { MAX_FILTER_TEXT, type PageFilter, type WholePageRange } from '../page-reader.ts'
import { Conditions } from './conditions.ts'
import type { Dialect } from './sql.ts'

/** On `pages` without a name. */
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
    wanted.on(primaryTag(language), (hole) => `${dialect.primaryTag('p.language')} = ${hole}`)
  }
  if (kind !== undefined) wanted.on(kind, (hole) => `p.kind = ${hole}`)
  if (hot !== undefined) wanted.on(Number(hot), (hole) => `p.hot = ${hole}`)
  if (since !== undefined) wanted.on(since, (hole) => `p.fetched_at >= ${hole}`)
  if (minRelevance !== undefined) wanted.on(minRelevance, (hole) => `p.relevance >= ${hole}`)
  if (among !== undefined) {
    wanted.on(dialect.numbers(among), (hole) => dialect.isAmong('p.id', hole))
  }
  return wanted
}

function ofCrawls(dialect: Dialect, [only, ...more]: readonly number[]): Conditions {
  const wanted = new Conditions()
  if (only === undefined) return wanted.add('false')
  if (more.length === 0) return wanted.on(only, (hole) => `p.crawl_id = ${hole}`)
  return wanted.on(dialect.numbers([only, ...more]), (hole) => dialect.ofCrawls(hole))
}

/** Only the language of a tag counts. */
function primaryTag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? ''
}
