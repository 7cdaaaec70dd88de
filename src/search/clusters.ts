// Keeps clusters of near-duplicates while pages are added and removed. Each cluster has a leader, and its
// other pages resemble the leader, so no chain of small steps joins pages that have nothing in common. Only
// leaders can be looked up, by the band numbers of their sketch. A single page leads itself. When a leader is
// removed, the oldest other page replaces it, and the cluster stays together.
//
// The cost per page is bounded: a fixed number of lookups, with a fixed number of candidates each.
import { areEqual } from '../lib/present.ts'
import { bandsOf, likeness, sketchOf } from './sketch.ts'

/** Most pages that share nine tenths reach this value; figures: docs/decisions/011-near-duplicates.md. */
const MIN_LIKENESS = 0.875
/** Leaders with a common band that are not alike are rare; a page with that many has other bands, too. */
export const CANDIDATES = 8

/** The storage of clusters. */
export interface ClusterBook {
  /** Null if the page has no sketch. */
  sketchOf(id: number): Uint8Array | null
  keep(id: number, sketch: Uint8Array): void
  forget(id: number): void
  /** The first leaders with this band number, by id; at most CANDIDATES. */
  leadersAt(band: number): readonly number[]
  band(band: number, id: number): void
  unband(band: number, id: number): void
  /** Null if the page is in no cluster. */
  clusterOf(id: number): number | null
  move(id: number, cluster: number | null): void
  /** Creates a cluster and returns its number. Numbers are never reused. */
  found(leader: number): number
  leaderOf(cluster: number): number | null
  follow(cluster: number, leader: number): void
  dissolve(cluster: number): void
  /** The two oldest pages of the cluster, by id. */
  firstTwo(cluster: number): readonly number[]
}

export class Clusters {
  readonly #book: ClusterBook

  constructor(book: ClusterBook) {
    this.#book = book
  }

  /** Adds a page that is in the index; replaces its earlier sketch. */
  put(id: number, words: string, title: string): void {
    const sketch = sketchOf(words, title)
    const before = this.#book.sketchOf(id)
    if (sketch !== null && before !== null && areEqual(sketch, before)) return
    if (before !== null) this.drop(id)
    if (sketch === null) return
    const leader = this.#leaderLike(sketch)
    this.#book.keep(id, sketch)
    if (leader === null) this.#lead(id, sketch)
    else this.#join(id, leader)
  }

  /** Removes a page that is still in the index. */
  drop(id: number): void {
    const sketch = this.#book.sketchOf(id)
    if (sketch === null) return
    const cluster = this.#book.clusterOf(id)
    const leads = cluster === null || this.#book.leaderOf(cluster) === id
    this.#book.move(id, null)
    this.#book.forget(id)
    if (leads) for (const band of bandsOf(sketch)) this.#book.unband(band, id)
    if (cluster !== null) this.#mend(cluster, leads)
  }

  /** The most similar leader, the oldest on a tie; null if none is similar enough. */
  #leaderLike(sketch: Uint8Array): number | null {
    const tried = new Set<number>()
    let best: number | null = null
    let most = MIN_LIKENESS
    for (const band of bandsOf(sketch)) {
      for (const id of this.#book.leadersAt(band)) {
        if (tried.has(id)) continue
        tried.add(id)
        const like = likeness(sketch, this.#book.sketchOf(id) ?? NOTHING)
        if (like < most || (like === most && best !== null && best < id)) continue
        best = id
        most = like
      }
    }
    return best
  }

  #lead(id: number, sketch: Uint8Array): void {
    for (const band of bandsOf(sketch)) this.#book.band(band, id)
  }

  #join(id: number, leader: number): void {
    const cluster = this.#book.clusterOf(leader) ?? this.#found(leader)
    this.#book.move(id, cluster)
  }

  /** Creates a cluster of its leader alone. */
  #found(leader: number): number {
    const cluster = this.#book.found(leader)
    this.#book.move(leader, cluster)
    return cluster
  }

  /** Repairs a cluster that lost a page: gives it a leader, or dissolves it if only one page is left. */
  #mend(cluster: number, leaderless: boolean): void {
    const [first, second] = this.#book.firstTwo(cluster)
    const sketch = leaderless && first !== undefined ? this.#book.sketchOf(first) : null
    if (first !== undefined && sketch !== null) {
      this.#lead(first, sketch)
      this.#book.follow(cluster, first)
    }
    if (second !== undefined) return
    if (first !== undefined) this.#book.move(first, null)
    this.#book.dissolve(cluster)
  }
}

const NOTHING = new Uint8Array(0)

/**
 * Near-duplicates are pages with nearly the same words, on any site: mirrors, print versions, syndicated
 * texts. Clusters span all crawls of a workspace. A page that resembles no other is in no cluster.
 */
export type NearDuplicate = {
  readonly pageId: number
  /** The same for all pages of a cluster. */
  readonly cluster: number
  /** The page that represents the cluster: the one with the highest rank, then the oldest. */
  readonly representative: number
  /** Number of pages in the cluster, including this one; at least two. */
  readonly size: number
}

/** The part of `SearchReader` that answers questions about near-duplicates. */
export interface NearDuplicates {
  /** In any order. Pages without near-duplicates, or not in the index, are left out. */
  nearDuplicates(pageIds: readonly number[]): Promise<readonly NearDuplicate[]>
}
