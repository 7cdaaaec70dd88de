import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from './errors.ts'
import { compileGlob } from './glob.ts'
import { canonicalise } from './url.ts'

function matching(pattern: string, urls: readonly string[]): string[] {
  const glob = compileGlob(pattern)
  return urls.filter((url) => glob.matches(canonicalise(url)!))
}

test('a glob matches what it says', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    // With a scheme: the whole URL
    [
      'https://a.test/**',
      ['https://a.test/', 'https://a.test/b/c?d/e'],
      ['http://a.test/', 'https://b.a.test/'],
    ],
    ['https://a.test', ['https://a.test/', 'https://a.test/b'], ['https://a.test:8443/']],
    ['*://a.test/x', ['http://a.test/x', 'https://a.test/x'], ['http://a.test/xy']],
    ['http{,s}://a.test/x', ['http://a.test/x', 'https://a.test/x'], ['http://b.test/x']],
    ['HTTPS://A.Test/X', ['https://a.test/X'], ['https://a.test/x']],
    // With a slash: host and path
    [
      'a.test/b/*',
      ['http://a.test/b/c', 'https://a.test/b/', 'http://a.test/b/c?d/e'],
      ['http://a.test/b/c/d', 'http://x.a.test/b/c'],
    ],
    [
      '*.a.test/**',
      ['http://x.a.test/', 'http://x.y.a.test/z'],
      ['http://a.test/', 'http://xa.test/'],
    ],
    ['a.test:8080/**', ['http://a.test:8080/x'], ['http://a.test/x']],
    [
      '**/b/**',
      ['http://a.test/b/', 'http://a.test/x/b/c'],
      ['http://a.test/b', 'http://a.test/xb/c'],
    ],
    [
      'a.test/**/c',
      ['http://a.test/c', 'http://a.test/b/c', 'http://a.test/b/b/c'],
      ['http://a.test/bc', 'http://a.test/b/c/d'],
    ],
    ['a.test/b**/c', ['http://a.test/b/c', 'http://a.test/bb/x/c'], ['http://a.test/c']],
    [
      'a.test/p?',
      ['http://a.test/p1'],
      ['http://a.test/p', 'http://a.test/p/', 'http://a.test/p12'],
    ],
    [
      'a.test/{b,c/{d,e}}/*',
      ['http://a.test/b/x', 'http://a.test/c/d/x', 'http://a.test/c/e/x'],
      ['http://a.test/c/x'],
    ],
    ['a.test/x{,.html}', ['http://a.test/x', 'http://a.test/x.html'], ['http://a.test/x.htm']],
    // Path only
    [
      '/blog/**',
      ['http://a.test/blog/', 'https://b.test/blog/x'],
      ['http://a.test/', 'http://a.test/x/blog/y'],
    ],
    ['/search?q=*', ['http://a.test/search?q=x'], ['http://a.test/search']],
    [
      '/**/p*/',
      ['http://a.test/p/', 'http://a.test/b/c/page/'],
      ['http://a.test/p', 'http://a.test/b/p/q'],
    ],
    // One part
    ['a.test', ['http://a.test/', 'http://a.test/x'], ['http://b.a.test/', 'http://a.test:81/']],
    ['*.a.test', ['http://x.a.test/y'], ['http://a.test/']],
    [
      '*.pdf',
      ['http://a.test/x/y.pdf', 'http://a.test/.pdf'],
      ['http://a.test/x.pdf?y', 'http://a.test/x.pdf.html'],
    ],
    [
      '*logout*',
      ['http://a.test/logout', 'http://a.test/x/logout.php?y=1/2', 'http://a.test/logout/x'],
      ['http://a.test/login'],
    ],
    ['*?replytocom=*', ['http://a.test/x/y?replytocom=1'], ['http://a.test/replytocom=1']],
    // Spelling
    ['a.test/ü/*', ['http://a.test/%c3%bc/x'], ['http://a.test/u/x']],
    ['bücher.test/**', ['http://xn--bcher-kva.test/'], ['http://bucher.test/']],
    ['a.test/%7eb', ['http://a.test/~b'], []],
    ['a.test/x[1]', ['http://a.test/x[1]'], ['http://a.test/x1']],
    ['a.test/(x|y)+.$', ['http://a.test/(x|y)+.$'], ['http://a.test/x']],
    ['a.test/a,b', ['http://a.test/a,b'], ['http://a.test/a']],
    ['**', ['http://a.test/', 'https://b.test/x?y'], []],
    [' a.test/x ', ['http://a.test/x'], []],
  ]
  for (const [pattern, yes, no] of cases) {
    assert.deepEqual(matching(pattern, [...yes, ...no]), yes, pattern)
  }
})

test('a glob that makes no sense is refused with the option it came from', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /empty/],
    ['  ', /empty/],
    ['x'.repeat(513), /512/],
    ['a.test/{b', /open/],
    ['a.test/b}', /not open/],
    ['a.test/{a,{b}', /open/],
    ['{0,1}'.repeat(10), /too many/],
    ['a.test/b c', /white space/],
    ['ftp://a.test/**', /scheme/],
    ['javascript://x', /scheme/],
  ]
  for (const [pattern, message] of cases) {
    assert.throws(
      () => compileGlob(pattern, '--include'),
      (error) =>
        error instanceof InvalidInput && error.at === '--include' && message.test(error.message),
      pattern,
    )
  }
})

test('no glob makes matching explode', () => {
  const url = canonicalise(`http://a.test/${'a'.repeat(2000)}`)!
  const patterns = ['a.test/**a', '*a', '?*', 'a/'].map(
    (piece) => `${piece.repeat(500 / piece.length)}b`,
  )
  for (const pattern of [
    ...patterns,
    `/${'**/'.repeat(160)}b`,
    `/${'{a,}'.repeat(3)}${'*a'.repeat(200)}b`,
  ]) {
    assert.equal(compileGlob(pattern).matches(url), false, pattern)
  }
})

test('a glob answers the same however often and for whatever it is asked', () => {
  const glob = compileGlob('/*a*/b')
  const urls = ['/xax/b', '/xx/b', '/a/b', '/a', '/xax/b'].map(
    (path) => canonicalise(`http://h.test${path}`)!,
  )
  assert.deepEqual(
    urls.map((url) => glob.matches(url)),
    [true, false, true, false, true],
  )
})
