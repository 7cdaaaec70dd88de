import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFields } from '../../../test/contract/sample-page.ts'
import type { PageFields } from '../../core/page.ts'
import { COLOURED, PLAIN } from '../table.ts'
import {
  aboutLines,
  type PageView,
  pageText,
  parsedJson,
  partText,
  publishedText,
} from './print-page.ts'

function view(changes: Partial<PageView> & { fields?: Partial<PageFields> } = {}): PageView {
  const { fields = {}, ...rest } = changes
  const parts = {
    links: JSON.stringify([
      ['http://www.a.test/in', 'Inside', 'next'],
      ['http://b.test/out', 'Outside', ''],
    ]),
    images: '[["http://a.test/i.png","A picture"]]',
    tables: '[{"caption":"Sizes","headers":["a","b"],"rows":[["1","2"],["3","4"]]}]',
  }
  return {
    page: { fields: sampleFields('a.test/1', fields), parts, html: null },
    redirects: [],
    addressAssumed: false,
    markdown: null,
    ...rest,
  }
}

test('JSON has the columns of pages, and rows of parts with names', () => {
  const line = parsedJson(view({ redirects: [{ url: 'http://a.test/0', status: 301 }] }))
  assert.ok(line.indexOf('\n') === line.length - 1)
  const json = JSON.parse(line)
  assert.equal(json.content_text, 'The text of a.test/1.')
  assert.equal(json.parts.links[0].anchor, 'Inside')
  assert.equal(json.parts.images[0].src, 'http://a.test/i.png')
  assert.equal(json.parts.tables[0].rows[1][1], '4')
  assert.deepEqual(json.redirects, [{ url: 'http://a.test/0', status: 301 }])
  assert.ok(!('content_markdown' in json))
  assert.equal(JSON.parse(parsedJson(view({ markdown: '# x' }))).content_markdown, '# x')
})

test('what the parser says about a page is shown, whatever it is', () => {
  const { page, ...rest } = view()
  const about = JSON.stringify({ kindConfidence: 0.93, types: ['NewsArticle'], nothing: null })
  const known = { ...rest, page: { ...page, fields: { ...page.fields, about } } }
  assert.deepEqual(JSON.parse(parsedJson(known)).about, {
    kind_confidence: 0.93,
    types: ['NewsArticle'],
    nothing: null,
  })
  const text = pageText(known, [])
  assert.match(text, /^ {2}kind confidence +0.93$/m)
  assert.match(text, /^ {2}types +NewsArticle$/m)
  assert.doesNotMatch(text, /nothing/)
})

test('the view for people has title, address, facts, counts and the text', () => {
  const text = pageText(view({ redirects: [{ url: 'http://a.test/0', status: 301 }] }), [])
  assert.match(text, /^Title of a.test\/1\nhttp:\/\/a.test\/1\n\n/)
  for (const line of [
    /^ {2}kind +article$/m,
    /^ {2}published +2023-11-03 08:26:40Z$/m,
    /^ {2}redirected +301 from http:\/\/a.test\/0$/m,
    /^ {2}type +text\/html, utf-8, 1.0 kB, HTML5$/m,
    /^ {2}parts +2 links, 1 image, 1 table$/m,
    /\n\nThe text of a.test\/1.\n$/,
  ]) {
    assert.match(text, line)
  }
  assert.doesNotMatch(text, /Inside|flags|address/)
})

test('parts are listed when asked for, links by where they lead', () => {
  const text = pageText(view(), ['links', 'images', 'tables'])
  assert.match(
    text,
    /links within a.test \(1\)\n {2}http:\/\/www.a.test\/in .*anchor Inside .*next/,
  )
  assert.match(text, /links elsewhere \(1\)\n {2}http:\/\/b.test\/out {2}anchor Outside\n/)
  assert.match(text, /images \(1\)\n {2}http:\/\/a.test\/i.png {2}alt A picture\n/)
  assert.match(text, /tables \(1\)\n {2}Sizes\n {4}a \| b\n {4}1 \| 2\n {4}3 \| 4\n/)
})

