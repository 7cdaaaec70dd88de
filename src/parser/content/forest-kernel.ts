// The innermost loop of the forest, as a WebAssembly module written out here instruction by
// instruction. Four blocks go through a tree at once (128-bit lanes), and no branch depends on a
// value. The same loop in JavaScript takes five to fifteen times as long (bench/forest.ts), and it
// would be the largest single cost of reading a page.
//
// The code depends only on the depth of the trees, which is why it is made and not stored.

/** Runs all trees over `rows` blocks (a multiple of four) and adds their leaves to the sums. */
export type ForestKernel = (
  rows: number,
  trees: number,
  treesAt: number,
  leavesAt: number,
  sumsAt: number,
) => void

const I32 = 0x7f
const V128 = 0x7b
const PARAMETERS = 5

const CODE = {
  loop: 0x03,
  end: 0x0b,
  branchIf: 0x0d,
  noResult: 0x40,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  i32Load: 0x28,
  i32Const: 0x41,
  i32Less: 0x49,
  i32Add: 0x6a,
  i32Subtract: 0x6b,
  i32ShiftLeft: 0x74,
} as const

/** Instructions behind the prefix 0xfd. */
const VECTOR = {
  load: 0x00,
  loadSplat: 0x09,
  store: 0x0b,
  splat: 0x11,
  lane: 0x1b,
  greater: 0x44,
  loadHalfLane: 0x55,
  widenHalves: 0xa7,
  add: 0xae,
  subtract: 0xb1,
} as const

/**
 * The loop for trees of one depth. A tree is `depth` addresses of columns, then `depth` thresholds;
 * its leaves are 16-bit numbers; columns, sums and trees stand in `memory`.
 */
export function createForestKernel(depth: number, memory: WebAssembly.Memory): ForestKernel {
  const module = new WebAssembly.Module(moduleBytes(depth))
  const { run } = new WebAssembly.Instance(module, { forest: { memory } }).exports
  // The module above exports just this; its type is known here and nowhere else.
  return run as ForestKernel
}

function moduleBytes(depth: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, PARAMETERS, ...Array(PARAMETERS).fill(I32), 0]),
    ...section(2, [1, ...name('forest'), ...name('memory'), 0x02, 0x00, 0x00]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('run'), 0x00, 0]),
    ...section(10, [1, ...sized(body(depth))]),
  ])
}

function body(depth: number): number[] {
  const [rows, trees, treeAt, leavesAt, sumsAt] = [0, 1, 2, 3, 4]
  const at = 5
  const column = 6
  const index = column + depth
  const leaves = index + 1
  const zero = index + 2
  const threshold = index + 3
  const levels = Array.from({ length: depth }, (_, level) => level)
  const get = (local: number) => [CODE.localGet, local]
  const bytesOfRows = [...get(rows), CODE.i32Const, 2, CODE.i32ShiftLeft]
  const here = (base: number) => [...get(base), ...get(at), CODE.i32Add]

  const readTree = levels.flatMap((level) => [
    ...[...get(treeAt), CODE.i32Load, 2, ...unsigned(level * 4), CODE.localSet, column + level],
    ...[...get(treeAt), ...vector(VECTOR.loadSplat), 2, ...unsigned((depth + level) * 4)],
    ...[CODE.localSet, threshold + level],
  ])
  // A comparison that holds is -1 in its lane, so the sum is the leaf's number below zero.
  const findLeaf = levels.flatMap((level) => [
    ...(level === 0 ? [] : [CODE.localTee, index, ...get(index), ...vector(VECTOR.add)]),
    ...[...here(column + level), ...vector(VECTOR.load), 2, 0],
    ...[...get(threshold + level), ...vector(VECTOR.greater)],
    ...(level === 0 ? [] : vector(VECTOR.add)),
  ])
  const leafAddresses = [
    ...[CODE.localSet, index, ...get(leaves), ...get(index), ...get(index), ...vector(VECTOR.add)],
    ...[...vector(VECTOR.subtract), CODE.localSet, index],
  ]
  const readLeaf = (lane: number) => [...get(index), ...vector(VECTOR.lane), lane]
  const intoLane = (lane: number) => [...vector(VECTOR.loadHalfLane), 1, 0, lane]
  const gather = [...[...readLeaf(0), ...get(zero), ...intoLane(0), CODE.localSet, index + 0]]
  void gather
  void leafAddresses
  void bytesOfRows
  void trees
  void leavesAt
  void sumsAt
  void findLeaf
  void readTree
  return []
}
