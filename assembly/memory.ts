// The one linear memory, seen from inside. Whoever loads the module lays it out for each page, and writes every
// address and every constant into the table at address 0 (src/parser/features/model-memory.ts, same order), so
// that no number is written down twice.

/** Blocks of the page: one 32-bit number per row and column. */
export const BLOCK_CONTAINER = 0
export const BLOCK_FROM = 1
export const BLOCK_TO = 2
export const BLOCK_LINK_BYTES = 3
export const BLOCK_LINKS = 4
/** Containers; `element` and `hidden` have one byte per row. */
export const ELEMENT = 5
export const PARENT = 6
export const FIRST_BLOCK = 7
export const LAST_BLOCK = 8
export const FIRST_WORD = 9
export const LAST_WORD = 10
export const SIGNATURE = 11
export const HIDDEN = 12
export const WORDS = 13
/** The text of the blocks, and the words of the title in a table of hashes. */
export const TEXT = 14
export const TITLE = 15
/** Learned scores of words: pairs of a hash and a value, open addressing. */
export const LEXICON = 16
export const LEXICON_MASK = 17
export const HINTS = 18
export const HINTS_MASK = 19
/** Per byte of text: its kind, its value in a hash, and what it adds to the counts. */
export const KIND = 20
export const FOLDED = 21
export const COUNTS = 22
/** Per element: its bit in a path, and the column that says so of a block. */
export const PATH_BIT = 23
export const OWN_COLUMN = 24
/** What is computed per container. */
export const PATH_ELEMENTS = 25
export const PATH_HINTS = 26
export const OWN_HINTS = 27
export const DEPTH = 28
export const NEAR_SCORE = 29
export const SUM_SCORE = 30
export const MIN_SCORE = 31
export const MAX_SCORE = 32
export const OWN_GROUP = 33
export const GROUP = 34
/** Per group of similar siblings. */
export const GROUP_COUNT = 35
export const GROUP_WORDS = 36
export const GROUP_GOOD = 37
/** Running totals over the blocks, 64-bit numbers, one row more than blocks. */
export const TOTAL_WORDS = 38
export const TOTAL_GOOD = 39
export const TOTAL_BYTES = 40
export const TOTAL_LINKS = 41
/** Hashes of the blocks' texts, and room for tables of hashes. */
export const HASH = 42
export const SLOTS = 43
export const SLOT_OF = 44
/** The columns of the blocks, STRIDE bytes apart, and the one row of the page. */
export const COLUMNS = 45
export const STRIDE = 46
export const PAGE = 47
export const INSIDE = 48
/** Numbers of elements, and masks. */
export const H1 = 49
export const LI = 50
export const TD = 51
export const TH = 52
export const P = 53
export const PRE = 54
export const DIV = 55
export const NOISE = 56
export const HINT_GROUPS = 57
export const PATH_BITS = 58
/** The forest of the blocks, of depth 6: per tree six features and six thresholds, and its leaves. */
export const TREES = 59
export const TREE_COUNT = 60
export const LEAVES = 61
export const SUMS = 62
/** The forests of the page: per tree its offsets in the row and its thresholds, and its leaves. */
export const KIND_TREES = 63
export const KIND_COUNT = 64
export const KIND_TREE_COUNT = 65
export const KIND_LEAVES = 66
export const KIND_SUMS = 67
export const KIND_DEPTH = 68
/** One bit per hash: clear when no word of the lexicon has it. */
export const FILTER = 69

export function at(slot: i32): usize {
  return load<u32>(slot << 2)
}

export function value(slot: i32): i32 {
  return load<i32>(slot << 2)
}

export function getI32(base: usize, row: i32): i32 {
  return load<i32>(base + ((<usize>row) << 2))
}

export function setI32(base: usize, row: i32, number: i32): void {
  store<i32>(base + ((<usize>row) << 2), number)
}

export function getF32(base: usize, row: i32): f64 {
  return <f64>load<f32>(base + ((<usize>row) << 2))
}

/** Rounded, as a Float32Array rounds. */
export function setF32(base: usize, row: i32, number: f64): void {
  store<f32>(base + ((<usize>row) << 2), <f32>number)
}

export function getF64(base: usize, row: i32): f64 {
  return load<f64>(base + ((<usize>row) << 3))
}

export function setF64(base: usize, row: i32, number: f64): void {
  store<f64>(base + ((<usize>row) << 3), number)
}

export function column(feature: i32): usize {
  return at(COLUMNS) + <usize>feature * at(STRIDE)
}

/** The size of a table of hashes for so many keys, a power of two. */
export function slotsFor(keys: i32): i32 {
  return 1 << (33 - clz(keys | 8))
}
