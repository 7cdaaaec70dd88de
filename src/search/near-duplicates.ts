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
