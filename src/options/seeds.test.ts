import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seedUrl } from './seeds.ts'

test('a seed is read as a person means it', () => {
  const cases: [string, string | null][] = [
    ['https://example.com', 'https://example.com/'],
    ['HTTP://Example.com:80/a#b', 'http://example.com/a'],
    ['example.com/path?q=1', 'https://example.com/path?q=1'],
    ['example.com:8443', 'https://example.com:8443/'],
    ['localhost:8080', 'http://localhost:8080/'],
    ['a.localhost/x', 'http://a.localhost/x'],
    ['127.0.0.1:3000/x', 'http://127.0.0.1:3000/x'],
    ['[::1]:3000', 'http://[::1]:3000/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    [' https://a.test/ ', 'https://a.test/'],
    ['', null],
    ['mailto:me@a.test', null],
    ['javascript:alert(1)', null],
    ['ftp://a.test/', null],
    ['/etc/passwd', null],
    ['two words', null],
    ['http://', null],
    ['?q', null],
  ]
  for (const [written, url] of cases) assert.equal(seedUrl(written), url, written)
})
