import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestCandidate, parseSrcset } from './srcset.ts'

/** As `url width density`. */
const SETS: readonly (readonly [srcset: string, candidates: readonly string[]])[] = [
  ['', []],
  [' , ,', []],
  ['a.png', ['a.png - -']],
  ['a.png, b.png 2x', ['a.png - -', 'b.png - 2']],
  ['a.png,b.png 2x', ['a.png,b.png - 2']],
  ['a.png 300w,\n\tb.png 600w', ['a.png 300 -', 'b.png 600 -']],
  ['a.png 300w 200h', ['a.png 300 -']],
  ['a.png 1.5x, b.png .5x, c.png 1e1x', ['a.png - 1.5', 'b.png - 0.5', 'c.png - 10']],
  ['a.png 200h, b.png 0w, c.png -1x, d.png 1.x, e.png +1x', []],
  ['a.png 1x 2x, b.png 1w 1x, c.png big, d.png 2X', []],
  ['a.png (1x, b.png 2x) , c.png', ['c.png - -']],
  ['a.png (', []],
  ['data:image/png;base64,AA== 1x, b.png 2x', ['data:image/png;base64,AA== - 1', 'b.png - 2']],
  ['a.png,,, b.png', ['a.png - -', 'b.png - -']],
]

for (const [srcset, candidates] of SETS) {
  test(`the srcset "${srcset}" offers ${candidates.length}`, () => {
    const read = parseSrcset(srcset)
    assert.deepEqual(
      read.map(({ url, width, density }) => `${url} ${width ?? '-'} ${density ?? '-'}`),
      candidates,
    )
  })
}

const BEST: readonly (readonly [srcset: string, best: string | null])[] = [
  ['', null],
  ['a 1x, b 3x, c 2x', 'b'],
  ['a 800w, b 400w', 'a'],
  ['a, b', 'a'],
  ['a .5x, b', 'b'],
  ['a 300w, b 4x', 'a'],
]

for (const [srcset, best] of BEST) {
  test(`the best of "${srcset}" is ${best}`, () => {
    assert.equal(bestCandidate(parseSrcset(srcset))?.url ?? null, best)
  })
}

test('a hostile srcset is read within bounds', () => {
  for (const piece of [',', 'a ', '(', 'a (', 'a 1w,', 'a 1', 'a (b) ']) {
    const candidates = parseSrcset(`${piece.repeat(500_000)}x`)
    assert.ok(candidates.length <= 64)
  }
})
