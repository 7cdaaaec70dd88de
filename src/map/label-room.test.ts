import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeLabels, type WantedLabel } from './label-room.ts'

const room = { width: 400, height: 200 }
const label = (text: string, about: Partial<WantedLabel> = {}): WantedLabel => ({
  text,
  x: 100,
  y: 100,
  size: 5,
  width: 80,
  forced: false,
  framed: false,
  ...about,
})
const texts = (...wanted: WantedLabel[]): string[] =>
  placeLabels(wanted, room).map(({ text }) => text)

test('a name that would cover another is left out, that of the larger node stays', () => {
  // Too near the edge for a label on the left.
  const small = label('small', { size: 3, x: 60, y: 104 })
  const large = label('large', { size: 9, x: 56 })
  assert.deepEqual(texts(small, large), ['large'])
  assert.deepEqual(texts({ ...small, forced: true }, large), ['small'])
})

test('a name without room on the right of its node stands on the left', () => {
  const [placed] = placeLabels([label('edge', { x: 380 })], room)
  assert.deepEqual(placed, { text: 'edge', x: 380 - 5 - 4 - 80, y: 100 })
  assert.deepEqual(texts(label('nowhere', { width: 500 })), [])
})

test('no two names overlap, however many there are', () => {
  const wanted = Array.from({ length: 2000 }, (_, at) =>
    label(`n${at}`, { x: (at * 37) % 400, y: (at * 53) % 200, size: 1 + (at % 7) }),
  )
  const placed = placeLabels(wanted, room)
  assert.ok(placed.length > 5)
  for (const [at, a] of placed.entries()) {
    for (const b of placed.slice(at + 1)) {
      assert.ok(Math.abs(a.x - b.x) >= 80 || Math.abs(a.y - b.y) >= 15, `${a.text} ${b.text}`)
    }
  }
})
