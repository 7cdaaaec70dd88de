import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intervalOf, meanCurve, pairedDifference, quantile } from './statistics.ts'

const near = (value: number, wanted: number) =>
  assert.ok(Math.abs(value - wanted) < 1e-3, `${value}`)

test("a confidence interval is that of Student's t", () => {
  // Mean 3, deviation √2.5; half = 2.776 · √2.5 ÷ √5 = 1.963.
  const { mean, half, deviation, count } = intervalOf([1, 2, 3, 4, 5])
  assert.equal(mean, 3)
  near(deviation, 1.5811)
  near(half, 1.963)
  assert.equal(count, 5)
})

test('what was not measured is left out, and one value has no interval', () => {
  const { mean, half, count } = intervalOf([null, 7])
  assert.deepEqual([mean, count], [7, 1])
  assert.ok(Number.isNaN(half))
  assert.ok(Number.isNaN(intervalOf([null]).mean))
})

test('beyond its table the quantile goes on towards the normal distribution', () => {
  near(quantile(30), 2.042)
  assert.ok(Math.abs(quantile(31) - 2.04) < 0.002)
  assert.ok(Math.abs(quantile(1000) - 1.962) < 0.001)
})

test('differences are taken pair by pair', () => {
  const { mean, half } = pairedDifference([
    [10, 7],
    [20, 17],
    [30, 27],
  ])
  assert.deepEqual([mean, half], [3, 0])
})

const curve = (x: readonly number[], y: readonly number[], name = 'pages') => ({
  ...{ curve: name, of: '', xUnit: 's', yUnit: 'pages', x, y },
})

test('curves with the same points are averaged point by point', () => {
  const { x, y, low, high } = meanCurve([curve([0, 1], [0, 10]), curve([0, 1], [0, 20])])
  assert.deepEqual(
    [x, y],
    [
      [0, 1],
      [0, 15],
    ],
  )
  // 12.706 · 7.07 ÷ √2 = 63.5; nothing is below 0.
  near(low[1] ?? -1, 0)
  near(high[1] ?? -1, 78.53)
})

test('a crawl that has ended keeps its pages; the mean of other curves ends with the first', () => {
  const pages = meanCurve([curve([0, 10], [0, 10]), curve([0, 5], [0, 20])])
  assert.equal(pages.x.length, 101)
  assert.equal(pages.y.at(50), 12.5)
  assert.equal(pages.y.at(-1), 15)
  const cpu = meanCurve([curve([0, 10], [1, 1], 'cpu'), curve([0, 5], [3, 3], 'cpu')])
  assert.deepEqual([cpu.y.at(50), cpu.y.at(51), cpu.y.at(-1)], [2, null, null])
})
