// Facts about the containers: features/container-facts.ts.
import {
  at,
  BLOCK_FROM,
  BLOCK_LINK_BYTES,
  BLOCK_TO,
  column,
  DEPTH,
  ELEMENT,
  FIRST_BLOCK,
  FIRST_WORD,
  GROUP,
  GROUP_COUNT,
  GROUP_GOOD,
  GROUP_WORDS,
  getF32,
  getF64,
  getI32,
  HIDDEN,
  HINT_GROUPS,
  HINTS,
  HINTS_MASK,
  LAST_BLOCK,
  LAST_WORD,
  MAX_SCORE,
  MIN_SCORE,
  NEAR_SCORE,
  OWN_GROUP,
  OWN_HINTS,
  PARENT,
  PATH_BIT,
  PATH_ELEMENTS,
  PATH_HINTS,
  SIGNATURE,
  SLOTS,
  SUM_SCORE,
  setF32,
  setF64,
  setI32,
  slotsFor,
  TOTAL_BYTES,
  TOTAL_GOOD,
  TOTAL_LINKS,
  TOTAL_WORDS,
  value,
  WORDS,
} from './memory'

const GOOD_WORDS: f64 = 8
const GOOD_LINKS: f64 = 0.35
const REPEATED = 3

export let groups: i32 = 0
export let goodBlocks: i32 = 0

export function readTotals(count: i32): void {
  const froms = at(BLOCK_FROM)
  const tos = at(BLOCK_TO)
  const links = at(BLOCK_LINK_BYTES)
  const totalWords = at(TOTAL_WORDS)
  const totalGood = at(TOTAL_GOOD)
  const totalBytes = at(TOTAL_BYTES)
  const totalLinks = at(TOTAL_LINKS)
  const words = column(0)
  let allWords: f64 = 0
  let allGood: f64 = 0
  let allBytes: f64 = 0
  let allLinks: f64 = 0
  goodBlocks = 0
  setF64(totalWords, 0, 0)
  setF64(totalGood, 0, 0)
  setF64(totalBytes, 0, 0)
  setF64(totalLinks, 0, 0)
  for (let row = 0; row < count; row++) {
    const own = getF32(words, row)
    const bytes = <f64>(getI32(tos, row) - getI32(froms, row))
    const linkBytes = <f64>getI32(links, row)
    const before = allGood
    allWords += own
    if (own >= GOOD_WORDS && linkBytes < GOOD_LINKS * bytes) allGood += own
    if (allGood > before) goodBlocks++
    allBytes += bytes
    allLinks += linkBytes
    setF64(totalWords, row + 1, allWords)
    setF64(totalGood, row + 1, allGood)
    setF64(totalBytes, row + 1, allBytes)
    setF64(totalLinks, row + 1, allLinks)
  }
}

/** The difference of a running total over a container. */
export function over(total: usize, container: i32): f64 {
  return (
    getF64(total, getI32(at(LAST_BLOCK), container)) -
    getF64(total, getI32(at(FIRST_BLOCK), container))
  )
}

/** The deepest container with this share of the page's prose. */
export function dominant(containers: i32, blocks: i32, share: f64): i32 {
  const total = at(TOTAL_GOOD)
  const parents = at(PARENT)
  const wanted = share * getF64(total, blocks)
  let found = 0
  for (let row = 1; row < containers; row++) {
    if (getI32(parents, row) === found && over(total, row) >= wanted) found = row
  }
  return found
}

