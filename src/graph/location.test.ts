import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { locationOf } from './location.ts'

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
