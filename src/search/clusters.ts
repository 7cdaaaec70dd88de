// Near-duplicates as pages come and go. Each cluster has a leader, and a page belongs to it that is like
// the leader: so no chain of small steps joins pages that have nothing in common any more. Only leaders
// can be looked up, by the numbers of their sketch, and a page alone is the leader of itself. When a
// leader goes, the oldest of the others takes its place, and they stay together.
//
// What a page costs is bounded: so many looks, and so many candidates for each of them.
import { bandsOf, likeness, sketchOf } from './sketch.ts'

/** Pages that share nine tenths mostly come out so; figures: docs/decisions/011-near-duplicates.md. */
const MIN_LIKENESS = 0.875
/** Leaders that share a number and are not alike are rare: who has so many has other numbers, too. */
export const CANDIDATES = 8

/** Where it is written down. */
export interface ClusterBook {
  /** Null: the page has none. */
  sketchOf(id: number): Uint8Array | null
  keep(id: number, sketch: Uint8Array): void
  forget(id: number): void
  /** The first leaders with this number, by id; CANDIDATES at most. */
  leadersAt(band: number): readonly number[]
  band(band: number, id: number): void
  unband(band: number, id: number): void
  /** Null: the page is in none. */
  clusterOf(id: number): number | null
  move(id: number, cluster: number | null): void
  /** The number of a new cluster, one that never was given before. */
  found(leader: number): number
  leaderOf(cluster: number): number | null
  follow(cluster: number, leader: number): void
  dissolve(cluster: number): void
  /** The oldest pages of it, by id. */
  firstTwo(cluster: number): readonly number[]
}

export class Clusters {
  readonly #book: ClusterBook

  constructor(book: ClusterBook) {
    this.#book = book
  }

  /** For a page that is in the index; what was known of it before is replaced. */
  put(id: number, words: string, title: string): void {
    const sketch = sketchOf(words, title)
    const before = this.#book.sketchOf(id)
    if (sketch !== null && before !== null && isSame(sketch, before)) return
    if (before !== null) this.drop(id)
    if (sketch === null) return
    const leader = this.#leaderLike(sketch)
    this.#book.keep(id, sketch)
    if (leader === null) this.#lead(id, sketch)
    else this.#join(id, leader)
  }

  /** For a page that is still in the index. */
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

  /** The leader that is most like it, the oldest of several; null: none is. */
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

  /** A cluster of its leader alone. */
  #found(leader: number): number {
    const cluster = this.#book.found(leader)
    this.#book.move(leader, cluster)
    return cluster
  }

  /** A cluster that lost a page has a leader again, and is none any more when only that one is left. */
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

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

// Pages that say nearly the same in nearly the same words, wherever they were found: mirrors, versions
// for print, texts that many sites carry. They are kept in clusters, over all crawls of a place, as
// pages come and go. A page that is like no other is in none.

export type NearDuplicate = {
  readonly pageId: number
  /** The same for all pages of a cluster. */
  readonly cluster: number
  /** The page that stands for the cluster: the one with the highest rank, then the oldest. */
  readonly representative: number
  /** Pages in the cluster, this one included: two at least. */
  readonly size: number
}

/** What a `SearchReader` knows of likeness. */
export interface NearDuplicates {
  /** Of these pages, in any order; those that are like no other, or not in the index, are left out. */
  nearDuplicates(pageIds: readonly number[]): Promise<readonly NearDuplicate[]>
}
