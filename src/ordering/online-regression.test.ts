import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { OnlineRegression, sigmoid } from './online-regression.ts'
import { RegressionSums } from './regression-sums.ts'

const START = [
  { mean: -1, spread: 2 },
  { mean: 0.5, spread: 0.5 },
  { mean: 0.5, spread: 0.5 },
]

/** Pages whose worth depends on the first feature alone. */
function learnFrom(regression: OnlineRegression, pages: number): void {
  const random = seededRandom(3)
  for (let page = 0; page < pages; page++) {
    const features = Float64Array.of(1, 4 * random() - 2, 4 * random() - 2)
    const worth = sigmoid(2 * (features[1] ?? 0) - 1.5)
    regression.learn(features, worth, regression.expected(features))
  }
}

test('a feature that tells keeps its weight, one that means nothing loses it', () => {
  const regression = new OnlineRegression(START)
  learnFrom(regression, 500)
  const [any = 0, telling = 0, idle = 0] = regression.weights
  assert.ok(any < -1.1 && any > -1.9, `${any}`)
  assert.ok(telling > 1.5 && telling < 2.3, `${telling}`)
  assert.ok(idle >= 0 && idle < 0.1, `${idle}`)
})

test('one page moves weights as computed by hand', () => {
  const regression = new OnlineRegression([
    { mean: 0, spread: 1 },
    { mean: 1, spread: 0 },
  ])
  const features = Float64Array.of(1, 0)
  regression.learn(features, 1, regression.expected(features))
  // Expected ½ with variance ¼; the variance of the weight itself is 1: ½ / (1 + ¼).
  assert.equal(regression.weights[0], 0.4)
  // A weight without spread does not change.
  assert.equal(regression.weights[1], 1)
})

test('no weight but the first falls below 0', () => {
  const regression = new OnlineRegression(START)
  for (let page = 0; page < 50; page++) {
    const features = Float64Array.of(1, page % 2, 0)
    regression.learn(features, page % 2 === 0 ? 1 : 0, regression.expected(features))
  }
  assert.equal(regression.weights[1], 0)
})

test('what it learned can be taken back, and it goes on as if nothing had happened', () => {
  const [one, other] = [new OnlineRegression(START), new OnlineRegression(START)]
  learnFrom(one, 20)
  const numbers = one.numbers()
  assert.equal(numbers.length, one.numbersKept)
  other.take(numbers)
  learnFrom(one, 20)
  learnFrom(other, 20)
  assert.deepEqual(other.numbers(), one.numbers())
})

test('sums of different pages, added up, give the weights that all pages give one after the other', () => {
  const starts = [
    { mean: -2, spread: 2 },
    { mean: 0.7, spread: 0.5 },
    { mean: 0.3, spread: 0 },
  ]
  const [whole, together] = [new OnlineRegression(starts), new OnlineRegression(starts)]
  const sums = [new RegressionSums(3), new RegressionSums(3)]
  for (let page = 0; page < 100; page += 1) {
    const features = Float64Array.of(1, Math.sin(page), Math.cos(page))
    const expected = whole.expected(features)
    const observed = Math.sin(page) > 0 ? 0.9 : 0.2
    const { weights } = whole
    sums[page % 2]?.learn(features, observed, { expected, weights })
    whole.learn(features, observed, expected)
  }
  const told = sums
    .map((each) => RegressionSums.from(each.numbers(), 3))
    .filter((one) => one !== null)
  together.learnFrom(told)
  const isNear = (numbers: number[]) =>
    numbers.every((value, at) => Math.abs(value - (whole.numbers()[at] ?? 0)) < 1e-6)
  assert.ok(isNear(together.numbers()), `${together.numbers()} instead of ${whole.numbers()}`)
  // Again from the start: what was learned before does not count twice.
  together.learnFrom(told)
  assert.ok(isNear(together.numbers()))
})

test('from sums, too, no weight but the first falls below 0, and damaged sums are none', () => {
  const regression = new OnlineRegression([
    { mean: 0, spread: 2 },
    { mean: 0.1, spread: 1 },
  ])
  const sums = new RegressionSums(2)
  for (let page = 0; page < 50; page += 1) {
    const feature = page % 2
    const { weights } = regression
    const how = { expected: 0.5, weights }
    sums.learn(Float64Array.of(1, feature), feature === 1 ? 0 : 1, how)
  }
  regression.learnFrom([sums])
  assert.equal(regression.weights[1], 0)
  assert.equal(RegressionSums.from([1, 2, 3], 2), null)
  assert.equal(RegressionSums.from([0, 0, Number.NaN, 0, 1], 2), null)
  assert.equal(RegressionSums.from([0, 0, -1, 0, 1], 2), null)
})
