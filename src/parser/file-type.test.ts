import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileHeaders } from './media-type.ts'

const CASES: readonly (readonly [name: string, begins: string, type: string, encoding?: string])[] =
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
  for (const [name, begins, contentType, contentEncoding = ''] of CASES) {
    const headers = fileHeaders(name, Buffer.from(begins, 'latin1'))
    assert.deepEqual(headers, { contentType, contentEncoding }, `${name}: ${begins}`)
  }
})

test('a file that is UTF-8 is read as such, whatever it declares', () => {
  const page = '<meta charset=iso-8859-1><p>caf\u00e9'
  assert.equal(fileHeaders('a.html', Buffer.from(page)).contentType, 'text/html; charset=utf-8')
  assert.equal(fileHeaders('a.html', Buffer.from(page, 'latin1')).contentType, 'text/html')
})
