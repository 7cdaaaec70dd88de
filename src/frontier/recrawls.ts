// How a finished crawl is set to be gone over again: all that led somewhere, or once failed to, is to
// be visited once more, robots.txt is asked for anew and sitemaps are read again. Done while nobody has
// the frontier open; then it is opened as ever.
//
// Invariants: a URL keeps its state until its visit has come to something, so that a round that is cut
// short leaves nothing wrong behind. A round that was begun only half is begun again from its start.
import type { Job } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'

/** A stored page that is to be visited again. */
export type PageToRevisit = {
  readonly url: CanonicalUrl
  readonly etag: string
  readonly lastModified: string
  readonly contentHash: string
  /** Of a host's pages the higher go first. */
  readonly priority: number
}

export type NewRecrawl = {
  readonly job: Job
  readonly round: number
  /** Those of the store, in any order, some at a time. */
  readonly pages: AsyncIterable<readonly PageToRevisit[]>
  /** Only these pages, and no URL that led to none. */
  readonly onlyPages: boolean
  /** So many URLs are known to be visited by now. */
  readonly onProgress?: (urls: number) => void
}
