import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE, partsIn, rowsOf } from '../../../test/html/part-rows.ts'
import { HtmlReader } from '../html/html-reader.ts'
import { type OtherLinks, parseRefresh } from './link-list.ts'
import { LinkResolver } from './link-resolver.ts'

function othersOf(html: string): OtherLinks | null {
  const { links } = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const resolver = new LinkResolver()
  resolver.rebase(PAGE)
  links.resolve(resolver, PAGE, false, () => ({ hi: 0, lo: 0 }))
  return links.others
}

const AT = 'http://site.test/folder/'

const LINKS: readonly (readonly [name: string, html: string, rows: unknown])[] = [
  ['words around it', '<p>See <a href=x>this</a> page.', [[`${AT}x`, 'this', '', 'See … page.']]],
  [
    'other words in the same line',
    '<p><a href=x>One</a>, <a href=y>two</a>',
    [
      [`${AT}x`, 'One', '', '… , two'],
      [`${AT}y`, 'two', '', 'One, …'],
    ],
  ],
  [
    'a second place with words around it',
    '<ul><li><a href=x>Menu</a></ul><p>About <a href=x>that</a>',
    [[`${AT}x`, 'Menu', '', 'About …']],
  ],
  [
    'two spellings',
    '<ul><li><a href=x></a></ul><p>About <a href=./x>that</a>',
    [[`${AT}x`, 'that', '', 'About …']],
  ],
  ['words that are hidden', '<p>a <b hidden>b <a href=x>c</a> d</b> e', [[`${AT}x`, 'c', '']]],
  ['a picture for words', '<p>See <a href=x><img alt=Map></a>', [[`${AT}x`, 'Map', '', 'See …']]],
]

for (const [name, html, rows] of LINKS) {
  test(`a link with ${name}`, () => assert.deepEqual(rowsOf('links', html), rows))
}

test('links that are not to pages are counted by their scheme', () => {
  const html = `<a href="javascript:void(0)"><a href="javascript:void(0)"><a href=" JavaScript:x">
    <a href="mailto:a@b.test"><area href="tel:+1"><iframe src="data:,x"></iframe>
    <a href="ftp://a.test/"><a href="Help:Contents"><a href="http://"><a href="?a:b"><a href=x>`
  const counts = { javascript: 3, mailto: 1, tel: 1, data: 1, other: 2, invalid: 1 }
  assert.deepEqual(othersOf(html), counts)
  assert.equal(othersOf('<a href=x><a href="https://a.test/"><a href="a/b:c">'), null)
})

test('links beyond the limit are cut and flagged', () => {
  const html = Array.from({ length: 30_000 }, (_, i) => `<a href=${i}>${i}</a>`).join(' ')
  const { parts, cut } = partsIn(html, ['links'])
  assert.deepEqual([JSON.parse(parts.links!).length, cut], [10_000, ['links']])
})

test('the context of links is bounded for the whole page', () => {
  const link = (i: number) => `<p>${'word '.repeat(30)}<a href=${i}>${i}</a>`
  const html = Array.from({ length: 5000 }, (_, i) => link(i)).join('')
  const { parts, cut } = partsIn(html, ['links'])
  assert.ok((parts.links?.length ?? 0) < 300_000)
  assert.deepEqual(cut, [])
})

test('endless hidden links cost nothing', () => {
  const html = `<p>${'<a href=x><i hidden>word</i>'.repeat(200_000)}`
  assert.equal(rowsOf('links', html).length, 1)
})

const CASES: readonly (readonly [content: string, delay: number | null, href: string])[] = [
  ['0; url=x', 0, 'x'],
  ['5;URL=x', 5, 'x'],
  ['5,x', 5, 'x'],
  ['5 x', 5, 'x'],
  ['5x', null, ''],
  ['x', null, ''],
  ['', null, ''],
  ['-1; url=x', null, ''],
  ['+1; url=x', null, ''],
  [' \t5 ; \n url \t= x', 5, 'x'],
  ['5', 5, ''],
  ['5;', 5, ''],
  ['.5; url=x', 0, 'x'],
  ['5.9; url=x', 5, 'x'],
  ['5..9; url=x', 5, 'x'],
  ['.; url=x', 0, 'x'],
  ['0; url="x" y', 0, 'x'],
  ["0; url='x", 0, 'x'],
  ['0; "x"y', 0, 'x'],
  ['0; url="', 0, ''],
  ['0; url', 0, 'url'],
  ['0; urlx', 0, 'urlx'],
  ['0; ur=x', 0, 'ur=x'],
  ['0; url==x', 0, '=x'],
  ['0; x;y', 0, 'x;y'],
  ['0;;x', 0, ';x'],
  ['0; url=a b', 0, 'a b'],
]

for (const [content, delaySeconds, href] of CASES) {
  test(`the refresh "${content}" leads to "${delaySeconds === null ? 'nowhere' : href}"`, () => {
    assert.deepEqual(parseRefresh(content), delaySeconds === null ? null : { delaySeconds, href })
  })
}
