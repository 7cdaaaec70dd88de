// SQL over PostgreSQL: each question is one short read that is tried again while the server is away.
//
// Each crawl has its own partition of pages. A query names its crawls, so the server reads only their
// partitions, however many others there are.
import type { Queries as Connection, Postgres } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import { numberOf, numberOrNull, type Row, textOf } from '../row-values.ts'
import {
  type BoundCondition,
  type Dialect,
  type PageColumns,
  type PagesOfRead,
  type PagesRead,
  type PageTable,
  performWork,
  Queries,
  Sql,
  type SqlValues,
  type Step,
  type StepResult,
  type Work,
} from '../sql/sql.ts'

const IDS_AT_ONCE = 500
/** Bytes of the rows of one read, unless the caller sets a limit. */
const BYTES_AT_ONCE = 8_000_000

/** The caller closes the connections. */
export function createPostgresSql(db: Postgres): Sql {
  return new PostgresSql(db)
}

class PostgresSql extends Sql {
  readonly dialect = postgresDialect
  readonly #db: Postgres
  readonly #queries = new Queries(postgresDialect)

  constructor(db: Postgres) {
    super()
    this.#db = db
  }

  step(step: Step): Promise<StepResult> {
    return this.#db.run((connection) => perform(connection, step))
  }

  transaction<T>(work: (queries: Queries, attempt: number) => Work<T>): Promise<T> {
    return this.#db.inTransaction((connection, attempt) =>
      performWork(work(this.#queries, attempt), (step) => perform(connection, step)),
    )
  }

  async ofPage(table: PageTable, columns: string, pageId: number): Promise<Row | undefined> {
    const row = await this.get('SELECT crawl_of_page($1) AS crawl_id', [pageId])
    const crawlId = numberOrNull(row ?? {}, 'crawl_id')
    if (crawlId === null) return undefined
    const key = table === 'pages' ? 'id' : 'page_id'
    const text = `SELECT ${columns} FROM ${table} WHERE crawl_id = $1 AND ${key} = $2`
    return this.get(text, [crawlId, pageId])
  }

  somePages(read: PagesRead): Promise<readonly Row[]> {
    const { crawlId, where, limit } = read
    const values = [...read.values, limit, ...(crawlId === undefined ? [] : [crawlId])]
    const last = read.values.length + 1
    const crawl = crawlId === undefined ? 'p.crawl_id' : `$${last + 1}::bigint`
    const ofCrawl = crawlId === undefined ? '' : `AND p.crawl_id = ${crawl}`
    const pages = `
      SELECT ${columnsOf(read)} FROM pages p WHERE ${where} ${ofCrawl}
      ORDER BY p.id LIMIT $${last}`
    const bound = String(read.bound ?? BYTES_AT_ONCE)
    return this.all(upTo({ ...read, pages, crawl, order: 'id', bound }), values)
  }

  async pagesOf(ids: readonly number[], read: PagesOfRead) {
    const rows: Row[] = []
    let looked = 0
    let left = read.bound ?? Number.POSITIVE_INFINITY
    while (looked < ids.length && left > 0) {
      const some = ids.slice(looked, looked + IDS_AT_ONCE)
      const found = await this.#pagesOf(some, { ...read, bound: Math.min(left, BYTES_AT_ONCE) })
      rows.push(...found.rows)
      looked += found.read
      left -= found.size
    }
    return { rows, read: looked }
  }

  /** As one text: a hundred thousand rows would take longer to read than to find. */
  async ids(text: string, values: SqlValues, limit: number): Promise<number[]> {
    const some = `${text} LIMIT $${values.length + 1}::bigint`
    const row = await this.get(`SELECT string_agg(id::text, ',') AS ids FROM (${some}) found`, [
      ...values,
      Number.isFinite(limit) ? limit : null,
    ])
    const ids = textOf(row ?? {}, 'ids')
    return ids === '' ? [] : ids.split(',').map(Number)
  }

  async version(): Promise<string> {
    return textOf((await this.get(VERSION)) ?? {}, 'version')
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #pagesOf(ids: readonly number[], read: PagesOfRead & { readonly bound: number }) {
    const { bound } = read
    const [only = 0, ...others] = read.crawlIds ?? (await this.#crawlsOf(ids))
    const isOne = others.length === 0
    const crawls = isOne ? only : numberArray([only, ...others])
    const pages = `
      SELECT ${columnsOf(read)}, asked.nth
      FROM pages p JOIN unnest($2::bigint[]) WITH ORDINALITY asked (id, nth) ON asked.id = p.id
      WHERE p.crawl_id = ${isOne ? '$1::bigint' : 'ANY($1::bigint[])'} AND p.id = ANY($2::bigint[])`
    const crawl = isOne ? '$1::bigint' : 'p.crawl_id'
    const text = upTo({ ...read, pages, crawl, order: 'nth', bound: '$3::bigint' })
    const rows = await this.all(text, [crawls, numberArray(ids), Math.ceil(bound)])
    const last = rows.at(-1) ?? {}
    const size = numberOf(last, 'sum')
    return { rows, size, read: size >= bound ? numberOf(last, 'nth') : ids.length }
  }

  /** To which crawls pages belong, or did. */
  async #crawlsOf(ids: readonly number[]): Promise<readonly number[]> {
    const text = 'SELECT DISTINCT crawl_of_page(id) AS crawl_id FROM unnest($1::bigint[]) id'
    const rows = await this.all(text, [numberArray(ids)])
    return rows.filter((row) => row.crawl_id !== null).map((row) => numberOf(row, 'crawl_id'))
  }
}

async function perform(connection: Connection, step: Step): Promise<StepResult> {
  if (step.what !== 'insert') {
    const rows = await query(connection, step.text, step.values)
    return { rows, changes: rows.count }
  }
  const { table, columns, values } = step.insertion
  const arrays = columns.map((_, at) => `$${at + 1}::float8[]`).join(', ')
  const text = `INSERT INTO ${table} (${columns.join(', ')}) SELECT * FROM unnest(${arrays})`
  const { count } = await query(connection, text, values.map(arrayOf))
  return { rows: [], changes: count }
}

async function query(connection: Connection, text: string, values: SqlValues) {
  return connection.unsafe<Row[]>(text, [...values], { prepare: true })
}

/** The end of a crawl is no change of pages, and followers want to know of it. */
const VERSION = `
  SELECT last_cursor || ' ' || (
      SELECT count(*) || ' ' || coalesce(max(id), 0) || ' ' || coalesce(sum(ended_at), 0) FROM crawls
    ) || ' ' || (SELECT coalesce(sum(hot), 0) FROM crawl_counts) AS version
  FROM page_log`

type UpTo = Omit<PageColumns, 'bound'> & {
  /** The query of the pages. */
  readonly pages: string
  /** Their crawl, as a parameter where there is one: then other partitions are not even planned for. */
  readonly crawl: string
  readonly order: 'id' | 'nth'
  readonly bound: string
}

/**
 * Pages with what belongs to them, up to the one with which their sizes reach `bound`; that one too, so
 * there is one at least. Texts, links and bodies are some kilobytes mostly and some megabytes at worst:
 * the server knows how large they are without looking into them. `sum` is the size so far.
 */
function upTo(read: UpTo): string {
  const { pages, crawl, order, bound, parts = [], html = false, large = [] } = read
  const more = [...parts.map((name) => `parts.${name}`), ...(html ? ['body.html'] : [])]
  const joins = [
    ...(parts.length > 0 ? [lookUp('page_parts parts', crawl)] : []),
    ...(html ? [lookUp('page_html body', crawl)] : []),
  ]
  const sizes = large.map((column) => `coalesce(octet_length(${column}), 0)`)
  return `
    SELECT * FROM (
      SELECT sized.*, (sum(size) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING))::bigint AS sum
      FROM (
        SELECT found.*, (${['0', ...sizes].join(' + ')})::bigint AS size
        FROM (SELECT ${['p.*', ...more].join(', ')} FROM (${pages}) p ${joins.join(' ')}) found
      ) sized
    ) summed
    WHERE sum - size < ${bound} ORDER BY ${order}`
}

/**
 * The row of a table that belongs to each page. Looked up page by page, which the server would not
 * always choose: going through the whole table looks cheaper to it while it is small.
 */
function lookUp(named: 'page_parts parts' | 'page_html body', crawl: string): string {
  const [table, name] = named.split(' ')
  const row = `SELECT * FROM ${table} WHERE crawl_id = ${crawl} AND page_id = p.id LIMIT 1`
  return `LEFT JOIN LATERAL (${row}) ${name} ON true`
}

function columnsOf({ columns }: PageColumns): string {
  const named = columns.includes('*') ? ['*'] : [...new Set(['id', 'crawl_id', ...columns])]
  return named.map((name) => `p.${name}`).join(', ')
}

function arrayOf(numbers: Float64Array): string {
  return `{${Array.from(numbers, (number) => (Number.isNaN(number) ? 'NULL' : number)).join(',')}}`
}

const PLAIN = /^[\x01-\x7f]*$/
/** What LIKE would take for more than itself. */
const WILDCARDS = /[\\%_]/g
/** What a regular expression would. */
const NOT_A_LETTER = /[^\p{L}\p{N}]/u
const ASCII = /^[\x01-\x7f]$/

/**
 * What PostgreSQL says in other words than SQLite: see sql/sql.ts. Texts that may be long are indexed by a
 * hash. Many processes write at once: see "Who locks what" in migrations/0002_pages.sql.
 */
export const postgresDialect: Dialect = {
  equals: (column, hole) =>
    `(hashtextextended(${column}, 0) = hashtextextended(${hole}, 0) AND ${column} = ${hole})`,
  isAmong,
  equalsAny: (column, list) => ({
    value: textArray(list),
    condition: (hole) => `
      ${column} = ANY(${hole}::text[]) AND hashtextextended(${column}, 0) = ANY(
        ARRAY(SELECT hashtextextended(asked COLLATE "C", 0) FROM unnest(${hole}::text[]) asked))`,
  }),
  json: (column) => `(${column}::json)`,
  contains,
  ofCrawls: (crawlIds) => isAmong('p.crawl_id', crawlIds),
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
      ...['partitions', 'owners', 'crawls'].map(
        (table) => `DELETE FROM frontier_${table} WHERE crawl_id = $1`,
      ),
    ],
    lockCrawl: ['SELECT FROM crawl_counts WHERE crawl_id = $1 FOR UPDATE'],
    lockName: ["SELECT pg_advisory_xact_lock(hashtextextended('jelajah ' || $1::text, 0))"],
  },
}

function isAmong(column: string, list: readonly number[]): BoundCondition {
  return { value: numberArray(list), condition: (hole) => `${column} = ANY(${hole}::bigint[])` }
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
