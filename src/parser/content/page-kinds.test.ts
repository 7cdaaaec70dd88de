import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CLASSES,
  claimOf,
  type KindSigns,
  kindOf,
  type PageClaim,
  type PageClass,
} from './page-kinds.ts'

/** The probabilities in the order of CLASSES; missing ones are 0. */
function kind(
  given: Partial<Record<PageClass, number>>,
  url = 'https://site.test/a/b',
  more: Partial<KindSigns> = {},
) {
  const probabilities = CLASSES.map((name) => given[name] ?? 0)
  return kindOf(probabilities, { url, jsonLdTypes: [], words: 500, ...more })
}

test('the kind with the highest probability is chosen', () => {
  assert.deepEqual(kind({ article: 0.7, forum: 0.3 }), { kind: 'article', confidence: 0.7 })
  assert.equal(kind({ forum: 0.6, article: 0.4 }).kind, 'thread')
  assert.equal(kind({ service: 1 }).kind, 'other')
})

test('classes of one kind count together', () => {
  const { kind: found, confidence } = kind({ article: 0.4, listing: 0.35, collection: 0.25 })
  assert.equal(found, 'listing')
  assert.ok(Math.abs(confidence - 0.6) < 1e-9)
})

test('a page without signs has no kind', () => {
  assert.deepEqual(kind({}), { kind: 'other', confidence: 0 })
})

test('the root page of a site is its front page', () => {
  for (const path of ['/', '/index.html', '/home.php', '/default.aspx']) {
    const url = `https://site.test${path}`
    assert.equal(kind({ listing: 0.9, article: 0.1 }, url).kind, 'front-page', url)
  }
  for (const path of ['/a', '/a/index.html', '/indexes', '/?page=2']) {
    const url = `https://site.test${path}`
    assert.equal(kind({ listing: 0.9, article: 0.1 }, url).kind, 'listing', url)
  }
})

test('a thread, a manual or a single text at the address of a front page keeps its kind', () => {
  const url = 'https://site.test/'
  assert.equal(kind({ forum: 0.9 }, url).kind, 'thread')
  assert.equal(kind({ documentation: 0.9 }, url).kind, 'documentation')
  assert.equal(kind({ article: 0.9 }, url).kind, 'article')
  assert.equal(kind({ article: 0.7, listing: 0.3 }, url).kind, 'front-page')
})

test('a declared type makes a kind likelier', () => {
  const unsure = { documentation: 0.5, product: 0.3, article: 0.2 }
  assert.equal(kind(unsure).kind, 'documentation')
  assert.equal(kind(unsure, undefined, { jsonLdTypes: ['WebPage', 'Product'] }).kind, 'product')
  assert.equal(kind({ article: 1 }, undefined, { jsonLdTypes: ['Product'] }).kind, 'article')
})

test('an unsure page, or one with hardly a word, has no kind', () => {
  assert.equal(kind({ article: 0.35, product: 0.3, forum: 0.35 }).kind, 'other')
  assert.deepEqual(kind({ article: 1 }, undefined, { words: 3 }), { kind: 'other', confidence: 0 })
})

function claim(url: string, openGraphType = '', jsonLdTypes: readonly string[] = []): PageClaim {
  return claimOf({ url, openGraphType, jsonLdTypes, generator: '' })
}

test('an address that only forums have claims a thread, whatever Open Graph says', () => {
  for (const url of [
    'https://forum.a.test/x',
    'https://www.forum.a.test/x',
    'https://a.test/threads/which-saw.12/',
    'https://a.test/viewtopic.php?t=3',
    'https://a.test/d/77-solar',
  ]) {
    assert.equal(claim(url, 'article'), 'thread', url)
  }
  assert.equal(claim('https://a.test/x', '', ['QAPage']), 'thread')
  assert.equal(claim('https://a.test/x', 'article', ['Article', 'QAPage']), 'thread')
})

test('a declared article at an address that others than forums have is an article', () => {
  for (const url of [
    'https://a.test/community/2024/fair',
    'https://a.test/topics/climate/ice',
    'https://a.test/our-new-forum/',
    'https://forumdaily.test/x',
  ]) {
    assert.equal(claim(url, '', ['NewsArticle']), 'article', url)
    assert.equal(claim(url, 'article'), 'article', url)
  }
  assert.equal(claim('https://a.test/topics/climate'), 'thread')
})

test('a forum that declares an article, or a host that may be none, claims nothing', () => {
  for (const url of ['https://www.weforum.test/stories/x', 'https://www.sailforum.test/8-a.html']) {
    assert.equal(claim(url, 'article'), '', url)
    assert.equal(claim(url, 'article', ['Article']), '', url)
    assert.equal(claim(url), '', url)
  }
  assert.equal(claim('https://forum.a.test/threads/3', '', ['Article']), '')
})

test('an article claims to be one by its head', () => {
  assert.equal(claim('https://a.test/2020/05/x', '', ['BlogPosting']), 'article')
  assert.equal(claim('https://a.test/x', 'website'), '')
  assert.equal(claim(''), '')
})
