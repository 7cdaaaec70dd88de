// Opens SQLite files: settings, migrations, and our errors instead of the driver's.
//
// A file knows what it is (application_id) and how new it is (user_version = number of the last
// migration). A newer file is refused, never touched; an older one is brought up to date in one
// transaction. One whose number does not fit its form is refused too: see schema-columns.ts.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { CrawlerError } from '../core/errors.ts'
import { makeOwnFile } from '../lib/own-files.ts'
import { columnsIn, type MadeSchema, madeBy, refuseOlder } from './schema-columns.ts'
import { moveSecrets } from './secrets-file.ts'
import { asCrawlerError, asksForWriting, guardStatements, translated } from './sqlite-errors.ts'

/** "JLJH" */
const APPLICATION_ID = 0x4a4c4a48
const BUSY_MS = 10_000
/** The longest write: the importance of millions of pages. */
const PATIENCE_MS = 10 * 60_000
/**
 * The longest pause between two tries; each has another length. It is shorter than most writes, so that later
 * arrivals do not overtake the longest waiting writer for long.
 */
const MAX_PAUSE_MS = 6
/** For callers of `whenFree`: the process hardly stands still. */
export const HARDLY_MS = 5
/**
 * For parsers. Pages of an index change with every batch: rare checkpoints copy them rarely. The 64 MiB
 * to which the log may grow; a fifth faster than every 16 MiB (bench/store.ts).
 */
export const SELDOM_PAGES = 16_000
/**
 * For those who write little beside parsers, and serve others meanwhile. They come after the parsers:
 * copying what those wrote would have them stand still for half a second.
 */
export const HARDLY_EVER_PAGES = 20_000

export const USUAL_PAGES = 1000

export type OpenOptions = {
  /** Its migrations are in `src/<schema>/sqlite/migrations`. */
  readonly schema: 'store' | 'frontier' | 'search' | 'scouter'
  /**
   * `full`: a commit survives a power cut. `normal`: it survives the death of the process. `none`: it
   * survives nothing, and a failed write may damage the file.
   */
  readonly durability: 'full' | 'normal' | 'none'
  readonly cacheBytes?: number
  /** How long a call blocks while another program writes; then it is `store-busy`. */
  readonly busyMs?: number
  /** With so many pages of 4 KiB in the log, a commit copies them into the file; 1000 if not said. */
  readonly checkpointPages?: number
  /** The process that started this one has opened the file before, and knows that its form is right. */
  readonly isChecked?: true
  /** Its owner calls it for every page or link, and sees to its errors. */
  readonly isHot?: true
}

const SYNCHRONOUS = { full: 'FULL', normal: 'NORMAL', none: 'OFF' } as const

/** SQLite keeps a database of this name in a file of its own that goes with the process. */
export const TEMPORARY = ''