export function readPaths(count: i32): void {
  const parents = at(PARENT)
  const elements = at(ELEMENT)
  const hidden = at(HIDDEN)
  const wordFrom = at(FIRST_WORD)
  const wordTo = at(LAST_WORD)
  const words = at(WORDS)
  const bitOf = at(PATH_BIT)
  const hints = at(HINTS)
  const mask = value(HINTS_MASK)
  const shift = value(HINT_GROUPS)
  const hiddenBit = 1 << shift
  const pathElements = at(PATH_ELEMENTS)
  const pathHints = at(PATH_HINTS)
  const ownHints = at(OWN_HINTS)
  const depths = at(DEPTH)
  const near = at(NEAR_SCORE)
  const sums = at(SUM_SCORE)
  const least = at(MIN_SCORE)
  const most = at(MAX_SCORE)
  for (let row = 0; row < count; row++) {
    const parent = getI32(parents, row)
    let bits = load<u8>(hidden + row) === 1 ? hiddenBit : 0
    let score = 0
    let known = 0
    const to = getI32(wordTo, row)
    for (let word = getI32(wordFrom, row); word < to; word++) {
      const found = hintOf(hints, mask, getI32(words, word))
      if (found === 0) continue
      bits |= found & (hiddenBit - 1)
      const own = found >> shift
      if (own !== 0) known++
      score += own
    }
    const own: f64 = known > 0 ? <f64>score / <f64>known : 0
    const element = getI32(bitOf, <i32>load<u8>(elements + row))
    setI32(ownHints, row, bits)
    if (parent >= 0) {
      setI32(pathElements, row, getI32(pathElements, parent) | element)
      setI32(pathHints, row, getI32(pathHints, parent) | bits)
      setF32(depths, row, getF32(depths, parent) + 1)
      setF32(near, row, known > 0 ? own : getF32(near, parent))
      setF32(sums, row, getF32(sums, parent) + own)
      setF32(least, row, min(getF32(least, parent), own))
      setF32(most, row, max(getF32(most, parent), own))
    } else {
      setI32(pathElements, row, element)
      setI32(pathHints, row, bits)
      setF32(depths, row, 0)
      setF32(near, row, own)
      setF32(sums, row, own)
      setF32(least, row, min(0.0, own))
      setF32(most, row, max(0.0, own))
    }
  }
}

function hintOf(table: usize, mask: i32, hash: i32): i32 {
  let slot = (hash ^ (hash >>> 15)) & mask
  let pair = table + ((<usize>slot) << 3)
  while (load<i32>(pair, 4) !== 0 && load<i32>(pair) !== hash) {
    slot = (slot + 1) & mask
    pair = table + ((<usize>slot) << 3)
  }
  return load<i32>(pair, 4)
}

/** Groups of similar siblings with text. */
export function readGroups(count: i32): void {
  const parents = at(PARENT)
  const signatures = at(SIGNATURE)
  const firsts = at(FIRST_BLOCK)
  const lasts = at(LAST_BLOCK)
  const ownGroup = at(OWN_GROUP)
  const counts = at(GROUP_COUNT)
  const words = at(GROUP_WORDS)
  const good = at(GROUP_GOOD)
  const totalWords = at(TOTAL_WORDS)
  const totalGood = at(TOTAL_GOOD)
  const slots = at(SLOTS)
  const size = slotsFor(count)
  const mask = size - 1
  // A row: the group and one more, its parent, its signature.
  memory.fill(slots, 0, <usize>size * 12)
  groups = 0
  for (let row = 1; row < count; row++) {
    const from = getI32(firsts, row)
    const to = getI32(lasts, row)
    if (from === to) {
      setI32(ownGroup, row, -1)
      continue
    }
    const parent = getI32(parents, row)
    const signature = getI32(signatures, row)
    let slot = (((parent * 0x9e3779b1) ^ (signature * 0x85ebca6b)) >>> 7) & mask
    let entry: usize
    for (;;) {
      entry = slots + <usize>slot * 12
      if (load<i32>(entry) === 0) break
      if (load<i32>(entry, 4) === parent && load<i32>(entry, 8) === signature) break
      slot = (slot + 1) & mask
    }
    let group = load<i32>(entry) - 1
    if (group < 0) {
      group = groups++
      store<i32>(entry, group + 1)
      store<i32>(entry, parent, 4)
      store<i32>(entry, signature, 8)
      setI32(counts, group, 0)
      setF64(words, group, 0)
      setF64(good, group, 0)
    }
    setI32(ownGroup, row, group)
    setI32(counts, group, getI32(counts, group) + 1)
    setF64(words, group, getF64(words, group) + (getF64(totalWords, to) - getF64(totalWords, from)))
    setF64(good, group, getF64(good, group) + (getF64(totalGood, to) - getF64(totalGood, from)))
  }
  inheritGroups(count)
}

function inheritGroups(count: i32): void {
  const parents = at(PARENT)
  const ownGroup = at(OWN_GROUP)
  const group = at(GROUP)
  const counts = at(GROUP_COUNT)
  const words = at(GROUP_WORDS)
  setI32(group, 0, -1)
  for (let row = 1; row < count; row++) {
    const around = getI32(group, getI32(parents, row))
    const own = getI32(ownGroup, row)
    const isBetter =
      own >= 0 &&
      getI32(counts, own) >= REPEATED &&
      (around < 0 || getF64(words, own) > getF64(words, around))
    setI32(group, row, isBetter ? own : around)
  }
}
