import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsIn, rowsOf } from '../../../test/html/part-rows.ts'
import { bestCandidate, parseSrcset } from './image-list.ts'

const AT = 'http://site.test/folder/'

const IMAGES: readonly (readonly [name: string, html: string, rows: unknown])[] = [
  ['alone', '<img src=a.png>', [[`${AT}a.png`, '']]],
  [
    'with all it may have',
    '<img src=a.png alt=" A  b " width=10 height="20px">',
    [[`${AT}a.png`, 'A b', 10, 20]],
  ],
  ['with a height only', '<img src=a.png height=20>', [[`${AT}a.png`, '', null, 20]]],
  [
    'in several sizes',
    '<img src=a.png srcset="b.png 300w, c.png 900w">',
    [[`${AT}a.png`, '', null, null, `${AT}c.png`]],
  ],
  ['that is the best itself', '<img src=a.png srcset="a.png 2x, b.png">', [[`${AT}a.png`, '']]],
  ['without a source', '<img srcset="b.png 300w, c.png 900w">', [[`${AT}c.png`, '']]],
  [
    'in a picture',
    '<picture><source srcset="w.webp 900w"><source srcset="x.jpg 1x"><img src=a.png></picture>',
    [[`${AT}a.png`, '', null, null, `${AT}w.webp`]],
  ],
  [
    'behind a picture',
    '<picture><source srcset=w.webp><img src=a.png></picture><img src=b.png>',
    [
      [`${AT}a.png`, '', null, null, `${AT}w.webp`],
      [`${AT}b.png`, ''],
    ],
  ],
  [
    'beside a film',
    '<video><source srcset=w.webp src=v.mp4></video><img src=a.png>',
    [[`${AT}a.png`, '']],
  ],
  ['that loads late', '<img src="data:image/gif;base64,R0" data-src=a.png>', [[`${AT}a.png`, '']]],
  ['that loads late from a set', '<img data-srcset="a.png 1x, b.png 2x">', [[`${AT}b.png`, '']]],
  [
    'with a small one in its place',
    '<img src=small.png data-original=large.png>',
    [[`${AT}small.png`, '', null, null, `${AT}large.png`]],
  ],
  ['twice', '<img src=a.png alt=x><img src=./a.png alt=y>', [[`${AT}a.png`, 'x']]],
  ['within the page itself', '<img src="data:image/png;base64,AA=="><img src="blob:x">', []],
  ['in a template', '<template><img src=a.png></template>', []],
]

for (const [name, html, rows] of IMAGES) {
  test(`an image ${name}`, () => assert.deepEqual(rowsOf('images', html), rows))
}

test('images beyond the limit are cut and flagged', () => {
  const html = Array.from({ length: 5000 }, (_, i) => `<img src=${i}>`).join('')
  const { parts, cut } = partsIn(html, ['images'])
  assert.deepEqual([JSON.parse(parts.images!).length, cut], [2000, ['images']])
})

test('huge attributes of an image cost little', () => {
  const long = 'x'.repeat(5e6)
  const html = `<img src="data:${long}" srcset="${'a 1w,'.repeat(1e6)}" alt="${long}" width="${long}">`
  const rows = rowsOf('images', html)
  assert.deepEqual(rows, [[`${AT}a`, 'x'.repeat(300)]])
})

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
