// The rows of a partition for its owner, in the partition's own file. The engine works on them directly; its
// transactions stay open, one inside the other, until a batch commits them together with its messages. What
// was not committed is gone with the process, as if it had never happened: nobody was told of it.
import type { DatabaseSync } from 'node:sqlite'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import { ChangedKeys } from '../engine/rows.ts'
import type { Row, TableName } from '../storage.ts'
import { SqliteRows } from './sqlite-rows.ts'

export class FileRows extends SqliteRows {
  /** Nothing has to be sent elsewhere. */
  readonly changes = new ChangedKeys()
  /** The rows are there already. */
  readonly isStorage = true as const
  readonly #db: DatabaseSync
  readonly #path: string
  #isInside = false
  #isClosed = false
  /** Why the changes since the last batch were taken back. Memory and rows differ since then. */
  #broken: { readonly error: unknown } | null = null

  constructor(db: DatabaseSync, path: string) {
    super(db)
    this.#db = db
    this.#path = path
  }

  get isOpen(): boolean {
    return !this.#isClosed
  }

  /** Something was changed since the last batch. */
  get isChanged(): boolean {
    return this.#db.isOpen && this.#db.isTransaction
  }

  override transaction<T>(work: () => T): T {
    if (this.#isInside) return work()
    this.#check()
    this.#isInside = true
    try {
      if (!this.#db.isTransaction) this.#db.exec('BEGIN IMMEDIATE')
      const result = work()
      this.url.write()
      return result
    } catch (error) {
      throw this.#breakOff(error)
    } finally {
      this.#isInside = false
    }
  }

  /** Commits what was changed, and `work`. */
  commitWith(work: () => void): void {
    this.transaction(work)
    try {
      this.#db.exec('COMMIT')
    } catch (error) {
      throw this.#breakOff(error)
    }
  }

  /** A batch does this. */
  override commit(): undefined {}

  /** The file of a partition is flushed as a whole. */
  override async flush(): Promise<void> {}

  /** The file stays open; changes that were not committed are taken back. */
  override close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#rollBack()
  }

  /** Writes whole rows. */
  putRows(table: TableName, rows: readonly Row[]): void {
    this[table].replace(rows)
  }

  dropRow(table: TableName, key: Row): void {
    this[table].remove(key)
  }

  #check(): void {
    if (this.#broken !== null) throw this.#broken.error
    if (this.#isClosed) throw new RangeError(`the rows of ${this.#path} are closed`)
  }

  #breakOff(cause: unknown): unknown {
    this.#rollBack()
    const error = asCrawlerError(cause, this.#path)
    this.#broken = { error }
    return error
  }

  #rollBack(): void {
    try {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
    } catch {
      // The first error matters more.
    }
  }
}
