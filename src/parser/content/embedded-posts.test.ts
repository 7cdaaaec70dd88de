import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { raiseEmbeddedPosts } from './choose-content.ts'

function taken(html: string, probabilities: readonly number[]): number[] {
  const { outline } = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const { count } = outline.blocks
  assert.equal(count, probabilities.length)
  const list = Float32Array.from(probabilities)
  const words = new Float32Array(count).fill(9)
  raiseEmbeddedPosts({ probabilities: list, words, count, chosen: new Uint8Array(count) }, outline)
  return [...list].map((value) => Math.round(100 * value) / 100)
}

const POST = '<blockquote class="twitter-tweet"><p>b</p>c</blockquote>'

test('a post that a text embeds is as likely as the likelier text beside it', () => {
  assert.deepEqual(taken(`<p>a</p>${POST}<p>d</p>`, [0.9, 0.1, 0.05, 0.6]), [0.9, 0.9, 0.9, 0.6])
})

test('a post among noise is noise, and one that is likelier stays so', () => {
  assert.deepEqual(taken(`<p>a</p>${POST}<p>d</p>`, [0.1, 0.3, 0.05, 0.2]), [0.1, 0.3, 0.2, 0.2])
  assert.deepEqual(taken(POST, [0.1, 0.2]), [0.1, 0.2])
})

test('other quotes, and other things of that name, are left as they are', () => {
  const page = '<p>a</p><blockquote><p>b</blockquote><div class="tweet">c</div>'
  assert.deepEqual(taken(page, [0.9, 0.1, 0.1]), [0.9, 0.1, 0.1])
})
