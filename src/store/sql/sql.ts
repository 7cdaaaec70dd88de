// SQL as both databases speak it. The classes of this folder hold the queries of the store once; a
// database implements `Sql`, and says in its `Dialect` where its own words differ.
//
// Parameters are written $1, $2, … Every statement is prepared once, so its text must not contain
// values. Truth values are 0 and 1, times are epoch milliseconds: both are plain integers.
import type { Row } from '../row-values.ts'

export type SqlValue = string | number | null | Uint8Array
export type SqlValues = readonly SqlValue[]

/** A table with at most one row per page. */
export type PageTable = 'pages' | 'page_parts' | 'page_html' | 'page_importance' | 'page_checks'

/** A statement that a transaction asks for. */
export type Step =
  | { readonly what: 'rows' | 'row' | 'run'; readonly text: string; readonly values: SqlValues }
  | { readonly what: 'insert'; readonly insertion: NumbersInsertion }

export type StepResult = { readonly rows: readonly Row[]; readonly changes: number }

/**
 * What is done inside a transaction, statement by statement. A generator and no promise, so that SQLite runs
 * it in one go: no other code of the process finds a transaction half done, or waits for its lock.
 */
export type Work<T> = Generator<Step, T, StepResult>

/** The statements of a transaction: `yield* queries.get(…)`. */
export class Queries {
  readonly dialect: Dialect

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  *all(text: string, values: SqlValues = []): Work<readonly Row[]> {
    return (yield { what: 'rows', text, values }).rows
  }

  /** The first row; undefined when there is none. */
  *get(text: string, values: SqlValues = []): Work<Row | undefined> {
    return (yield { what: 'row', text, values }).rows[0]
  }

  /** How many rows were inserted, changed or deleted. */
  *run(text: string, values: SqlValues = []): Work<number> {
    return (yield { what: 'run', text, values }).changes
  }

  /** Runs statements one after the other, each with the same values. */
  *runAll(texts: readonly string[], values: SqlValues = []): Work<void> {
    for (const text of texts) yield { what: 'run', text, values }
  }

  *insertNumbers(insertion: NumbersInsertion): Work<void> {
    yield { what: 'insert', insertion }
  }
}

/** Inserts many rows of numbers. */
export type NumbersInsertion = {
  readonly table: string
  readonly columns: readonly string[]
  /** For each column its values, all equally many; NaN is stored as NULL. */
  readonly values: readonly Float64Array[]
}

/** A connection, or many to one server. Errors are CrawlerErrors. */
export abstract class Sql implements AsyncDisposable {
  abstract readonly dialect: Dialect
  /** Performs one statement. */
  abstract step(step: Step): Promise<StepResult>
  /**
   * Runs `work` in one transaction: nothing of it is stored when it throws. `work` may run again when the
   * server did not answer; from the second `attempt` on, an earlier one may have been committed.
   */
  abstract transaction<T>(work: (queries: Queries, attempt: number) => Work<T>): Promise<T>
  /** The row of a page, wherever its crawl is stored. */
  abstract ofPage(table: PageTable, columns: string, pageId: number): Promise<Row | undefined>
  /** Pages by id. Reads no more rows than fit into `bound`, so memory is bounded. */
  abstract somePages(read: PagesRead): Promise<readonly Row[]>
  /** These pages in this order, without those that are not there; `read` ids were looked up. */
  abstract pagesOf(
    ids: readonly number[],
    read: PagesOfRead,
  ): Promise<{ readonly rows: readonly Row[]; readonly read: number }>
  /** The column `id` of a query without LIMIT, of at most `limit` rows. */
  abstract ids(text: string, values: SqlValues, limit: number): Promise<number[]>
  /** Differs when another process may have changed something since; costs next to nothing. */
  abstract version(): Promise<string>
  abstract [Symbol.asyncDispose](): Promise<void>

  async all(text: string, values: SqlValues = []): Promise<readonly Row[]> {
    return (await this.step({ what: 'rows', text, values })).rows
  }

  /** The first row; undefined when there is none. */
  async get(text: string, values: SqlValues = []): Promise<Row | undefined> {
    return (await this.step({ what: 'row', text, values })).rows[0]
  }

  /** How many rows were inserted, changed or deleted. */
  async run(text: string, values: SqlValues = []): Promise<number> {
    return (await this.step({ what: 'run', text, values })).changes
  }

  /** The statements of `work` one by one, each for itself. */
  perform<T>(work: (queries: Queries) => Work<T>): Promise<T> {
    return performWork(work(new Queries(this.dialect)), (step) => this.step(step))
  }
}

