// The columns about the place of a block: features/position-features.ts and features/neighbour-features.ts.
import { dominant } from './containers'
import {
  at,
  BLOCK_CONTAINER,
  column,
  DEPTH,
  ELEMENT,
  FIRST_BLOCK,
  GROUP,
  GROUP_COUNT,
  GROUP_GOOD,
  GROUP_WORDS,
  getF32,
  getF64,
  getI32,
  H1,
  HINT_GROUPS,
  LAST_BLOCK,
  MAX_SCORE,
  MIN_SCORE,
  NEAR_SCORE,
  NOISE,
  OWN_COLUMN,
  OWN_HINTS,
  PARENT,
  PATH_BITS,
  PATH_ELEMENTS,
  PATH_HINTS,
  SIGNATURE,
  SLOT_OF,
  SLOTS,
  STRIDE,
  SUM_SCORE,
  setF32,
  setI32,
  slotsFor,
  TOTAL_BYTES,
  TOTAL_GOOD,
  TOTAL_LINKS,
  TOTAL_WORDS,
  value,
} from './memory'

// Numbers of columns, in the order of FEATURES.
const WORDS = 0
const LINK_DENSITY = 7
const TWINS = 16
const OWN_ELEMENTS = 17
const OWN_ELEMENT_COUNT = 5
const HEADING = 22
const BLOCK_DEPTH = 23
const PATH = 24
const BLOCK_HIDDEN = 38
const LEVEL = 44
const LEVEL_COLUMNS = 6
const LEVELS = 4
const DOMINANT = 68
const NEAR_LINKS = 74
const PLACE = 75
const GROUPS = 82
const ALIKE = 86
const SINCE_GOOD = 91
const UNTIL_GOOD = 92
const SINCE_HEADING = 93
const UNTIL_HEADING = 94
const LAST_HEADING = 95
const SINCE_H1 = 96

const NEAR = 5
const GOOD_WORDS: f64 = 12
const GOOD_LINKS: f64 = 0.3
const FAR = 100
const VERY_FAR = 1000
/** A row of the table of names: key, count, twins, unused, words, links. */
const ALIKE_BYTES = 32

/** The container with most of the prose, for the facts about the page. */
export let dominantOfPage: i32 = 0

export function readColumns(blocks: i32, containers: i32): void {
  elements(blocks)
  paths(blocks)
  levels(blocks)
  inDominant(blocks, dominant(containers, blocks, 0.4), DOMINANT)
  dominantOfPage = dominant(containers, blocks, 0.75)
  inDominant(blocks, dominantOfPage, DOMINANT + 3)
  nearLinks(blocks)
  places(blocks)
  inGroups(blocks)
  namedAlike(blocks)
  since(blocks)
  until(blocks)
}

function elements(count: i32): void {
  const stride = at(STRIDE)
  const container = at(BLOCK_CONTAINER)
  const elementOf = at(ELEMENT)
  const columnOf = at(OWN_COLUMN)
  const first = column(OWN_ELEMENTS)
  const heading = column(HEADING)
  const h1 = value(H1)
  memory.fill(first, 0, stride * OWN_ELEMENT_COUNT)
  for (let row = 0; row < count; row++) {
    const element = <i32>load<u8>(elementOf + getI32(container, row))
    const own = <i32>load<u8>(columnOf + element)
    if (own > 0) setF32(first + <usize>(own - 1) * stride, row, 1)
    const level = element - h1 + 1
    setF32(heading, row, level >= 1 && level <= 6 ? <f64>level : 0)
  }
}

function paths(count: i32): void {
  const stride = at(STRIDE)
  const container = at(BLOCK_CONTAINER)
  const pathElements = at(PATH_ELEMENTS)
  const pathHints = at(PATH_HINTS)
  const ownHints = at(OWN_HINTS)
  const depths = at(DEPTH)
  const near = at(NEAR_SCORE)
  const sums = at(SUM_SCORE)
  const least = at(MIN_SCORE)
  const most = at(MAX_SCORE)
  const depth = column(BLOCK_DEPTH)
  const path = column(PATH)
  const hidden = column(BLOCK_HIDDEN)
  const bits = value(PATH_BITS)
  const hiddenBit = 1 << value(HINT_GROUPS)
  const noise = value(NOISE)
  for (let row = 0; row < count; row++) {
    const around = getI32(container, row)
    setF32(depth, row, getF32(depths, around))
    let rest = getI32(pathElements, around)
    let cell = path
    for (let bit = 0; bit < bits; bit++) {
      setF32(cell, row, <f64>(rest & 1))
      rest >>= 1
      cell += stride
    }
    cell = hidden
    setF32(cell, row, (getI32(pathHints, around) & hiddenBit) !== 0 ? 1 : 0)
    cell += stride
    setF32(cell, row, (getI32(ownHints, around) & noise) !== 0 ? 1 : 0)
    cell += stride
    setF32(cell, row, getF32(near, around))
    cell += stride
    setF32(cell, row, getF32(sums, around))
    cell += stride
    setF32(cell, row, getF32(least, around))
    cell += stride
    setF32(cell, row, getF32(most, around))
  }
}

