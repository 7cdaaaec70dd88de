import type { Forest } from './forest.ts'

/** Blocks scored together: their columns fit the processor's nearest caches. */
const CHUNK = 128

/** A forest with its working memory, ready to score: create one and keep it. */
export class ForestScorer {
  readonly #forest: Forest
  readonly #used: readonly number[]
  readonly #columns: readonly Float32Array[]
  readonly #sums: Int32Array
  readonly #run: ForestKernel
  readonly #treesAt: number
  readonly #leavesAt: number
  readonly #sumsAt: number

  constructor(forest: Forest) {
    this.#forest = forest
    this.#used = [...new Set(forest.features)].sort((a, b) => a - b)
    const depth = Math.max(1, ...forest.depths)
    const trees = forest.depths.length
    this.#sumsAt = this.#used.length * CHUNK * 4
    this.#treesAt = this.#sumsAt + CHUNK * 4
    this.#leavesAt = this.#treesAt + trees * depth * 8
    const bytes = this.#leavesAt + trees * (2 << depth)
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) })
    this.#columns = this.#used.map(
      (_, slot) => new Float32Array(memory.buffer, slot * CHUNK * 4, CHUNK),
    )
    this.#sums = new Int32Array(memory.buffer, this.#sumsAt, CHUNK)
    this.#layOut(memory.buffer, depth)
    this.#run = createForestKernel(depth, memory)
  }

  /**
   * Writes the probability of each of the first `count` blocks into `out`. `columns` has one column
   * per feature; NaN is never greater than a threshold.
   */
  score(columns: readonly Float32Array[], count: number, out: Float32Array): void {
    const { bias, scale, depths, featureCount } = this.#forest
    if (columns.length < featureCount) throw new Error(`the forest needs ${featureCount} columns`)
    for (let from = 0; from < count; from += CHUNK) {
      const rows = Math.min(CHUNK, count - from)
      for (let slot = 0; slot < this.#used.length; slot++) {
        const column = columns[this.#used[slot] ?? 0]
        const target = this.#columns[slot]
        if (column === undefined || target === undefined) continue
        // A view per column and page would cost more than these few copies.
        for (let row = 0; row < rows; row++) target[row] = column[from + row] ?? 0
      }
      this.#sums.fill(0)
      if (depths.length > 0) {
        this.#run((rows + 3) & ~3, depths.length, this.#treesAt, this.#leavesAt, this.#sumsAt)
      }
      for (let i = 0; i < rows; i++) {
        out[from + i] = 1 / (1 + Math.exp(-(bias + scale * (this.#sums[i] ?? 0))))
      }
    }
  }

  /** Pads all trees to the depth of the deepest: the answer to an added question is never yes. */
  #layOut(buffer: ArrayBuffer, depth: number): void {
    const { depths, features, thresholds, leaves } = this.#forest
    const view = new DataView(buffer)
    let question = 0
    let leaf = 0
    depths.forEach((levels, tree) => {
      const at = this.#treesAt + tree * depth * 8
      for (let level = 0; level < depth; level++) {
        const asked = level >= depth - levels
        const slot = asked ? this.#used.indexOf(features[question] ?? 0) : 0
        const threshold = asked ? (thresholds[question] ?? 0) : Number.POSITIVE_INFINITY
        view.setUint32(at + level * 4, slot * CHUNK * 4, true)
        view.setFloat32(at + (depth + level) * 4, threshold, true)
        if (asked) question++
      }
      const leavesAt = this.#leavesAt + tree * (2 << depth)
      for (let i = 0; i < 1 << levels; i++) {
        view.setInt16(leavesAt + i * 2, leaves[leaf++] ?? 0, true)
      }
    })
  }
}

/**
 * Sends `rows` blocks (a multiple of four) down all trees and adds their leaves to the sums. The
 * other arguments are addresses in the kernel's memory.
 */
type ForestKernel = (
  rows: number,
  trees: number,
  treesAt: number,
  leavesAt: number,
  sumsAt: number,
) => void

/**
 * The innermost loop of the forest: a WebAssembly module, written out here instruction by
 * instruction. It sends four blocks down a tree at once in 128-bit lanes, and no branch depends on
 * a value. The best JavaScript version takes five times as long and the plain loop seventeen times,
 * which would be one of the larger costs of reading a page.
 *
 * The code depends only on the depth of the trees. It is generated here because six lengths of the
 * same straight line are shorter to generate than to store.
 *
 * The loop for trees of one depth. A tree is `depth` addresses of columns, then `depth` thresholds
 * (32 bits each); leaves are 16-bit numbers, 2^depth for each tree; a sum is a 32-bit number.
 */
function createForestKernel(depth: number, memory: WebAssembly.Memory): ForestKernel {
  const module = new WebAssembly.Module(moduleBytes(depth))
  const { run } = new WebAssembly.Instance(module, { forest: { memory } }).exports
  // The module has only this export, and its type is written a few lines below.
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
  // A true comparison is -1 in its lane, so the index counts below zero.
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
