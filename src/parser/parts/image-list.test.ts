import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsIn, rowsOf } from '../../../test/html/part-rows.ts'

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
