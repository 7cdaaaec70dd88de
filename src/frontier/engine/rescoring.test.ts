import assert from 'node:assert/strict'
import { test } from 'node:test'
import { floorOf, ScoreFloors } from './rescoring.ts'

test('a floor is never above the score and hardly below it', () => {
  let seed = 5
  for (let step = 0; step < 20_000; step += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    const score = (seed / 2 ** 31 - 1) * 10 ** ((step % 80) - 44)
    const floor = floorOf(score)
    assert.ok(floor <= score, `${floor} above ${score}`)
    assert.ok(
      score - floor <= Math.abs(score) * 2 ** -21 + 2 ** -147,
      `${floor} far below ${score}`,
    )
    assert.equal(Math.fround(floor), floor)
  }
})

test('what float32 can say exactly is its own floor', () => {
  for (const score of [0, 1, -1, 0.5, 2 ** 24, -(2 ** 30)]) assert.equal(floorOf(score), score)
})

test('scores beyond float32 have a floor that claims nothing', () => {
  assert.equal(floorOf(1e300), Number.NEGATIVE_INFINITY)
  assert.equal(floorOf(-1e300), Number.NEGATIVE_INFINITY)
})

test('only a score above the known one may be better, and all are where nothing is known', () => {
  const floors = new ScoreFloors()
  floors.set(7, { priority: 0.5 })
  floors.set(100_000, { priority: 3 })
  assert.deepEqual(
    [0.4, 0.5, 0.6].map((score) => floors.mayBeBelow(7, score)),
    [false, false, true],
  )
  assert.equal(floors.mayBeBelow(100_000, 3), false)
  assert.equal(floors.mayBeBelow(8, -1e9), true)
  assert.equal(floors.mayBeBelow(5_000_000, -1e9), true)
})
