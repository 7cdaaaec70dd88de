import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, mutate } from '../../../test/html/mutate.ts'
import { referenceLinks } from '../../../test/html/reference.ts'
import { canonicalise } from '../../core/url.ts'
import { LinkResolver } from '../parts/link-resolver.ts'
import { HtmlReader, type HtmlReading } from './html-reader.ts'

const reader = new HtmlReader()
const PAGE = canonicalise('http://site.test/folder/page.html')!

function read(html: string, isXml = false): HtmlReading {
  return reader.read(Buffer.from(html), { isXml, parts: ['images'] })
}

function linksOf(html: string, isXml = false): string[] {
  const { links, notes } = read(html, isXml)
  const resolver = new LinkResolver()
  resolver.rebase((notes.baseHref === null ? null : canonicalise(notes.baseHref, PAGE)) ?? PAGE)
  return links.resolve(resolver, PAGE, false, () => ({ hi: 0, lo: 0 })).rows.map(([url]) => url)
}

/** Paths of the links, relative to the page's folder. */
function pathsOf(html: string, isXml = false): string {
  return linksOf(html, isXml)
    .map((url) => url.replace('http://site.test/folder/', ''))
    .join(' ')
}

const TOKENS: readonly (readonly [name: string, html: string, links: string])[] = [
  ['double quotes', '<a href="x">', 'x'],
  ['single quotes', "<a href='x'>", 'x'],
  ['no quotes', '<a href=x>', 'x'],
  ['no quotes with a slash at the end', '<a href=x/>', 'x/'],
  ['blanks around the equals sign', '<a href \n=\t x>', 'x'],
  ['upper case', '<A HREF=x>', 'x'],
  ['a form feed between name and attribute', '<a\fhref=x>', 'x'],
  ['a slash between name and attribute', '<a/href=x>', 'x'],
  ['slashes between attributes', '<a / / href=x / >', 'x'],
  ['no blank between attributes', '<a title="t"href="x">', 'x'],
  ['the first of two equal attributes', '<a href=x href=y>', 'x'],
  ['the first of two, in any case', '<a HREF=x href=y>', 'x'],
  ['an attribute that begins with an equals sign', '<a =href=y href=x>', 'x'],
  ['a quote within a name', '<a b"c href=x>', 'x'],
  ['a value that is missing', '<a title= href=x>', ''],
  ['a greater-than sign in quotes', '<a title="a>b" href=x>', 'x'],
  ['an end of tag where a value should be', '<a title=><a href=x>', 'x'],
  ['a reference in the value', '<a href="?a=1&amp;b=2">', '?a=1&b=2'.replace(/^/, 'page.html')],
  ['a legacy reference before an equals sign', '<a href="?a&copy=1">', 'page.html?a&copy=1'],
  ['a legacy reference at the end', '<a href="x&amp">', 'x&'],
  ['a numeric reference', '<a href="&#x78;&#121;">', 'xy'],
  ['a tag without an end', '<a href=x>1</a><a href=y', 'x'],
  ['a quote without an end', '<a href=x>1</a><a href="y>2</a>', 'x'],
  ['a name that only begins like one', '<ab href=x><a-b href=y>', ''],
  ['a less-than sign that begins nothing', '1 < 2 <3 <<a href=x>', 'x'],
  ['a comment', '<!-- <a href=y> --><a href=x>', 'x'],
  ['a comment of nothing', '<!--><a href=x>', 'x'],
  ['a comment of a hyphen', '<!---><a href=x>', 'x'],
  ['a comment of two hyphens', '<!----><a href=x>', 'x'],
  ['a comment that ends with a bang', '<!-- a --!><a href=x>', 'x'],
  ['a comment with a greater-than sign', '<!-- a > b --><a href=x>', 'x'],
  ['a comment without an end', '<!-- <a href=x>', ''],
  ['a hyphen and a bang that end nothing', '<!---!><a href=y>--><a href=x>', 'x'],
  ['a bogus comment', '<!x <a href=y><a href=x>', 'x'],
  ['an instruction', '<?php "<a href=y>" ?><a href=x>', 'x'],
  ['an end tag without a name', '</><a href=x>', 'x'],
  ['an end tag that is a comment', '</ <a href=y><a href=x>', 'x'],
  ['an end tag with attributes', '<b></b href="y>"><a href=x>', 'x'],
  ['a doctype', '<!DOCTYPE html PUBLIC "a>b"><a href=x>', 'x'],
  ['CDATA in HTML, which is a comment', '<![CDATA[<a href=y>]]><a href=x>', 'x'],
  ['CDATA in SVG', '<svg><![CDATA[<a href=y>]]></svg><a href=x>', 'x'],
  ['CDATA in HTML in SVG', '<svg><desc><![CDATA[<a href=y>]]><a href=x>', 'x'],
  ['a NUL in the value', '<a href="a\0b">', 'a%EF%BF%BDb'],
]

