import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '../../core/errors.ts'
import { decodeForest, encodeForest, type Forest } from './forest.ts'
import { ForestScorer } from './forest-scorer.ts'

test('a forest survives encoding and decoding', () => {
  const forest = randomForest(7, [3, 6, 1])
  assert.deepEqual(decodeForest(encodeForest(forest)), forest)
})

test('an invalid forest is refused, whatever is wrong with it', () => {
  const forest = randomForest(5, [2, 2])
  const wrong: Forest[] = [
    { ...forest, featureCount: 1 },
    { ...forest, depths: Uint8Array.of(2, 7) },
    { ...forest, depths: Uint8Array.of(2, 0) },
    { ...forest, leaves: forest.leaves.subarray(1) },
    { ...forest, bias: Number.NaN },
    { ...forest, thresholds: forest.thresholds.map(() => Number.NaN) },
  ]
  const texts = ['', 'AAAA', '%%%', encodeForest(forest).slice(0, -8), ...wrong.map(encodeForest)]
  for (const text of texts) assert.throws(() => decodeForest(text), InvalidInput)
})

test('the index of a leaf is made of the answers, the first question first', () => {
  const forest: Forest = {
    featureCount: 2,
    bias: 0,
    scale: 1,
    depths: Uint8Array.of(2),
    features: Uint16Array.of(0, 1),
    thresholds: Float32Array.of(0.5, 10),
    leaves: Int16Array.of(-2, -1, 1, 2),
  }
  const columns = [Float32Array.of(0.5, 0, 0.6, 1), Float32Array.of(10, 11, 10, 11)]
  const logOdds = scoresOf(forest, columns).map((p) => Math.log(p / (1 - p)))
  assert.deepEqual(
    logOdds.map((value) => Math.round(value * 1e4) / 1e4),
    [-2, -1, 1, 2],
  )
})

test('whole pages score as a plain walk through the trees, at any number of blocks', () => {
  const forest = randomForest(9, [6, 1, 4, 6, 2, 5, 3])
  for (const count of [0, 1, 3, 4, 5, 127, 128, 129, 300]) {
    const columns = randomColumns(9, count)
    const found = scoresOf(forest, columns)
    for (let i = 0; i < count; i++) {
      const plain = plainScore(forest, columns, i)
      assert.ok(Math.abs(found[i]! - plain) < 1e-6, `block ${i} of ${count}`)
    }
  }
})

test('NaN is never over a threshold', () => {
  const forest = randomForest(1, [4])
  const [nothing] = scoresOf(forest, [Float32Array.of(Number.NaN)])
  const [low] = scoresOf(forest, [Float32Array.of(Number.NEGATIVE_INFINITY)])
  assert.equal(nothing, low)
})

test('a forest without trees gives its bias', () => {
  const forest = { ...randomForest(3, []), bias: 0 }
  assert.deepEqual(scoresOf(forest, randomColumns(3, 2)), [0.5, 0.5])
})

test('data of a longer page does not reach the next', () => {
  const forest = randomForest(4, [6, 6, 6])
  const scorer = new ForestScorer(forest)
  const columns = randomColumns(4, 9)
  scorer.score(randomColumns(4, 200), 200, new Float32Array(200))
  const out = new Float32Array(9)
  scorer.score(columns, 9, out)
  assert.deepEqual([...out], scoresOf(forest, columns))
})

function scoresOf(forest: Forest, columns: readonly Float32Array[]): number[] {
  const out = new Float32Array(columns[0]?.length ?? 0)
  new ForestScorer(forest).score(columns, out.length, out)
  return [...out]
}

function plainScore(forest: Forest, columns: readonly Float32Array[], block: number): number {
  let question = 0
  let firstLeaf = 0
  let sum = 0
  for (const depth of forest.depths) {
    let leaf = 0
    for (let level = 0; level < depth; level++, question++) {
      const value = columns[forest.features[question]!]![block]!
      leaf = leaf * 2 + (value > forest.thresholds[question]! ? 1 : 0)
    }
    sum += forest.leaves[firstLeaf + leaf]!
    firstLeaf += 1 << depth
  }
  return 1 / (1 + Math.exp(-(forest.bias + forest.scale * sum)))
}

function randomForest(featureCount: number, depths: readonly number[]): Forest {
  const random = seeded(featureCount)
  const questions = depths.reduce((sum, depth) => sum + depth, 0)
  const leaves = depths.reduce((sum, depth) => sum + (1 << depth), 0)
  return {
    featureCount,
    bias: Math.fround(0.3),
    scale: Math.fround(1e-4),
    depths: Uint8Array.from(depths),
    features: Uint16Array.from({ length: questions }, () => random() * featureCount),
    thresholds: Float32Array.from({ length: questions }, () => random() * 4 - 2),
    leaves: Int16Array.from({ length: leaves }, () => random() * 65_535 - 32_768),
  }
}

function randomColumns(featureCount: number, count: number): Float32Array[] {
  const random = seeded(count + 1)
  return Array.from({ length: featureCount }, () =>
    Float32Array.from({ length: count }, () => random() * 5 - 2.5),
  )
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
