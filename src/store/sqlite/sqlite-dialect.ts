// What SQLite says in other words than PostgreSQL: see sql/sql.ts. Who writes has the whole file, so
// there is nothing else to lock.
import type { DatabaseSync } from 'node:sqlite'
import type { BoundCondition, Dialect } from '../sql/sql.ts'

/** LIKE does not read on behind a NUL, and knows the case of these letters only. */
const PLAIN = /^[\x01-\x7f]*$/
/** What LIKE would take for more than itself. */
const WILDCARDS = /[\\%_]/g

export const sqliteDialect: Dialect = {
  equals: (column, hole) => `${column} = ${hole}`,
  isAmong: (column, hole) => `${column} IN (SELECT value FROM json_each(${hole}))`,
  numbers: (list) => JSON.stringify(list),
  equalsAny: (column, hole) => `${column} IN (SELECT value FROM json_each(${hole}))`,
  texts: (list) => JSON.stringify(list),
  json: (column) => column,
  caseless: (column) => `${column} COLLATE NOCASE`,
  primaryTag: (column) =>
    `substr(lower(${column}), 1, instr(replace(${column}, '_', '-') || '-', '-') - 1)`,
  contains,
  // The plus keeps the order of ids: by the index of one crawl after the other all would be sorted.
  ofCrawls: (hole) => `+p.crawl_id IN (SELECT value FROM json_each(${hole}))`,
  ofSamePage: (row, page) => `${row}.page_id = ${page}.id`,
  statements: {
    insertEvent: `
      INSERT INTO crawl_events (crawl_id, at, type, status, text) VALUES ($1, $2, $3, $4, $5)
      RETURNING id`,
    insertRemoval: `
      INSERT INTO page_changes (crawl_id, page_id, change, at) VALUES ($1, 0, 'crawl-removed', $2)`,
    mark: 'SELECT mark FROM page_ids',
    lastPageId: 'SELECT last FROM page_ids',
    hotOfCrawl: '(SELECT sum(hot) FROM host_totals WHERE crawl_id = crawls.id)',
    addCrawl: [],
    sumHot: [],
    forgetCrawl: [],
    lockEvents: [],
    lockCrawl: [],
    lockImportance: [],
    lockOrder: [],
  },
}

/** LIKE is twice as fast as a function, where other letters do not matter. */
function contains(columns: readonly string[], text: string): BoundCondition {
  const isPlain = PLAIN.test(text)
  const each = (hole: string) => (column: string) =>
    isPlain ? `${column} LIKE ${hole} ESCAPE '\\'` : `has_text(${column}, ${hole})`
  return {
    value: isPlain ? `%${text.replace(WILDCARDS, '\\$&')}%` : text,
    condition: (hole) => `(${columns.map(each(hole)).join(' OR ')})`,
  }
}

/** Adds the function that `contains` calls. */
export function addTextFunction(db: DatabaseSync): void {
  let folded = { part: '', lower: '' }
  db.function('has_text', { deterministic: true }, (text, part) => {
    if (folded.part !== part) folded = { part: String(part), lower: String(part).toLowerCase() }
    return Number(String(text).toLowerCase().includes(folded.lower))
  })
}
