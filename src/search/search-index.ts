// Full-text search over stored pages, of all crawls of a place.
//
// An index is made from the store and can be made from it again: it keeps words and where they
// stand, never texts. What a hit shows comes from the store when it is shown. An index follows the
// store (src/search/index/catch-up.ts): it reads what became of pages, and remembers with them up to where,
// so that a crash leaves nothing half done.
//
// Words are cut and folded by us (words.ts), the same way for pages and for queries, so that every
// adapter finds the same. Any text is a query (query.ts). Hits are ordered by BM25, where a word in
// the title weighs more than one in the description or the keywords, that more than one in the text,
// and the very word more than another one of the same stem.
//
// Never in an index: pages that say noindex, pages that repeat another, pages of removed crawls.
import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import type { NearDuplicates } from './clusters.ts'
import type { Marked } from './snippet.ts'

/** Pages of the store by id, in any order; those that are gone are left out. */
export type PagesOf = (ids: readonly number[]) => Promise<readonly SearchedPage[]>

/** What crawls of the store are about, by their number; the others are left out. */
export type TopicsOf = () => Promise<ReadonlyMap<number, string>>

/** Every one of them must hold. */
export type SearchFilter = {
  readonly crawlId?: number
  /** As `URL.host` has it. */
  readonly host?: string
  /** A tag; only its language counts, so that `en` finds `en-GB`. */
  readonly language?: string
  readonly kind?: string
  readonly hot?: boolean
  /** Hot pages of crawls about this, in the words of `TopicsOf`. */
  readonly topic?: string
  /** Fetched then or later; epoch ms. */
  readonly since?: number
}

/** More than this leaves nothing of the words. */
export const MAX_RANK_WEIGHT = 10

/** How matches are found and ordered where it is not the usual way; docs/SEARCH.md has the formula. */
export type Scoring = {
  /** False: only the words themselves are found, no other forms of them. */
  readonly stems?: boolean
  /** What a page's place in the link graph weighs beside its words: 0 nothing. */
  readonly rankWeight?: number
}

export type Search = {
  /** As somebody typed it. */
  readonly text: string
  /** Where words are looked for that name no field of their own; everywhere when absent. */
  readonly columns?: readonly Field[]
  readonly filter?: SearchFilter
  /** Every match is a hit of its own; otherwise those that are as good as the same are one. */
  readonly all?: boolean
  readonly scoring?: Scoring
  readonly limit: number
  /** Hits to pass over. */
  readonly offset: number
}

export type Hit = {
  readonly page: Omit<SearchedPage, 'contentText'>
  /** Higher is better; of no meaning beside the score of another search. */
  readonly score: number
  readonly title: Marked
  readonly snippet: Marked
  /** Matches that are folded into this one: nearly the same text, or the same URL in another crawl. */
  readonly others: number
}

export type FacetCount = { readonly value: string; readonly count: number }

/** Facets are counted over this many matches, the best ones; and only among these some are folded. */
export const FACET_MATCHES = 10_000
/** So many values of each at most. */
export const FACET_VALUES = 50

/**
 * How many hits there are of each value, most first: as many as there would be with that filter. What a
 * page does not have counts nowhere. `crawls` are their numbers, `topics` what those of hot pages are
 * about.
 */
export type Facets = {
  readonly hosts: readonly FacetCount[]
  readonly languages: readonly FacetCount[]
  readonly kinds: readonly FacetCount[]
  readonly crawls: readonly FacetCount[]
  readonly topics: readonly FacetCount[]
}

export type Found = {
  /** The part of the text that was used. */
  readonly used: string
  /** Whether some of it was not: it was too long, or had too many words. */
  readonly cut: boolean
  /** All hits that can be paged through. */
  readonly total: number
  /** All pages that match: the hits, and what is folded into them. */
  readonly pages: number
  /** Of these, the pages that have everything; they come first. The others have some of the words. */
  readonly whole: number
  /** Where next to nothing was found: the same text with other words, which finds more; else null. */
  readonly suggestion: string | null
  /** Best first; those with the same score by their page's id. */
  readonly hits: readonly Hit[]
  readonly facets: Facets
}

/** Up to where the store's changes were read (src/store/change-feed.ts). */
export type Position = {
  /** Of the store; '' when none was read yet. */
  readonly mark: string
  readonly cursor: number
}

/** A crawl that has pages in the index. */
export type IndexedCrawl = {
  readonly id: number
  /** Given with the last `markHot`; '' before the first. */
  readonly hotMark: string
  /** Given with the last `setRanks`; '' before the first. */
  readonly rankMark: string
}

/** A page's id and its PageRank. */
export type PageRank = readonly [pageId: number, rank: number]

export type Batch = {
  readonly pages: readonly SearchedPage[]
  /** Ids of pages that are not to be found, or not any more. */
  readonly gone: readonly number[]
  readonly position: Position
}

/** What readers ask, also while somebody writes. */
export interface SearchReader extends NearDuplicates, AsyncDisposable {
  position(): Promise<Position>
  /**
   * Never fails for what somebody typed. A text without a word finds nothing; one that only says what
   * must not be there finds all other pages.
   */
  query(search: Search): Promise<Found>
  /** Ids of all pages that match, none folded, by id. */
  matching(search: Pick<Search, 'text' | 'columns' | 'filter'>): Promise<readonly number[]>
}

/** One writer at a time; who holds it sees to that. */
export interface SearchIndex extends SearchReader {
  /** Takes pages in and out and moves the position, in one step. A page that is there is replaced. */
  add(batch: Batch): Promise<void>
  /** Takes everything out, also the position: another store came in place of the one it was made of. */
  clear(): Promise<void>
  /** By number. */
  crawls(): Promise<readonly IndexedCrawl[]>
  /** How many pages of a crawl are in it. */
  size(crawlId: number): Promise<number>
  /** Takes out at most `limit` pages of a crawl. True when none is left: then the crawl is forgotten. */
  remove(crawlId: number, limit: number): Promise<boolean>
  /** Of a crawl's pages these are hot now, and no others. */
  markHot(crawlId: number, pageIds: readonly number[], hotMark: string): Promise<void>
  /**
   * PageRanks of a crawl's pages, of any sum; pages that are not among them keep what they have. Before
   * the first, and for pages that come later, a page ranks as the mean of its crawl.
   */
  setRanks(crawlId: number, ranks: Iterable<PageRank>, rankMark: string): Promise<void>
}
