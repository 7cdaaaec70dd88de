import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PARTS } from '../../core/page.ts'
import { canonicalise } from '../../core/url.ts'
import type { HandoverHead } from '../../wire/handover.ts'
import { decodeFound } from '../../wire/receipt.ts'
import { createPageParser } from '../parse-page.ts'

const LIMIT = 2000
const parser = createPageParser({
  ...{ salt: 7, parts: PARTS, keepHtml: true, maxBodyBytes: LIMIT, maxLinksBytes: 64 * 1024 },
})
const HEAD: HandoverHead = {
  ...{ kind: 'page', id: 1, token: 1, url: canonicalise('http://a.test/')!, depth: 0, status: 200 },
  ...{ contentType: 'text/html; charset=utf-8', contentEncoding: '', robotsTag: [], etag: '' },
  ...{ lastModified: '', fetchedAt: 0, fetchMs: 0, truncated: false },
}

/** Paths of the links, with `-` before nofollow ones, and the stored page. */
function read(body: string | Buffer, head: Partial<HandoverHead> = {}) {
  const parsed = parser({ ...HEAD, ...head }, Buffer.from(body))
  assert.ok(parsed.outcome === 'page')
  const found = decodeFound(parsed.foundBlock).map(
    ({ url, nofollow }) => `${nofollow ? '-' : ''}${new URL(url).pathname}`,
  )
  return { found, ...parsed.page }
}

/** Exactly as many bytes as are read for text. */
function filled(start: string): string {
  return start + 'x'.repeat(LIMIT - start.length)
}

test('links after the limit for text are found, and nothing else is kept of it', () => {
  const start = filled('<!doctype html><title>t</title><p>')
  const { found, fields, html, parts } = read(
    `${start}</p><a href="/1">one</a><iframe src="/2"></iframe><a href="/3" rel="nofollow">3</a>
    <img src="/i.png"><p>Never read.</p><area href="/4">`,
  )
  assert.deepEqual(found, ['/1', '/2', '-/3', '/4'])
  assert.deepEqual([fields.truncated, html?.byteLength], [true, LIMIT])
  assert.doesNotMatch(fields.contentText, /Never/)
  assert.equal(parts.images, '[]')
})

test('a link across the limit is found', () => {
  const link = '<a href="/cut">cut</a>'
  for (let at = 1; at < link.length; at += 1) {
    const start = `${'<p>words '.repeat(300).slice(0, LIMIT - at)}`
    assert.ok(read(`${start}${link}<a href="/behind">`).found.includes('/cut'), `cut at ${at}`)
  }
})

test('scripts, styles and comments contain no links, wherever the page is cut', () => {
  for (const [begin, end] of [
    ['<script>', '</script>'],
    ['<style>', '</style>'],
    ['<!-- ', ' -->'],
  ]) {
    const inside = `${filled(`<p>x</p>${begin}`)} <a href="/no">${end}<a href="/yes">`
    assert.deepEqual(read(inside).found, ['/yes'], begin)
    const behind = `${filled('<p>x</p>')} ${begin}<a href="/no">${end}<a href="/yes">`
    assert.deepEqual(read(behind).found, ['/yes'], begin)
  }
})

test('links are read up to their own limit', () => {
  const far = `${filled('<p>')}<a href="/near">${' '.repeat(70_000)}<a href="/far">`
  assert.deepEqual(read(far).found, ['/near'])
})

test('the limit of links includes those after the cut', () => {
  const many = createPageParser({
    ...{ salt: 7, parts: [], keepHtml: false, maxBodyBytes: LIMIT, maxLinksBytes: 16 << 20 },
  })
  const links = Array.from({ length: 60_000 }, (_, nth) => `<a href="/${nth}">`).join('')
  const parsed = many(HEAD, Buffer.from(`${filled('<p>')}${links}`))
  assert.ok(parsed.outcome === 'page')
  assert.equal(decodeFound(parsed.foundBlock).length, 10_000)
})

test('a body that grows far beyond its received size is not read to the limit for links', () => {
  const bomb = gzipSync(`${filled('<p>')}${' '.repeat(50_000)}<a href="/1">`)
  assert.ok(bomb.byteLength < 300)
  const { found, fields } = read(bomb, { contentEncoding: 'gzip' })
  assert.deepEqual([found, fields.truncated], [[], true])
})

test('other charsets are read after the limit, too', () => {
  const body = Buffer.from(`${filled('<p>')}<a href="/é">`, 'latin1')
  assert.deepEqual(read(body, { contentType: 'text/html; charset=latin1' }).found, ['/%C3%A9'])
})
