import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { smoothLists, smoothPosts } from './smooth-scores.ts'

function evened(html: string, probabilities: readonly number[]): number[] {
  const { outline } = new HtmlReader().read(Buffer.from(html), { isXml: false })
  assert.equal(outline.blocks.count, probabilities.length)
  const list = Float32Array.from(probabilities)
  smoothLists(list, new Float32Array(list.length).fill(3), outline)
  return [...list].map((value) => Math.round(100 * value) / 100)
}

test('entries of a list are drawn towards each other', () => {
  assert.deepEqual(evened('<ul><li>a<li>b<li>c</ul>', [0.1, 0.9, 0.8]), [0.47, 0.68, 0.65])
})

test('text around a list is not drawn, and neither is a list by another', () => {
  const html = '<p>a<ul><li>b<ul><li>c</ul></ul><p>d'
  assert.deepEqual(evened(html, [0.9, 0.2, 0.6, 0.1]), [0.9, 0.2, 0.6, 0.1])
})

test('a table that contains text with a heading is not smoothed', () => {
  const html = '<table><tr><td>a<tr><td><h2>b</h2><p>c</table>'
  assert.deepEqual(evened(html, [0.1, 0.9, 0.8]), [0.1, 0.9, 0.8])
})

test('a long list is left as it is', () => {
  const list = Array.from({ length: 41 }, (_, at) => at % 2)
  assert.deepEqual(evened(`<ul>${'<li>a'.repeat(41)}</ul>`, list), list)
})

test('blocks at the same place of each post are kept or dropped together', () => {
  const post = '<div class=post><div class=rank>r</div><div class=body>t</div></div>'
  const { outline } = new HtmlReader().read(Buffer.from(post.repeat(3)), { isXml: false })
  const likely = Float32Array.of(0.6, 0.9, 0.1, 0.9, 0.1, 0.3)
  smoothPosts(likely, Float32Array.of(1, 20, 1, 20, 1, 4), outline)
  const [rank = 1, , , , , short = 0] = likely
  assert.ok(rank < 0.5 && short > 0.5, [...likely].join(' '))
})
