import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import type { PageClaim } from './page-kinds.ts'
import { CLASSES, type PageClass } from './page-kinds.ts'
import { removeSideParts } from './side-parts.ts'

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
