import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLASSES, type KindSigns, kindOf, type PageClass } from './page-kinds.ts'

/** The probabilities in the order of CLASSES; what is not given is 0. */
function kind(
  given: Partial<Record<PageClass, number>>,
  url = 'https://site.test/a/b',
  more: Partial<KindSigns> = {},
) {
  const probabilities = CLASSES.map((name) => given[name] ?? 0)
  return kindOf(probabilities, { url, jsonLdTypes: [], words: 500, ...more })
}

test('the likeliest kind is the kind', () => {
  assert.deepEqual(kind({ article: 0.7, forum: 0.3 }), { kind: 'article', confidence: 0.7 })
  assert.equal(kind({ forum: 0.6, article: 0.4 }).kind, 'thread')
  assert.equal(kind({ service: 1 }).kind, 'other')
})

test('classes that people call by one name count together', () => {
  const { kind: found, confidence } = kind({ article: 0.4, listing: 0.35, collection: 0.25 })
  assert.equal(found, 'listing')
  assert.ok(Math.abs(confidence - 0.6) < 1e-9)
})

test('a page of which nothing is known is of no kind', () => {
  assert.deepEqual(kind({}), { kind: 'other', confidence: 0 })
})

test('the page that a site opens with is its front page', () => {
  for (const path of ['/', '/index.html', '/home.php', '/default.aspx']) {
    const url = `https://site.test${path}`
    assert.equal(kind({ listing: 0.9, article: 0.1 }, url).kind, 'front-page', url)
  }
  for (const path of ['/a', '/a/index.html', '/indexes', '/?page=2']) {
    const url = `https://site.test${path}`
    assert.equal(kind({ listing: 0.9, article: 0.1 }, url).kind, 'listing', url)
  }
})

test('a thread, a manual or a single text at the address of a front page stays what it is', () => {
  const url = 'https://site.test/'
  assert.equal(kind({ forum: 0.9 }, url).kind, 'thread')
  assert.equal(kind({ documentation: 0.9 }, url).kind, 'documentation')
  assert.equal(kind({ article: 0.9 }, url).kind, 'article')
  assert.equal(kind({ article: 0.7, listing: 0.3 }, url).kind, 'front-page')
})

test('what a page declares to be makes that likelier', () => {
  const unsure = { documentation: 0.5, product: 0.3, article: 0.2 }
  assert.equal(kind(unsure).kind, 'documentation')
  assert.equal(kind(unsure, undefined, { jsonLdTypes: ['WebPage', 'Product'] }).kind, 'product')
  assert.equal(kind({ article: 1 }, undefined, { jsonLdTypes: ['Product'] }).kind, 'article')
})

test('an unsure page, or one with hardly a word, is of no kind', () => {
  assert.equal(kind({ article: 0.35, product: 0.3, forum: 0.35 }).kind, 'other')
  assert.deepEqual(kind({ article: 1 }, undefined, { words: 3 }), { kind: 'other', confidence: 0 })
})
