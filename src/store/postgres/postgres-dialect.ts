// What PostgreSQL says in other words than SQLite: see sql/sql.ts. Texts that may be long are indexed by
// a hash. Many processes write at once: see "Who locks what" in migrations/0002_pages.sql.
import { numberArray, textArray } from '../../db/postgres-array.ts'
import type { BoundCondition, Dialect } from '../sql/sql.ts'

const PLAIN = /^[\x01-\x7f]*$/
/** What LIKE would take for more than itself. */
const WILDCARDS = /[\\%_]/g
/** What a regular expression would. */
const NOT_A_LETTER = /[^\p{L}\p{N}]/u
const ASCII = /^[\x01-\x7f]$/

export const postgresDialect: Dialect = {
  equals: (column, hole) =>
    `(hashtextextended(${column}, 0) = hashtextextended(${hole}, 0) AND ${column} = ${hole})`,
  isAmong: (column, hole) => `${column} = ANY(${hole}::bigint[])`,
  numbers: numberArray,
  equalsAny: (column, hole) => `
    ${column} = ANY(${hole}::text[]) AND hashtextextended(${column}, 0) = ANY(
      ARRAY(SELECT hashtextextended(asked COLLATE "C", 0) FROM unnest(${hole}::text[]) asked))`,
  texts: textArray,
  json: (column) => `(${column}::json)`,
  caseless: (column) => `lower(${column} COLLATE "C")`,
  primaryTag: (column) => `split_part(replace(lower(${column} COLLATE "C"), '_', '-'), '-', 1)`,
  contains,
  ofCrawls: (hole) => `p.crawl_id = ANY(${hole}::bigint[])`,
  ofSamePage: (row, page) => `${row}.crawl_id = ${page}.crawl_id AND ${row}.page_id = ${page}.id`,
  statements: {
    // The row of ids is locked until the commit: ids become visible in their order.
    insertEvent: `
      WITH next AS (UPDATE crawl_event_ids SET last = last + 1 RETURNING last)
      INSERT INTO crawl_events (id, crawl_id, at, type, status, text)
      SELECT last, $1::bigint, $2::bigint, $3::text, $4::text, $5::text FROM next RETURNING id`,
    insertRemoval: `
      WITH log AS (UPDATE page_log SET last_cursor = last_cursor + 1 RETURNING last_cursor)
      INSERT INTO page_changes (cursor, crawl_id, page_id, change, at)
      SELECT last_cursor, $1::bigint, 0, 'crawl-removed', $2::bigint FROM log`,
    mark: 'SELECT mark FROM page_log',
    lastPageId: 'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM page_id',
    hotOfCrawl: '(SELECT hot FROM crawl_counts WHERE crawl_id = crawls.id)',
    addCrawl: ['INSERT INTO crawl_counts (crawl_id) VALUES ($1)', 'SELECT make_partitions($1)'],
    sumHot: [
      `UPDATE crawl_counts SET hot = (
        SELECT coalesce(sum(hot), 0) FROM host_totals WHERE crawl_id = $1) WHERE crawl_id = $1`,
    ],
    forgetCrawl: [
      'DELETE FROM page_batches WHERE crawl_id = $1',
      'DELETE FROM crawl_counts WHERE crawl_id = $1',
    ],
    lockEvents: ['SELECT last FROM crawl_event_ids FOR UPDATE'],
    lockCrawl: ['SELECT FROM crawl_counts WHERE crawl_id = $1 FOR UPDATE'],
    lockImportance: [
      "SELECT pg_advisory_xact_lock(hashtextextended('jelajah importance', $1::bigint))",
    ],
    lockOrder: ["SELECT pg_advisory_xact_lock(hashtextextended('jelajah order ' || $1::text, 0))"],
  },
}

function contains(columns: readonly string[], text: string): BoundCondition {
  const isPlain = PLAIN.test(text)
  const operator = isPlain ? 'ILIKE' : '~'
  const each = (hole: string) => (column: string) => `${column} COLLATE "C" ${operator} ${hole}`
  return {
    value: isPlain ? `%${text.replace(WILDCARDS, '\\$&')}%` : eitherCase(text),
    condition: (hole) => `(${columns.map(each(hole)).join(' OR ')})`,
  }
}

/**
 * A regular expression for a text without regard to case. What a database takes for the other case of
 * a letter depends on how it was made; so both are named.
 */
export function eitherCase(text: string): string {
  return Array.from(text.toLowerCase().toWellFormed(), (letter) => {
    const upper = letter.toUpperCase()
    if (upper !== letter && isUpperOf(upper, letter)) return `(?:${letter}|${upper})`
    return ASCII.test(letter) && NOT_A_LETTER.test(letter) ? `\\${letter}` : letter
  }).join('')
}

/** Some letters have another small form at the end of a word. */
function isUpperOf(upper: string, letter: string): boolean {
  return upper.toLowerCase() === letter || `a${upper}`.toLowerCase() === `a${letter}`
}
