import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeForest, encodeForest, type Forest } from '../src/parser/forest/forest.ts'
import { ForestScorer } from '../src/parser/forest/forest-scorer.ts'
import { binColumn } from './bins.ts'
import type { TrainingRows } from './fit.ts'
import { trainForest } from './forest-trainer.ts'
import { sample, seededRandom } from './random.ts'

test('a forest learns what no single question can tell', () => {
  const rows = exclusiveOr(4000, 1)
  const fresh = exclusiveOr(4000, 2)
  const stump = trainForest(rows, { trees: 1, depth: 1, learningRate: 1, featureShare: 1 })
  const forest = trainForest(rows, { trees: 40, depth: 3 })
  assert.ok(accuracy(stump.forest, fresh) < 0.65)
  assert.ok(accuracy(forest.forest, fresh) > 0.93)
})

test('the loss falls from tree to tree, and the first is below that of the mean', () => {
  const { losses } = trainForest(exclusiveOr(2000, 1), { trees: 20, rowShare: 1 })
  const training = losses.map((loss) => loss.training)
  assert.ok(training[0]! < Math.LN2 + 1e-3)
  assert.deepEqual(
    training,
    [...training].sort((a, b) => b - a),
  )
})

test('the same rows and seed give the same forest, another seed another', () => {
  const rows = exclusiveOr(1000, 1)
  const [a, b, c] = [7, 7, 8].map((seed) => encodeForest(trainForest(rows, { seed }).forest))
  assert.equal(a, b)
  assert.notEqual(a, c)
})

test('a soft label is learned as a probability', () => {
  const columns = [Float32Array.from({ length: 900 }, (_, i) => i % 3)]
  const labels = Float32Array.from({ length: 900 }, (_, i) => [0.1, 0.5, 0.9][i % 3]!)
  const { forest } = trainForest({ columns, labels }, { trees: 100, depth: 2, l2: 0 })
  const found = scoresOf(forest, [Float32Array.of(0, 1, 2)])
  for (const [i, wanted] of [0.1, 0.5, 0.9].entries()) {
    assert.ok(Math.abs(found[i]! - wanted) < 0.01, `${found[i]}`)
  }
})

test('rows without a label or a weight change nothing', () => {
  const rows = exclusiveOr(1000, 1)
  const options = { trees: 5, rowShare: 1 }
  const unlabelled = { ...rows, labels: rows.labels.map((label, i) => (i < 300 ? NaN : label)) }
  const weightless = { ...rows, weights: rows.labels.map((_, i) => (i < 300 ? 0 : 1)) }
  assert.deepEqual(trainForest(unlabelled, options).forest, trainForest(weightless, options).forest)
})

test('a row that weighs double counts as two', () => {
  const rows = exclusiveOr(600, 1)
  const twice = (values: Float32Array) => Float32Array.from([...values, ...values.subarray(0, 200)])
  const doubled = { columns: rows.columns.map(twice), labels: twice(rows.labels) }
  const weighted = { ...rows, weights: rows.labels.map((_, i) => (i < 200 ? 2 : 1)) }
  const options = { trees: 5, rowShare: 1, featureShare: 1 }
  const fresh = exclusiveOr(50, 3)
  const a = scoresOf(trainForest(doubled, options).forest, fresh.columns)
  const b = scoresOf(trainForest(weighted, options).forest, fresh.columns)
  assert.ok(a.filter((score, i) => Math.abs(score - b[i]!) > 0.02).length < 5)
})

test('training stops where the held-out loss is lowest', () => {
  const noise = seededRandom(5)
  const rows = exclusiveOr(300, 1)
  const noisy = { ...rows, labels: rows.labels.map((y) => (noise() < 0.3 ? 1 - y : y)) }
  const options = { trees: 200, patience: 10, l2: 0, minChildWeight: 0.5, learningRate: 0.3 }
  const { forest, losses } = trainForest(noisy, options, exclusiveOr(500, 2))
  const held = losses.map((loss) => loss.validation)
  assert.ok(losses.length < 200)
  assert.equal(forest.depths.length, held.indexOf(Math.min(...held)) + 1)
})

test('groups are taken whole, so a tree sees all or nothing of a page', () => {
  const rows = { ...exclusiveOr(400, 1), groups: new Uint32Array(400) }
  const { forest } = trainForest(rows, { trees: 30, rowShare: 0.5 })
  // Of one single group a tree sees nothing about every second time.
  assert.ok(forest.depths.length < 30)
})

test('what gains is what is important', () => {
  const { importance } = trainForest(exclusiveOr(2000, 1), { trees: 20, featureShare: 1 })
  assert.ok(importance[0]! + importance[1]! > 0.8)
  assert.ok(Math.abs(importance.reduce((sum, share) => sum + share, 0) - 1) < 1e-9)
})

test('columns that say nothing give a forest that knows only the mean', () => {
  const columns = [new Float32Array(100), new Float32Array(100).fill(NaN)]
  const labels = Float32Array.from({ length: 100 }, (_, i) => (i < 25 ? 1 : 0))
  const { forest } = trainForest({ columns, labels })
  assert.equal(forest.depths.length, 0)
  assert.ok(Math.abs(scoresOf(decodeForest(encodeForest(forest)), columns)[0]! - 0.25) < 1e-6)
})

test('a bin is the number of thresholds a value is over, at most 64 bins', () => {
  const random = seededRandom(1)
  const values = Float32Array.from({ length: 5000 }, () => (random() < 0.6 ? 0 : random() - 0.5))
  const { thresholds, bins } = binColumn(values)
  assert.ok(thresholds.length > 50 && thresholds.length < 64)
  values.forEach((value, i) => {
    assert.equal(bins[i], thresholds.filter((threshold) => value > threshold).length)
  })
  // The one frequent value leaves the other bins evenly filled.
  const sizes = Array.from({ length: thresholds.length + 1 }, () => 0)
  for (const bin of bins) sizes[bin]!++
  sizes.sort((a, b) => b - a)
  assert.ok(sizes[1]! < 3 * (2000 / 64))
})

test('few values get a bin each, even where they are neighbours or no numbers', () => {
  const next = 1 + 2 ** -23
  const { bins } = binColumn(Float32Array.of(NaN, -Infinity, 1, next, 1e38, Infinity, -0, 0))
  assert.deepEqual([...bins], [0, 0, 2, 3, 4, 5, 1, 1])
})

test('a sample is of the asked size, ascending and without repeats', () => {
  const chosen = sample(50, 20, seededRandom(4))
  assert.equal(new Set(chosen).size, 20)
  assert.deepEqual(
    chosen,
    [...chosen].sort((a, b) => a - b),
  )
})

/** Wanted is where exactly one of the first two features is over a half; four more say nothing. */
function exclusiveOr(size: number, seed: number): TrainingRows {
  const random = seededRandom(seed)
  const columns = Array.from({ length: 6 }, () => Float32Array.from({ length: size }, random))
  const [a, b] = columns as [Float32Array, Float32Array]
  return { columns, labels: a.map((value, i) => (value > 0.5 === b[i]! > 0.5 ? 0 : 1)) }
}

function accuracy(forest: Forest, rows: TrainingRows): number {
  const scores = scoresOf(forest, rows.columns)
  const right = scores.filter((score, i) => score > 0.5 === rows.labels[i]! > 0.5)
  return right.length / scores.length
}

function scoresOf(forest: Forest, columns: readonly Float32Array[]): number[] {
  const out = new Float32Array(columns[0]!.length)
  new ForestScorer(forest).score(columns, out.length, out)
  return [...out]
}
