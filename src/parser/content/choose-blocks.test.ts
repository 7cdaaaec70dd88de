import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import {
  addTables,
  type BlockChoice,
  chooseBlocks,
  fillGaps,
  removeSideParts,
} from './choose-blocks.ts'
import { CLASSES, type PageClaim, type PageClass } from './page-kinds.ts'

type Block = readonly [probability: number, words: number]

function choose(blocks: readonly Block[]): { chosen: readonly number[]; threshold: number } {
  const chosen = new Uint8Array(blocks.length).fill(7)
  const threshold = chooseBlocks({ ...columnsOf(blocks), chosen })
  return { chosen: [...chosen], threshold }
}

/** `kept`: the blocks that were chosen before, as 1. */
function fill(blocks: readonly Block[], kept: readonly number[], titleRow = -1): readonly number[] {
  const chosen = Uint8Array.from(kept)
  fillGaps({ ...columnsOf(blocks), chosen }, titleRow)
  return [...chosen]
}

function columnsOf(blocks: readonly Block[]): Omit<BlockChoice, 'chosen'> {
  return {
    probabilities: Float32Array.from(blocks, ([probability]) => probability),
    words: Float32Array.from(blocks, ([, words]) => words),
    count: blocks.length,
  }
}

test('likely blocks are chosen, unlikely ones are not', () => {
  const blocks: Block[] = [
    [0.01, 5],
    [0.95, 80],
    [0.9, 60],
    [0.02, 9],
  ]
  assert.deepEqual(choose(blocks).chosen, [0, 1, 1, 0])
})

test('on a page of unsure blocks a lower threshold is enough', () => {
  const unsure = choose([
    [0.3, 100],
    [0.25, 100],
    [0.02, 100],
  ])
  assert.deepEqual(unsure.chosen, [1, 1, 0])
  const sure = choose([
    [0.99, 400],
    [0.3, 100],
  ])
  assert.deepEqual(sure.chosen, [1, 0])
})

test('the threshold stays within bounds, so that noise is never text and text never noise', () => {
  assert.deepEqual(choose([[0.05, 100]]).chosen, [0])
  const certain: Block[] = [
    [0.999, 1000],
    [0.6, 10],
  ]
  assert.deepEqual(choose(certain).chosen, [1, 1])
  for (const blocks of [[], [[0, 0]], [[1, 0]], certain] as const) {
    const { threshold } = choose(blocks)
    assert.ok(threshold >= 0.1 && threshold <= 0.5, String(threshold))
  }
})

test('rows after the last block are left as they are', () => {
  const chosen = Uint8Array.of(7, 7, 7)
  const columns = columnsOf([
    [0.9, 9],
    [0.9, 9],
    [0.9, 9],
  ])
  chooseBlocks({ ...columns, count: 2, chosen })
  assert.deepEqual([...chosen], [1, 1, 7])
})

const KEPT: Block = [0.9, 40]
const NAME: Block = [0.05, 3]

test('a gap between the title and the start of the text is filled, too', () => {
  assert.deepEqual(fill([NAME, NAME, NAME, KEPT], [0, 0, 0, 1], 1), [0, 0, 1, 1])
  assert.deepEqual(fill([NAME, NAME, NAME, KEPT], [0, 0, 0, 1]), [0, 0, 0, 1])
})

test('a short gap between chosen blocks is filled', () => {
  assert.deepEqual(fill([KEPT, NAME, NAME, KEPT], [1, 0, 0, 1]), [1, 1, 1, 1])
})

test('blocks before the first or after the last chosen block are not a gap', () => {
  assert.deepEqual(fill([NAME, KEPT, KEPT, NAME], [0, 1, 1, 0]), [0, 1, 1, 0])
  assert.deepEqual(fill([NAME, NAME], [0, 0]), [0, 0])
  assert.deepEqual(fill([], []), [])
})

test('a gap of many blocks, of many words, or with an unlikely block stays', () => {
  const gaps: readonly (readonly Block[])[] = [
    [NAME, NAME, NAME, NAME, NAME],
    [
      [0.05, 40],
      [0.05, 21],
    ],
    [NAME, [0.01, 3]],
  ]
  for (const gap of gaps) {
    const kept = [1, ...gap.map(() => 0), 1]
    assert.deepEqual(fill([KEPT, ...gap, KEPT], kept), kept)
  }
})

function taken(html: string, before: readonly number[], probability = 0.05): number[] {
  const { outline } = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const chosen = Uint8Array.from(before)
  assert.equal(outline.blocks.count, before.length)
  const column = (value: number) => new Float32Array(before.length).fill(value)
  const choice = {
    probabilities: column(probability),
    words: column(9),
    count: before.length,
    chosen,
  }
  addTables(choice, outline)
  return [...chosen]
}