for (const [name, html, links] of TOKENS) {
  test(`links are found as the standard tokenises them: ${name}`, () => {
    assert.equal(pathsOf(html), links)
    assert.deepEqual(new Set(linksOf(html)), referenceLinks(html, PAGE))
  })
}

test('an area with nohref is not a link', () => {
  assert.equal(pathsOf('<map><area nohref href=y><area href=x></map>'), 'x')
})

test('a base in a noscript is ignored', () => {
  assert.equal(pathsOf('<noscript><base href=/other/></noscript><a href=x>'), 'x')
})

const RAW: readonly (readonly [name: string, html: string, links: string])[] = [
  ['script', '<script>"<a href=y>"</script><a href=x>', 'x'],
  ['script, end tag in another case', '<script><a href=y></SCRIPT ><a href=x>', 'x'],
  ['script, something like its end tag', '<script></scripty><a href=y></script><a href=x>', 'x'],
  ['script without an end', '<script><a href=y>', ''],
  ['script in a comment', '<script><!-- <a href=y> --></script><a href=x>', 'x'],
  ['script in script', '<script><!--<script></script><a href=y>--></script><a href=x>', 'x'],
  ['script in script, comment over', '<script><!--<script>--></script><a href=x>', 'x'],
  ['script with an empty comment', '<script><!--><script></script><a href=x>', 'x'],
  ['style', '<style><a href=y></style><a href=x>', 'x'],
  ['title', '<title><a href=y></title><a href=x>', 'x'],
  ['textarea', '<textarea><a href=y></textarea><a href=x>', 'x'],
  ['xmp', '<xmp><a href=y></xmp><a href=x>', 'x'],
  ['iframe', '<iframe><a href=y></iframe><a href=x>', 'x'],
  ['noembed', '<noembed><a href=y></noembed><a href=x>', 'x'],
  ['noframes, which is markup to us', '<noframes><a href=y></noframes><a href=x>', 'y x'],
  ['noscript, which is markup to us', '<noscript><a href=x></noscript>', 'x'],
  ['a frame in noscript', '<noscript><iframe src=f /></noscript><a href=x>', 'f x'],
  ['styles in noscript', '<noscript><style>a</noscript><a href=x>', 'x'],
  ['a text area in noscript', '<noscript><textarea></noscript><a href=x>', 'x'],
  ['a title in noscript', '<head><noscript><title></noscript><a href=x>', 'x'],
  ['XMP in noscript', '<noscript><xmp></noscript><a href=x>', 'x'],
  ['plaintext in noscript', '<noscript><plaintext></noscript><a href=x>', 'x'],
  ['a comment in noscript', '<noscript><!-- </noscript><a href=x>--><a href=y>', 'x y'],
  ['a value in noscript', '<noscript><img alt="</noscript><a href=x>"><a href=y>', 'x y'],
  ['a template in noscript', '<noscript><template></noscript><a href=x>', 'x'],
  ['a drawing in noscript', '<noscript><svg><style></noscript><style><a href=y></style>', ''],
  ['a script in noscript', '<noscript><script></noscript><a href=x></script>', 'x'],
  ['noscript without an end', '<noscript><a href=x><noscript><a href=y>', 'x y'],
  ['a frame in noframes', '<noframes><iframe src=f></noframes><a href=x>', 'f x'],
  ['plaintext', '<a href=x>1</a><plaintext></plaintext><a href=y>', 'x'],
  ['title in SVG', '<svg><title><a href=x></title></svg>', 'x'],
  ['style in SVG', '<svg><style><a href=x></style></svg>', 'x'],
  ['script in SVG that is closed at once', '<svg><script/></svg><a href=x>', 'x'],
  ['style in HTML in SVG', '<svg><foreignObject><style><a href=y></style><a href=x>', 'x'],
  ['style behind SVG', '<svg></svg><style><a href=y></style><a href=x>', 'x'],
  ['style behind SVG that HTML ended', '<svg><g><p><style><a href=y></style><a href=x>', 'x'],
  ['style in a text of MathML', '<math><mi><style><a href=y></style></mi></math><a href=x>', 'x'],
  ['a link of SVG', '<svg><a xlink:href=x></a></svg>', 'x'],
  ['a template', '<template><a href=y></template><a href=x>', 'x'],
  ['templates within each other', '<template><template></template><a href=y></template>', ''],
  ['a declared shadow tree', '<template shadowrootmode=open><a href=x></template>', 'x'],
]

