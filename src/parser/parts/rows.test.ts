import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsIn } from '../../../test/html/part-rows.ts'
import type { Part } from '../../core/page.ts'

const LONG_BASE = `<base href="/${'x'.repeat(8000)}/">`

const SHORT: readonly (readonly [part: Part, tag: (nth: number) => string, most: number])[] = [
  ['links', (nth) => `<a href=${nth}>`, 522],
  ['images', (nth) => `<img src=${nth} srcset="b${nth} 2x">`, 65],
  ['scripts', (nth) => `<script src=${nth}></script>`, 130],
  ['styles', (nth) => `<link rel=stylesheet href=${nth}>`, 130],
]

for (const [part, tag, most] of SHORT) {
  test(`a long base does not make much of a small page: ${part}`, () => {
    const html = LONG_BASE + Array.from({ length: 600 }, (_, nth) => tag(nth)).join('')
    const { parts, cut } = partsIn(html, [part])
    assert.deepEqual([JSON.parse(parts[part]!).length, cut], [most, [part]])
  })
}
