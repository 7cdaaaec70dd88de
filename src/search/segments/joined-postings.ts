// Two lists as one: the pages of the second come after those of the first.
import { addTo, type DocBits } from './doc-bits.ts'
import { BlockReader } from './postings.ts'
import type { Postings } from './postings-list.ts'

export class JoinedPostings implements Postings {
  readonly pages: number
  readonly lasts: Int32Array
  readonly mosts: Float64Array
  readonly #head: Postings
  readonly #tail: Postings
  /** Blocks of the head. */
  readonly #blocks: number

  constructor(head: Postings, tail: Postings) {
    this.#head = head
    this.#tail = tail
    this.#blocks = head.lasts.length
    this.pages = head.pages + tail.pages
    this.lasts = new Int32Array(this.#blocks + tail.lasts.length)
    this.lasts.set(head.lasts)
    this.lasts.set(tail.lasts, this.#blocks)
    this.mosts = new Float64Array(this.lasts.length)
    this.mosts.set(head.mosts)
    this.mosts.set(tail.mosts, this.#blocks)
  }

  bitsFor(looked: number): DocBits | null {
    const bits = this.#tail.bitsFor(looked)?.slice() ?? null
    if (bits === null) return null
    const reader = new BlockReader()
    for (let block = 0; block < this.#blocks; block++) {
      this.#head.readDocs(block, reader)
      addTo(bits, reader.docs, reader.size)
    }
    return bits
  }

  readDocs(block: number, into: BlockReader): void {
    if (block < this.#blocks) this.#head.readDocs(block, into)
    else this.#tail.readDocs(block - this.#blocks, into)
  }

  readWeights(block: number, into: BlockReader): void {
    if (block < this.#blocks) this.#head.readWeights(block, into)
    else this.#tail.readWeights(block - this.#blocks, into)
  }

  read(block: number, into: BlockReader): void {
    if (block < this.#blocks) this.#head.read(block, into)
    else this.#tail.read(block - this.#blocks, into)
  }
}
