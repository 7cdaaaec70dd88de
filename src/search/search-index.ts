// Full-text search over the stored pages of all crawls of a workspace.
//
// An index is built from the store and can be rebuilt from it. It keeps words and their positions, never
// texts; hits read their text from the store. An index follows the store (src/search/index/index-writer.ts): it
// reads the changes of pages and saves its position together with them, so that a crash leaves nothing half
// done.
//
// Words are tokenized and folded by our code (words.ts), the same way for pages and queries, so that every
// adapter finds the same. Any text is a query (query.ts). Hits are ordered by BM25. A word in the title
// weighs more than one in the description or the keywords, which weighs more than one in the text. The exact
// word weighs more than another word with the same stem.
//
// Never in an index: pages with noindex, pages that repeat another, pages of removed crawls.
import type { SearchedPage } from '../core/page.ts'
import type { Field } from '../core/search-field.ts'
import type { NearDuplicates } from './clusters.ts'
import type { GivenText } from './link-texts.ts'
import type { Marked } from './snippet.ts'
import type { SynonymRule } from './synonyms.ts'

/** Pages of the store by id, in any order; missing pages are left out. */
export type PagesOf = (ids: readonly number[]) => Promise<readonly SearchedPage[]>

/** The topics of crawls, by crawl number; crawls without a topic are left out. */
export type TopicsOf = () => Promise<ReadonlyMap<number, string>>

/** All conditions must hold. */
export type SearchFilter = {
  readonly crawlId?: number
  /** In the form of `URL.host`. */
  readonly host?: string
  /** A language tag. Only its language counts, so that `en` finds `en-GB`. */
  readonly language?: string
  readonly kind?: string
  readonly hot?: boolean
  /** Hot pages of crawls with this topic, as `TopicsOf` words it. */
  readonly topic?: string
  /** New or changed after this cursor of the store's changes. */
  readonly changedAfter?: number
  /** Fetched at this time or later; epoch ms. */
  readonly since?: number
  /** Fetched before this time. */
  readonly until?: number
  /** Published at this time or later, as the page says; pages that do not say when are left out. */
  readonly publishedSince?: number
  /** Published before this time. */
  readonly publishedUntil?: number
}

/** The order of hits; by time, the newest come first and pages without one last. */
export const SORTS = ['relevance', 'published', 'fetched'] as const
export type Sort = (typeof SORTS)[number]

/** A larger weight would leave no influence to the words. */
export const MAX_RANK_WEIGHT = 10

/** Changes how matches are found and ordered; docs/SEARCH.md has the formula. */
export type Scoring = {
  /** False: only the words themselves match, not their other forms. */
  readonly stems?: boolean
  /** The weight of PageRank beside the words; 0 turns it off. */
  readonly rankWeight?: number
}

/** The page that others are to be like. */
export type LikedPage = Pick<
  SearchedPage,
  'id' | 'url' | 'title' | 'description' | 'keywords' | 'contentText'
>

export type Search = {
  /** The user's input. */
  readonly text: string
  /** The fields for words that name none; all fields if missing. */
  readonly columns?: readonly Field[]
  readonly filter?: SearchFilter
  /** Every match is a hit of its own; otherwise equivalent matches are folded into one. */
  readonly all?: boolean
  /** By relevance if missing. Otherwise pages without one of the words come only if none has all of them. */
  readonly sort?: Sort
  readonly scoring?: Scoring
  /** Words that stand for others; of no effect if only the words themselves match. */
  readonly synonyms?: readonly SynonymRule[]
  /** Finds pages like this one, instead of pages with the words of `text`. */
  readonly like?: LikedPage
  readonly limit: number
  /** The number of hits to skip. */
  readonly offset: number
}

export type Hit = {
  readonly page: Omit<SearchedPage, 'contentText'>
  /** Higher is better. Scores of different searches cannot be compared. */
  readonly score: number
  readonly title: Marked
  readonly url: Marked
  readonly snippet: Marked
  /** Texts of links to the page with words that it does not have itself: why it was found. At most three. */
  readonly linkTexts: readonly Marked[]
  /** Number of matches folded into this one: nearly the same text, or the same URL in another crawl. */
  readonly others: number
}

/** A word of a query that hardly any page has, and what was searched beside it. */
export type Typo = {
  readonly word: string
  /** Pages that have it in any form. */
  readonly pages: number
  /** The most likely first, with about how many pages have them. */
  readonly meant: readonly { readonly word: string; readonly pages: number }[]
}

export type FacetCount = { readonly value: string; readonly count: number }

