// A web that can be crawled again without a network: pages with their texts and links, and the targets of
// URLs. Pages are numbered from 0. Dead URLs follow, which cost a fetch and have no content; they count as
// fetches, but never as pages.
//
// A duplicate page, or a URL that redirects to a page, has the number of that page: a replay fetches the same
// content once.
import type { CanonicalUrl } from '../core/url.ts'
import type { Graph } from '../graph/graph.ts'
import type { PageText } from '../topic/topic.ts'
import type { World } from './replay-result.ts'

export type ReplayWorld = World & {
  /** Number of pages; numbers from here on are dead URLs. */
  readonly alive: number
  /** By number. */
  readonly urls: readonly CanonicalUrl[]
  /** Links that a crawl follows. */
  readonly links: Graph
  /** The duration of the real fetch, in milliseconds. */
  readonly fetchMs: Float32Array
  /** 1 if the crawl called the page hot; null if no topic judged its pages. */
  readonly hot: Uint8Array | null
  /** The number of a URL that is a page, a duplicate or a redirect to one; otherwise undefined. */
  find(url: string): number | undefined
  /** The content of a page; a dead URL has none. */
  read(page: number): Promise<PageContent>
  /** Its links alone. */
  readLinks(page: number): Promise<readonly ContentLink[]>
}

export type PageContent = {
  readonly text: PageText
  readonly links: readonly ContentLink[]
}

/** A link that a crawl follows, in the order of the page, each target once. */
export type ContentLink = {
  readonly to: number
  readonly anchor: string
  readonly context: string
}
