import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minimise, type Slope } from './minimise.ts'

const options = (start: number[], more = {}) => ({
  start: Float64Array.from(start),
  tolerance: 1e-8,
  maxSteps: 200,
  ...more,
})

/** A bowl, very steep in one direction and shallow in the other, with its minimum at (3, -2, 1). */
const bowl: Slope = (at, slope) => {
  const [x = 0, y = 0, z = 0] = at
  slope.set([2000 * (x - 3), 2 * (y + 2), 0.02 * (z - 1)])
  return 1000 * (x - 3) ** 2 + (y + 2) ** 2 + 0.01 * (z - 1) ** 2
}

test('the ground of a long bowl is found', () => {
  const { at, value, converged } = minimise(bowl, options([100, 100, -100]))
  assert.ok(converged)
  assert.ok(value < 1e-12)
  for (const [index, expected] of [3, -2, 1].entries()) {
    assert.ok(Math.abs(at[index]! - expected) < 1e-5)
  }
})

test('a function that is no bowl of second degree has its ground found too', () => {
  const { at } = minimise(
    (point, slope) => {
      const [x = 0] = point
      slope[0] = Math.exp(x) - 2
      return Math.exp(x) - 2 * x
    },
    options([5]),
  )
  assert.ok(Math.abs(at[0]! - Math.log(2)) < 1e-7)
})

test('who starts on the ground stays there', () => {
  const { steps, converged } = minimise(bowl, options([3, -2, 1]))
  assert.deepEqual([steps, converged], [0, true])
})

test('it says when it ran out of steps, and what falls for ever ends all the same', () => {
  assert.equal(minimise(bowl, options([100, 100, -100], { maxSteps: 1 })).converged, false)
  const falls: Slope = (at, slope) => {
    slope[0] = -1
    return -(at[0] ?? 0)
  }
  const { steps, converged } = minimise(falls, options([0], { maxSteps: 10 }))
  assert.deepEqual([steps, converged], [10, false])
})

test('numbers that are none end it at once', () => {
  const { converged, steps } = minimise(() => Number.NaN, options([1, 2]))
  assert.ok(steps === 0 || !converged)
})
