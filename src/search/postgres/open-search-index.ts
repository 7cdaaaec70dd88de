// Opens the index. It can be rebuilt from the store at any time, so an index made by another version is no
// error: a writer rebuilds it, and for a reader there is no index.
import { CrawlerError } from '../../core/errors.ts'
import type { Postgres } from '../../db/postgres.ts'
import { dropSearchTables, makeSearchTables, searchTables } from '../../db/postgres-search.ts'
import type { SearchIndex, SearchReader } from '../search-index.ts'
import { WORDS_VERSION } from '../words.ts'
import {
  PostgresSearchIndex,
  PostgresSearchReader,
  type SearchIndexOptions,
} from './postgres-search-index.ts'

/**
 * Opens it for writing; the caller holds a lock. `onAnew` is called before an unusable index is discarded.
 */
export async function openPostgresSearchIndex(
  options: SearchIndexOptions,
  onAnew?: () => void,
): Promise<SearchIndex> {
  const { db } = options
  const there = await searchTables(db, WORDS_VERSION)
  if (there === 'other') onAnew?.()
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

/** True if a rebuild would help: one of the index's own tables is missing or damaged. */
export function isUnfitPostgresIndex(error: unknown): boolean {
  if (!(error instanceof CrawlerError) || error.code !== 'store-damaged') return false
  return error.cause instanceof Error && OWN.test(error.cause.message)
}

/** The index's tables as server errors name them. The store has its own tables in the same database. */
const OWN =
  /"(?:search\.\w+|(?:long_)?page_words\w*|searched_\w+|search_\w+|page_clusters\w*|page_sketches\w*|sketch_bands\w*|known_words\w*)"/