test('a page that gives no text says why', () => {
  assert.match(pageText(view({ fields: { contentText: '' } }), []), /\n\(no text\)\n/)
  const hidden = view({ fields: { noindex: true, truncated: true } })
  const flags =
    /flags +truncated \(cut at --max-body, .*\), noindex \(a crawl keeps no text of it\)\n/
  assert.match(pageText(hidden, []), flags)
})

test('no page can steer the terminal, and colours are ours alone', () => {
  const hostile = {
    title: '\x1b[31mred',
    contentText: 'a\x1b]0;x\x07\nb\x9b2J',
    author: '\r\x1b[2K',
  }
  const plain = pageText(view({ fields: hostile, addressAssumed: true }), ['links'])
  assert.doesNotMatch(plain, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  assert.match(plain, /^red\n/)
  const { page, ...rest } = view()
  const about = JSON.stringify({ [`\x1b[31m${'k'.repeat(5000)}`]: { '\x9b': '\x1b' } })
  const named = pageText({ ...rest, page: { ...page, about } as PageView['page'] }, [])
  assert.doesNotMatch(named, /[\x00-\x09\x0b-\x1f\x7f-\x9f]|k{100}/)
  const coloured = pageText(view({ fields: hostile }), [], COLOURED)
  assert.ok(coloured.startsWith('\x1b[1mred\x1b[22m\n'))
})

function shown(about: Record<string, unknown>, fields: Partial<PageFields> = {}) {
  const lines = aboutLines(about, sampleFields('a.test/1', fields))
  return Object.fromEntries(lines.filter(([, text]) => text !== ''))
}

test('a moment is shown as a time', () => {
  assert.deepEqual(shown({ modified_at: 1_717_115_755_000 }), { modified: '2024-05-31 00:35:55Z' })
  assert.deepEqual(shown({ modified_at: 9e15 }), { modified: '9,000,000,000,000,000' })
  assert.deepEqual(shown({ modified_at: 'soon' }), { modified: 'soon' })
})

test('the day of publication is the one that the page writes, with the moment where there is one', () => {
  const fields = sampleFields('a.test/1', { publishedAt: Date.UTC(2026, 0, 12, 20) })
  const midnight = { ...fields, publishedAt: Date.UTC(2026, 0, 12) }
  assert.equal(publishedText(midnight, { published_day: '2026-01-12' }), '2026-01-12')
  assert.equal(publishedText(fields, {}), '2026-01-12 20:00:00Z')
  assert.equal(
    publishedText(fields, { published_day: '2026-01-13' }),
    '2026-01-13 (2026-01-12 20:00:00Z)',
  )
  assert.equal(publishedText({ ...fields, publishedAt: null }, {}), '')
  assert.deepEqual(shown({ published_day: '2026-01-12' }), {})
})

test('the social card says nothing that another line says', () => {
  const open_graph = { title: 'Rice', site_name: 'Farm', type: 'article', image: '/p.jpg' }
  assert.deepEqual(shown({ site_name: 'Farm', open_graph }, { title: 'Rice' }), {
    'site name': 'Farm',
    'open graph': 'type article, image /p.jpg',
  })
  assert.deepEqual(shown({ open_graph: { title: 'Rice' } }, { title: 'Rice' }), {})
})

test('feeds and products are words, not JSON', () => {
  const feeds = [
    { url: 'http://a.test/feed', title: 'All', type: 'application/rss+xml' },
    { url: 'http://a.test/atom' },
  ]
  const product = { name: 'Boots', price: '19.5', reviews: 1204 }
  assert.deepEqual(shown({ feeds, product }), {
    feeds: 'http://a.test/feed (All), http://a.test/atom',
    product: 'name Boots, price 19.5, reviews 1,204',
  })
})

test('facts of any other shape are shown, too', () => {
  assert.deepEqual(
    shown({ feeds: 'x', open_graph: 7, toString: 'y', other_links: { mailto: 2 } }),
    {
      feeds: 'x',
      'open graph': '7',
      'to string': 'y',
      'other links': 'mailto 2',
    },
  )
})

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
