// Which words of a page are the words of its truth. A page says things twice, a menu uses the words
// of the text, and the truth may tell the parts in another order; so this is neither a bag of words
// nor one monotone alignment. It goes from the certain to the doubtful:
//
// 1. Runs of at least four words that both have, longest first, wherever they stand. Each word is
//    used once, so a teaser that repeats a sentence loses it to the article that goes on from there.
// 2. Words between two runs, or beside one, by longest common subsequence, each block on its own:
//    a block of which less than half is found this way is not found.
// 3. Whole blocks of few words that the truth has, near what is found already.
//
// Steps are bounded; a page past the bounds has less matched, never wrongly.
import { type Matches, tile } from './common-runs.ts'
import { longestCommon } from './longest-common.ts'
import { type PageWords, placeShortBlocks } from './short-blocks.ts'

/** For each word of the page its place in the truth, or -1. No place is given twice. */
export function align(page: PageWords, truth: Int32Array): Int32Array {
  const matches = tile(page.words, truth)
  fillGaps(page, truth, matches)
  placeShortBlocks(page, truth, matches)
  return matches.ofLeft
}

/** Past its neighbours a gap may reach this far into the page, and longer ones further. */
const REACH = 40
/** Cells of the tables of one gap, and of all. */
const MAX_CELLS = 1_000_000
const MAX_CELLS_OF_PAGE = 30_000_000

function fillGaps(page: PageWords, truth: Int32Array, matches: Matches): void {
  let cells = MAX_CELLS_OF_PAGE
  for (const [from, to] of gapsOf(matches.ofRight)) {
    for (const [left, right] of windowsOf(from, to, page.words.length, matches.ofRight)) {
      const size = (right - left) * (to - from)
      if (size <= 0 || size > MAX_CELLS || size > cells) continue
      cells -= size
      fillGap(page, truth, matches, { from, to, left, right })
    }
  }
}

/** Stretches of the truth that are not found, as pairs of from and to. */
function gapsOf(ofTruth: Int32Array): [number, number][] {
  const gaps: [number, number][] = []
  let from = 0
  for (let i = 0; i <= ofTruth.length; i++) {
    if (i < ofTruth.length && ofTruth[i] === -1) continue
    if (i > from) gaps.push([from, i])
    from = i + 1
  }
  return gaps
}

/** Where in the page a gap's words may be: between its neighbours, else beside each of them. */
function windowsOf(
  from: number,
  to: number,
  pageLength: number,
  ofTruth: Int32Array,
): [number, number][] {
  const before = ofTruth[from - 1] ?? -1
  const after = ofTruth[to] ?? -1
  const reach = REACH + (to - from) * 2
  if (before >= 0 && after > before && after - before <= reach * 2) return [[before + 1, after]]
  const windows: [number, number][] = []
  if (before >= 0) windows.push([before + 1, Math.min(pageLength, before + 1 + reach)])
  if (after >= 0) windows.push([Math.max(0, after - reach), after])
  return windows
}

type Gap = {
  readonly from: number
  readonly to: number
  readonly left: number
  readonly right: number
}

function fillGap(page: PageWords, truth: Int32Array, matches: Matches, gap: Gap): void {
  const { ofLeft, ofRight } = matches
  const places: number[] = []
  for (let i = gap.left; i < gap.right; i++) if (ofLeft[i] === -1) places.push(i)
  const wanted: number[] = []
  for (let i = gap.from; i < gap.to; i++) if (ofRight[i] === -1) wanted.push(i)
  const pairs = longestCommon(
    places.map((i) => page.words[i] ?? -1),
    wanted.map((i) => truth[i] ?? -1),
  ).map(([a, b]) => ({ left: places[a] ?? 0, right: wanted[b] ?? 0 }))
  for (const pairsOfBlock of byBlock(pairs, page.starts)) {
    if (!convincing(pairsOfBlock, page.starts, ofLeft)) continue
    for (const { left, right } of pairsOfBlock) {
      ofLeft[left] = right
      ofRight[right] = left
    }
  }
}

type Pair = { readonly left: number; readonly right: number }

function byBlock(pairs: readonly Pair[], starts: Int32Array): Pair[][] {
  const blocks = Map.groupBy(pairs, ({ left }) => blockAt(starts, left))
  return [...blocks.values()]
}

/** With these words, is half of the block found? */
function convincing(pairs: readonly Pair[], starts: Int32Array, ofLeft: Int32Array): boolean {
  const block = blockAt(starts, pairs[0]?.left ?? 0)
  const [from, to] = [starts[block] ?? 0, starts[block + 1] ?? 0]
  let found = pairs.length
  for (let i = from; i < to; i++) if ((ofLeft[i] ?? -1) >= 0) found++
  return found * 2 >= to - from
}

function blockAt(starts: Int32Array, place: number): number {
  let low = 0
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle
  }
  return low
}