/** Up to so many matches, all are folded and counted in facets; of more, only the best `MANY_MATCHES`. */
export const FACET_MATCHES = 10_000
export const MANY_MATCHES = 1000
/** The most values per facet. */
export const FACET_VALUES = 50

/**
 * The number of hits per value, most first: as many as that filter would leave. A page without a value counts
 * nowhere. `crawls` are crawl numbers; `topics` are the topics of the crawls of hot pages.
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
  /** True if the text was too long or had too many words, and some was ignored. */
  readonly cut: boolean
  /** Number of hits that can be paged through. */
  readonly total: number
  /** Number of pages that match: the hits, and those folded into them. */
  readonly pages: number
  /** Number of these pages that have every word. The others have some of the words. */
  readonly whole: number
  /** If hardly anything was found: a corrected text that finds more; else null. */
  readonly suggestion: string | null
  /** Words that hardly any page has, and words near them that were searched, too. */
  readonly typos: readonly Typo[]
  /** Best first; ties by page id. */
  readonly hits: readonly Hit[]
  readonly facets: Facets
}

/** What a text that is being typed may become (completions.ts). */
export type Completing = {
  /** What was typed so far. */
  readonly text: string
  /** Only words and titles of these crawls; all of them if missing. */
  readonly crawlIds?: readonly number[]
  /** The most words and the most titles. */
  readonly limit: number
}

type CompletedWord = {
  /** The text with its last word completed. */
  readonly text: string
  readonly word: string
  /** About how many pages have it at their beginning; in given crawls, in their title. */
  readonly pages: number
}

type CompletedTitle = {
  readonly page: Omit<SearchedPage, 'contentText'>
  readonly title: Marked
}

export type Completions = {
  /** The most common first. */
  readonly words: readonly CompletedWord[]
  /** The most linked first. */
  readonly titles: readonly CompletedTitle[]
}

/** The position in the store's changes (src/store/change-feed.ts). */
export type Position = {
  /** The mark of the store; '' before the first read. */
  readonly mark: string
  readonly cursor: number
}

/** A crawl that has pages in the index. */
export type IndexedCrawl = {
  readonly id: number
  /** The mark of the last `markHot`; '' before the first. */
  readonly hotMark: string
  /** The mark of the last `setRanks`; '' before the first. */
  readonly rankMark: string
}

/** A page's id and its PageRank. */
export type PageRank = readonly [pageId: number, rank: number]

export type Batch = {
  readonly pages: readonly SearchedPage[]
  /** Ids of pages to remove from the index. */
  readonly gone: readonly number[]
  /** What these pages say about others in the texts of their links, by id; pages left out say nothing. */
  readonly given?: ReadonlyMap<number, readonly GivenText[]>
  /** By id the cursor of the last change of a page; that of `position` if missing. */
  readonly changed?: ReadonlyMap<number, number>
  readonly position: Position
}

/** The queries of readers. They also work while another process writes. */
export interface SearchReader extends NearDuplicates, AsyncDisposable {
  position(): Promise<Position>
  /**
   * Never fails because of its text. A text without words finds nothing; one with only excluded words finds
   * all other pages.
   */
  query(search: Search): Promise<Found>
  /** Words and titles that a text may become. */
  complete(completing: Completing): Promise<Completions>
  /** Ids of all pages that match, not folded, in order. */
  matching(search: Pick<Search, 'text' | 'columns' | 'filter'>): Promise<readonly number[]>
}

/** There is one writer at a time; the caller ensures that. */
export interface SearchIndex extends SearchReader {
  /** Adds and removes pages and moves the position, in one transaction. Replaces pages that exist. */
  add(batch: Batch): Promise<void>
  /** Removes everything, including the position, because the store was replaced by another. */
  clear(): Promise<void>
  /** By crawl number. */
  crawls(): Promise<readonly IndexedCrawl[]>
  /** The number of a crawl's pages in the index. */
  size(crawlId: number): Promise<number>
  /** Removes at most `limit` pages of a crawl. True if none is left; then the crawl is removed, too. */
  remove(crawlId: number, limit: number): Promise<boolean>
  /** Makes exactly these pages of a crawl hot. */
  markHot(crawlId: number, pageIds: readonly number[], hotMark: string): Promise<void>
  /**
   * Sets the PageRanks of a crawl's pages; their sum does not matter. Other pages keep theirs. Before the
   * first call, and for later pages, a page has the mean rank of its crawl.
   */
  setRanks(crawlId: number, ranks: Iterable<PageRank>, rankMark: string): Promise<void>
}