/** Ancestors, each with more blocks than the one before. */
function levels(count: i32): void {
  const stride = at(STRIDE)
  const container = at(BLOCK_CONTAINER)
  const parents = at(PARENT)
  const firsts = at(FIRST_BLOCK)
  const lasts = at(LAST_BLOCK)
  const totalWords = at(TOTAL_WORDS)
  const totalGood = at(TOTAL_GOOD)
  const totalBytes = at(TOTAL_BYTES)
  const totalLinks = at(TOTAL_LINKS)
  const near = at(NEAR_SCORE)
  const columns = column(LEVEL)
  const pageWords = max(1.0, getF64(totalWords, count))
  let last = -1
  for (let row = 0; row < count; row++) {
    const own = getI32(container, row)
    let cell = columns + ((<usize>row) << 2)
    // All blocks of one container have the same values.
    if (own === last) {
      for (let each = 0; each < LEVELS * LEVEL_COLUMNS; each++) {
        store<f32>(cell, load<f32>(cell - 4))
        cell += stride
      }
      continue
    }
    last = own
    let place = own
    for (let level = 0; level < LEVELS; level++) {
      if (level > 0 && place > 0) {
        const size = getI32(lasts, place) - getI32(firsts, place)
        do place = getI32(parents, place)
        while (place > 0 && getI32(lasts, place) - getI32(firsts, place) <= size)
      }
      const from = getI32(firsts, place)
      const to = getI32(lasts, place)
      const words = getF64(totalWords, to) - getF64(totalWords, from)
      const bytes = getF64(totalBytes, to) - getF64(totalBytes, from)
      const links = getF64(totalLinks, to) - getF64(totalLinks, from)
      const good = getF64(totalGood, to) - getF64(totalGood, from)
      store<f32>(cell, <f32>words)
      cell += stride
      store<f32>(cell, <f32>(links / max(1.0, bytes)))
      cell += stride
      store<f32>(cell, <f32>(good / max(1.0, words)))
      cell += stride
      store<f32>(cell, <f32>(words / <f64>max(1, to - from)))
      cell += stride
      store<f32>(cell, <f32>(words / pageWords))
      cell += stride
      store<f32>(cell, <f32>getF32(near, place))
      cell += stride
    }
  }
}

function inDominant(count: i32, container: i32, first: i32): void {
  const from = getI32(at(FIRST_BLOCK), container)
  const to = getI32(at(LAST_BLOCK), container)
  const isIn = column(first)
  const fromStart = column(first + 1)
  const fromEnd = column(first + 2)
  for (let row = 0; row < count; row++) {
    setF32(isIn, row, row >= from && row < to ? 1 : 0)
    setF32(fromStart, row, <f64>(row - from))
    setF32(fromEnd, row, <f64>(to - 1 - row))
  }
}

function nearLinks(count: i32): void {
  const totalBytes = at(TOTAL_BYTES)
  const totalLinks = at(TOTAL_LINKS)
  const links = column(NEAR_LINKS)
  for (let row = 0; row < count; row++) {
    const from = max(0, row - NEAR)
    const to = min(count, row + NEAR + 1)
    const bytes = max(1.0, getF64(totalBytes, to) - getF64(totalBytes, from))
    setF32(links, row, (getF64(totalLinks, to) - getF64(totalLinks, from)) / bytes)
  }
}

function places(count: i32): void {
  const totalWords = at(TOTAL_WORDS)
  const totalGood = at(TOTAL_GOOD)
  const all = getF64(totalWords, count)
  const words = max(1.0, all)
  const good = getF64(totalGood, count)
  const place = column(PLACE)
  const textPlace = column(PLACE + 1)
  const goodPlace = column(PLACE + 2)
  for (let row = 0; row < count; row++) {
    setF32(place, row, <f64>row / <f64>count)
    setF32(textPlace, row, getF64(totalWords, row) / words)
    setF32(goodPlace, row, getF64(totalGood, row) / max(1.0, good))
  }
  fill(PLACE + 3, count, <f32>all)
  fill(PLACE + 4, count, <f32>count)
  fill(
    PLACE + 5,
    count,
    <f32>(getF64(at(TOTAL_LINKS), count) / max(1.0, getF64(at(TOTAL_BYTES), count))),
  )
  fill(PLACE + 6, count, <f32>(good / words))
}

/** The same number in all rows; a few more than the count are written. */
export function fill(feature: i32, count: i32, number: f32): void {
  const all = f32x4.splat(number)
  let cell = column(feature)
  const end = cell + ((<usize>count) << 2)
  for (; cell < end; cell += 16) v128.store(cell, all)
}

