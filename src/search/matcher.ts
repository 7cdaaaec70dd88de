// What an adapter has to know so that all of them answer the same way: which pages a query means, how
// many pages have a word, and which words there are. What is made of that (what is shown when few pages
// have everything, what is folded, counted and suggested) is the same for all: matches-of.ts.
import type { Countable } from './facets.ts'
import type { Foldable } from './fold.ts'
import type { WordList } from './near-words.ts'
import type { Query } from './query.ts'
import type { Search } from './search-index.ts'

export type Match = Countable &
  Foldable & {
    readonly id: number
    /** Higher is better. */
    readonly score: number
  }

/** The pages that one query means. */
export interface Matching {
  /** Best first, those with the same score by id; so many at most. */
  best(limit: number): Promise<readonly Match[]>
  count(): Promise<number>
  /** Whether there are more than so many. */
  hasMore(pages: number): Promise<boolean>
  /** All of them, by id. */
  ids(): Promise<readonly number[]>
}

export type Sought = Pick<Search, 'filter' | 'scoring'>

export interface Matcher {
  /** Null when there is nothing to look for. */
  matching(query: Query, search: Sought): Promise<Matching | null>
  /** Of each list: how many pages have one of its words or stems, counted up to `most`. */
  pagesWith(lists: readonly (readonly string[])[], most: number): Promise<readonly number[]>
  /** What a misspelt word is compared with. */
  readonly words: WordList
}
