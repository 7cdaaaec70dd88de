import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileHeaders, judgeType } from './media-type.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(3000, 7)])
const UTF16 = Buffer.from('<p>words</p>'.repeat(50), 'utf16le')

const CASES: readonly (readonly [
  name: string,
  declared: string,
  body: Uint8Array | string,
  reading: string | null,
  type: string,
])[] = [
  ['HTML', 'text/html', '<p>', 'html', 'text/html'],
  ['XHTML', 'application/xhtml+xml', '<p>', 'xhtml', 'application/xhtml+xml'],
  ['plain text', 'text/plain', 'words', 'text', 'text/plain'],
  ['other text', 'text/csv', 'a,b', 'text', 'text/csv'],
  ['an image', 'image/png', PNG, null, 'image/png'],
  ['JSON', 'application/json', '{}', null, 'application/json'],
  ['no type, HTML', '', ' <!DOCTYPE html><p>', 'html', 'text/html'],
  ['no type, text', '', 'words', 'text', 'text/plain'],
  ['no type, empty', '', '', 'text', 'text/plain'],
  ['no type, an image', '', PNG, null, 'image/png'],
  ['no type, bytes', '', Buffer.alloc(100, 1), null, 'application/octet-stream'],
  ['any type, HTML', '*/*', '<html>', 'html', 'text/html'],
  ['HTML that is an image', 'text/html', PNG, null, 'image/png'],
  ['HTML that is a PDF', 'text/html', '%PDF-1.4 words', null, 'application/pdf'],
  [
    'HTML that is an archive',
    'text/html',
    Buffer.from('504b0304aaaa', 'hex'),
    null,
    'application/zip',
  ],
  ['HTML that is bytes', 'text/html', Buffer.alloc(2000, 2), null, 'application/octet-stream'],
  ['text that is bytes', 'text/plain', Buffer.alloc(2000, 2), null, 'application/octet-stream'],
  ['HTML with a slip of the keyboard', 'text/html', '<p>\x07words', 'html', 'text/html'],
  ['HTML that begins with words', 'text/html', 'words <p>', 'html', 'text/html'],
  ['empty HTML', 'text/html', '', 'html', 'text/html'],
  ['UTF-16', 'text/html', UTF16, 'html', 'text/html'],
  [
    'UTF-16 with a mark',
    'text/html',
    Buffer.concat([Buffer.from('fffe', 'hex'), UTF16]),
    'html',
    'text/html',
  ],
]

for (const [name, declared, body, reading, type] of CASES) {
  test(`a body is read as its true type: ${name}`, () => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    assert.deepEqual(judgeType(declared, bytes), { reading, type })
  })
}

const FILES: readonly (readonly [name: string, begins: string, type: string, encoding?: string])[] =
  [
    ['page.html', 'no matter what', 'text/html'],
    ['PAGE.HTM', '', 'text/html'],
    ['a.b/page.xhtml', '', 'application/xhtml+xml'],
    ['notes.txt', '<p>looks like HTML', 'text/plain'],
    ['data.json', '{}', 'application/json'],
    ['page.html.gz', '\x1f\x8b', 'text/html', 'gzip'],
    ['page.br', '\x0b\x02', '', 'br'],
    ['stdin', '<article>a piece of a page', 'text/html'],
    ['stdin', '\xef\xbb\xbf \n<!doctype html>', 'text/html; charset=utf-8'],
    ['stdin', '\xff\xfe<\0h\0t\0m\0l\0>\0', 'text/html'],
    ['stdin', '<?xml version="1.0"?>\n<html xmlns="x">', 'application/xhtml+xml'],
    ['stdin', '<?xml version="1.0"?>\n<rss>', ''],
    ['stdin', 'plain words', ''],
    ['stdin', '', ''],
    ['page.php', '<main>', 'text/html'],
    ['page.constructor', '<main>', 'text/html'],
    ['__proto__', 'plain words', ''],
  ]

test('a file gets the headers a server would send with it', () => {
  for (const [name, begins, contentType, contentEncoding = ''] of FILES) {
    const headers = fileHeaders(name, Buffer.from(begins, 'latin1'))
    assert.deepEqual(headers, { contentType, contentEncoding }, `${name}: ${begins}`)
  }
})

test('a file that is UTF-8 is read as such, whatever it declares', () => {
  const page = '<meta charset=iso-8859-1><p>caf\u00e9'
  assert.equal(fileHeaders('a.html', Buffer.from(page)).contentType, 'text/html; charset=utf-8')
  assert.equal(fileHeaders('a.html', Buffer.from(page, 'latin1')).contentType, 'text/html')
})
