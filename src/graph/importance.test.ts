import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_IMPORTANCE, decodeImportance } from '../core/importance.ts'
import { canonicalise, locationOf } from '../core/url.ts'
import { backlinkScale, importanceOf, type PageMetrics, rankScale } from './importance.ts'

const METRICS: PageMetrics = {
  similarity: Float64Array.of(0.5, Number.NaN, 1),
  backlinks: Uint32Array.of(0, 1, 3),
  pagerank: Float64Array.of(0.1, 0.3, 0.9),
  location: Float64Array.of(1, 0.5, 0.25),
}
const UNJUDGED = { ...METRICS, similarity: new Float64Array(3).fill(Number.NaN) }

function importanceFor(weights: string, metrics = METRICS): number[] {
  return [...importanceOf(metrics, decodeImportance(weights))].map((value) => round(value))
}

function round(value: number): number {
  return Math.round(value * 1e9) / 1e9
}

test('backlinks go from none to the most, and each doubling counts the same', () => {
  const scale = backlinkScale([0, 1, 3, 7])
  assert.deepEqual([0, 1, 3, 7].map(scale).map(round), [0, round(1 / 3), round(2 / 3), 1])
})

test('ranks go from the least to the most, and each factor counts the same', () => {
  const scale = rankScale([0.01, 0.1, 1])
  assert.deepEqual([0.01, 0.1, 1].map(scale).map(round), [0, 0.5, 1])
})

test('a scale is the same for a crawl in which all ranks are a tenth', () => {
  const [large, small] = [rankScale([0.1, 0.2, 0.7]), rankScale([0.01, 0.02, 0.07])]
  assert.equal(round(large(0.2)), round(small(0.02)))
})

test('a metric by which all pages are equal gives 0', () => {
  assert.equal(backlinkScale([0, 0])(0), 0)
  assert.equal(rankScale([0.5, 0.5])(0.5), 0)
  assert.equal(rankScale([])(1), 0)
})

test('values beyond those a scale was made from stay within it', () => {
  assert.equal(backlinkScale([0, 3])(1000), 1)
  const scale = rankScale([0.1, 0.2])
  assert.deepEqual([0, 0.01, 5, Number.NaN].map(scale), [0, 0, 1, 0])
})

test('importance by one metric is that metric', () => {
  assert.deepEqual(importanceFor('location'), [1, 0.5, 0.25])
  assert.deepEqual(importanceFor('backlinks'), [0, 0.5, 1])
  assert.deepEqual(importanceFor('pagerank=7'), [0, 0.5, 1])
})

test('importance by several metrics is their weighted mean', () => {
  assert.deepEqual(importanceFor('similarity=1,pagerank=0.5'), [
    round(0.5 / 1.5),
    round(0.25 / 1.5),
    1,
  ])
})

test('in a crawl with a topic, a page that was not judged is unlike it', () => {
  assert.deepEqual(importanceFor('similarity'), [0.5, 0, 1])
})

test('in a crawl without a topic, similarity does not count', () => {
  assert.deepEqual(importanceFor('similarity=5,location=1', UNJUDGED), [1, 0.5, 0.25])
  assert.deepEqual([...importanceOf(UNJUDGED, DEFAULT_IMPORTANCE)].map(round), [0, 0.5, 1])
  assert.deepEqual(importanceFor('similarity', UNJUDGED), [0, 0, 0])
})

test('importance is never more than 1', () => {
  const top = {
    ...METRICS,
    similarity: Float64Array.of(0, 0, 9),
    location: new Float64Array(3).fill(1),
  }
  const weights = 'similarity=0.1,backlinks=0.2,pagerank=0.3,location=0.7'
  assert.ok(importanceOf(top, decodeImportance(weights)).every((value) => value >= 0 && value <= 1))
})

function locationFor(url: string): number {
  return locationOf(canonicalise(url)!)
}

test('the nearer to a front page, the more important', () => {
  const falling = [
    'https://example.com/',
    'https://docs.example.com/',
    'https://example.com/news',
    'https://docs.example.com/news',
    'https://example.com/news/2026/',
    'https://example.com/news/2026/11/15/title',
    'https://example.com/a/b/c/d/e/f/g/h/i/j/k',
  ].map(locationFor)
  assert.deepEqual(
    falling,
    [...new Set(falling)].sort((a, b) => b - a),
  )
})

test('locations that mean the same place are equal', () => {
  const same = [
    ['https://example.com/', 'https://example.com/index.html', 'http://www.example.com/Index.PHP'],
    [
      'https://example.com/news',
      'https://example.com/news/',
      'https://example.com/news/default.aspx',
    ],
    ['https://example.com/news/', 'https://example.com//news//', 'https://example.com/news/?'],
    ['https://example.com/?page=2', 'https://example.com/page'],
    ['https://example.com/~anna/', 'https://anna.example.com/'],
    ['http://example.co.id:8080/', 'https://example.de/'],
  ]
  for (const urls of same) assert.equal(new Set(urls.map(locationFor)).size, 1, urls.join(' '))
})

test('a name of a front page counts only where a page is named', () => {
  assert.equal(locationFor('http://a.com/index/x'), locationFor('http://a.com/b/x'))
  assert.equal(locationFor('http://a.com/indexes.html'), locationFor('http://a.com/b.html'))
})

test('between equals, the domain of an institution goes first', () => {
  for (const host of ['mit.edu', 'who.int', 'ui.ac.id', 'kemkes.go.id', 'nhs.gov.uk', 'nasa.gov']) {
    assert.ok(locationFor(`https://www.${host}/x`) > locationFor('https://example.com/x'), host)
    assert.ok(locationFor(`https://www.${host}/x/y`) < locationFor('https://example.com/x'), host)
  }
  assert.equal(locationFor('https://fake-edu.ac/'), locationFor('https://example.com/'))
})

test('any URL has a location from 0 to 1', () => {
  const urls = [
    'http://127.0.0.1:8080/',
    'http://[::1]/a',
    'http://localhost/',
    'http://a.com.a.com/',
    `http://${'a.'.repeat(100)}com/`,
    `http://a.com/${'x/'.repeat(4000)}`,
    `http://a.com/${'/'.repeat(8000)}?${'&'.repeat(100)}`,
    'http://a.com/%00%ff~?#',
    'http://bücher.example/ü',
  ]
  for (const url of urls) {
    const location = locationFor(url)
    assert.ok(location > 0 && location <= 1, `${url.slice(0, 80)}: ${location}`)
  }
})
