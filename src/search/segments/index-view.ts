// One state of an index, as a search sees it.
import type { CommonWords } from './common-words.ts'
import type { KeptBits } from './doc-bits.ts'
import type { DocColumns } from './doc-columns.ts'
import type { PageSums } from './page-sums.ts'
import type { SegmentRange, SegmentReader } from './segment-reader.ts'

export type IndexView = {
  /** In the order of their pages. */
  readonly segments: readonly (SegmentRange & { readonly meanLength: number })[]
  /** Segments of links, in the order in which they were written; they may have the same pages. */
  readonly links: readonly (SegmentRange & { readonly meanLength: number })[]
  /** Pages are numbered below this. */
  readonly end: number
  /** Pages that are there, and the sum of their lengths. */
  readonly pages: number
  readonly length: number
  /** The number of pages that went, but still have postings. */
  readonly gone: number
  readonly reader: SegmentReader
  /** Words whose pairs are terms of pages, beside stop words and short ones. */
  readonly common: CommonWords
  readonly columns: DocColumns
  readonly sums: PageSums
  /** The texts of shared values, and their numbers; 0 if nothing has it. */
  readonly textOf: (number: number) => string
  readonly numberOf: (value: string) => number
  /** By term: the number of pages that have it now. */
  readonly counts: Map<string, number>
  /** The pages of terms that many pages have. */
  readonly bits: KeptBits
}
