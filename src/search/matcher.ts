// The port that search adapters implement: which pages a query matches, how many pages have a word, and which
// words exist. The rest is shared by all adapters (matches-of.ts): relaxing, folding, facets and suggestions.
import type { Countable, Foldable } from './fold.ts'
import type { WordList } from './near-words.ts'
import type { Query } from './query.ts'
import type { Search } from './search-index.ts'

export type Match = Countable &
  Foldable & {
    readonly id: number
    /** Higher is better. */
    readonly score: number
  }

/** The pages that match one query. */
export interface Matching {
  /** At most `limit` matches, best first; ties by id. */
  best(limit: number): Promise<readonly Match[]>
  count(): Promise<number>
  /** True if there are more than `pages`. */
  hasMore(pages: number): Promise<boolean>
  /** All ids, in order. */
  ids(): Promise<readonly number[]>
}

export type Sought = Pick<Search, 'filter' | 'scoring'>

export interface Matcher {
  /** Null if there is nothing to look for. */
  matching(query: Query, search: Sought): Promise<Matching | null>
  /** For each list: the number of pages with one of its words or stems, counted up to `most`. */
  pagesWith(lists: readonly (readonly string[])[], most: number): Promise<readonly number[]>
  /** The words that a misspelt word is compared with. */
  readonly words: WordList
}
