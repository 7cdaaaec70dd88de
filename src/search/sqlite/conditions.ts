// Filters as conditions on `searched_pages`, which is called `page` here.
import { primaryLanguage } from '../../text/text.ts'
import type { SearchFilter } from '../search-index.ts'

export type Condition = readonly [sql: string, value: string | number]

/** `topics`: what crawls are about, by number. */
export function conditionsOf(
  filter: SearchFilter,
  topics: ReadonlyMap<number, string>,
): Condition[] {
  const { crawlId, host, language, kind, hot, topic, since } = filter
  const conditions: Condition[] = []
  if (crawlId !== undefined) conditions.push(['page.crawl_id = ?', crawlId])
  if (host !== undefined) conditions.push(['page.host = ?', host.toLowerCase()])
  if (language !== undefined) conditions.push(['page.language = ?', primaryLanguage(language)])
  if (kind !== undefined) conditions.push(['page.kind = ?', kind])
  if (hot !== undefined) conditions.push(['page.hot = ?', Number(hot)])
  if (since !== undefined) conditions.push(['page.fetched_at >= ?', since])
  if (topic !== undefined) conditions.push(['page.hot = ?', 1], ofCrawls(topic, topics))
  return conditions
}

function ofCrawls(topic: string, topics: ReadonlyMap<number, string>): Condition {
  const crawls = [...topics].filter(([, about]) => about === topic).map(([id]) => id)
  return ['page.crawl_id IN (SELECT value FROM json_each(?))', JSON.stringify(crawls)]
}

export function sqlOf(conditions: readonly Condition[]): string {
  return conditions.map(([sql]) => sql).join(' AND ') || 'true'
}

export function valuesOf(conditions: readonly Condition[]): (string | number)[] {
  return conditions.map(([, value]) => value)
}
