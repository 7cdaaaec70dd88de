import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PARTS } from '../core/page.ts'
import { canonicalise } from '../core/url.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { decodeFound } from '../wire/receipt.ts'
import { createPageParser, type PageParserOptions, plainText } from './parse-page.ts'

const OPTIONS: PageParserOptions = {
  salt: 7,
  parts: PARTS,
  keepHtml: false,
  maxBodyBytes: 64 << 20,
}
const HEAD: HandoverHead = {
  kind: 'page',
  id: 1,
  token: 1,
  url: canonicalise('http://site.test/folder/page.html')!,
  depth: 2,
  status: 200,
  contentType: 'text/html; charset=utf-8',
  contentEncoding: '',
  robotsTag: [],
  etag: '"e"',
  lastModified: '',
  fetchedAt: 1_700_000_000_000,
  fetchMs: 12,
  truncated: false,
}

type Given = { head?: Partial<HandoverHead>; options?: Partial<PageParserOptions> }

function parse(body: string | Uint8Array, { head, options }: Given = {}) {
  const parser = createPageParser({ ...OPTIONS, ...options })
  return parser({ ...HEAD, ...head }, typeof body === 'string' ? Buffer.from(body) : body)
}

function parsePage(body: string | Uint8Array, given: Given = {}) {
  const parsed = parse(body, given)
  assert.ok(parsed.outcome === 'page', JSON.stringify(parsed))
  return { ...parsed, found: decodeFound(parsed.foundBlock) }
}

function fieldsOf(body: string | Uint8Array, given: Given = {}) {
  return parsePage(body, given).page.fields
}

const ARTICLE = `<!DOCTYPE html>
<html lang="en-US"><head><title> A  title
&amp; more </title>
<meta name="Description" content=" what it
is about "><meta name=keywords content="a, b"><meta name=author content="An Author">
<link rel=canonical href="/folder/canonical#top"></head>
<body><h1>Heading</h1><p>Words with a <a href="next?p=2&amp;q" rel="Next">link</a>.
<img src="/i.png" alt="A picture" width=40 height="30px"><img src="data:,x"></body></html>`

test('all metadata of a page is in its record', () => {
  const fields = fieldsOf(ARTICLE)
  assert.deepEqual(
    { ...fields, contentHash: '', parseMs: 0, kind: '', about: '' },
    {
      url: HEAD.url,
      canonicalUrl: 'http://site.test/folder/canonical',
      statusCode: 200,
      contentType: 'text/html',
      charset: 'utf-8',
      title: 'A title & more',
      description: 'what it is about',
      keywords: 'a, b',
      author: 'An Author',
      language: 'en-US',
      publishedAt: null,
      contentText: 'Heading\n\nWords with a link.',
      markdown: '',
      // The page is too short to classify, which is not the point here.
      kind: '',
      about: '',
      html5: true,
      hot: false,
      relevance: null,
      depth: 2,
      sizeBytes: Buffer.byteLength(ARTICLE),
      truncated: false,
      noindex: false,
      contentHash: '',
      fetchedAt: 1_700_000_000_000,
      fetchMs: 12,
      parseMs: 0,
      etag: '"e"',
      lastModified: '',
    },
  )
})

test('parts are JSON, and only the requested ones', () => {
  const { parts } = parsePage(ARTICLE).page
  assert.deepEqual(JSON.parse(parts.links!), [
    ['http://site.test/folder/next?p=2&q', 'link', 'next', 'Words with a …'],
  ])
  assert.deepEqual(JSON.parse(parts.images!), [['http://site.test/i.png', 'A picture', 40, 30]])
  assert.deepEqual(Object.keys(parts), PARTS)
  for (const part of PARTS) {
    const only = parsePage(ARTICLE, { options: { parts: [part] } }).page.parts
    assert.deepEqual(only, { [part]: parts[part] })
  }
  assert.deepEqual(parsePage(ARTICLE, { options: { parts: [] } }).page.parts, {})
})

test('found links carry their hash under the salt of the job', () => {
  const [link] = parsePage('<a href=/x>').found
  assert.equal(link?.url, 'http://site.test/x')
  assert.deepEqual(link.hash, createUrlHasher(7)('http://site.test/x'))
})

