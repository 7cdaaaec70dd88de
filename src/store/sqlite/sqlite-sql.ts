// SQL over one SQLite file. It answers at once; the interface is asynchronous for the sake of servers.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { inTransaction, whenFree } from '../../db/sqlite.ts'
import { numberOf, type Row, textOf } from '../row-values.ts'
import {
  type BoundCondition,
  Conditions,
  type Dialect,
  type NumbersInsertion,
  type PageColumns,
  type PagesOfRead,
  type PagesRead,
  type PageTable,
  Queries,
  Sql,
  type SqlValues,
  type Step,
  type StepResult,
  type Work,
} from '../sql/sql.ts'

/** LIKE stops at a NUL and folds the case of these letters only. */
const PLAIN = /^[\x01-\x7f]*$/
/** Characters with a meaning in LIKE. */
const WILDCARDS = /[\\%_]/g

const sqliteDialect: Dialect = {
  equals: (column, hole) => `${column} = ${hole}`,
  isAmong: isOneOf,
  equalsAny: isOneOf,
  json: (column) => column,
  contains,
  // The plus keeps the order of ids: by the index of one crawl after the other all would be sorted.
  ofCrawls: (crawlIds) => isOneOf('+p.crawl_id', crawlIds),
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
    forgetCrawl: ['best_pages', 'linked_urls', 'dropped_pages'].map(
      (table) => `DELETE FROM ${table} WHERE crawl_id = $1`,
    ),
    lockCrawl: [],
    lockName: [],
  },
}

