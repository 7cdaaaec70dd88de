// The page as one row of numbers: the part of features/page-facts.ts that reads the outline.
import { dominantOfPage } from './columns'
import { goodBlocks, groups, over } from './containers'
import {
  at,
  BLOCK_CONTAINER,
  column,
  DIV,
  ELEMENT,
  FIRST_BLOCK,
  GROUP_COUNT,
  GROUP_WORDS,
  getF32,
  getF64,
  getI32,
  H1,
  HINT_GROUPS,
  INSIDE,
  LAST_BLOCK,
  LI,
  P,
  PAGE,
  PATH_BITS,
  PATH_ELEMENTS,
  PATH_HINTS,
  PRE,
  setF32,
  setF64,
  TD,
  TH,
  TOTAL_BYTES,
  TOTAL_GOOD,
  TOTAL_LINKS,
  TOTAL_WORDS,
  value,
} from './memory'
import { digitsOfPage, endsOfPage, signsOfPage } from './shapes'

const ELEMENTS = 256
const HEADINGS = 4
const REPEATED = 3
const LARGE = 6

let next: i32 = 0

function put(number: f64): void {
  setF32(at(PAGE), next++, number)
}

export function readPage(blocks: i32, containers: i32): void {
  next = 0
  text(blocks, containers)
  spread(blocks)
  shares(blocks, at(PATH_ELEMENTS), value(PATH_BITS))
  shares(blocks, at(PATH_HINTS), value(HINT_GROUPS))
}

function text(count: i32, containers: i32): void {
  const container = at(BLOCK_CONTAINER)
  const elementOf = at(ELEMENT)
  const wordsOf = column(0)
  const inside = at(INSIDE)
  const h1 = value(H1)
  const words = getF64(at(TOTAL_WORDS), count)
  const good = getF64(at(TOTAL_GOOD), count)
  const divisor = max(1.0, words)
  let headings: u64 = 0
  memory.fill(inside, 0, ELEMENTS << 3)
  for (let row = 0; row < count; row++) {
    const element = <i32>load<u8>(elementOf + getI32(container, row))
    setF64(inside, element, getF64(inside, element) + getF32(wordsOf, row))
    const level = element - h1
    // Four counts of 16 bits; there are at most 30,000 blocks.
    if (level >= 0 && level < HEADINGS) headings += (<u64>1) << ((<u64>level) << 4)
  }
  put(words)
  put(<f64>count)
  put(<f64>containers)
  put(good / divisor)
  put(getF64(at(TOTAL_LINKS), count) / max(1.0, getF64(at(TOTAL_BYTES), count)))
  put(<f64>goodBlocks)
  put(good / <f64>max(1, goodBlocks))
  put(words / <f64>max(1, count))
  put(endsOfPage / divisor)
  put(digitsOfPage / divisor)
  put(signsOfPage / divisor)
  for (let level = 0; level < HEADINGS; level++) {
    put(<f64>((headings >> ((<u64>level) << 4)) & 0xffff))
  }
  put(getF64(inside, value(LI)) / divisor)
  put((getF64(inside, value(TD)) + getF64(inside, value(TH))) / divisor)
  put(getF64(inside, value(P)) / divisor)
  put(getF64(inside, value(PRE)) / divisor)
  put(getF64(inside, value(DIV)) / divisor)
}

function spread(count: i32): void {
  const totalWords = at(TOTAL_WORDS)
  const words = max(1.0, getF64(totalWords, count))
  put(over(totalWords, dominantOfPage) / words)
  put(<f64>(getI32(at(LAST_BLOCK), dominantOfPage) - getI32(at(FIRST_BLOCK), dominantOfPage)))
  const counts = at(GROUP_COUNT)
  const groupWords = at(GROUP_WORDS)
  let best = -1
  let large = 0
  for (let group = 0; group < groups; group++) {
    const members = getI32(counts, group)
    if (members < REPEATED) continue
    if (members >= LARGE) large++
    if (best < 0 || getF64(groupWords, group) > getF64(groupWords, best)) best = group
  }
  const members: f64 = best < 0 ? 0 : <f64>getI32(counts, best)
  const all: f64 = best < 0 ? 0 : getF64(groupWords, best)
  put(members)
  put(all / max(1.0, members))
  put(all / words)
  put(<f64>large)
}

/** The share of words that has each bit. */
function shares(count: i32, bits: usize, size: i32): void {
  const container = at(BLOCK_CONTAINER)
  const words = column(0)
  const sums = at(INSIDE)
  const mask = (1 << size) - 1
  const divisor = max(1.0, getF64(at(TOTAL_WORDS), count))
  memory.fill(sums, 0, (<usize>size) << 3)
  for (let row = 0; row < count; row++) {
    const own = getF32(words, row)
    let rest = getI32(bits, getI32(container, row)) & mask
    while (rest !== 0) {
      const bit = ctz(rest)
      setF64(sums, bit, getF64(sums, bit) + own)
      rest &= rest - 1
    }
  }
  for (let bit = 0; bit < size; bit++) put(getF64(sums, bit) / divisor)
}
