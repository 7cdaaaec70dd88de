import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../test/html/mutate.ts'
import { partsIn } from '../../../test/html/part-rows.ts'
import type { Part } from '../../core/page.ts'
import { canonicalise } from '../../core/url.ts'
import { LinkResolver } from './link-resolver.ts'

const BASES = [
  'http://site.test/',
  'https://site.test:8080/a/b/c.html?q=1/2',
  'http://site.test/a//b/',
  'http://127.0.0.1/x?y',
].map((base) => canonicalise(base)!)

const HREFS = [
  '',
  '.',
  '..',
  './',
  '../',
  '../..',
  './x',
  '../x',
  '../../../x',
  './../x',
  './/x',
  '.././x',
  'x',
  'x/',
  'x/..',
  'x/./y',
  'x/.y',
  '.x',
  '..x',
  '/',
  '/x',
  '//',
  '//other.test',
  '//other.test/x',
  '///x',
  '/..',
  '/../x',
  '/./x',
  '/.x',
  '?',
  '?x',
  '?x/../y',
  '?a=1&b=2',
  '#',
  '#x',
  'x#y',
  'x?y#z',
  'x:y',
  'x/y:z',
  '?x:y',
  'a b',
  ' x ',
  'x\n',
  '\tx',
  'x\\y',
  '\\x',
  'x%20y',
  'x%2fy',
  'x%7Ey',
  '%zz',
  "x'y",
  "?x'y",
  'x"y',
  'x<y',
  'x|y',
  'x^y',
  'x`y',
  'x{y}',
  'x[y]',
  'é',
  '?é',
  'x;y=1',
  'x,y',
  'x@y',
  '@x',
  'x~y',
  'x!$&()*+',
  'http:',
  'http:x',
  'http:/x',
  'http://',
  'http:///x',
  'http://other.test',
  'http://other.test?x',
  'http://other.test#x',
  'http://other.test/',
  'http://other.test/x/../y',
  'http://OTHER.test/X',
  'HTTP://other.test/x',
  'http://other.test:80/x',
  'http://other.test:81/x',
  'https://other.test:443/x',
  'http://other.test./x',
  'http://other..test/x',
  'http://-.test/x',
  'http://1.2/x',
  'http://0x7f.1/x',
  'http://1.2.3.4/x',
  'http://1.2.3.256/x',
  'http://a_b.test/x',
  'http://xn--a/x',
  'http://u:p@other.test/x',
  'http://other.test@/x',
  'http://other.test:/x',
  'http://other.test:99999/x',
  `http://${'a'.repeat(64)}.test/x`,
  'https://site.test/x',
  'http://site.test/x',
  'httpx',
  'https',
  'h',
  'ftp://other.test/x',
  'mailto:a@b',
  'JavaScript:x',
  'data:,x',
  'tel:1',
  'file:///x',
  'about:blank',
  'javascript',
  `/${'x'.repeat(8190)}`,
  `/${'x'.repeat(9000)}`,
  `${'../'.repeat(2000)}x`,
  `${'../'.repeat(3000)}x`,
]

function check(resolver: LinkResolver, href: string, base: string): void {
  assert.equal(resolver.resolve(href), canonicalise(href, base), `${href} on ${base}`)
}

test('every link resolves like canonicalise', () => {
  const resolver = new LinkResolver()
  for (const base of BASES) {
    resolver.rebase(base)
    for (const href of HREFS) check(resolver, href, base)
  }
})

test('links made of random pieces do too', () => {
  const random = createRandom(11)
  const pieces = [
    'a',
    'B',
    '1',
    '.',
    '..',
    '/',
    '//',
    '?',
    '&',
    '=',
    ':',
    '@',
    '%',
    '~',
    '-',
    'http:',
    'https://',
    'site.test',
    ';',
    '#',
    ' ',
  ]
  const resolver = new LinkResolver()
  for (let round = 0; round < 20_000; round++) {
    const base = BASES[random(BASES.length)]!
    resolver.rebase(base)
    let href = ''
    for (let count = random(8); count > 0; count--) href += pieces[random(pieces.length)]
    check(resolver, href, base)
  }
})

const LONG_BASE = `<base href="/${'x'.repeat(8000)}/">`

const SHORT: readonly (readonly [part: Part, tag: (nth: number) => string, most: number])[] = [
  ['links', (nth) => `<a href=${nth}>`, 522],
  ['images', (nth) => `<img src=${nth} srcset="b${nth} 2x">`, 65],
  ['scripts', (nth) => `<script src=${nth}></script>`, 130],
  ['styles', (nth) => `<link rel=stylesheet href=${nth}>`, 130],
]

for (const [part, tag, most] of SHORT) {
  test(`a long base does not inflate a small page: ${part}`, () => {
    const html = LONG_BASE + Array.from({ length: 600 }, (_, nth) => tag(nth)).join('')
    const { parts, cut } = partsIn(html, [part])
    assert.deepEqual([JSON.parse(parts[part]!).length, cut], [most, [part]])
  })
}
