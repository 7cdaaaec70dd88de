import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLASSES, kindOf, type PageClass } from './kinds.ts'

/** The probabilities in the order of CLASSES; what is not given is 0. */
function kind(given: Partial<Record<PageClass, number>>, url = 'https://site.test/a/b') {
  return kindOf(
    CLASSES.map((name) => given[name] ?? 0),
    url,
  )
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
