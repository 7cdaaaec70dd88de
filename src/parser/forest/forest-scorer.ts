import type { Forest } from './forest.ts'
import { createForestKernel, type ForestKernel } from './forest-kernel.ts'

/** Blocks that go down the forest together: their columns fit the processor's nearest caches. */
const CHUNK = 128

/** A forest made ready to be asked, with the memory it works in: make one and keep it. */
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
   * The probability of each of the first `count` blocks, into `out`. `columns` holds one column per
   * feature; a value that is no number is never greater than a threshold.
   */
  score(columns: readonly Float32Array[], count: number, out: Float32Array): void {
    const { bias, scale, depths, featureCount } = this.#forest
    if (columns.length < featureCount) throw new Error(`the forest wants ${featureCount} columns`)
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

  /** All trees get the depth of the deepest: the questions put in front are never answered yes. */
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