/** A new database that survives nothing. It has the tables and indexes of the newest version, and no views. */
export function openDisposable(
  path: string,
  { schema, cacheBytes }: { schema: OpenOptions['schema']; cacheBytes: number },
): DatabaseSync {
  return translated(path, () => {
    const db = new DatabaseSync(path)
    db.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA foreign_keys = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = ${-Math.ceil(cacheBytes / 1024)};
      ${newest(schema).tables}`)
    return db
  })
}

/** Opens a file for writing, creating or migrating it as needed. */
export function openSqlite(path: string, options: OpenOptions): DatabaseSync {
  return translated(path, () => {
    // SQLite gives the files beside it the same mode.
    if (path !== ':memory:' && path !== TEMPORARY) makeOwnFile(path)
    const db = new DatabaseSync(path)
    try {
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
      refuseForeign(db, path)
      db.exec(`
        PRAGMA journal_mode = ${options.durability === 'none' ? 'OFF' : 'WAL'};
        PRAGMA synchronous = ${SYNCHRONOUS[options.durability]};
        PRAGMA foreign_keys = OFF;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = ${-Math.ceil((options.cacheBytes ?? 16 * 1024 * 1024) / 1024)};
        PRAGMA journal_size_limit = ${64 * 1024 * 1024};
      `)
      const isNew = migrate(db, path, options.schema)
      if (isNew) COLUMNS.set(options.schema, columnsIn(db))
      else if (!options.isChecked) refuseOlder(db, path, newestColumns(options.schema))
      db.exec(`PRAGMA busy_timeout = ${options.busyMs ?? BUSY_MS}`)
      db.exec(`PRAGMA wal_autocheckpoint = ${options.checkpointPages ?? USUAL_PAGES}`)
      if (!options.isHot) guardStatements(db, path)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/**
 * Copies what is in the log of a file into the file, so that who takes only that one with him has all.
 * Only as far as nobody else is kept waiting for it: nothing is lost in a log either.
 */
export function emptyLog(path: string): void {
  if (!existsSync(path)) return
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path)
    db.exec('PRAGMA busy_timeout = 0')
    // The first lets others write meanwhile; it leaves the second, which does not, next to nothing.
    db.exec('PRAGMA wal_checkpoint(PASSIVE); PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // It stays in the log; the next writer copies it.
  } finally {
    db?.close()
  }
}

/**
 * Opens an existing file for reading; null when there is none. Also where this user may write
 * neither the file nor its folder, unless an earlier version wrote it: then it is brought up to date
 * first.
 */
export function openSqliteReader(path: string, schema: OpenOptions['schema']): DatabaseSync | null {
  if (!existsSync(path)) return null
  return translated(path, () => {
    const last = migrationsOf(schema).length
    let db = openForReading(path)
    try {
      refuseForeign(db, path)
      const version = pragma(db, 'user_version')
      if (version > last) throw newer(path, version, last)
      // Made this very moment by a writer that has not come to its tables yet.
      if (version === 0) {
        db.close()
        return null
      }
      if (version < last) {
        db.close()
        bringUpToDate(path, schema)
        db = openForReading(path)
      }
      guardStatements(db, path)
      refuseOlder(db, path, newestColumns(schema))
      return db
    } catch (error) {
      if (db.isOpen) db.close()
      throw error
    }
  })
}

function bringUpToDate(path: string, schema: OpenOptions['schema']): void {
  try {
    openSqlite(path, { schema, durability: 'full' }).close()
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code !== 'store-unreachable') throw error
    const message =
      `${path} was written by an earlier version of Jelajah, and this user may not bring it up to ` +
      "date. Let its owner run 'jelajah crawls' once."
    throw new CrawlerError('store-older', message, { cause: error })
  }
}

function openForReading(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    // The first look: only now the driver asks for the files beside this one.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    if (!asksForWriting(error) || isFilled(`${path}-wal`)) throw error
    return openUnchanging(path)
  }
}

/**
 * Without the files that readers and writers share, which this user could not make: right as long
 * as nobody writes, and who writes has made them. What is still in the log would be missed.
 */
function openUnchanging(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}

function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Runs `work` in one transaction; nothing of it stays when it throws. */
export function inTransaction<T>(db: DatabaseSync, work: () => T, path?: string): T {
  try {
    db.exec('BEGIN IMMEDIATE')
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(db)
    throw asCrawlerError(error, path ?? db.location() ?? undefined)
  }
}

function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK')
  } catch {
    // Why the work failed matters more.
  }
}

/**
 * Calls `work` again while another program writes, and returns its result. The event loop runs between two
 * calls, so a process that waits here still sends signs of life.
 */
export async function whenFree<T>(work: () => T): Promise<T> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      const isBusy = error instanceof CrawlerError && error.code === 'store-busy'
      if (!isBusy || performance.now() >= until) throw error
    }
    await pause(Math.random() * MAX_PAUSE_MS)
  }
}

function refuseForeign(db: DatabaseSync, path: string): void {
  const id = pragma(db, 'application_id')
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()
  if (id !== APPLICATION_ID && Number(tables?.n) > 0) {
    const what = `${path} is a database, but not one of Jelajah's`
    throw new CrawlerError(
      'store-damaged',
      `${what}. Move it away, or choose another --data folder.`,
    )
  }
}

/** True if the file was empty: then its form needs no check. */
function migrate(db: DatabaseSync, path: string, schema: OpenOptions['schema']): boolean {
  const migrations = migrationsOf(schema)
  if (pragma(db, 'user_version') === migrations.length) return false
  let isCleaned = false
  let isNew = false
  inTransaction(db, () => {
    // Read again inside: another process may have migrated while we waited for the lock.
    const version = pragma(db, 'user_version')
    if (version > migrations.length) throw newer(path, version, migrations.length)
    for (const file of migrations.slice(version)) {
      const step = STEPS.get(`${schema}/${basename(file)}`)
      step?.(db, path)
      isCleaned ||= step !== undefined
      db.exec(readFileSync(file, 'utf8'))
    }
    db.exec(`PRAGMA user_version = ${migrations.length}; PRAGMA application_id = ${APPLICATION_ID}`)
    isNew = version === 0
    // Inside, so that a file that is refused stays as it was.
    if (!isNew) refuseOlder(db, path, newestColumns(schema))
  })
  // What a step took out of the file is to be gone from it, not only from what is read of it.
  if (isCleaned) db.exec('PRAGMA secure_delete = OFF; PRAGMA wal_checkpoint(TRUNCATE)')
  return isNew
}

function newer(path: string, version: number, newest: number): CrawlerError {
  return new CrawlerError(
    'store-newer',
    `${path} was written by a newer Jelajah (schema ${version}, this one knows ${newest}). ` +
      'Use that version, or another --data folder.',
  )
}

function migrationsOf(schema: OpenOptions['schema']): string[] {
  const folder = join(import.meta.dirname, '..', schema, 'sqlite', 'migrations')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(folder, name))
}

/** The newest version. The files do not change while a program runs, so one look is enough. */
function newest(schema: OpenOptions['schema']): MadeSchema {
  const known = NEWEST.get(schema)
  if (known !== undefined) return known
  const made = madeBy(
    migrationsOf(schema)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n'),
  )
  NEWEST.set(schema, made)
  return made
}

/** Making the newest version takes some ms; a file that this process has made shows them at once. */
function newestColumns(schema: OpenOptions['schema']): readonly string[] {
  return COLUMNS.get(schema) ?? newest(schema).columns
}

/** What is done before the SQL of a migration, in the same transaction. */
const STEPS: ReadonlyMap<string, (db: DatabaseSync, path: string) => void> = new Map([
  ['store/0008_secrets_apart.sql', moveSecrets],
])

const NEWEST = new Map<OpenOptions['schema'], MadeSchema>()
const COLUMNS = new Map<OpenOptions['schema'], readonly string[]>()

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)
}
