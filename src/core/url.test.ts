import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canonicalise,
  hostOf,
  MAX_URL_LENGTH,
  normalisePercent,
  originOf,
  pathOf,
  siteOf,
} from './url.ts'

const long = (length: number) => `http://a.test/${'x'.repeat(length - 'http://a.test/'.length)}`

test('a URL has one spelling', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['HTTP://Example.COM', 'http://example.com/'],
    ['https://example.com?a', 'https://example.com/?a'],
    ['http://a.test/x?', 'http://a.test/x'],
    ['http://a.test/?#a', 'http://a.test/'],
    ['http://a.test/x??', 'http://a.test/x??'],
    // Fragments
    ['http://a.test/x#y', 'http://a.test/x'],
    ['http://a.test/x#', 'http://a.test/x'],
    ['http://a.test/x?q#a?b#c', 'http://a.test/x?q'],
    ['http://a.test#/x', 'http://a.test/'],
    // Ports
    ['http://a.test:80/', 'http://a.test/'],
    ['https://a.test:443/', 'https://a.test/'],
    ['https://a.test:80/', 'https://a.test:80/'],
    ['http://a.test:/', 'http://a.test/'],
    // Credentials
    ['http://u:p@a.test/x', 'http://a.test/x'],
    ['http://u@a.test:8080/@x', 'http://a.test:8080/@x'],
    ['http://u:@a@b@a.test/', 'http://a.test/'],
    ['http://a.test\\@b.test/', 'http://a.test/@b.test/'],
    // The root's dot
    ['http://a.test./x', 'http://a.test/x'],
    ['http://a.test.:8080/x', 'http://a.test:8080/x'],
    ['http://127.0.0.1./', 'http://127.0.0.1/'],
    // Names
    ['http://bücher.de/', 'http://xn--bcher-kva.de/'],
    ['http://例え.jp/', 'http://xn--r8jz45g.jp/'],
    ['http://faß.de/', 'http://xn--fa-hia.de/'],
    ['http://example%2Ecom/', 'http://example.com/'],
    ['http://under_score.test/', 'http://under_score.test/'],
    [`http://${'a'.repeat(63)}.test/`, `http://${'a'.repeat(63)}.test/`],
    // Addresses
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://[2001:DB8::1]:80/', 'http://[2001:db8::1]/'],
    ['http://[::1]:8080/[x]', 'http://[::1]:8080/%5Bx%5D'],
    // White space
    [' \n http://a.test/x \t', 'http://a.test/x'],
    ['http://a.te\tst/a\r\nb?c\td', 'http://a.test/ab?cd'],
    ['http://a.test/a b', 'http://a.test/a%20b'],
    // Paths
    ['http://a.test/./b/../c/%2e%2E/d', 'http://a.test/d'],
    ['http://a.test/..', 'http://a.test/'],
    ['http://a.test//b///c', 'http://a.test//b///c'],
    ['http://a.test\\b\\c', 'http://a.test/b/c'],
    ['http:a.test/x', 'http://a.test/x'],
    // Escapes
    ['http://a.test/%7euser/%41', 'http://a.test/~user/A'],
    ['http://a.test/a%2fb%3a', 'http://a.test/a%2Fb%3A'],
    ['http://a.test/ü?q=ü', 'http://a.test/%C3%BC?q=%C3%BC'],
    ['http://a.test/%c3%bc', 'http://a.test/%C3%BC'],
    ['http://a.test/?x[y]={1}|2^', 'http://a.test/?x%5By%5D=%7B1%7D%7C2%5E'],
    ['http://a.test/\u0000\u007f', 'http://a.test/%00%7F'],
    ['http://a.test/%252e', 'http://a.test/%252e'],
    ['http://a.test/100%', 'http://a.test/100%'],
    ['http://a.test/%zz%c3', 'http://a.test/%zz%C3'],
    ['http://a.test/?%%36%31', 'http://a.test/?%%36%31'],
    ['http://a.test/\ud800', 'http://a.test/%EF%BF%BD'],
    // What a site may tell apart
    ['http://a.test/x?b=2&a=1', 'http://a.test/x?b=2&a=1'],
    ['http://a.test/X/index.html', 'http://a.test/X/index.html'],
    ['http://a.test/x;p=1', 'http://a.test/x;p=1'],
  ]
  for (const [given, canonical] of cases) {
    assert.equal(canonicalise(given), canonical, given)
    assert.equal(canonicalise(canonical), canonical, `twice: ${given}`)
  }
})

