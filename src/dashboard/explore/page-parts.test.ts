import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeRows, formRows, imageRows, jsonLines, listRows, tableRows } from './page-parts.ts'

test('parts are read as the parser writes them', () => {
  assert.deepEqual(imageRows([{ src: 'http://a.test/i.png', alt: 'A', width: 3, height: 4 }]), [
    { src: 'http://a.test/i.png', alt: 'A', size: '3 × 4' },
  ])
  assert.deepEqual(tableRows([{ caption: 'C', headers: ['h'], rows: [['1', '2']] }]), [
    { caption: 'C', headers: ['h'], rows: [['1', '2']] },
  ])
  const field = { name: 'q', type: 'text', label: 'Search', required: true }
  assert.deepEqual(formRows([{ action: 'http://a.test/s', method: 'get', fields: [field] }]), [
    { action: 'http://a.test/s', method: 'GET', fields: [field] },
  ])
  assert.deepEqual(listRows([{ kind: 'dl', entries: [['term', 'what it is'], 'plain'] }]), [
    { ordered: false, entries: ['term: what it is', 'plain'] },
  ])
  assert.deepEqual(codeRows([{ src: null, type: 'module', load: '', length: 120 }]), [
    { url: '', facts: 'module, 120' },
  ])
})

test('parts that are not kept, or not what they should be, are empty', () => {
  const odd = [{ src: 7, headers: 'x', rows: [null, 3], fields: [null, 'x'], entries: {} }]
  for (const read of [imageRows, tableRows, formRows, listRows, codeRows]) {
    assert.deepEqual(read(null), [])
    assert.equal(read(odd).length, 1)
  }
  assert.deepEqual(tableRows(odd)[0]!.rows, [[], []])
})

const written = (value: unknown): string[] =>
  jsonLines(value).lines.map(({ depth, name, text }) => {
    return `${'  '.repeat(depth)}${name}${text === null ? '' : `: ${text}`}`
  })

test('a value is reported line by line', () => {
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
