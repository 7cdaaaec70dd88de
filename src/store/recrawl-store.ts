// Rounds: a finished crawl is gone over again, to learn which of its pages changed, which are gone and
// which are new. A round is begun here first, durably, and ends when all it set out to look at was
// looked at; in between it may be interrupted and taken up any number of times.
//
// What rounds find is counted by the page store, in the transaction that writes it.
import type { CanonicalUrl } from '../core/url.ts'

export type Recrawl = {
  /** From 1. */
  readonly round: number
  /** Only pages that were due are looked at. */
  readonly due: boolean
  readonly beganAt: number
  /** Null while it is not at its end. */
  readonly endedAt: number | null
}

/** Pages that a round found, duplicates among them. */
export type RecrawlCounts = {
  readonly added: number
  readonly changed: number
  readonly gone: number
  readonly unchanged: number
  /** Those it had no answer about: not asked for, or out of reach. They are as they were. */
  readonly kept: number
  /** Pages among them that were not fetched because they were not due. */
  readonly notDue: number
}

/** A stored page, with what it takes to ask whether it changed. */
export type KnownPage = {
  /** For paging. */
  readonly id: number
  readonly url: CanonicalUrl
  /** '' when there is none. */
  readonly etag: string
  readonly lastModified: string
  /** As the page's; '' where equal bytes, or the server's word, do not mean that nothing changed. */
  readonly contentHash: string
  /** How likely it is that it changed since it was looked at last, from 0 to 1. */
  readonly likely: number
  /** The same of the page it duplicates; null if it is no duplicate. */
  readonly likelyFirst: number | null
  /** Its time has come to be looked at. */
  readonly due: boolean
}

export interface RecrawlReader extends AsyncDisposable {
  /** The last round of a crawl; null when there was none. */
  last(crawlId: number): Promise<Recrawl | null>
  counts(crawlId: number, round: number): Promise<RecrawlCounts>
}

export interface RecrawlStore extends RecrawlReader {
  /** Begins the next round. There must be none that is not at its end. */
  begin(crawlId: number, options: { readonly due: boolean }): Promise<Recrawl>
  /** The round is at its end. */
  end(crawlId: number, round: number): Promise<void>
  /** So many pages the round leaves alone, as they are not due. */
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
