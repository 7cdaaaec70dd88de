// Opens the index. It can be rebuilt from the store at any time, so an index made by another version is no
// error: a writer rebuilds it, or adds what it lacks, and for a reader there is no index.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import type { Postgres, Queries } from '../../db/postgres.ts'
import type { SearchIndex, SearchReader } from '../search-index.ts'
import { Damage } from '../segments/term-block.ts'
import { WORDS_VERSION } from '../words.ts'
import {
  PostgresSearchIndex,
  PostgresSearchReader,
  type SearchIndexOptions,
} from './postgres-search-index.ts'

/**
 * Opens it for writing; the caller holds a lock. `onRebuild` is called before an unusable index is discarded.
 */
export async function openPostgresSearchIndex(
  options: SearchIndexOptions,
  onRebuild?: () => void,
): Promise<SearchIndex> {
  const { db } = options
  const there = await searchTables(db, WORDS_VERSION)
  if (there === 'other') onRebuild?.()
  if (there !== 'fit') await makeSearchTables(db, WORDS_VERSION)
  return new PostgresSearchIndex(options)
}

/** Null if there is no usable index. */
export async function openPostgresSearchReader(
  options: SearchIndexOptions,
): Promise<SearchReader | null> {
  const there = await searchTables(options.db, WORDS_VERSION)
  return there === 'fit' ? new PostgresSearchReader(options) : null
}

/** Only the writer may do this. */
export function discardPostgresSearchIndex(db: Postgres): Promise<void> {
  return dropSearchTables(db, WORDS_VERSION)
}

/** True if a rebuild would help: one of the index's own tables is missing or damaged, or has lost rows. */
export function isUnfitPostgresIndex(error: unknown): boolean {
  if (!(error instanceof CrawlerError) || error.code !== 'store-damaged') return false
  const { cause } = error
  return cause instanceof Damage || (cause instanceof Error && OWN.test(cause.message))
}

/** The index's tables as server errors name them. The store has its own tables in the same database. */
const OWN =
  /"(?:search\.\w+|(?:given_)?link_texts\w*|searched_\w+|search_\w+|page_clusters\w*|page_sketches\w*|page_columns\w*|segments_\w+|segment_pieces\w*|term_blocks\w*|shared_values\w*|sketch_bands\w*|common_words\w*|known_words\w*|title_words\w*)"/

/** To be raised with the tables: an index in another form is built again, or gets the tables that were added since. */
const LAYOUT = 8
const FOLDER = join(import.meta.dirname, 'migrations')
/** The form of an index that only has the tables of the first file. */
const FIRST_LAYOUT = 7

/** `none`: there is nothing. `earlier`: some tables are missing. `other`: of another version. */
type SearchTables = 'none' | 'fit' | 'earlier' | 'other'

/**
 * The tables of the search index in PostgreSQL: made, found to fit, and thrown away. They stand in a schema
 * of their own; one that somebody else made is left alone. `version`: by which rules words are cut.
 */
export function searchTables(db: Postgres, version: number): Promise<SearchTables> {
  return db.run((sql) => tablesIn(sql, version, db.shown))
}

/** Only who may write does that. */
export function makeSearchTables(db: Postgres, version: number): Promise<void> {
  return db.inTransaction(async (sql) => {
    const there = await tablesIn(sql, version, db.shown)
    if (there === 'fit') return
    if (there === 'other') await dropTables(sql)
    const files = readdirSync(FOLDER).sort()
    for (const file of there === 'earlier' ? files.slice(1) : files) {
      await sql.unsafe(readFileSync(join(FOLDER, file), 'utf8')).simple()
    }
    await sql`DELETE FROM search.search_version`
    await sql`INSERT INTO search.search_version VALUES (${LAYOUT}, ${version})`
  })
}

/** Readers that ask meanwhile wait, and then have none. */
export function dropSearchTables(db: Postgres, version: number): Promise<void> {
  return db.inTransaction(async (sql) => {
    if ((await tablesIn(sql, version, db.shown)) !== 'none') await dropTables(sql)
  })
}

/** The schema stays, with what others were allowed there. */
async function dropTables(sql: Queries): Promise<void> {
  const rows = await sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'search'`
  const names = rows.map(({ name }) => `search."${name}"`)
  await sql.unsafe(`DROP TABLE ${names.join(', ')} CASCADE`)
}

async function tablesIn(sql: Queries, version: number, shown: string): Promise<SearchTables> {
  const [there] = await sql`
    SELECT count(*)::integer AS tables,
      coalesce(bool_or(relname = 'search_version'), false) AS is_ours
    FROM pg_class WHERE relnamespace = to_regnamespace('search')`
  if (there === undefined || there.tables === 0) return 'none'
  if (there.is_ours !== true) {
    throw new CrawlerError(
      'store-damaged',
      `${shown} has a schema "search" that is not Jelajah's. Give Jelajah a database of its own.`,
    )
  }
  const [row] = await sql.unsafe(VERSION)
  if (row?.version !== version) return 'other'
  if (row.layout === FIRST_LAYOUT) return 'earlier'
  return row.layout === LAYOUT ? 'fit' : 'other'
}

/** Independent of its columns: an index of a later version is recognised by its numbers alone. */
const VERSION = 'SELECT * FROM search.search_version LIMIT 1'
