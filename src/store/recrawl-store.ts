// Recrawls: a finished crawl is visited again to learn which of its pages changed, which are gone and which
// are new. A recrawl is first recorded here, durably, and ends when all its pages were visited; meanwhile it may
// be interrupted and continued any number of times. Its number is called `round`.
//
// The page store counts what a recrawl finds, in the transaction that writes it.
import type { CanonicalUrl } from '../core/url.ts'

export type Recrawl = {
  /** Counted from 1. */
  readonly round: number
  /** It visits only pages that are due. */
  readonly due: boolean
  readonly beganAt: number
  /** Null if it has not ended. */
  readonly endedAt: number | null
}

/** Numbers of pages in a recrawl, duplicates included. */
export type RecrawlCounts = {
  readonly added: number
  readonly changed: number
  readonly gone: number
  readonly unchanged: number
  /** Pages without an answer: not requested, or unreachable. They stay as they were. */
  readonly kept: number
  /** Pages among them that were not fetched because they were not due. */
  readonly notDue: number
}

/** A stored page with what a conditional request for it needs. */
export type KnownPage = {
  /** For paging. */
  readonly id: number
  readonly url: CanonicalUrl
  /** '' if there is none. */
  readonly etag: string
  readonly lastModified: string
  /** As the page has it; '' if neither equal bytes nor a 304 prove that nothing changed. */
  readonly contentHash: string
  /** The probability that it changed since its last visit. */
  readonly likely: number
  /** The same of the page it duplicates; null if it is no duplicate. */
  readonly likelyFirst: number | null
  /** It should be visited now. */
  readonly due: boolean
}

export interface RecrawlReader extends AsyncDisposable {
  /** The last recrawl of a crawl; null if there was none. */
  last(crawlId: number): Promise<Recrawl | null>
  counts(crawlId: number, round: number): Promise<RecrawlCounts>
}

export interface RecrawlStore extends RecrawlReader {
  /** Begins the next recrawl; the last one must have ended. */
  begin(crawlId: number, options: { readonly due: boolean }): Promise<Recrawl>
  /** Records the end of a recrawl. */
  end(crawlId: number, round: number): Promise<void>
  /** Records the number of pages that are not visited because they are not due. */
  setNotDue(crawlId: number, round: number, pages: number): Promise<void>
  /** Pages of a crawl by id; `after` 0 to begin. */
  pages(options: {
    readonly crawlId: number
    readonly after: number
    readonly limit: number
    /** The moment for which `likely` and `due` are computed, the same for all pages. */
    readonly now: number
  }): Promise<readonly KnownPage[]>
}