test('a link is resolved against its page', () => {
  const base = 'https://a.test/b/c?d#e'
  const cases: readonly (readonly [string, string])[] = [
    ['', 'https://a.test/b/c?d'],
    ['#x', 'https://a.test/b/c?d'],
    ['?y', 'https://a.test/b/c?y'],
    ['g', 'https://a.test/b/g'],
    ['../g', 'https://a.test/g'],
    ['../../../g', 'https://a.test/g'],
    ['/g', 'https://a.test/g'],
    ['//h.test', 'https://h.test/'],
    ['http://h.test/x', 'http://h.test/x'],
  ]
  for (const [href, url] of cases) assert.equal(canonicalise(href, base), url, href)
})

test('what can never be fetched is no URL', () => {
  const cases = [
    '',
    'x',
    '/x',
    'http://',
    'http://./',
    'http://../',
    'http://a..b/',
    'http://.a.test/',
    'http://a.test../',
    'http://[]/',
    'http://[fe80::1%25eth0]/',
    'http://a b/',
    'http://a.test:99999/',
    'http://256.256.256.256/',
    `http://${'a'.repeat(64)}.test/`,
    `http://${'a.'.repeat(130)}test/`,
    'javascript:void(0)',
    ' JaVaScRiPt:\nalert(1)',
    'data:text/html,x',
    'mailto:a@b.test',
    'tel:+62',
    'ftp://a.test/',
    'file:///etc/passwd',
    'blob:http://a.test/x',
    'view-source:http://a.test/',
  ]
  for (const given of cases) assert.equal(canonicalise(given), null, given)
  assert.equal(canonicalise('x', 'about:blank'), null)
})

test('a URL that is too long, or grows too long, is no URL', () => {
  assert.equal(canonicalise(long(MAX_URL_LENGTH))?.length, MAX_URL_LENGTH)
  assert.equal(canonicalise(long(MAX_URL_LENGTH + 1)), null)
  assert.equal(canonicalise(`http://a.test/${'ü'.repeat(MAX_URL_LENGTH / 4)}`), null)
})

test('tidying escapes twice changes nothing more', () => {
  const pieces = ['%', '%2', '%41', '%7e', '%25', '%zz', '%%36%31', '6', '1', 'é', '[', '/', '😀']
  for (const a of pieces) {
    for (const b of pieces) {
      for (const c of pieces) {
        const once = normalisePercent(a + b + c)
        assert.equal(normalisePercent(once), once, a + b + c)
        assert.match(once, /^[!-~]*$/)
      }
    }
  }
})

test('host, origin and path are parts of the text', () => {
  const url = canonicalise('https://u@A.test:8443/b/c?d=//e#f')!
  assert.equal(hostOf(url), 'a.test:8443')
  assert.equal(originOf(url), 'https://a.test:8443')
  assert.equal(pathOf(url), '/b/c?d=//e')
  const bare = canonicalise('http://[::1]')!
  assert.deepEqual([hostOf(bare), originOf(bare), pathOf(bare)], ['[::1]', 'http://[::1]', '/'])
})

test('a site is a registrable domain, or a host that has none', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['www.example.com', 'example.com'],
    ['www.example.com:8080', 'example.com'],
    ['news.bbc.co.uk', 'bbc.co.uk'],
    ['www.detik.co.id', 'detik.co.id'],
    ['a.github.io', 'a.github.io'],
    ['github.io', 'github.io'],
    ['co.uk', 'co.uk'],
    ['one.localhost:8080', 'one.localhost'],
    ['localhost', 'localhost'],
    ['localhost:8080', 'localhost:8080'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1:81', '127.0.0.1:81'],
    ['[::1]:81', '[::1]:81'],
    ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['my_host.example.com', 'example.com'],
  ]
  for (const [host, site] of cases) assert.equal(siteOf(host), site, host)
})
