import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thinCurve } from './charts.ts'

test('a thin curve lacks what lies on the line and nothing else', () => {
  const straight = Array.from({ length: 50 }, (_, at) => ({ x: at, y: 2 * at }))
  assert.deepEqual(thinCurve(straight, 0.25), [0, 0, 49, 98])
  assert.deepEqual(thinCurve([...straight, { x: 50, y: 0 }], 0.25), [0, 0, 49, 98, 50, 0])
  const wave = Array.from({ length: 200 }, (_, x) => ({ x, y: 40 * Math.sin(x / 15) }))
  const kept = thinCurve(wave, 0.25)
  const pairs = Array.from({ length: kept.length / 2 }, (_, at) => kept.slice(at * 2, at * 2 + 2))
  assert.ok(pairs.length < 80)
  for (const { x, y } of wave) {
    const after = pairs.findIndex(([at]) => at! >= x)
    const [[x1, y1], [x2, y2]] = [pairs[Math.max(0, after - 1)]!, pairs[after]!]
    const drawn = x2 === x1 ? y1! : y1! + ((y2! - y1!) * (x - x1!)) / (x2! - x1!)
    assert.ok(Math.abs(drawn - y) < 0.6, `${x}: ${drawn} for ${y}`)
  }
})

test('what was not measured leaves a gap', () => {
  const points = [1, Number.NaN, 3, 4, Number.NaN].map((y, x) => ({ x, y }))
  assert.deepEqual(thinCurve(points, 0.25), [0, 1, Number.NaN, Number.NaN, 2, 3, 3, 4])
  assert.deepEqual(thinCurve([], 0.25), [])
})
