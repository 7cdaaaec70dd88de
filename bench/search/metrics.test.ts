import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUseful, type Measures, meanOf, measuresOf } from './metrics.ts'

const JUDGED = new Map([
  ['a', 2],
  ['b', 1],
  ['c', 0],
  ['d', 1],
])

function near(found: number, wanted: number): void {
  assert.ok(Math.abs(found - wanted) < 1e-9, `${found} is not ${wanted}`)
}

test('the best order scores 1 on everything', () => {
  const measures = measuresOf(['a', 'b', 'd', 'c'], JUDGED)
  for (const value of Object.values(measures)) near(value, 1)
})

test('measures are what one gets by hand', () => {
  // Useful ones at places 2 (grade 1) and 4 (grade 2); the third of them is missing.
  const { ndcg10, mrr10, map, recall100 } = measuresOf(['x', 'b', 'c', 'a'], JUDGED)
  const gained = 1 / Math.log2(3) + 2 / Math.log2(5)
  const best = 2 / Math.log2(2) + 1 / Math.log2(3) + 1 / Math.log2(4)
  near(ndcg10, gained / best)
  near(mrr10, 1 / 2)
  near(map, (1 / 2 + 2 / 4) / 3)
  near(recall100, 2 / 3)
})

test('what stands below its depth does not count', () => {
  const others = Array.from({ length: 2000 }, (_, nth) => `x${nth}`)
  const placed = (place: number) => measuresOf(others.with(place - 1, 'b'), new Map([['b', 1]]))
  assert.deepEqual([placed(10).mrr10 > 0, placed(11).mrr10, placed(11).ndcg10], [true, 0, 0])
  assert.deepEqual([placed(100).recall100, placed(101).recall100], [1, 0])
  assert.deepEqual([placed(1000).recall1000, placed(1001).recall1000], [1, 0])
  near(placed(1000).map, 1 / 1000)
  assert.equal(placed(1001).map, 0)
})

test('a query that found nothing counts as 0, one without anything useful can be told', () => {
  for (const value of Object.values(measuresOf([], JUDGED))) assert.equal(value, 0)
  assert.equal(isUseful(JUDGED), true)
  assert.equal(isUseful(new Map([['c', 0]])), false)
  for (const value of Object.values(measuresOf(['c'], new Map([['c', 0]])))) assert.equal(value, 0)
})

test('a mean is over queries', () => {
  const of = (value: number): Measures => ({
    ...{ ndcg10: value, mrr10: value, map: value, recall100: value, recall1000: value },
  })
  near(meanOf([of(1), of(0), of(0.5)]).map, 0.5)
  assert.equal(meanOf([]).ndcg10, 0)
})
