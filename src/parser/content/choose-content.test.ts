import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEATURES } from '../features/block-features.ts'
import { HtmlReader } from '../html/html-reader.ts'
import { chooseContent } from './choose-content.ts'
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
    columns: FEATURES.map(() => new Float32Array(count)),
    classes: CLASSES.map((name) => (name === pageClass ? 1 : 0)),
    claim: '',
  })
  return [...chosen]
}

const CARDS = '<p>shelf</p>'.concat(...[1, 2, 3, 4].map((at) => `<div><p>thing ${at}</div>`))
const UNSURE: Line[] = [[0.8, 40], ...Array.from({ length: 4 }, (): Line => [0.22, 20])]

test('the unsure entries of a listing are kept, and the like on an article are not', () => {
  assert.deepEqual(chosenOn('collection', CARDS, UNSURE), [1, 1, 1, 1, 1])
  assert.deepEqual(chosenOn('article', CARDS, UNSURE), [1, 0, 0, 0, 0])
})

const TWICE =
  '<main><p>We shall see the sea</main><section><div><p>We shall see the sea</div></section>'

test('a text that stands twice is kept once, but in a manual', () => {
  const lines: Line[] = [
    [0.9, 20],
    [0.9, 20],
  ]
  assert.deepEqual(chosenOn('article', TWICE, lines), [1, 0])
  assert.deepEqual(chosenOn('documentation', TWICE, lines), [1, 1])
})

test('a short line of an article may come again, one on a shelf may not', () => {
  const lines: Line[] = [
    [0.9, 5],
    [0.9, 5],
  ]
  assert.deepEqual(chosenOn('article', TWICE, lines), [1, 1])
  assert.deepEqual(chosenOn('collection', TWICE, lines), [1, 0])
})

test('on a small page what is hardly likely is kept beside its text, unless it is an article', () => {
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
