// The shape of each block's text, and the columns that say it: features/block-shapes.ts and
// features/text-features.ts in one pass.
import {
  at,
  BLOCK_FROM,
  BLOCK_LINK_BYTES,
  BLOCK_LINKS,
  BLOCK_TO,
  COUNTS,
  column,
  FILTER,
  FOLDED,
  getI32,
  HASH,
  KIND,
  LEXICON,
  LEXICON_MASK,
  SLOT_OF,
  SLOTS,
  STRIDE,
  setF32,
  setI32,
  slotsFor,
  TEXT,
  TITLE,
  value,
} from './memory'

const WIDE = 3
const END = 5
const BLANK = 6
const OTHER = 0
const CELL = 31
const SPACE = 32
const MAX_BYTES = 320
const LOOKED_UP = 40
const TITLE_SLOTS = 128
const WORD_SEED = 0x1505
const PRIME = 0x01000193
const SPREAD = 0x9e3779b1
/** Six counts of ten bits each, see countsOf in model-memory.ts. */
const FIELD = 1023

/** Sums over the page. */
export let endsOfPage: f64 = 0
export let digitsOfPage: f64 = 0
export let signsOfPage: f64 = 0

export function readShapes(count: i32, titleWords: i32): void {
  endsOfPage = 0
  digitsOfPage = 0
  signsOfPage = 0
  const text = at(TEXT)
  const kinds = at(KIND)
  const folded = at(FOLDED)
  const counts = at(COUNTS)
  const title = at(TITLE)
  const lexicon = at(LEXICON)
  const filter = at(FILTER)
  const mask = value(LEXICON_MASK)
  const stride = at(STRIDE)
  const columns = column(0)
  const froms = at(BLOCK_FROM)
  const tos = at(BLOCK_TO)
  const linkBytes = at(BLOCK_LINK_BYTES)
  const links = at(BLOCK_LINKS)
  const hashes = at(HASH)
  for (let row = 0; row < count; row++) {
    const from = getI32(froms, row)
    const to = getI32(tos, row)
    const length = to - from
    const end = text + min(to, from + MAX_BYTES)
    // A space behind the block ends its last word; the byte that it replaces comes back below.
    const behind = load<u8>(end)
    const last = <i32>load<u8>(text + to - 1)
    store<u8>(end, SPACE)
    let byteAt = text + from
    let words = 0
    let ends = 0
    let cells = 0
    let score = 0
    let known = 0
    let titled = 0
    let hash: i32 = 0x811c9dc5
    let all: u64 = 0
    while (byteAt < end) {
      let byte = <usize>load<u8>(byteAt)
      let kind = <i32>load<u8>(kinds + byte)
      if (kind >= 1 && kind <= WIDE) {
        let word: i32 = WORD_SEED
        do {
          all += load<u64>(counts + (byte << 3))
          word = (word * PRIME) ^ <i32>load<u8>(folded + byte)
          byteAt++
          byte = <usize>load<u8>(byteAt)
          kind = <i32>load<u8>(kinds + byte)
        } while (kind <= WIDE)
        words++
        hash = (hash ^ word) * PRIME
        if (words > LOOKED_UP) continue
        let slot = word & (TITLE_SLOTS - 1)
        for (;;) {
          const other = getI32(title, slot)
          if (other === 0) break
          if (other === word) {
            titled++
            break
          }
          slot = (slot + 1) & (TITLE_SLOTS - 1)
        }
        const bit = <u32>(word * SPREAD) >>> 16
        if (((load<u8>(filter + (bit >> 3)) >> <u8>(bit & 7)) & 1) === 0) continue
        slot = (word ^ (word >>> 15)) & mask
        for (;;) {
          const pair = lexicon + ((<usize>slot) << 3)
          const found = load<i32>(pair, 4)
          if (found === 0) break
          if (load<i32>(pair) === word) {
            score += found
            known++
            break
          }
          slot = (slot + 1) & mask
        }
        continue
      }
      all += load<u64>(counts + (byte << 3))
      if (kind === END) {
        const next = <i32>load<u8>(kinds + <usize>load<u8>(byteAt + 1))
        if (next === BLANK || next === OTHER || next === WIDE) ends++
      } else if (byte === CELL) cells++
      byteAt++
    }
    store<u8>(end, behind)
    setI32(hashes, row, hash)
    const wide = <f64>(<i32>((all >> 20) & FIELD))
    let wordsOf = round(max(<f64>words, <f64>words + wide / 2 - 1))
    let letters = <f64>(<i32>(all & FIELD))
    let capitals = <f64>(<i32>((all >> 10) & FIELD))
    let digits = <f64>(<i32>((all >> 30) & FIELD))
    let signs = <f64>(<i32>((all >> 40) & FIELD))
    let lines = <f64>(<i32>((all >> 50) & FIELD))
    let endsOf = <f64>ends
    let cellsOf = <f64>cells
    if (length > MAX_BYTES) {
      const times = <f64>length / MAX_BYTES
      wordsOf = round(wordsOf * times)
      letters = round(letters * times)
      capitals = round(capitals * times)
      digits = round(digits * times)
      signs = round(signs * times)
      lines = round(lines * times)
      endsOf = round(endsOf * times)
      cellsOf = round(cellsOf * times)
    }
    endsOfPage += endsOf
    digitsOfPage += digits
    signsOfPage += signs
    const lookedUp = min(<f64>LOOKED_UP, max(1.0, wordsOf))
    const size = <f64>length
    let cell = columns
    setF32(cell, row, wordsOf)
    cell += stride
    setF32(cell, row, size)
    cell += stride
    setF32(cell, row, letters / max(1.0, wordsOf))
    cell += stride
    setF32(cell, row, endsOf)
    cell += stride
    setF32(cell, row, digits / size)
    cell += stride
    setF32(cell, row, capitals / max(1.0, letters))
    cell += stride
    setF32(cell, row, endsOf > 0 && !isLetterOrDigit(last) ? 1 : 0)
    cell += stride
    setF32(cell, row, <f64>getI32(linkBytes, row) / size)
    cell += stride
    setF32(cell, row, <f64>getI32(links, row))
    cell += stride
    setF32(cell, row, signs / size)
    cell += stride
    setF32(cell, row, lines)
    cell += stride
    setF32(cell, row, cellsOf)
    cell += stride
    setF32(cell, row, <f64>score / <f64>max(1, known))
    cell += stride
    setF32(cell, row, <f64>known / lookedUp)
    cell += stride
    setF32(cell, row, <f64>titled / lookedUp)
    cell += stride
    setF32(cell, row, min(1.0, <f64>titled / <f64>max(1, titleWords)))
  }
  readTwins(count)
}

/** Text that occurs more than once on a page is rarely its content. */
function readTwins(count: i32): void {
  const size = slotsFor(count)
  const mask = size - 1
  const slots = at(SLOTS)
  const slotOf = at(SLOT_OF)
  const hashes = at(HASH)
  const twins = column(16)
  memory.fill(slots, 0, (<usize>size) << 3)
  for (let row = 0; row < count; row++) {
    const hash = getI32(hashes, row)
    let slot = (hash ^ (hash >>> 15)) & mask
    for (;;) {
      const pair = slots + ((<usize>slot) << 3)
      const times = load<i32>(pair, 4)
      if (times === 0 || load<i32>(pair) === hash) {
        store<i32>(pair, hash)
        store<i32>(pair, times + 1, 4)
        break
      }
      slot = (slot + 1) & mask
    }
    setI32(slotOf, row, slot)
  }
  for (let row = 0; row < count; row++) {
    const pair = slots + ((<usize>getI32(slotOf, row)) << 3)
    setF32(twins, row, <f64>load<i32>(pair, 4))
  }
}

function round(number: f64): f64 {
  return <f64>(<f32>number)
}

function isLetterOrDigit(byte: i32): bool {
  const lower = byte | 32
  return (byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 122)
}
