import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import {
  chooseContent,
  raiseEmbeddedPosts,
  removeCopies,
  smoothLists,
  smoothPosts,
} from './choose-content.ts'
import { CLASSES, type PageClass } from './page-kinds.ts'

type Line = readonly [probability: number, words: number]

/** Which of the blocks are chosen on a page of this class. */
function chosenOn(pageClass: PageClass, html: string, lines: readonly Line[]): number[] {
  const { outline, text } = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const { count } = outline.blocks
  assert.equal(count, lines.length)
  const chosen = new Uint8Array(count)
  chooseContent({
    probabilities: Float32Array.from(lines, ([probability]) => probability),
    words: Float32Array.from(lines, ([, words]) => words),
    count,
    chosen,
    outline,
    bytes: text.bytes,
    heading: new Float32Array(count),
    classes: CLASSES.map((name) => (name === pageClass ? 1 : 0)),
    claim: '',
  })
  return [...chosen]
}

const CARDS = '<p>shelf</p>'.concat(...[1, 2, 3, 4].map((at) => `<div><p>thing ${at}</div>`))
const UNSURE: Line[] = [[0.8, 40], ...Array.from({ length: 4 }, (): Line => [0.22, 20])]

test('unsure entries are kept on a listing and dropped on an article', () => {
  assert.deepEqual(chosenOn('collection', CARDS, UNSURE), [1, 1, 1, 1, 1])
  assert.deepEqual(chosenOn('article', CARDS, UNSURE), [1, 0, 0, 0, 0])
})

const TWICE =
  '<main><p>We shall see the sea</main><section><div><p>We shall see the sea</div></section>'

test('repeated text is kept once, except in a manual', () => {
  const lines: Line[] = [
    [0.9, 20],
    [0.9, 20],
  ]
  assert.deepEqual(chosenOn('article', TWICE, lines), [1, 0])
  assert.deepEqual(chosenOn('documentation', TWICE, lines), [1, 1])
})

test('a short line may repeat in an article but not on a listing', () => {
  const lines: Line[] = [
    [0.9, 5],
    [0.9, 5],
  ]
  assert.deepEqual(chosenOn('article', TWICE, lines), [1, 1])
  assert.deepEqual(chosenOn('collection', TWICE, lines), [1, 0])
})

test('on a small page unlikely blocks beside the text are kept, unless it is an article', () => {
  const html = '<p>a<table><tr><td>b<tr><td>c</table><p>d'
  const lines: Line[] = [
    [0.95, 20],
    [0.17, 15],
    [0.17, 15],
    [0.01, 5],
  ]
  assert.deepEqual(chosenOn('service', html, lines), [1, 1, 1, 0])
  assert.deepEqual(chosenOn('article', html, lines), [1, 0, 0, 0])
})

/** The indexes of the blocks that stay likely; all have three words or more. */
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

test('the first of equal texts is kept, ignoring signs and case', () => {
  assert.deepEqual(kept(CARD, [0.5, 0.5]), [0])
})

test('a copy that is clearly the likelier one is kept instead of the first', () => {
  assert.deepEqual(kept(CARD, [0.5, 0.9]), [1])
})

test('texts that differ in a number are not copies', () => {
  assert.deepEqual(kept('<div><h3>12 oz tin</h3><span><p>16 oz tin</p></span>', [0.5, 0.5]), [0, 1])
})

test('neighbouring paragraphs may be equal', () => {
  const song = '<div><p>We shall see</p><p>The sea again</p><p>We shall see</p></div>'
  assert.deepEqual(kept(song, [0.9, 0.9, 0.9]), [0, 1, 2])
})

test('text that is repeated elsewhere is kept once', () => {
  const twice = '<main><p>We shall see<p>The sea again</main><div><p>We shall see<p>The sea again'
  assert.deepEqual(kept(twice, [0.9, 0.9, 0.8, 0.8]), [0, 1])
  assert.deepEqual(kept(twice, [0.3, 0.3, 0.8, 0.8]), [2, 3])
})

test('short lines may repeat where only longer ones count', () => {
  assert.deepEqual(kept(CARD, [0.5, 0.5], 8), [0, 1])
})

test('unlikely blocks are not compared', () => {
  assert.deepEqual(kept(CARD, [0.01, 0.01]), [0, 1])
})

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

test('an embedded post gets the probability of the likelier text beside it', () => {
  assert.deepEqual(taken(`<p>a</p>${POST}<p>d</p>`, [0.9, 0.1, 0.05, 0.6]), [0.9, 0.9, 0.9, 0.6])
})

test('a post among noise stays noise, and a likelier one keeps its probability', () => {
  assert.deepEqual(taken(`<p>a</p>${POST}<p>d</p>`, [0.1, 0.3, 0.05, 0.2]), [0.1, 0.3, 0.2, 0.2])
  assert.deepEqual(taken(POST, [0.1, 0.2]), [0.1, 0.2])
})

test('other quotes and other elements of that name are left as they are', () => {
  const page = '<p>a</p><blockquote><p>b</blockquote><div class="tweet">c</div>'
  assert.deepEqual(taken(page, [0.9, 0.1, 0.1]), [0.9, 0.1, 0.1])
})

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
