// The errors of SQLite in our words, each with what to do about it.
import { statfsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { CrawlerError } from '../core/errors.ts'
import { NoTemporaryFolder } from '../lib/own-files.ts'

// Some of SQLite's result codes.
const PLAIN_ERROR = 1
const BUSY = 5
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NO_DATABASE = 26
/** What SQLite says of a column that holds no JSON any more; we write nothing else there. */
const BROKEN_JSON = /malformed JSON/i
/** SQLite's own: by so much the file beside a log grows that says what is in it. */
const LOG_INDEX_STEP_BYTES = 32_768

/** An error of the driver or of the system in our words; errors that are ours already pass through. */
export function asCrawlerError(error: unknown, path = 'a database'): unknown {
  if (error instanceof NoTemporaryFolder) {
    return new CrawlerError('store-unreachable', error.message, { cause: error })
  }
  if (!(error instanceof Error) || !('errcode' in error)) return error
  const cause = { cause: error }
  const primary = Number(error.errcode) & 0xff
  const { message } = error
  if (primary === FULL || (primary === IO_ERROR && isDiskFull(path))) {
    const cure = 'Make room, then the same command goes on; nothing that was stored is lost.'
    const what = `the disk is full: ${path} could not be written. ${cure}`
    return new CrawlerError('disk-full', what, cause)
  }
  if (primary === CORRUPT || primary === NO_DATABASE) return damaged(path, message, cause)
  if (primary === PLAIN_ERROR && BROKEN_JSON.test(message)) return damaged(path, message, cause)
  if (primary === BUSY) {
    return new CrawlerError('store-busy', `${path} is in use by another program`, cause)
  }
  if (primary === READ_ONLY || primary === CANNOT_OPEN || primary === IO_ERROR) {
    const hint = primary === IO_ERROR ? '' : '. Check who may read and write it and its folder.'
    const what = `${path} cannot be opened or written: ${message}${hint}`
    return new CrawlerError('store-unreachable', what, cause)
  }
  return error
}

/** `why`: what is wrong with it. One line that says what to do. */
export function damaged(path: string, why: string, options?: { cause?: unknown }): CrawlerError {
  return new CrawlerError('store-damaged', `${path} is damaged (${why}). ${cureOf(path)}`, options)
}

/** The frontier follows from the pages; from what the pages would follow there is nothing. */
function cureOf(path: string): string {
  if (/^(frontier|partition)-\d+\.db$/.test(basename(path))) {
    return "Its pages are safe: 'jelajah doctor --rebuild-frontier' makes it again from them."
  }
  return "Put back a copy, or save what can be read: see 'When a file is damaged' in docs/DURABILITY.md."
}

/** Whether it is for want of the right to write. */
export function asksForWriting(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  const primary = Number(error.errcode) & 0xff
  return primary === READ_ONLY || primary === CANNOT_OPEN
}

/** Where the index of a log cannot grow, SQLite calls a full disk an error of reading and writing. */
function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < LOG_INDEX_STEP_BYTES
  } catch {
    return false
  }
}

/**
 * Makes all statements of this connection fail with our errors, which name this path. This is for readers,
 * since any row may be on a damaged page of the file. Writers use transactions, which translate errors
 * themselves.
 */
export function guardStatements(db: DatabaseSync, path: string): void {
  const prepare = db.prepare.bind(db)
  const exec = db.exec.bind(db)
  db.prepare = (...args) =>
    guarded(
      translated(path, () => prepare(...args)),
      path,
    )
  db.exec = (sql) => translated(path, () => exec(sql))
}

export function translated<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asCrawlerError(error, path)
  }
}

function guarded(statement: StatementSync, path: string): StatementSync {
  for (const name of ['all', 'get', 'run'] as const) {
    const method: (...values: never[]) => unknown = statement[name].bind(statement)
    Object.defineProperty(statement, name, {
      value: (...values: never[]) => translated(path, () => method(...values)),
    })
  }
  const iterate: (...values: never[]) => IterableIterator<unknown> =
    statement.iterate.bind(statement)
  Object.defineProperty(statement, 'iterate', {
    value: (...values: never[]) =>
      guardedRows(
        translated(path, () => iterate(...values)),
        path,
      ),
  })
  return statement
}

function guardedRows(rows: IterableIterator<unknown>, path: string): IterableIterator<unknown> {
  return {
    next: () => translated(path, () => rows.next()),
    return: (value?: unknown) => rows.return?.(value) ?? { done: true, value },
    [Symbol.iterator]() {
      return this
    },
  }
}
