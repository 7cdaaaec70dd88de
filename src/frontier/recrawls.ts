// Prepares a finished crawl for a recrawl: every URL that led somewhere, or failed to, is visited again,
// robots.txt is requested again and sitemaps are read again. This runs while no process has the frontier
// open; afterwards it is opened as usual.
//
// Invariants: a URL keeps its state until its visit has a result, so a recrawl that is cut short leaves no
// wrong state behind. A recrawl whose preparation was cut short is prepared again from the start.
import type { Job } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'

/** A stored page that is to be visited again. */
export type PageToRevisit = {
  readonly url: CanonicalUrl
  readonly etag: string
  readonly lastModified: string
  readonly contentHash: string
  /** Pages of a host with a higher priority are visited first. */
  readonly priority: number
}

export type NewRecrawl = {
  readonly job: Job
  readonly round: number
  /** The pages of the store, in any order, in batches. */
  readonly pages: AsyncIterable<readonly PageToRevisit[]>
  /** Visit these pages only, and no URL that led to no page. */
  readonly onlyPages: boolean
  /** Called with the number of URLs to visit that were found so far. */
  readonly onProgress?: (urls: number) => void
}
