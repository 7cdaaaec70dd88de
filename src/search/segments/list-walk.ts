// A walk through postings in the order of pages. Blocks are decoded when a page in them is asked for.
import { BlockReader } from './postings.ts'
import type { Postings } from './postings-list.ts'

/** After the last page. */
export const END = 0x7fff_ffff

/** What is read of a block: pages, what the term weighs in them, or both. */
export type Reads = 'docs' | 'weights' | 'both'

export class ListWalk<P extends Postings = Postings> {
  readonly postings: P
  readonly reader = new BlockReader()
  readonly #reads: Reads
  /** The first block that may have the page asked for last. */
  block = 0
  /** The place of that page in the block. */
  at = 0
  #decoded = -1

  /** Pages are asked for in ascending order. */
  constructor(postings: P, reads: Reads = 'docs') {
    this.postings = postings
    this.#reads = reads
  }

  /** The first page that is not before `doc`; END if there is none. */
  nextFrom(doc: number): number {
    const { docs } = this.reader
    // Mostly it is in the same block.
    if (this.#decoded === this.block) {
      const { size } = this.reader
      let { at } = this
      while (at < size && (docs[at] ?? 0) < doc) at++
      if (at < size) {
        this.at = at
        return docs[at] ?? END
      }
    }
    while (this.toBlock(doc)) {
      this.decode()
      const { size } = this.reader
      let { at } = this
      while (at < size && (docs[at] ?? 0) < doc) at++
      this.at = at
      if (at < size) return docs[at] ?? END
      this.skip()
    }
    return END
  }

  /** Moves to the block that may have `doc`; false if all are before. */
  toBlock(doc: number): boolean {
    const { lasts } = this.postings
    let { block } = this
    if (block >= lasts.length) return false
    if ((lasts[block] ?? END) >= doc) return true
    let step = 1
    while (block + step < lasts.length && (lasts[block + step] ?? END) < doc) {
      block += step
      step *= 2
    }
    let [low, high] = [block + 1, Math.min(lasts.length, block + step)]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((lasts[middle] ?? END) < doc) low = middle + 1
      else high = middle
    }
    this.block = low
    this.at = 0
    return low < lasts.length
  }

  /** Makes the current block readable. */
  decode(): void {
    if (this.#decoded === this.block) return
    if (this.#reads === 'both') this.postings.read(this.block, this.reader)
    else if (this.#reads === 'weights') this.postings.readWeights(this.block, this.reader)
    else this.postings.readDocs(this.block, this.reader)
    this.#decoded = this.block
    this.at = 0
  }

  /** The pages of the current block are from this one … */
  get firstOf(): number {
    return this.block === 0 ? 0 : (this.postings.lasts[this.block - 1] ?? 0) + 1
  }

  /** … to this one. */
  get lastOf(): number {
    return this.postings.lasts[this.block] ?? END
  }

  skip(): void {
    this.block++
    this.at = 0
  }

  /** The most that a page from `from` to `to` is worth; nothing is decoded. */
  mostIn(from: number, to: number): number {
    if (!this.toBlock(from)) return 0
    const { lasts, mosts } = this.postings
    let most = 0
    for (let block = this.block; block < lasts.length; block++) {
      most = Math.max(most, mosts[block] ?? 0)
      if ((lasts[block] ?? 0) >= to) break
    }
    return most
  }
}
