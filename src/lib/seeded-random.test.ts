import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom, shuffledNumbers } from './seeded-random.ts'

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed))
  assert.deepEqual(draw(7), draw(7))
  assert.notDeepEqual(draw(7), draw(8))
})

test('the numbers are spread evenly from 0 up to but not 1', () => {
  const random = seededRandom(1)
  const tenths = new Array<number>(10).fill(0)
  for (let n = 0; n < 10_000; n++) tenths[Math.floor(random() * 10)]!++
  for (const count of tenths) assert.ok(count > 900 && count < 1100, String(tenths))
})

test('a shuffle keeps every number and leaves few in their place', () => {
  const order = shuffledNumbers(1000, seededRandom(3))
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    Array.from({ length: 1000 }, (_, at) => at),
  )
  assert.ok(order.filter((number, at) => number === at).length < 10)
  assert.deepEqual([...shuffledNumbers(0, seededRandom(3))], [])
})
