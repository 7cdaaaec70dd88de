// The hottest loops of the parser, in WebAssembly: plain text and plain tags of a page, what its blocks look like in
// numbers, and what the trained forests make of them. JavaScript says the same in `html/` and `content/`, and in
// `features/` and `forest/`, and is the reference: tests compare every number of both.
//
// Nothing is allocated here, and nothing is kept from page to page but what the loader wrote.
import { fill, readColumns } from './columns'
import { readGroups, readPaths, readTotals } from './containers'
import { scoreBlocks, scoreKinds } from './forests'
import { likenessOfLong } from './likeness'
import { mayMark } from './marks'
import { readPage } from './page'
import { scan } from './scan'
import { readShapes } from './shapes'

/** Fills the columns of the blocks and the row of the page, as far as the outline tells. */
export function read(blocks: i32, containers: i32, titleWords: i32): void {
  readShapes(blocks, titleWords)
  readTotals(blocks)
  readPaths(containers)
  readGroups(containers)
  readColumns(blocks, containers)
  readPage(blocks, containers)
}

export { fill, likenessOfLong, mayMark, scan, scoreBlocks, scoreKinds }
