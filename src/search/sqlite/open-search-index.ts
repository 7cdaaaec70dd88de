// Opens the file of the index. It can be rebuilt from the store at any time, so a damaged file, or one made
// by another version, is no error: a writer rebuilds it, and for a reader there is no index. Only a database
// of another program is left alone.
import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import { openSqlite, openSqliteReader } from '../../db/sqlite.ts'
import { asCrawlerError } from '../../db/sqlite-errors.ts'
import type { SearchIndex, SearchReader } from '../search-index.ts'
import { WORDS_VERSION } from '../words.ts'
import {
  type SearchIndexOptions,
  SqliteSearchIndex,
  SqliteSearchReader,
} from './sqlite-search-index.ts'

const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Opens it for writing; the caller holds a lock. `onRebuild` is called before an unusable index is discarded.
 */
export async function openSqliteSearchIndex(
  options: SearchIndexOptions,
  onRebuild?: () => void,
): Promise<SearchIndex> {
  const { path } = options
  const fitting = ifFitting(() => openWritable(path))
  if (fitting !== null) return new SqliteSearchIndex(fitting, options)
  onRebuild?.()
  discardSqliteSearchIndex(path)
  return new SqliteSearchIndex(openWritable(path), options)
}

/** Null if there is no usable index. */
export async function openSqliteSearchReader(
  options: SearchIndexOptions,
): Promise<SearchReader | null> {
  const db = ifFitting(() => openSqliteReader(options.path, 'search'))
  return db === null ? null : new SqliteSearchReader(db, options)
}

/** Only the writer may do this. Readers keep the file that they have open. */
export function discardSqliteSearchIndex(path: string): void {
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  } catch (cause) {
    throw new CrawlerError('store-unreachable', `${path} cannot be built again`, { cause })
  }
}

function openWritable(path: string): DatabaseSync {
  const options = {
    schema: 'search',
    durability: 'normal',
    cacheBytes: CACHE_BYTES,
    isHot: true,
  } as const
  const db = openSqlite(path, options)
  try {
    db.prepare(`
      INSERT INTO search_version (version)
      SELECT ? WHERE NOT EXISTS (SELECT 1 FROM search_version)`).run(WORDS_VERSION)
    return db
  } catch (error) {
    db.close()
    throw asCrawlerError(error, path)
  }
}

function ifFitting(open: () => DatabaseSync | null): DatabaseSync | null {
  try {
    const db = open()
    if (db === null || versionOf(db) === WORDS_VERSION) return db
    db.close()
    return null
  } catch (error) {
    if (isUnfit(error)) return null
    throw error
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('SELECT version FROM search_version').get()?.version ?? 0)
}

/** True if a rebuild would help. A damaged file has the driver's error as its cause. */
export function isUnfit(error: unknown): boolean {
  if (!(error instanceof CrawlerError)) return false
  if (error.code === 'store-damaged') return error.cause !== undefined
  return error.code === 'store-newer' || error.code === 'store-older'
}
