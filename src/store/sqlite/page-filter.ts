// What pages are asked for, as conditions of a query. Values are always bound, never written into it.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { MAX_FILTER_TEXT, type PageFilter } from '../page-browser.ts'

export type Conditions = {
  readonly where: string
  readonly values: readonly SQLInputValue[]
}

type Condition = readonly [condition: string, ...values: SQLInputValue[]]

/** Nor does LIKE read on behind a NUL. */
const PLAIN = /^[\x01-\x7f]*$/
/** What LIKE would take for more than itself. */
const WILDCARDS = /[\\%_]/g

export function conditionsOf(crawlId: number, filter: PageFilter = {}): Conditions {
  const wanted: Condition[] = [['crawl_id = ?', crawlId]]
  if (filter.duplicates !== true) wanted.push(['duplicate_of IS NULL'])
  if (filter.text !== undefined && filter.text !== '') wanted.push(textCondition(filter.text))
  if (filter.host !== undefined) wanted.push(['host = ?', filter.host])
  if (filter.kind !== undefined) wanted.push(['kind = ?', filter.kind])
  if (filter.language !== undefined) wanted.push(['language = ?', filter.language])
  if (filter.hot !== undefined) wanted.push(['hot = ?', Number(filter.hot)])
  if (filter.minRelevance !== undefined) wanted.push(['relevance >= ?', filter.minRelevance])
  return {
    where: wanted.map(([condition]) => condition).join(' AND '),
    values: wanted.flatMap(([, ...values]) => values),
  }
}

/** LIKE knows no other letters' cases, and is twice as fast where that does not matter. */
function textCondition(text: string): Condition {
  const part = text.slice(0, MAX_FILTER_TEXT)
  if (!PLAIN.test(part)) return ['(has_text(url, ?) OR has_text(title, ?))', part, part]
  const pattern = `%${part.replace(WILDCARDS, '\\$&')}%`
  return [`(url LIKE ? ESCAPE '\\' OR title LIKE ? ESCAPE '\\')`, pattern, pattern]
}

/** Teaches a connection what the conditions need. */
export function addTextFunction(db: DatabaseSync): void {
  let folded = { part: '', lower: '' }
  db.function('has_text', { deterministic: true }, (text, part) => {
    if (folded.part !== part) folded = { part: String(part), lower: String(part).toLowerCase() }
    return Number(String(text).toLowerCase().includes(folded.lower))
  })
}
