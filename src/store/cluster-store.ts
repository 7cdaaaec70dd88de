// The clusters of a crawl, as `jelajah cluster` found them last, and which page belongs to which.

export type KeptCluster = {
  /** From 0; the largest is the first. */
  readonly id: number
  /** The words that label it, the strongest first. */
  readonly terms: readonly string[]
  /** Number of pages. */
  readonly size: number
  /** The mean score of its pages, 0 to 1. */
  readonly cohesion: number
}

export type PageCluster = {
  readonly pageId: number
  readonly cluster: number
  /** How near the page is to the centre of its cluster, 0 to 1. */
  readonly score: number
  /** The page's own words of most weight, the heaviest first. */
  readonly terms: readonly string[]
}

/** Writes clusters; `PageReader` reads them. */
export interface ClusterStore extends AsyncDisposable {
  /** Forgets the clusters of a crawl. */
  clear(crawlId: number): Promise<void>
  /** Adds pages. They count once `finish` was called. */
  add(crawlId: number, pages: readonly PageCluster[]): Promise<void>
  /** Adds the clusters: from now on readers have them. */
  finish(crawlId: number, clusters: readonly KeptCluster[]): Promise<void>
}
