// Node warns on stderr when a program first loads its SQLite, since it is young. A library prints nothing:
// it is loaded here once, with that one warning left out.
import process from 'node:process'

let loaded: Promise<unknown> | null = null

export function loadSqliteQuietly(): Promise<unknown> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<unknown> {
  const { emitWarning } = process
  // Node calls it while the module is loaded, and passes the text and the name of the warning.
  const silent = (warning: string | Error, ...rest: unknown[]): void => {
    if (/sqlite/i.test(String(warning)) && rest[0] === 'ExperimentalWarning') return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  process.emitWarning = silent
  try {
    return await import('node:sqlite')
  } finally {
    if (process.emitWarning === silent) process.emitWarning = emitWarning
  }
}