for (const [name, html, links] of RAW) {
  test(`text that is not markup has no links: ${name}`, () => {
    assert.equal(pathsOf(html), links)
    assert.deepEqual(new Set(linksOf(html)), referenceLinks(html, PAGE))
  })
}

const SOURCES: readonly (readonly [html: string, links: string])[] = [
  ['<area href=x alt=y>', 'x'],
  ['<iframe src=x></iframe>', 'x'],
  ['<frameset><frame src=x></frameset>', 'x'],
  ['<link rel=next href=x><link rel=prev href=y>', 'x y'],
  ['<link rel="alternate" hreflang=id href=x>', 'x'],
  ['<link rel=alternate type=text/html href=x>', 'x'],
  ['<link rel=alternate type=application/rss+xml href=x>', ''],
  ['<link rel="alternate stylesheet" href=x>', ''],
  ['<link rel=stylesheet href=x><link rel=canonical href=y>', ''],
  ['<meta http-equiv=refresh content="0; url=x">', 'x'],
  ['<meta http-equiv=refresh content="600; url=x">', ''],
  ['<img src=x><form action=y><script src=z></script>', ''],
  ['<a name=x>', ''],
  ['<a href="">1</a><a href="#f">2</a><a href="page.html#g">3</a><a href=" ">4</a>', ''],
  ['<a href="x#1">1</a><a href="x#2">2</a><a href=" x ">3</a><a href="./x">4</a>', 'x'],
  ['<a href="mailto:a@b">1</a><a href="JavaScript:x()">2</a><a href="ftp://h/">3</a>', ''],
  ['<a href="java\nscript:x()">1</a><a href="&#106;avascript:x()">2</a>', ''],
]

for (const [html, links] of SOURCES) {
  test(`links come from ${html}`, () => assert.equal(pathsOf(html), links))
}

test('the first base with a href applies to all links, even earlier ones', () => {
  const html = '<a href=x><base target=_top><base href="/b/"><base href="/c/">'
  assert.deepEqual(linksOf(html), ['http://site.test/b/x'])
})

test('an invalid base is the page itself', () => {
  assert.equal(pathsOf('<base href="javascript:1"><base href=/c/><a href=x>'), 'x')
})

function anchorsOf(html: string): (readonly [string, string])[] {
  const resolver = new LinkResolver()
  resolver.rebase(PAGE)
  const { rows } = read(html).links.resolve(resolver, PAGE, false, () => ({ hi: 0, lo: 0 }))
  return rows.map(([, anchor, rel]) => [anchor, rel])
}