function isOneOf(column: string, list: readonly (number | string)[]): BoundCondition {
  return {
    value: JSON.stringify(list),
    condition: (hole) => `${column} IN (SELECT value FROM json_each(${hole}))`,
  }
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
function addTextFunction(db: DatabaseSync): void {
  let folded = { part: '', lower: '' }
  db.function('has_text', { deterministic: true }, (text, part) => {
    if (folded.part !== part) folded = { part: String(part), lower: String(part).toLowerCase() }
    return Number(String(text).toLowerCase().includes(folded.lower))
  })
}

/** Statements that stay prepared. More than all there are, but for rare combinations of filters. */
const MAX_PREPARED = 200
const PARAMETER = /\$(\d+)/g

/**
 * It closes the file when it is disposed of.
 *
 * The SQL of SQLite where it differs from PostgreSQL: see sql/sql.ts. A writer locks the whole file, so
 * there is nothing else to lock.
 */
export function createSqliteSql(db: DatabaseSync): Sql {
  addTextFunction(db)
  return new SqliteSql(db)
}

class SqliteSql extends Sql {
  readonly dialect = sqliteDialect
  readonly #db: DatabaseSync
  readonly #queries = new Queries(sqliteDialect)
  readonly #prepared = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    super()
    this.#db = db
  }

  step(step: Step): Promise<StepResult> {
    return whenFree(() => this.#step(step))
  }

  transaction<T>(work: (queries: Queries, attempt: number) => Work<T>): Promise<T> {
    const run = () => this.#perform(work(this.#queries, 1))
    return whenFree(() => inTransaction(this.#db, run))
  }

  ofPage(table: PageTable, columns: string, pageId: number): Promise<Row | undefined> {
    const key = table === 'pages' ? 'id' : 'page_id'
    return this.get(`SELECT ${columns} FROM ${table} WHERE ${key} = $1`, [pageId])
  }

  somePages(read: PagesRead): Promise<readonly Row[]> {
    const { crawlId, where, limit, bound = Number.POSITIVE_INFINITY } = read
    const values = [...read.values, limit, ...(crawlId === undefined ? [] : [crawlId])]
    const last = read.values.length + 1
    const ofCrawl = crawlId === undefined ? '' : `AND p.crawl_id = $${last + 1}`
    const text = `${selecting(read)} WHERE ${where} ${ofCrawl} ORDER BY p.id LIMIT $${last}`
    return whenFree(() => {
      const rows: Row[] = []
      let size = 0
      for (const row of this.#prepare(text).iterate(...values)) {
        rows.push(row)
        size += sizeOf(row, read)
        if (size >= bound) break
      }
      return rows
    })
  }

  pagesOf(ids: readonly number[], read: PagesOfRead) {
    return whenFree(() =>
      read.bound === undefined ? this.#allPagesOf(ids, read) : this.#boundPagesOf(ids, read),
    )
  }

  /** Without LIMIT, which would make SQLite sort in a slower way: twice the time. */
  ids(text: string, values: SqlValues, limit: number): Promise<number[]> {
    return whenFree(() => {
      const ids: number[] = []
      for (const row of this.#prepare(text).iterate(...values)) {
        if (ids.length === limit) break
        ids.push(numberOf(row, 'id'))
      }
      return ids
    })
  }

  async version(): Promise<string> {
    return textOf((await this.get('PRAGMA data_version')) ?? {}, 'data_version')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  /** In one query: half the time of one for each. */
  #allPagesOf(ids: readonly number[], read: PagesOfRead) {
    const wanted = conditionsOf(read)
    wanted.bind(isOneOf('p.id', ids))
    const found = this.#prepare(`${selecting(read)} WHERE ${wanted.where}`).all(...wanted.values)
    const known = new Map<unknown, Row>(found.map((row) => [row.id, row]))
    const rows = ids.map((id) => known.get(id)).filter((row) => row !== undefined)
    return { rows, read: ids.length }
  }

  /** One after the other, so that none is read beyond the bound. */
  #boundPagesOf(ids: readonly number[], read: PagesOfRead) {
    const { bound = 0 } = read
    const wanted = conditionsOf(read)
    wanted.add(`p.id = ${wanted.hole(0)}`)
    const byId = this.#prepare(`${selecting(read)} WHERE ${wanted.where}`)
    const values = wanted.values.slice(0, -1)
    const rows: Row[] = []
    let at = 0
    for (let size = 0; at < ids.length && size < bound; at++) {
      const row = byId.get(...values, ids[at] ?? 0)
      if (row === undefined) continue
      rows.push(row)
      size += sizeOf(row, read)
    }
    return { rows, read: at }
  }

  #perform<T>(work: Work<T>): T {
    for (let next = work.next(); ; ) {
      if (next.done === true) return next.value
      next = work.next(this.#step(next.value))
    }
  }

  #step(step: Step): StepResult {
    if (step.what === 'insert') return this.#insert(step.insertion)
    const statement = this.#prepare(step.text)
    if (step.what === 'rows') return { rows: statement.all(...step.values), changes: 0 }
    if (step.what === 'run') {
      return { rows: [], changes: Number(statement.run(...step.values).changes) }
    }
    const row = statement.get(...step.values)
    return { rows: row === undefined ? [] : [row], changes: 0 }
  }

  #insert({ table, columns, values }: NumbersInsertion): StepResult {
    const holes = columns.map((_, at) => `$${at + 1}`).join(', ')
    const insert = this.#prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${holes})`)
    const rows = values[0]?.length ?? 0
    for (let row = 0; row < rows; row++) {
      insert.run(...values.map((column) => numberOrNull(column[row])))
    }
    return { rows: [], changes: rows }
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.#db.prepare(text.replace(PARAMETER, '?$1'))
    const [oldest] = this.#prepared.size < MAX_PREPARED ? [] : this.#prepared.keys()
    if (oldest !== undefined) this.#prepared.delete(oldest)
    this.#prepared.set(text, statement)
    return statement
  }
}

function conditionsOf({ crawlIds }: PagesOfRead): Conditions {
  const wanted = new Conditions()
  return crawlIds === undefined ? wanted : wanted.bind(sqliteDialect.ofCrawls(crawlIds))
}

function selecting({ columns, parts = [], html = false }: PageColumns): string {
  const selected = [
    ...columns.map((name) => `p.${name}`),
    ...parts.map((name) => `parts.${name}`),
    ...(html ? ['body.html'] : []),
  ]
  return `SELECT ${selected.join(', ')} FROM pages p
    ${parts.length > 0 ? 'LEFT JOIN page_parts parts ON parts.page_id = p.id' : ''}
    ${html ? 'LEFT JOIN page_html body ON body.page_id = p.id' : ''}`
}

/** The characters of its texts: an estimate of its size that costs nothing. */
function sizeOf(row: Row, { large = [] }: PageColumns): number {
  let size = 0
  for (const column of large) {
    const value = row[column]
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length
  }
  return size
}

function numberOrNull(number: number | undefined): number | null {
  return number === undefined || Number.isNaN(number) ? null : number
}
