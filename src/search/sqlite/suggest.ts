// What an index knows of words, for suggestions.
import type { DatabaseSync } from 'node:sqlite'
import type { Query } from '../query.ts'
import { FEW_HITS, suggestionFor } from '../suggestion.ts'
import { NearWords } from './near-words.ts'

/** `findsMore`: whether a query finds more pages than were found. */
export function suggestionOf(
  db: DatabaseSync,
  query: Query,
  pages: number,
  findsMore: (text: string) => boolean,
): string | null {
  if (pages > FEW_HITS) return null
  const words = new NearWords(db)
  const some = db.prepare(`
    SELECT count(*) AS pages
    FROM (SELECT 1 FROM page_words WHERE page_words MATCH ? LIMIT ${FEW_HITS + 1})`)
  return suggestionFor(query, pages, {
    pagesWith: (word) => Number(some.get(`"${word}"`)?.pages ?? 0),
    near: (word, limit) => words.of(word, limit),
    common: (word) => words.pagesWith(word),
    findsMore,
  })
}
