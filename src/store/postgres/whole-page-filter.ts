// Which whole pages are asked for.

import { numberArray } from '../../db/postgres-array.ts'
import { primaryTag } from '../whole-page-parts.ts'
import type { WholePageFilter, WholePageRange } from '../whole-pages.ts'
import { Conditions } from './conditions.ts'

/** Which pages of all that are asked for. */
export type Choice = 'wanted' | 'noindex' | 'repeating'

/** `crawlIds`: those that are there, of those that are asked for. */
export function conditionsOf(
  { filter, after, upTo }: WholePageRange,
  crawlIds: readonly number[],
  choice: Choice = 'wanted',
): Conditions {
  const wanted = new Conditions()
  addCrawls(wanted, crawlIds)
  wanted.add('p.id > ?', after).add('p.id <= ?', upTo)
  addChoice(wanted, choice, filter)
  const { host, language, kind, hot, since, minRelevance, among } = filter
  if (host !== undefined) wanted.add('p.host = ?', host)
  if (language !== undefined) wanted.add(`${LANGUAGE} = ?`, primaryTag(language))
  if (kind !== undefined) wanted.add('p.kind = ?', kind)
  if (hot !== undefined) wanted.add('p.hot = ?', Number(hot))
  if (since !== undefined) wanted.add('p.fetched_at >= ?', since)
  if (minRelevance !== undefined) wanted.add('p.relevance >= ?', minRelevance)
  if (among !== undefined) wanted.add('p.id = ANY(?::bigint[])', numberArray(among))
  return wanted
}

const LANGUAGE = `split_part(replace(lower(p.language COLLATE "C"), '_', '-'), '-', 1)`

function addCrawls(wanted: Conditions, [only, ...more]: readonly number[]): void {
  if (only === undefined) wanted.add('false')
  else if (more.length === 0) wanted.add('p.crawl_id = ?', only)
  else wanted.add('p.crawl_id = ANY(?::bigint[])', numberArray([only, ...more]))
}

function addChoice(wanted: Conditions, choice: Choice, { duplicates }: WholePageFilter): void {
  if (choice === 'noindex') {
    wanted.add('p.noindex = 1')
    return
  }
  wanted.add('p.noindex = 0')
  if (choice === 'repeating') wanted.add('p.duplicate_of IS NOT NULL')
  else if (duplicates !== true) wanted.add('p.duplicate_of IS NULL')
}