const NOFOLLOW: readonly (readonly [
  name: string,
  html: string,
  robotsTag: readonly string[],
  nofollow: boolean,
])[] = [
  ['a plain link', '<a href=x>', [], false],
  ['rel', '<a href=x rel="noopener NOFOLLOW">', [], true],
  ['rel ugc and sponsored', '<a href=x rel="ugc sponsored">', [], false],
  ['rel on one of two', '<a href=x rel=nofollow></a><a href="x#f">', [], false],
  ['meta robots', '<meta name=ROBOTS content="NoFollow"><a href=x>', [], true],
  ['meta of our own name', '<meta name=jelajah content=none><a href=x>', [], true],
  ['meta for another', '<meta name=otherbot content=nofollow><a href=x>', [], false],
  ['the header', '<a href=x>', ['nofollow'], true],
  ['the header for another', '<a href=x>', ['otherbot: nofollow'], false],
]

for (const [name, html, robotsTag, nofollow] of NOFOLLOW) {
  test(`a link is ${nofollow ? 'not ' : ''}to be followed: ${name}`, () => {
    const { found } = parsePage(html, { head: { robotsTag } })
    assert.deepEqual(
      found.map((link) => link.nofollow),
      [nofollow],
    )
  })
}

test('a page with noindex keeps its links and nothing else', () => {
  const html = ARTICLE.replace('<head>', '<head><meta name=robots content=noindex>')
  const { page, found } = parsePage(html, { options: { keepHtml: true } })
  const { noindex, title, description, contentText } = page.fields
  assert.deepEqual([noindex, title, description, contentText], [true, '', '', ''])
  assert.deepEqual(page.parts, {})
  assert.equal(page.html, null)
  assert.deepEqual(
    found.map(({ url, nofollow }) => [url, nofollow]),
    [['http://site.test/folder/next?p=2&q', false]],
  )
})

test('an expired page counts as noindex', () => {
  const robotsTag = ['unavailable_after: 2001-01-01']
  assert.equal(fieldsOf('<p>a', { head: { robotsTag } }).noindex, true)
})

test('HTML is kept when the job keeps it and the page allows it', () => {
  const kept = (html: string) => parsePage(html, { options: { keepHtml: true } }).page.html
  assert.equal(Buffer.from(kept('<p>é')!).toString(), '<p>é')
  assert.equal(kept('<meta name=robots content=noarchive>'), null)
  assert.equal(parsePage('<p>a').page.html, null)
})

test('a body gives the same page in any encoding and charset', () => {
  const plain = fieldsOf('<p>café')
  const zipped = fieldsOf(gzipSync('<p>café'), { head: { contentEncoding: 'gzip' } })
  assert.deepEqual({ ...zipped, parseMs: 0 }, { ...plain, parseMs: 0 })
  const other = fieldsOf(Buffer.from('<p>caf\xe9', 'latin1'), {
    head: { contentType: 'text/html' },
  })
  assert.equal(other.contentText, 'café')
  assert.equal(other.charset, 'windows-1252')
})

test('the content hash is equal exactly for equal bodies', () => {
  assert.equal(fieldsOf('<p>a').contentHash, fieldsOf('<p>a').contentHash)
  assert.notEqual(fieldsOf('<p>a').contentHash, fieldsOf('<p>a ').contentHash)
  assert.match(fieldsOf('').contentHash, /^[0-9a-f]{32}$/)
})

test('a body over the limit is cut and flagged', () => {
  const options = { maxBodyBytes: 1000 }
  const cut = fieldsOf(`<p>${'word '.repeat(1000)}`, { options })
  assert.deepEqual([cut.truncated, cut.sizeBytes, cut.contentText.length], [true, 1000, 997])
  const zipped = gzipSync(`<p>${'word '.repeat(1000)}`)
  const unzipped = fieldsOf(zipped, { options, head: { contentEncoding: 'gzip' } })
  assert.deepEqual([unzipped.truncated, unzipped.contentText], [true, cut.contentText])
  assert.equal(fieldsOf('<p>a', { head: { truncated: true } }).truncated, true)
})

test('plain text is stored as it is, without links', () => {
  const head = { contentType: 'text/plain' }
  const { page, found } = parsePage('a\r\n  <a href=x>\0', { head })
  assert.equal(page.fields.contentText, 'a\n  <a href=x>')
  assert.deepEqual(found, [])
})

