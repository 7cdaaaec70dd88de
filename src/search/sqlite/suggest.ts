// What an index knows of words, for suggestions.
import type { DatabaseSync } from 'node:sqlite'
import type { Query } from '../query.ts'
import { FEW_HITS, suggestionFor } from '../suggestion.ts'
import type { FormsOf } from './match-expression.ts'
import { NearWords } from './near-words.ts'

export type SuggestionOptions = {
  /** That have all of the query's words. */
  readonly pages: number
  /** A word that pages have in another form is written as it should be. */
  readonly formsOf: FormsOf
  /** Whether a query finds more pages than that. */
  readonly findsMore: (text: string) => boolean
}

export function suggestionOf(
  db: DatabaseSync,
  query: Query,
  { pages, formsOf, findsMore }: SuggestionOptions,
): string | null {
  if (pages > FEW_HITS) return null
  const words = new NearWords(db)
  const some = db.prepare(`
    SELECT count(*) AS pages
    FROM (SELECT 1 FROM page_words WHERE page_words MATCH ? LIMIT ${FEW_HITS + 1})`)
  return suggestionFor(query, pages, {
    pagesWith: (word) => {
      const forms = [word, ...formsOf(word)].map((form) => `"${form}"`)
      return Number(some.get(forms.join(' OR '))?.pages ?? 0)
    },
    near: (word, limit) => words.of(word, limit),
    common: (word) => words.pagesWith(word),
    findsMore,
  })
}
