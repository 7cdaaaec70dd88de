// A web that can be crawled again without a network: pages with their texts and links, and which URL
// leads where. Pages are numbered from 0. Behind them come dead URLs, which cost a fetch and bring
// nothing; they are no pages when anything is counted, only when something is fetched.
//
// A page that repeats another is that other one, and so is a URL that redirects to it: a replay fetches
// the same content once.
import type { CanonicalUrl } from '../core/url.ts'
import type { Graph } from '../graph/graph.ts'
import type { PageText } from '../topic/topic.ts'
import type { World } from './replay-result.ts'

export type ReplayWorld = World & {
  /** Pages that can be had; numbers from here on are dead URLs. */
  readonly alive: number
  /** By number. */
  readonly urls: readonly CanonicalUrl[]
  /** Links that a crawl follows. */
  readonly links: Graph
  /** How long a fetch took when it was real, in milliseconds. */
  readonly fetchMs: Float32Array
  /** 1 where the crawl called the page hot; null when no topic judged its pages. */
  readonly hot: Uint8Array | null
  /** The number of a URL that is a page, repeats one or led to one; undefined when it is none. */
  find(url: string): number | undefined
  /** What stands on a page; a dead URL has none. */
  read(page: number): Promise<PageContent>
  /** Its links alone. */
  readLinks(page: number): Promise<readonly ContentLink[]>
}

export type PageContent = {
  readonly text: PageText
  readonly links: readonly ContentLink[]
}

/** A link that a crawl follows; a page has them in its own order, each target once. */
export type ContentLink = {
  readonly to: number
  readonly anchor: string
  readonly context: string
}
