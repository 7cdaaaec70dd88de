// The columns of all pages, stacked: what forests are trained on and asked.

import { CLASSES } from '../src/parser/content/page-kinds.ts'
import { FEATURES, type LearnedWords, PageColumns } from '../src/parser/features/block-features.ts'
import { PAGE_FEATURES } from '../src/parser/features/page-facts.ts'
import { type LabelledPage, readPage } from './labelled-page.ts'

export type Dataset = {
  /** One column per feature of blocks and per class of page; rows are the blocks of all pages. */
  readonly blocks: readonly Float32Array[]
  /** One column per feature of pages; rows are the pages. */
  readonly pages: readonly Float32Array[]
  /** The first row of each page in `blocks`, and behind the last one the number of rows. */
  readonly starts: Uint32Array
  readonly pageOfRow: Uint32Array
}

/** Reads all pages, each with the words that were learned without its fold. */
export function readDataset(
  pages: readonly LabelledPage[],
  folds: Uint8Array,
  wordsWithout: (fold: number) => LearnedWords,
): Dataset {
  const starts = new Uint32Array(pages.length + 1)
  for (const [at, page] of pages.entries()) starts[at + 1] = (starts[at] ?? 0) + page.texts.length
  const rows = starts[pages.length] ?? 0
  const blocks = Array.from(
    { length: FEATURES.length + CLASSES.length },
    () => new Float32Array(rows),
  )
  const pageColumns = PAGE_FEATURES.map(() => new Float32Array(pages.length))
  const pageOfRow = new Uint32Array(rows)
  const readers = new Map<number, PageColumns>()
  for (const [at, page] of pages.entries()) {
    const fold = folds[at] ?? 0
    const reader = readers.get(fold) ?? new PageColumns(wordsWithout(fold))
    readers.set(fold, reader)
    const { reading, title, signs } = readPage(page.truth)
    reader.read(reading, title, signs)
    const start = starts[at] ?? 0
    pageOfRow.fill(at, start, starts[at + 1])
    for (let feature = 0; feature < FEATURES.length; feature++) {
      blocks[feature]?.set(reader.blocks[feature]?.subarray(0, reader.count) ?? [], start)
    }
    for (const [feature, column] of pageColumns.entries())
      column[at] = reader.page[feature]?.[0] ?? 0
  }
  return { blocks, pages: pageColumns, starts, pageOfRow }
}
