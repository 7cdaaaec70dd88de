// A forest of oblivious decision trees: each level of a tree asks all blocks the same question (feature
// greater than threshold?), the answers are the bits of a leaf's index, and the sum of the leaves is the
// log-odds of a block. Such a tree is a table and not a graph, so a whole page passes it without a branch
// (forest-scorer.ts). training/ trains the forest; it is stored as one base64 string.
import { InvalidInput } from '../../core/errors.ts'

export const MAX_DEPTH = 6

export type Forest = {
  /** The number of columns the forest was trained on and needs. */
  readonly featureCount: number
  /** Log-odds of a block before any tree. */
  readonly bias: number
  /** Log-odds of one unit of a leaf. */
  readonly scale: number
  /** Levels of each tree, 1 to 6. */
  readonly depths: Uint8Array
  /** The questions of all trees in order: is `features[q]` over `thresholds[q]`? */
  readonly features: Uint16Array
  readonly thresholds: Float32Array
  /** 2^depth for each tree; the answer to the first question is the highest bit of the index. */
  readonly leaves: Int16Array
}

const MAGIC = 0x31464f4a
const HEADER = 16
const MAX_TREES = 4096

/** One line of base64: header, depths, features, thresholds, leaves, little-endian. */
export function encodeForest(forest: Forest): string {
  const { depths, features, thresholds, leaves } = forest
  const bytes = Buffer.alloc(
    HEADER + depths.length + features.length * 2 + thresholds.length * 4 + leaves.length * 2,
  )
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt16LE(depths.length, 4)
  bytes.writeUInt16LE(forest.featureCount, 6)
  bytes.writeFloatLE(forest.bias, 8)
  bytes.writeFloatLE(forest.scale, 12)
  let at = HEADER
  for (const depth of depths) at = bytes.writeUInt8(depth, at)
  for (const feature of features) at = bytes.writeUInt16LE(feature, at)
  for (const threshold of thresholds) at = bytes.writeFloatLE(threshold, at)
  for (const leaf of leaves) at = bytes.writeInt16LE(leaf, at)
  return bytes.toString('base64')
}

/** Reads the result of `encodeForest`; throws `InvalidInput` for anything else. */
export function decodeForest(text: string): Forest {
  const bytes = Buffer.from(text, 'base64')
  check(bytes.length >= HEADER && bytes.readUInt32LE(0) === MAGIC, 'no forest')
  const treeCount = bytes.readUInt16LE(4)
  check(treeCount <= MAX_TREES && bytes.length >= HEADER + treeCount, 'cut short')
  const depths = Uint8Array.from(bytes.subarray(HEADER, HEADER + treeCount))
  check(
    depths.every((depth) => depth >= 1 && depth <= MAX_DEPTH),
    'a tree of no or too many levels',
  )
  const questions = depths.reduce((sum, depth) => sum + depth, 0)
  const leafCount = depths.reduce((sum, depth) => sum + (1 << depth), 0)
  const featuresAt = HEADER + treeCount
  const thresholdsAt = featuresAt + questions * 2
  const leavesAt = thresholdsAt + questions * 4
  check(bytes.length === leavesAt + leafCount * 2, 'wrong length')
  // Copied as a whole: a loop over the numbers would cost each new thread milliseconds.
  const part = (from: number, to: number): ArrayBuffer =>
    bytes.buffer.slice(bytes.byteOffset + from, bytes.byteOffset + to)
  const forest: Forest = {
    featureCount: bytes.readUInt16LE(6),
    bias: bytes.readFloatLE(8),
    scale: bytes.readFloatLE(12),
    depths,
    features: new Uint16Array(part(featuresAt, thresholdsAt)),
    thresholds: new Float32Array(part(thresholdsAt, leavesAt)),
    leaves: new Int16Array(part(leavesAt, bytes.length)),
  }
  check(Number.isFinite(forest.bias) && Number.isFinite(forest.scale), 'numbers out of range')
  check(
    forest.features.every((feature) => feature < forest.featureCount),
    'an unknown feature',
  )
  check(!forest.thresholds.some(Number.isNaN), 'a threshold that is no number')
  return forest
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new InvalidInput('forest', message)
}
