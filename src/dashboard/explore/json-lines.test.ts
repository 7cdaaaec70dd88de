import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonLines } from './json-lines.ts'

const written = (value: unknown): string[] =>
  jsonLines(value).lines.map(({ depth, name, text }) => {
    return `${'  '.repeat(depth)}${name}${text === null ? '' : `: ${text}`}`
  })

test('a value is told line by line', () => {
  const about = {
    site: 'Kabar Sehat',
    feeds: [{ url: 'http://a.test/feed', title: 'All' }],
    types: ['NewsArticle', 'WebPage'],
    product: { name: 'Kopi', price: 12.5, inStock: false },
  }
  assert.deepEqual(written(about), [
    'site: Kabar Sehat',
    'feeds',
    '  1',
    '    url: http://a.test/feed',
    '    title: All',
    'types: NewsArticle, WebPage',
    'product',
    '  name: Kopi',
    '  price: 12.5',
    '  inStock: false',
  ])
})

test('what says nothing is left out', () => {
  assert.deepEqual(written({ a: '', b: null, c: [], d: {}, e: 0 }), ['e: 0'])
  assert.deepEqual(written(null), [])
  assert.deepEqual(written('text'), [': text'])
})

test('whatever its size and depth, it is cut', () => {
  const wide = jsonLines(Object.fromEntries(Array.from({ length: 1e5 }, (_, at) => [`k${at}`, at])))
  assert.equal(wide.lines.length, 500)
  assert.equal(wide.cut, true)
  let deep: unknown = 'end'
  for (let depth = 0; depth < 5000; depth++) deep = { in: deep }
  assert.ok(jsonLines(deep).lines.length < 12)
})
