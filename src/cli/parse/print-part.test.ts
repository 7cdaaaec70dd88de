import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAIN } from '../style.ts'
import { partText } from './print-part.ts'

test('a row begins with what it is, or says that it has no name', () => {
  const rows = [
    { src: 'http://a.test/x.js', type: '', load: 'async', length: null },
    { src: null, type: 'module', load: null, length: 120 },
  ]
  assert.equal(
    partText('scripts', rows, 'a.test', PLAIN),
    'scripts (2)\n  http://a.test/x.js  load async\n  -  type module  length 120\n',
  )
})

test('lists stand below, an entry a line, with terms and what is said of them together', () => {
  const rows = [{ kind: 'dl', depth: 0, links: false, entries: ['one', ['term', 'meaning']] }]
  assert.equal(
    partText('lists', rows, 'a.test', PLAIN),
    'lists (1)\n  dl  depth 0\n    one\n    term | meaning\n',
  )
})

test('a table is its header and its rows, a form its fields', () => {
  const table = { caption: '', headers: ['a', 'b'], rows: [['1', '2']] }
  assert.equal(
    partText('tables', [table], 'a.test', PLAIN),
    'tables (1)\n  -\n    a | b\n    1 | 2\n',
  )
  const form = { action: '/s', method: 'get', fields: [{ name: 'q', type: 'search', label: '' }] }
  assert.equal(
    partText('forms', [form], 'a.test', PLAIN),
    'forms (1)\n  /s  method get\n    name q  type search\n',
  )
})

test('a part without rows is not mentioned', () => {
  assert.equal(partText('links', [], 'a.test', PLAIN), '')
})

test('one endless cell does not flood the screen', () => {
  const rows = [{ src: 'x'.repeat(10_000), alt: '\x1b[31mred' }]
  const text = partText('images', rows, 'a.test', PLAIN)
  assert.ok(text.length < 600)
  assert.doesNotMatch(text, /\x1b/)
})
