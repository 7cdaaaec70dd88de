// Statements that fail with our errors. For readers: a page of a file that is damaged comes to light with
// any row. Whoever writes does so in transactions, which see to it themselves.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { asCrawlerError } from './sqlite-errors.ts'

/** From now on whatever is prepared or executed fails with our errors, which name this path. */
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
