import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { TermTable } from '../text/term-table.ts'
import { createExamples, type Example, type Examples } from './examples.ts'
import { type BayesKind, bayesSums, calibrate, leaveOneOut } from './leave-one-out.ts'

const LABELS = ['a', 'b', 'c']
const SMOOTHING = 0.3

function randomExamples(count: number): Example[] {
  const random = seededRandom(5)
  return Array.from({ length: count }, (_, at) => {
    const counts = new TermTable()
    for (let word = 0; word < 8; word++) counts.add(1 + Math.floor(random() * 12), 1)
    return { counts, label: at % LABELS.length }
  })
}

/** The slow way: sums without the text, then its score, from first principles. */
function scoreBySums(examples: Examples, text: number, label: number, kind: BayesKind): number {
  const { labelOf, starts, columns, counts, terms } = examples
  const sums = new Float64Array(terms.length)
  let total = 0
  for (const [other, own] of labelOf.entries()) {
    if (other === text || (own === label) !== (kind === 'own')) continue
    for (let cell = starts[other]!; cell < starts[other + 1]!; cell++) {
      sums[columns[cell]!]! += counts[cell]!
      total += counts[cell]!
    }
  }
  let score = 0
  for (let cell = starts[text]!; cell < starts[text + 1]!; cell++) {
    const share = (sums[columns[cell]!]! + SMOOTHING) / (total + SMOOTHING * terms.length)
    score += counts[cell]! * Math.log(share)
  }
  return kind === 'own' ? score : -score
}

for (const kind of ['own', 'complement'] as const) {
  test(`a text is scored as if it had never been learned from, ${kind}`, () => {
    const examples = createExamples(LABELS, randomExamples(9))
    const values = examples.counts
    const learned = bayesSums(examples, values, kind)
    const scores = leaveOneOut({ examples, values, learned, smoothing: SMOOTHING, stride: 1 })
    for (let text = 0; text < 9; text++) {
      for (let label = 0; label < LABELS.length; label++) {
        const expected = scoreBySums(examples, text, label, kind)
        const actual = scores[text * LABELS.length + label]!
        assert.ok(Math.abs(actual - expected) < 1e-9, `${text} ${label}: ${actual} ${expected}`)
      }
    }
  })
}

test('with a stride only every so many texts are scored', () => {
  const examples = createExamples(LABELS, randomExamples(10))
  const values = examples.counts
  const learned = bayesSums(examples, values, 'own')
  const options = { examples, values, learned, smoothing: SMOOTHING }
  const all = leaveOneOut({ ...options, stride: 1 })
  const some = leaveOneOut({ ...options, stride: 4 })
  assert.equal(some.length, 3 * LABELS.length)
  assert.deepEqual(some.slice(3, 6), all.slice(12, 15))
})

test('the scale makes scores as sure as they are right', () => {
  // Three in four are right by the same margin of 2: odds of 3 to 1 are reached at ln 3 / 2.
  const texts = 4000
  const labelOf = Int32Array.from({ length: texts }, (_, at) => (at % 4 === 0 ? 1 : 0))
  const scores = new Float64Array(2 * texts)
  for (let text = 0; text < texts; text++) scores[2 * text] = 2
  const { scale } = calibrate(scores, { labels: ['a', 'b'], labelOf }, 1)
  assert.ok(Math.abs(scale - Math.log(3) / 2) < 0.002, String(scale))
})

test('scores that are always right are still not held to be certain', () => {
  const labelOf = Int32Array.from({ length: 20 }, (_, at) => at % 2)
  const scores = Float64Array.from({ length: 40 }, (_, at) => (at % 2 === (at >> 1) % 2 ? 1 : 0))
  const { scale } = calibrate(scores, { labels: ['a', 'b'], labelOf }, 1)
  // Eleven to one, with ten texts per label.
  assert.ok(Math.abs(scale - Math.log(11)) < 1e-3, String(scale))
})

test('scores that are mostly wrong count for nothing', () => {
  const scores = Float64Array.from([0, 1, 0, 1, 1, 0])
  const labelOf = Int32Array.from([0, 0, 1])
  assert.ok(calibrate(scores, { labels: ['a', 'b'], labelOf }, 1).scale < 1e-3)
})
