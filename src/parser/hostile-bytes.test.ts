// Bytes that are not what they are declared to be: other files, other encodings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { HEAD } from '../../test/html/hostile-pages.ts'
import { createRandom } from '../../test/html/mutate.ts'
import { brokenRules } from '../../test/html/page-rules.ts'
import { PARTS } from '../core/page.ts'
import { createPageParser } from './parse-page.ts'

const parse = createPageParser({ salt: 7, parts: PARTS, keepHtml: false, maxBodyBytes: 64 << 20 })

function noise(bytes: number): Buffer {
  const random = createRandom(5)
  return Buffer.from(Array.from({ length: bytes }, () => random(256)))
}

const NOISE = noise(100_000)
const HUGE = Buffer.alloc(5_000_000, NOISE)
const WORDS = '<p>Some words of a page that nobody can read.'.repeat(1000)
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]

const DISGUISED: readonly (readonly [name: string, body: Uint8Array, reason: string])[] = [
  ['a PNG', Buffer.concat([Buffer.from(PNG), HUGE]), 'type: image/png'],
  ['a ZIP', Buffer.concat([Buffer.from('PK\x03\x04'), HUGE]), 'type: application/zip'],
  ['a GZIP', gzipSync(WORDS), 'type: application/x-gzip'],
  [
    'a deflated page',
    deflateRawSync(Array.from({ length: 5000 }, (_, nth) => `<p>${nth * nth}`).join()),
    'type: application/octet-stream',
  ],
  ['noise', HUGE, 'type: application/octet-stream'],
  ['NULs', Buffer.alloc(5_000_000), 'type: application/octet-stream'],
]

for (const [name, body, reason] of DISGUISED) {
  test(`${name} declared as HTML is refused`, () => {
    const parsed = parse(HEAD, body)
    assert.deepEqual([parsed.outcome, 'reason' in parsed && parsed.reason], ['refused', reason])
  })
}

test('noise after the start of a page gives a page with odd characters', () => {
  const body = Buffer.concat([Buffer.from(WORDS), HUGE])
  const parsed = parse(HEAD, body)
  assert.equal(parsed.outcome, 'page')
  assert.deepEqual(brokenRules(parsed, body), [])
})

const PAGE = '<title>Títle</title><p>Wörds 日本 😀'
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const utf32 = (text: string) => Buffer.from(Uint32Array.from(text, (c) => c.codePointAt(0)!).buffer)

const ENCODED: readonly (readonly [
  name: string,
  body: Buffer,
  contentType: string,
  read: readonly [charset: string, text: string],
])[] = [
  ['UTF-16LE with a mark', utf16(`\uFEFF${PAGE}`), 'text/html', ['utf-16le', 'Wörds 日本 😀']],
  [
    'UTF-16BE with a mark',
    utf16(`\uFEFF${PAGE}`).swap16(),
    'text/html; charset=utf-8',
    ['utf-16be', 'Wörds 日本 😀'],
  ],
  ['UTF-16 as declared', utf16(PAGE), 'text/html; charset=utf-16', ['utf-16le', 'Wörds 日本 😀']],
  [
    'half of UTF-16',
    utf16(`\uFEFF${PAGE}`).subarray(0, -1),
    'text/html',
    ['utf-16le', 'Wörds 日本 \uFFFD'],
  ],
  ['a lone surrogate in UTF-16', utf16('\uFEFF<p>a\uD800b'), 'text/html', ['utf-16le', 'a\uFFFDb']],
  [
    'UTF-32 with a mark, which UTF-16 has, too',
    utf32('\uFEFF<p>words'),
    'text/html',
    ['utf-16le', '<p>words'],
  ],
  [
    'UTF-8 that is said to be UTF-16',
    Buffer.from('<p>ab'),
    'text/html; charset=utf-16',
    ['utf-16le', '瀼愾\uFFFD'],
  ],
  [
    'Latin-1 that is said to be UTF-8',
    Buffer.from('<p>caf\xe9 au lait', 'latin1'),
    'text/html; charset=utf-8',
    ['utf-8', 'caf\uFFFD au lait'],
  ],
  [
    'a mark that says better than the header',
    Buffer.from('\uFEFF<p>café'),
    'text/html; charset=shift_jis',
    ['utf-8', 'café'],
  ],
  [
    'CESU-8, an overlong form, half a character',
    Buffer.from('<p>a\xed\xa0\xbd\xc0\x80\xf0\x9f', 'latin1'),
    'text/html; charset=utf-8',
    ['utf-8', `a${'\uFFFD'.repeat(6)}`],
  ],
  ['UTF-7', Buffer.from('<p>+AGE-'), 'text/html; charset=utf-7', ['windows-1252', '+AGE-']],
  [
    'what nobody should declare',
    Buffer.from('<p>words'),
    'text/html; charset=iso-2022-kr',
    ['replacement', '\uFFFD'],
  ],
]

for (const [name, body, contentType, read] of ENCODED) {
  test(`a page is read in its true encoding: ${name}`, () => {
    const parsed = parse({ ...HEAD, contentType }, body)
    assert.ok(parsed.outcome === 'page', JSON.stringify(parsed))
    const { charset, contentText } = parsed.page.fields
    assert.deepEqual([charset, contentText], read)
    assert.deepEqual(brokenRules(parsed, body), [])
  })
}

test('undeclared UTF-16, and UTF-32, do no harm', () => {
  for (const body of [utf16(PAGE), utf16(PAGE).swap16(), utf32(PAGE), utf32(PAGE).swap32()]) {
    assert.deepEqual(brokenRules(parse({ ...HEAD, contentType: 'text/html' }, body), body), [])
  }
})
