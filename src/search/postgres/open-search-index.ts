// Opens the index. It can be made again from the store at any time, so one that was made by another
// version is no error: a writer begins anew, a reader has none.
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

/** For writing; the caller holds a lock. `onAnew`: one that does not fit is thrown away. */
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

/** Null when there is none, or none that fits. */
export async function openPostgresSearchReader(
  options: SearchIndexOptions,
): Promise<SearchReader | null> {
  const there = await searchTables(options.db, WORDS_VERSION)
  return there === 'fit' ? new PostgresSearchReader(options) : null
}

/** Only who may write does that. */
export function discardPostgresSearchIndex(db: Postgres): Promise<void> {
  return dropSearchTables(db, WORDS_VERSION)
}

/** Whether making it anew would help: one of its own tables is missing or damaged. */
export function isUnfitPostgresIndex(error: unknown): boolean {
  if (!(error instanceof CrawlerError) || error.code !== 'store-damaged') return false
  return error.cause instanceof Error && OWN.test(error.cause.message)
}

/** As the server names them; the store has tables of its own in the same database. */
const OWN =
  /"(?:search\.\w+|(?:long_)?page_words\w*|searched_\w+|search_\w+|page_clusters\w*|page_sketches\w*|sketch_bands\w*|known_words\w*)"/
