import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { removeCopies } from './choose-content.ts'

/** The places of the blocks that stay likely; all have three words or more. */
function kept(html: string, probabilities: readonly number[], minWords = 2): number[] {
  const { outline, text } = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const { count } = outline.blocks
  assert.equal(count, probabilities.length)
  const page = {
    probabilities: Float32Array.from(probabilities),
    words: new Float32Array(count).fill(3),
    count,
    chosen: new Uint8Array(count),
  }
  removeCopies(page, { outline, bytes: text.bytes }, minWords)
  return [...page.probabilities.keys()].filter((row) => (page.probabilities[row] ?? 0) > 0)
}

const CARD = '<div><h3>Dark Roast Coffee</h3><span><p>Dark roast coffee!</p></span></div>'

test('of equal texts the first is kept, whatever signs and capitals they have', () => {
  assert.deepEqual(kept(CARD, [0.5, 0.5]), [0])
})

test('a copy that is clearly the likelier one is kept instead of the first', () => {
  assert.deepEqual(kept(CARD, [0.5, 0.9]), [1])
})

test('texts that differ in a number are no copies', () => {
  assert.deepEqual(kept('<div><h3>12 oz tin</h3><span><p>16 oz tin</p></span>', [0.5, 0.5]), [0, 1])
})

test('paragraphs beside each other may say the same', () => {
  const song = '<div><p>We shall see</p><p>The sea again</p><p>We shall see</p></div>'
  assert.deepEqual(kept(song, [0.9, 0.9, 0.9]), [0, 1, 2])
})

test('a text that stands once more elsewhere is kept once', () => {
  const twice = '<main><p>We shall see<p>The sea again</main><div><p>We shall see<p>The sea again'
  assert.deepEqual(kept(twice, [0.9, 0.9, 0.8, 0.8]), [0, 1])
  assert.deepEqual(kept(twice, [0.3, 0.3, 0.8, 0.8]), [2, 3])
})

test('short lines may come again where only longer ones count', () => {
  assert.deepEqual(kept(CARD, [0.5, 0.5], 8), [0, 1])
})

test('what nobody would choose takes no part', () => {
  assert.deepEqual(kept(CARD, [0.01, 0.01]), [0, 1])
})