test('XHTML may close a script at once', () => {
  const head = { contentType: 'application/xhtml+xml' }
  const { page, found } = parsePage('<html><script src="s"/><a href="x">y</a></html>', { head })
  assert.equal(page.fields.contentText, 'y')
  assert.equal(found.length, 1)
})

const REFUSED: readonly (readonly [contentType: string, body: string, reason: string])[] = [
  ['image/png', 'x', 'type: image/png'],
  ['', '%PDF-1.7', 'type: application/pdf'],
  ['text/html', '\x02'.repeat(500), 'type: application/octet-stream'],
]

for (const [contentType, body, reason] of REFUSED) {
  test(`a body of type "${contentType}" is refused: ${reason}`, () => {
    const parsed = parse(body, { head: { contentType } })
    const nothing = { foundBlock: Buffer.alloc(0), likeness: 0, judged: null, relevance: null }
    assert.deepEqual(parsed, { outcome: 'refused', reason, ...nothing })
  })
}

test('a body in an unknown encoding fails with the reason', () => {
  const parsed = parse('x', { head: { contentEncoding: 'foo' } })
  assert.deepEqual(parsed, { outcome: 'failed', reason: 'decode: unknown encoding "foo"' })
})

const LANGUAGES: readonly (readonly [html: string, language: string])[] = [
  ['<html lang=ID>', 'id'],
  ['<html xml:lang="zh_Hant-TW">', 'zh-Hant-TW'],
  ['<meta http-equiv=Content-Language content="en-GB, fr">', 'en-GB'],
  ['<html lang="en"><meta http-equiv=content-language content=fr>', 'en'],
  ['<html lang="{{ lang }}">', ''],
  ['<p>', ''],
]

for (const [html, language] of LANGUAGES) {
  test(`the language of ${html} is "${language}"`, () => {
    assert.equal(fieldsOf(html).language, language)
  })
}

const DOCTYPES: readonly (readonly [html: string, html5: boolean])[] = [
  ['<!doctype html><p>', true],
  ['<!-- c --> <!DOCTYPE  HTML SYSTEM "about:legacy-compat" >', true],
  ['<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">', false],
  ['<p><!doctype html>', false],
  ['<p>', false],
]

for (const [html, html5] of DOCTYPES) {
  test(`${html} is ${html5 ? '' : 'not '}HTML5`, () => assert.equal(fieldsOf(html).html5, html5))
}

test('only a canonical link in the head counts, and only to http', () => {
  const canonical = (html: string) => fieldsOf(html).canonicalUrl
  assert.equal(
    canonical('<link rel=canonical href=/a><link rel=canonical href=/b>'),
    'http://site.test/a',
  )
  assert.equal(canonical('<p><link rel=canonical href=/a>'), null)
  assert.equal(canonical('<link rel=canonical href="ftp://h/">'), null)
})

test('a description comes from the first source that has one', () => {
  const html = '<meta property="og:description" content=social><meta name=description content="">'
  assert.equal(fieldsOf(html).description, 'social')
  assert.equal(fieldsOf(`${html}<meta name=description content=own>`).description, 'own')
})

test('likeness ignores numbers', () => {
  const likeness = (path: string, text: string) =>
    parsePage(text, { head: { url: canonicalise(`http://site.test${path}`)! } }).likeness
  assert.notEqual(likeness('/day/1', 'day 1'), 0)
  assert.equal(likeness('/day/1', 'day 1 of 7'), likeness('/day?d=22', 'day 22 of 31'))
  assert.notEqual(likeness('/day/1', 'day 1'), likeness('/day/1', 'week 1'))
})