const ANCHORS: readonly (readonly [html: string, anchor: string, rel: string])[] = [
  ['<a href=x> the\n <b>words</b> </a> after', 'the words', ''],
  ['before<a href=x>words<p>below</a>', 'words below', ''],
  ['<a href=x><img alt=" a  picture "></a>', 'a picture', ''],
  ['<a href=x><img alt=picture>words</a>', 'words', ''],
  ['<area href=x alt=spot>', 'spot', ''],
  ['<a href=x></a><a href=x>later</a>', 'later', ''],
  ['<a href=x>words<a href=y>other</a>', 'words', ''],
  ['<a href=x rel=" NoFollow  UGC ">words</a>', 'words', 'nofollow ugc'],
  ['<div hidden><a href=x>words</a></div>', 'words', ''],
  ['<div hidden><a href=x>words</div>more', 'words', ''],
  ['<div hidden><a href=x>words</a></div><a href=x>shown</a>', 'shown', ''],
  ['<a href=x><i hidden>unseen</i>words</a>', 'words', ''],
  ['<a href=x>words<i hidden>unseen</i> and more</a>', 'words and more', ''],
  ['<a href=x><i hidden>unseen</i></a>', 'unseen', ''],
  ['<a href=x><svg><title>Picture</title><path/></svg></a>', 'Picture', ''],
  ['<a href=x><svg><style>a{}</style><title>Picture</title></svg></a>', 'Picture', ''],
  ['<a href=x><noscript>no script</noscript>words</a>', 'words', ''],
  [`<a href=x>${'w'.repeat(400)}</a>`, 'w'.repeat(300), ''],
  [`<a href=x>${'\u{1F600}'.repeat(151)}</a>`, '\u{1F600}'.repeat(150), ''],
]

for (const [html, anchor, rel] of ANCHORS) {
  test(`the anchor text of ${html.slice(0, 60)} is "${anchor.slice(0, 30)}"`, () => {
    assert.deepEqual(anchorsOf(html)[0], [anchor, rel])
  })
}

const FOREIGN = /<(?:svg|math|mi|desc|foreignObject)\b/i

test('links of damaged whole pages are those a full parser finds', () => {
  const random = createRandom(20_261_115)
  for (let round = 0; round < 300; round++) {
    const html = mutate(samplePage(random, PIECES), random)
    if (FOREIGN.test(html)) continue
    assert.deepEqual(new Set(linksOf(html)), referenceLinks(html, PAGE), JSON.stringify(html))
  }
})

test('broken SVG and MathML change at most a few of them', () => {
  const random = createRandom(5)
  let total = 0
  let wrong = 0
  for (let round = 0; round < 500; round++) {
    const html = mutate(samplePage(random, [...PIECES, ...FOREIGN_PIECES]), random)
    const expected = referenceLinks(html, PAGE)
    total += expected.size
    wrong += expected.symmetricDifference(new Set(linksOf(html))).size
  }
  assert.ok(wrong <= total / 200, `${wrong} of ${total}`)
})

const PIECES = [
  '<p>Words &amp; more <a href="a/&quot;b">one</a>',
  '<ul><li><a href=\'?q=1&copy=2\'>two</a><li><a title="x>y" href=three>3</a></ul>',
  '<table><tr><td><a href=four>4</a><td>&nbsp;</table>',
  '<script>if (a < b) document.write("<a href=no>")</script>',
  '<!-- <a href=no> --><a name=n href=six>',
  '<noscript><img src=i><a href=seven></a></noscript>',
  '<div class="a b" data-x=\'{"a":1}\'><h2>T</h2><iframe src=nine></iframe></div>',
  '<textarea><a href=no></textarea><a\nhref\n=\nten\n>10</a>',
]
const FOREIGN_PIECES = [
  '<svg><a xlink:href=five><title>t</title></a><style>a > b {}</style></svg>',
  '<math><mi>x</mi><annotation-xml encoding="text/html"><a href=eight></a></annotation-xml></math>',
]

function samplePage(random: (below: number) => number, pieces: readonly string[]): string {
  let page = '<!doctype html><html lang=en><head><title>A < B</title></head><body>'
  for (let count = 4 + random(12); count > 0; count--) page += pieces[random(pieces.length)]
  return `${page}</body></html>`
}
