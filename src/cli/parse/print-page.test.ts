import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFields } from '../../../test/contract/sample-page.ts'
import type { PageFields } from '../../core/page.ts'
import { COLOURED } from '../style.ts'
import { type PageView, pageText, parsedJson } from './print-page.ts'

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