const HOSTILE: readonly (readonly [name: string, html: string, links: number, text: number])[] = [
  ['a million links', Array.from({ length: 1e6 }, (_, i) => `<a href=${i}>`).join(''), 10_000, 0],
  ['one link a million times', '<a href=x>'.repeat(1e6), 1, 0],
  ['an attribute of 20 MB', `<a href="${'x'.repeat(20e6)}">y</a><a href=x>`, 1, 1],
  ['an attribute of 20 MB of references', `<a title="${'&amp;'.repeat(4e6)}" href=x>`, 1, 0],
  [
    '50,000 attributes',
    `<a ${Array.from({ length: 5e4 }, (_, i) => `a${i}=1`).join(' ')} href=x>`,
    1,
    0,
  ],
  ['two million less-than signs', '<'.repeat(2e6), 0, 2e6],
  ['500,000 openings of a comment', '<!--'.repeat(5e5), 0, 0],
  ['500,000 odd references', '&notit;'.repeat(5e5), 0, 2e6],
  ['a reference of a million digits', `&#${'9'.repeat(1e6)};`, 0, 1],
  ['hyphens that end no comment', `<!--${'-'.repeat(5e6)}`, 0, 0],
  ['a script without an end', `<script>${'<!--<script>'.repeat(3e5)}`, 0, 0],
  ['a title without an end', `<title>${'<a href=x>'.repeat(3e5)}`, 0, 0],
  ['CDATA without an end', `<svg>${'<![CDATA['.repeat(3e5)}`, 0, 9 * 3e5 - 9],
  ['a quote without an end', '<a href="'.repeat(5e5), 0, 0],
  ['a tag without an end', '<a '.repeat(1e6), 0, 0],
  ['deep nesting', `${'<div><ul><li><b>'.repeat(2e5)}x`, 0, 1],
  ['deep drawings', `${'<svg><foreignObject>'.repeat(2e5)}x`, 0, 1],
  ['drawings that nothing closes', `<svg>${'<g>'.repeat(1000)}${'</zzz>'.repeat(5e5)}`, 0, 0],
  [
    'hidden content that nothing closes',
    `<div hidden>${'<i>'.repeat(1000)}${'</zzz>'.repeat(5e5)}`,
    0,
    0,
  ],
  ['deep tables', `${'<table><tr><td>'.repeat(1e5)}x`, 0, 1],
  ['lists and forms', '<ul><li><form><select><option><label><input>'.repeat(1e5), 0, 0],
  ['templates in templates', `${'<template>'.repeat(3e5)}<a href=x>x`, 0, 0],
  ['climbing links', `<a href="${'../'.repeat(2e5)}x"><a href="${'../'.repeat(2000)}y">`, 1, 0],
]

for (const [name, html, links, text] of HOSTILE) {
  test(`a hostile page is read to its end: ${name}`, () => {
    const { found, page } = parsePage(html)
    assert.equal(found.length, links)
    assert.equal(page.fields.contentText.replace(/^[- ]+/, '').length, text)
  })
}

test('long titles, descriptions and floods of tags are bounded', () => {
  const title = 'é '.repeat(5e5)
  const metas = '<meta name=robots content=index><base href=x><link rel=next href=y>'.repeat(1e5)
  const html = `<title>${title}</title><meta name=description content="${title}">${metas}`
  const { page, found } = parsePage(html)
  assert.ok(page.fields.title.length <= 1024)
  assert.ok(page.fields.description.length <= 2048)
  assert.equal(found.length, 1)
})

test('stored bytes are not parsed again, unless a header has directives', () => {
  const body = '<title>T</title><p>Some words'
  const first = parse(body)
  assert.ok(first.outcome === 'page')
  const { contentHash } = first.page.fields
  const again = { contentHash }
  assert.deepEqual(parse(body, { head: { again } }), { outcome: 'same' })
  const packed = { contentEncoding: 'gzip', again }
  assert.deepEqual(parse(gzipSync(body), { head: packed }), { outcome: 'same' })
  assert.equal(parse(`${body}!`, { head: { again } }).outcome, 'page')
  assert.equal(parse(body, { head: { again: { contentHash: '' } } }).outcome, 'page')
  const asks = parse(body, { head: { again, robotsTag: ['noindex'] } })
  assert.ok(asks.outcome === 'page' && asks.page.fields.noindex)
})

const TEXTS: readonly (readonly [name: string, written: string, text: string])[] = [
  ['line ends of any kind', 'a\r\nb\rc\n\nd\u2028e\u0085f\fg', 'a\nb\nc\n\nd\ne\nf\ng'],
  ['blanks and tabs', '  a\tb ', '  a\tb '],
  ['control characters', 'a\0b\x1b[31mc\x7fd\x9be', 'ab[31mcde'],
  ['other scripts', 'é 日本 😀', 'é 日本 😀'],
]

for (const [name, written, text] of TEXTS) {
  test(`plain text is stored clean: ${name}`, () => {
    assert.equal(plainText(Buffer.from(written)), text)
  })
}

test('invalid bytes become replacement characters', () => {
  assert.equal(plainText(Buffer.from([0x61, 0xed, 0xa0, 0x80, 0xff])), 'a\uFFFD\uFFFD\uFFFD\uFFFD')
})