const PAGE =
  '<nav><dl><dt>menu</dl></nav><main><p>a<p>b<table><tr><td>c</table><p>d<pre>e</pre></main>'

test('tables and code beside the chosen text are added, those elsewhere are not', () => {
  assert.deepEqual(taken(PAGE, [0, 1, 1, 0, 0, 0]), [0, 1, 1, 1, 0, 1])
})

test('nearly certain noise is not added', () => {
  assert.deepEqual(taken(PAGE, [0, 1, 1, 0, 0, 0], 0.01), [0, 1, 1, 0, 0, 0])
})

/** Which of the equally likely blocks stay likely on a page of this class. */
function left(html: string, pageClass: PageClass, claim: PageClaim = ''): number[] {
  const { outline } = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const { count } = outline.blocks
  const column = (value: number) => new Float32Array(count).fill(value)
  const page = {
    probabilities: column(0.9),
    words: column(60),
    count,
    chosen: new Uint8Array(count),
  }
  const classes = CLASSES.map((name) => (name === pageClass ? 1 : 0))
  removeSideParts(page, outline, { classes, claim })
  return [...page.probabilities.keys()].filter((row) => (page.probabilities[row] ?? 0) > 0)
}

const TEXT = '<main><p>a<p>b<p>c</main>'

test('comments are removed below an article and kept in a thread', () => {
  const page = `${TEXT}<section id="Comments"><p>d</section>`
  assert.deepEqual(left(page, 'article'), [0, 1, 2])
  assert.deepEqual(left(page, 'forum'), [0, 1, 2, 3])
  assert.deepEqual(left(page, 'forum', 'article'), [0, 1, 2])
})

test('comments on questions and answers are removed, posts that are called comments are not', () => {
  const answer = '<div class=answer><p>a<p>b<div class=comments><p>c</div></div>'
  assert.deepEqual(left(answer.repeat(2), 'forum'), [0, 1, 3, 4])
  const posts = '<div class=question><p>a<div class=comments><p>b<p>c<p>d<p>e</div></div>'
  assert.deepEqual(left(posts, 'forum'), [0, 1, 2, 3, 4])
})

test('reviews are removed on product pages only', () => {
  const page = `${TEXT}<div class="product-reviews"><div><p>d</div></div>`
  assert.deepEqual(left(page, 'product'), [0, 1, 2])
  assert.deepEqual(left(page, 'article'), [0, 1, 2, 3])
})

test('cookie consent, option lists and asides are removed on any page', () => {
  for (const part of [
    '<div id="onetrust-banner"><p>d</div>',
    '<div class="cookieConsent"><p>d</div>',
    '<fieldset>d</fieldset>',
    '<select><option>d</select>',
    '<aside><div>d</div></aside>',
    '<footer>d</footer>',
  ]) {
    for (const pageClass of CLASSES) assert.deepEqual(left(TEXT + part, pageClass), [0, 1, 2], part)
  }
})

test('recommendations and the signatures below posts are removed', () => {
  const page = `${TEXT}<div class="related-posts"><p>d</div>`
  assert.deepEqual(left(page, 'article'), [0, 1, 2])
  assert.deepEqual(left(`${TEXT}<div class="signature"><p>d</div>`, 'forum'), [0, 1, 2])
})

test('popular links are removed, except on a page that lists things', () => {
  const page = `${TEXT}<div class="mostPopular"><p>d</div>`
  assert.deepEqual(left(page, 'service'), [0, 1, 2])
  assert.deepEqual(left(page, 'listing'), [0, 1, 2, 3])
})

test('a post is not a side part because of its subject', () => {
  for (const classes of [
    'hentry category-cookies',
    'post tag-blue-avatar',
    'product_cat-popular',
  ]) {
    const page = `<article class="${classes}"><p>a<p>b</article><div class=comments><p>c<p>d</div>`
    assert.deepEqual(left(page, 'article'), [0, 1], classes)
  }
})

test('a part stays on a page with hardly anything else', () => {
  assert.deepEqual(left('<div class="cookies"><p>a<p>b<p>c</div>', 'service'), [0, 1, 2])
  const many = `<aside>${'<p>a'.repeat(30)}</aside><p>b`
  assert.equal(left(many, 'article').length, 31)
})

test('a page of nothing but side parts keeps the largest', () => {
  const page = '<div id="cookie-recipe"><p>a<p>b<p>c</div><div class=comments><p>d<p>e</div>'
  assert.deepEqual(left(page, 'article'), [0, 1, 2])
})
