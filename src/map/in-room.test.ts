import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inRoom } from './in-room.ts'

const ROOM = { width: 660, height: 330 }

/** The least room between the rims of two nodes. */
function leastGap(positions: Float32Array, sizes: Float32Array): number {
  let least = Number.POSITIVE_INFINITY
  for (let a = 0; a < sizes.length; a++) {
    for (let b = a + 1; b < sizes.length; b++) {
      const x = positions[a * 2]! - positions[b * 2]!
      const y = positions[a * 2 + 1]! - positions[b * 2 + 1]!
      least = Math.min(least, Math.hypot(x, y) - sizes[a]! - sizes[b]!)
    }
  }
  return least
}

/** Two dense heaps far from each other, as the pages of two hosts are laid out. */
function heaps(nodes: number): Float32Array {
  return Float32Array.from({ length: nodes * 2 }, (_, at) => {
    const node = at >> 1
    const angle = node * 2.4
    return (node % 2) * 1000 + Math.sqrt(node) * (at % 2 === 0 ? Math.cos(angle) : Math.sin(angle))
  })
}

test('nodes of a small map do not cover each other, and all are inside', () => {
  for (const nodes of [2, 5, 40, 150]) {
    const sizes = new Float32Array(nodes).fill(nodes > 100 ? 5 : 9)
    const positions = inRoom(heaps(nodes), sizes, ROOM)
    assert.ok(leastGap(positions, sizes) > 0, `${nodes}: ${leastGap(positions, sizes)}`)
    positions.forEach((value, at) => {
      assert.ok(value >= 0 && value <= (at % 2 === 0 ? ROOM.width : ROOM.height))
    })
  }
})

test('a map fills its room, without being pulled out of shape', () => {
  const square = Float32Array.of(0, 0, 10, 0, 10, 10, 0, 10)
  const [x1, , x2, , , y3] = inRoom(square, new Float32Array(4).fill(5), ROOM)
  assert.equal(y3, ROOM.height)
  const width = x2! - x1!
  assert.ok(width > ROOM.height && width <= ROOM.height * 1.8 + 1e-3, `${width}`)
})

test('the same map is fitted the same way, and no map is too small or too degenerate', () => {
  const sizes = new Float32Array(30).fill(8)
  assert.deepEqual(inRoom(heaps(30), sizes, ROOM), inRoom(heaps(30), sizes, ROOM))
  const inOnePlace = inRoom(new Float32Array(60), sizes, ROOM)
  assert.ok(leastGap(inOnePlace, sizes) > 0)
  assert.equal(inRoom(new Float32Array(0), new Float32Array(0), ROOM).length, 0)
  assert.deepEqual([...inRoom(Float32Array.of(7, 7), Float32Array.of(9), ROOM)], [330, 165])
  const line = inRoom(Float32Array.of(0, 3, 1, 3, 2, 3), new Float32Array(3).fill(4), ROOM)
  assert.ok(line.every(Number.isFinite))
  const failed = inRoom(new Float32Array(6).fill(Number.NaN), new Float32Array(3).fill(4), ROOM)
  assert.equal(failed.length, 6)
})