/** The group of similar siblings that contains the block or one of its ancestors. */
function inGroups(count: i32): void {
  const container = at(BLOCK_CONTAINER)
  const groupOf = at(GROUP)
  const counts = at(GROUP_COUNT)
  const groupWords = at(GROUP_WORDS)
  const groupGood = at(GROUP_GOOD)
  const members = column(GROUPS)
  const words = column(GROUPS + 1)
  const share = column(GROUPS + 2)
  const good = column(GROUPS + 3)
  const pageWords = max(1.0, getF64(at(TOTAL_WORDS), count))
  for (let row = 0; row < count; row++) {
    const group = getI32(groupOf, getI32(container, row))
    if (group < 0) {
      setF32(members, row, 0)
      setF32(words, row, 0)
      setF32(share, row, 0)
      setF32(good, row, 0)
      continue
    }
    const size = <f64>getI32(counts, group)
    const all = getF64(groupWords, group)
    setF32(members, row, size)
    setF32(words, row, all / max(1.0, size))
    setF32(share, row, all / pageWords)
    setF32(good, row, getF64(groupGood, group) / max(1.0, all))
  }
}

/** Blocks in containers of the same name on the whole page: all signatures, all prices. */
function namedAlike(count: i32): void {
  const container = at(BLOCK_CONTAINER)
  const parents = at(PARENT)
  const signatures = at(SIGNATURE)
  const words = column(WORDS)
  const links = column(LINK_DENSITY)
  const twins = column(TWINS)
  const slots = at(SLOTS)
  const slotOf = at(SLOT_OF)
  const size = slotsFor(count)
  const mask = size - 1
  memory.fill(slots, 0, <usize>size * ALIKE_BYTES)
  for (let row = 0; row < count; row++) {
    const own = getI32(container, row)
    const parent = max(0, getI32(parents, own))
    const around = max(0, getI32(parents, parent))
    const inner = (getI32(signatures, own) * 31) ^ (getI32(signatures, parent) * 0x9e3779b1)
    const key: i32 = inner + getI32(signatures, around) * 0x85ebca6b
    let slot = (key ^ (key >>> 15)) & mask
    let entry: usize
    for (;;) {
      entry = slots + <usize>slot * ALIKE_BYTES
      if (load<i32>(entry, 4) === 0 || load<i32>(entry) === key) break
      slot = (slot + 1) & mask
    }
    store<i32>(entry, key)
    store<i32>(entry, load<i32>(entry, 4) + 1, 4)
    if (getF32(twins, row) > 1) store<i32>(entry, load<i32>(entry, 8) + 1, 8)
    store<f64>(entry, load<f64>(entry, 16) + getF32(words, row), 16)
    store<f64>(entry, load<f64>(entry, 24) + getF32(links, row), 24)
    setI32(slotOf, row, slot)
  }
  const number = column(ALIKE)
  const mean = column(ALIKE + 1)
  const density = column(ALIKE + 2)
  const share = column(ALIKE + 3)
  const twinShare = column(ALIKE + 4)
  const pageWords = max(1.0, getF64(at(TOTAL_WORDS), count))
  for (let row = 0; row < count; row++) {
    const entry = slots + <usize>getI32(slotOf, row) * ALIKE_BYTES
    const alike = <f64>load<i32>(entry, 4)
    const sum = load<f64>(entry, 16)
    setF32(number, row, alike)
    setF32(mean, row, sum / alike)
    setF32(density, row, load<f64>(entry, 24) / alike)
    setF32(share, row, sum / pageWords)
    setF32(twinShare, row, <f64>load<i32>(entry, 8) / alike)
  }
}

function since(count: i32): void {
  const words = column(WORDS)
  const links = column(LINK_DENSITY)
  const heading = column(HEADING)
  const sinceGood = column(SINCE_GOOD)
  const sinceHeading = column(SINCE_HEADING)
  const lastHeading = column(LAST_HEADING)
  const sinceH1 = column(SINCE_H1)
  let good = -VERY_FAR
  let headed = -VERY_FAR
  let h1 = -VERY_FAR
  let level: f64 = 0
  for (let row = 0; row < count; row++) {
    setF32(sinceGood, row, <f64>min(row - good, FAR))
    setF32(sinceHeading, row, <f64>min(row - headed, FAR))
    setF32(lastHeading, row, level)
    if (getF32(words, row) >= GOOD_WORDS && getF32(links, row) < GOOD_LINKS) good = row
    const own = getF32(heading, row)
    if (own > 0) {
      headed = row
      level = own
      if (own === 1) h1 = row
    }
    setF32(sinceH1, row, <f64>min(row - h1, VERY_FAR))
  }
}

function until(count: i32): void {
  const words = column(WORDS)
  const links = column(LINK_DENSITY)
  const heading = column(HEADING)
  const untilGood = column(UNTIL_GOOD)
  const untilHeading = column(UNTIL_HEADING)
  let good = count + VERY_FAR
  let headed = good
  for (let row = count - 1; row >= 0; row--) {
    setF32(untilGood, row, <f64>min(good - row, FAR))
    setF32(untilHeading, row, <f64>min(headed - row, FAR))
    if (getF32(words, row) >= GOOD_WORDS && getF32(links, row) < GOOD_LINKS) good = row
    if (getF32(heading, row) > 0) headed = row
  }
}
