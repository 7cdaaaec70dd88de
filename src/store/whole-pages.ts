// Pages whole, with what belongs to them, one after the other: what exports are made from.
import type { PageKind, PageParts, Part, StoredPage } from '../core/page.ts'
import type { CanonicalUrl } from '../core/url.ts'

export type WholePage = StoredPage & {
  /** Those that were asked for, as they were saved; without those that the crawl leaves out. */
  readonly parts: PageParts
  /** The decoded body; null when nobody asked for it, or its crawl did not keep it. */
  readonly html: Uint8Array | null
}

/** Every one of them must hold. Pages that say noindex never match. */
export type WholePageFilter = {
  /** Of these crawls; all there are when it is left out. */
  readonly crawlIds?: readonly number[]
  /** As `URL.host` has it. */
  readonly host?: string
  /** A tag; only its language counts, so that `en` finds `en-GB`. */
  readonly language?: string
  readonly kind?: PageKind
  readonly hot?: boolean
  /** Fetched at this time or later; epoch ms. */
  readonly since?: number
  readonly minRelevance?: number
  /** Pages that repeat another are left out unless this is set. */
  readonly duplicates?: boolean
  /** Only these ids, which are in order. */
  readonly among?: readonly number[]
}

/** What is read of each page beside its other columns. */
export type PageNeeds = {
  /** Its text, unless this is false: then that is empty. */
  readonly text?: boolean
  readonly parts?: readonly Part[]
  readonly html?: boolean
}

export type WholePageRange = {
  readonly filter: WholePageFilter
  /** Ids greater than this; 0 to begin. */
  readonly after: number
  /** And none greater than this. */
  readonly upTo: number
}

export type LeftOut = {
  /** Pages that say so. */
  readonly noindex: number
  /** Pages that repeat another; none where those are wanted. */
  readonly duplicates: number
}

/** From any process, also while crawls write. */
export interface WholePages extends AsyncDisposable {
  /** Tells this store from another one that came in its place. */
  mark(): Promise<string>
  /** The largest id that was given to a page of any crawl; 0 when there was none. */
  lastId(): Promise<number>
  count(range: WholePageRange): Promise<number>
  /** How many more there would be, but for what they ask for or repeat. */
  leftOut(range: WholePageRange): Promise<LeftOut>
  /** The ids of all pages that match, in order. */
  ids(range: WholePageRange): Promise<readonly number[]>
  /**
   * Pages by id, at most `limit`, and fewer where they are large; none: there is no further one.
   */
  some(range: WholePageRange, needs: PageNeeds, limit: number): Promise<readonly WholePage[]>
  /** True when a page that matches has its body. */
  hasHtml(range: WholePageRange): Promise<boolean>
  /** URLs of pages; those that are gone or say noindex are left out. */
  urlsOf(ids: readonly number[]): Promise<ReadonlyMap<number, CanonicalUrl>>
  /** By page of a crawl the ids of those that repeat it, in order; pages that nobody repeats are not there. */
  repeatsOf(crawlId: number): Promise<ReadonlyMap<number, readonly number[]>>
}