/** Gives a database the statements of `work`, one after the other. */
export async function performWork<T>(
  work: Work<T>,
  run: (step: Step) => Promise<StepResult>,
): Promise<T> {
  for (let next = work.next(); ; ) {
    if (next.done === true) return next.value
    next = work.next(await run(next.value))
  }
}

/** What is read of pages. */
export type PageColumns = {
  /** Columns of `pages`, `id` among them. */
  readonly columns: readonly string[]
  /** Columns of `page_parts`. */
  readonly parts?: readonly string[]
  /** Whether `html` of `page_html` is read. */
  readonly html?: boolean
  /** Columns that may be large: reading stops after the row with which they reach `bound` bytes. */
  readonly large?: readonly string[]
  readonly bound?: number
}

export type PagesRead = PageColumns & {
  /** Only pages of this crawl; if missing, the condition restricts the crawls. */
  readonly crawlId?: number
  /** On the columns of `p`, with the values of its parameters. */
  readonly where: string
  readonly values: SqlValues
  readonly limit: number
}

/** With `crawlIds`, pages of other crawls are not there. */
export type PagesOfRead = PageColumns & { readonly crawlIds?: readonly number[] }

/** Where the two databases use different words. A `hole` is a parameter, such as $1. */
export interface Dialect {
  /** That a text column equals a parameter, in the way its index is made. */
  equals(column: string, hole: string): string
  /** That a column is one of these numbers. */
  isAmong(column: string, list: readonly number[]): BoundCondition
  /** That a text column equals one of these texts. */
  equalsAny(column: string, list: readonly string[]): BoundCondition
  /** A text column as JSON, for the operator ->>. */
  json(column: string): string
  /** That one of the columns contains a text, without regard to case. */
  contains(columns: readonly string[], text: string): BoundCondition
  /** That pages `p` belong to one of these crawls; they are read by id. */
  ofCrawls(crawlIds: readonly number[]): BoundCondition
  /** That a row of another table belongs to a page; both by their names. */
  ofSamePage(row: string, page: string): string
  readonly statements: Statements
}

/** A condition on one value, as a parameter. */
export type BoundCondition = {
  readonly value: SqlValue
  readonly condition: (hole: string) => string
}

/** Statements that are different. Lists of them run one after the other; most are empty for SQLite. */
type Statements = {
  /** crawl_id, at, type, status, text → id. */
  readonly insertEvent: string
  /** crawl_id, at: inserts the change `crawl-removed`. */
  readonly insertRemoval: string
  /** → mark: differs from that of every other store. */
  readonly mark: string
  /** → last: the largest page id given so far; 0 for none. */
  readonly lastPageId: string
  /** The number of hot pages of a row of `crawls`. */
  readonly hotOfCrawl: string
  /** crawl_id: what a new crawl needs beside its row. */
  readonly addCrawl: readonly string[]
  /** crawl_id: after the column `hot` of `host_totals` changed. */
  readonly sumHot: readonly string[]
  /** crawl_id: what is deleted last of a removed crawl. */
  readonly forgetCrawl: readonly string[]
  /** crawl_id: waits for other writers of its pages and totals. */
  readonly lockCrawl: readonly string[]
  /** name: waits for others that have locked this name. A writer of SQLite has excluded all others. */
  readonly lockName: readonly string[]
}

/** The conditions of a query. Values are always bound, never written into its text. */
export class Conditions {
  readonly #conditions: string[] = []
  readonly #values: SqlValue[] = []

  add(condition: string): this {
    this.#conditions.push(condition)
    return this
  }

  /** A condition on a value: it is given the parameter that stands for the value. */
  on(value: SqlValue, condition: (hole: string) => string): this {
    // No text in the store has a NUL, and PostgreSQL takes none.
    const isImpossible = typeof value === 'string' && value.includes('\0')
    return this.add(isImpossible ? 'false' : condition(this.hole(value)))
  }

  /** A condition of a dialect. */
  bind({ value, condition }: BoundCondition): this {
    return this.add(condition(this.hole(value)))
  }

  /** The parameter that stands for a value in any other part of the query. */
  hole(value: SqlValue): string {
    return `$${this.#values.push(value)}`
  }

  /** All of them must be true. */
  get where(): string {
    return this.#conditions.length === 0 ? 'true' : this.#conditions.join(' AND ')
  }

  /** In the order of their parameters. */
  get values(): SqlValue[] {
    return [...this.#values]
  }
}
