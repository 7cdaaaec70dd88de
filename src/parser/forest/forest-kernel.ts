// The innermost loop of the forest: a WebAssembly module, written out here instruction by
// instruction. Four blocks go down a tree at once in 128-bit lanes, and no branch depends on a
// value. The best JavaScript found takes five times as long, the plain loop seventeen times, and it
// would be one of the larger costs of reading a page.
//
// The code depends on nothing but the depth of the trees; it is made here because six lengths of
// the same straight line are shorter to say than to store.

/**
 * Sends `rows` blocks (a multiple of four) down all trees and adds their leaves to the sums. The
 * other arguments are addresses in the kernel's memory.
 */
export type ForestKernel = (
  rows: number,
  trees: number,
  treesAt: number,
  leavesAt: number,
  sumsAt: number,
) => void

/**
 * The loop for trees of one depth. A tree is `depth` addresses of columns, then `depth` thresholds
 * (32 bits each); leaves are 16-bit numbers, 2^depth for each tree; a sum is a 32-bit number.
 */
export function createForestKernel(depth: number, memory: WebAssembly.Memory): ForestKernel {
  const module = new WebAssembly.Module(moduleBytes(depth))
  const { run } = new WebAssembly.Instance(module, { forest: { memory } }).exports
  // The module exports just this, and its type is written a few lines below.
  return run as ForestKernel
}

type Code = readonly number[]
const I32 = 0x7f
const V128 = 0x7b

function moduleBytes(depth: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...name('forest'), ...name('memory'), 0x02, 0x00, 0x00]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('run'), 0x00, 0]),
    ...section(10, [1, ...sized(runBody(depth))]),
  ])
}

function runBody(depth: number): Code {
  const [rows, trees, treeAt, leavesAt, sumsAt, at, column] = [0, 1, 2, 3, 4, 5, 6]
  const leaves = column + depth
  const index = leaves + 1
  const zero = leaves + 2
  const threshold = leaves + 3
  const here = (base: number): Code => add(get(base), get(at))
  const readTree = range(depth).flatMap((level) => [
    ...set(column + level, load(get(treeAt), level * 4)),
    ...set(threshold + level, loadSplat(get(treeAt), (depth + level) * 4)),
  ])
  // A comparison that holds is -1 in its lane: the index counts below zero.
  const findLeaf = range(depth).flatMap((level) => {
    const side = laneGreater(laneLoad(here(column + level)), get(threshold + level))
    return set(index, level === 0 ? side : laneAdd(laneAdd(get(index), get(index)), side))
  })
  const leaf = (lane: number, others: Code): Code =>
    laneLoadHalf(laneOf(get(index), lane), others, lane)
  const addLeaves = [
    ...set(index, laneSubtract(get(leaves), laneAdd(get(index), get(index)))),
    ...laneStore(
      here(sumsAt),
      laneAdd(laneLoad(here(sumsAt)), widenHalves(leaf(3, leaf(2, leaf(1, leaf(0, get(zero))))))),
    ),
  ]
  const eachRow = loop(
    [...findLeaf, ...addLeaves, ...set(at, add(get(at), constant(16)))],
    less(get(at), shiftLeft(get(rows), constant(2))),
  )
  const eachTree = loop(
    [
      ...[...readTree, ...set(leaves, splat(get(leavesAt))), ...set(at, constant(0)), ...eachRow],
      ...set(treeAt, add(get(treeAt), constant(depth * 8))),
      ...set(leavesAt, add(get(leavesAt), constant(2 << depth))),
      ...set(trees, add(get(trees), constant(-1))),
    ],
    get(trees),
  )
  const locals = [2, 1 + depth, I32, 3 + depth, V128]
  return [...locals, ...eachTree, 0x0b]
}

const get = (local: number): Code => [0x20, local]
const set = (local: number, value: Code): Code => [...value, 0x21, local]
const constant = (value: number): Code => [0x41, ...signed(value)]
const load = (address: Code, offset: number): Code => [...address, 0x28, 2, ...unsigned(offset)]
const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a]
const less = (a: Code, b: Code): Code => [...a, ...b, 0x49]
const shiftLeft = (a: Code, b: Code): Code => [...a, ...b, 0x74]
/** Runs its body, and again while the condition is not 0. */
const loop = (body: Code, again: Code): Code => [0x03, 0x40, ...body, ...again, 0x0d, 0, 0x0b]

const vector = (instruction: number): Code => [0xfd, ...unsigned(instruction)]
const laneLoad = (address: Code): Code => [...address, ...vector(0x00), 2, 0]
const laneStore = (address: Code, v: Code): Code => [...address, ...v, ...vector(0x0b), 2, 0]
const loadSplat = (address: Code, offset: number): Code => [
  ...[...address, ...vector(0x09), 2, ...unsigned(offset)],
]
const splat = (value: Code): Code => [...value, ...vector(0x11)]
const laneOf = (v: Code, lane: number): Code => [...v, ...vector(0x1b), lane]
const laneGreater = (a: Code, b: Code): Code => [...a, ...b, ...vector(0x44)]
const laneLoadHalf = (address: Code, v: Code, lane: number): Code => [
  ...[...address, ...v, ...vector(0x55), 1, 0, lane],
]
const widenHalves = (v: Code): Code => [...v, ...vector(0xa7)]
const laneAdd = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xae)]
const laneSubtract = (a: Code, b: Code): Code => [...a, ...b, ...vector(0xb1)]

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const sized = (bytes: Code): Code => [...unsigned(bytes.length), ...bytes]
const section = (id: number, bytes: Code): Code => [id, ...sized(bytes)]
const name = (text: string): Code => sized([...Buffer.from(text)])

/** LEB128, the variable-length numbers of the format. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  return value >= -64 && value < 64
    ? [value & 0x7f]
    : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
