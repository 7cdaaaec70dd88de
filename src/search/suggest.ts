// What an index knows of words, for suggestions.
import type { FormsOf } from './forms-in-use.ts'
import type { Matcher } from './matcher.ts'
import { nearWords } from './near-words.ts'
import type { Query } from './query.ts'
import { FEW_HITS, suggestionFor } from './suggestion.ts'

export type SuggestionOptions = {
  /** That have all of the query's words. */
  readonly pages: number
  /** A word that pages have in another form is written as it should be. */
  readonly formsOf: FormsOf
  /** Whether a query finds more pages than that. */
  readonly findsMore: (text: string) => Promise<boolean>
}

export async function suggestionOf(
  matcher: Matcher,
  query: Query,
  { pages, formsOf, findsMore }: SuggestionOptions,
): Promise<string | null> {
  if (pages > FEW_HITS) return null
  return suggestionFor(query, pages, {
    pagesWith: (words) =>
      matcher.pagesWith(
        words.map((word) => [word, ...formsOf(word)]),
        FEW_HITS + 1,
      ),
    near: (word, limit) => nearWords(matcher.words, word, limit),
    common: async (word) => (await matcher.words.pages([word]))[0] ?? 0,
    findsMore,
  })
}
