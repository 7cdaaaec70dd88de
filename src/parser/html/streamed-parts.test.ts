import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, mutate } from '../../../test/html/mutate.ts'
import { canonicalise } from '../../core/url.ts'
import { LinkResolver } from '../parts/link-resolver.ts'
import { HtmlReader, type HtmlReading } from './html-reader.ts'

const reader = new HtmlReader()
const PAGE = canonicalise('http://site.test/folder/page.html')!

function read(html: string): HtmlReading {
  return reader.read(Buffer.from(html), { isXml: false })
}

function textOf(html: string): string {
  return read(html).text.text()
}

function linksOf(html: string): Set<string> {
  const resolver = new LinkResolver()
  resolver.rebase(PAGE)
  const { rows } = read(html).links.resolve(resolver, PAGE, false, () => ({ hi: 0, lo: 0 }))
  return new Set(rows.map(([url]) => url))
}

const place = (id: string): string => `<template id="${id}"></template>`
const part = (id: string, html: string): string => `<div hidden id="${id}">${html}</div>`

const CASES: readonly (readonly [name: string, html: string, text: string])[] = [
  ['a part', `a${place('B:0')}c${part('S:0', 'b')}d`, 'a\nb\nc\nd'],
  [
    'a part of a part',
    `${place('B:0')}${part('S:0', `a${place('P:1')}c`)}${part('S:1', 'b')}`,
    'a\nb\nc',
  ],
  [
    'parts in any order',
    `${place('B:0')}${place('B:1f')}${part('S:1f', 'b')}${part('S:0', 'a')}`,
    'a\nb',
  ],
  ['a prefix of the site', `${place('app-B:0')}b${part('app-S:0', 'a')}`, 'a\nb'],
  [
    'a part with elements of its kind',
    `${place('B:0')}c${part('S:0', '<div>a</div>b')}`,
    'a\nb\nc',
  ],
  ['a part that is not ended', `${place('B:0')}b<main><div hidden id="S:0">a</main>c`, 'a\nb\nc'],
  ['a part that is cut off', `${place('B:0')}b<div hidden id="S:0">a`, 'b'],
  ['a part without a place', `a${part('S:0', 'b')}c`, 'a\nb\nc'],
  ['a place without a part', `a${place('B:0')}b`, 'ab'],
  ['two places for one part', `${place('B:0')}b${place('P:0')}c${part('S:0', 'a')}`, 'a\nb\nc'],
  ['two parts for one place', `${place('B:0')}b${part('S:0', 'a')}${part('S:0', 'c')}`, 'a\nb'],
  ['a part whose place is in itself', `a${part('S:0', `b${place('P:0')}c`)}`, 'a\nbc'],
  [
    'parts that have their places in each other',
    `${part('S:0', `a${place('P:1')}`)}${part('S:1', `b${place('P:0')}`)}`,
    'a\nb',
  ],
  ['other hidden elements', `${place('B:0')}${part('S:x', 'a')}${part('S:0x', 'b')}c`, 'c'],
  ['what is hidden in a part', `${place('B:0')}${part('S:0', 'a<p hidden>b</p>c')}`, 'a\nc'],
  [
    'a template with something in it',
    `<template id="B:0">x</template>b${part('S:0', 'a')}`,
    'b\na',
  ],
]

for (const [name, html, text] of CASES) {
  test(`a part that the server sent later is in its place: ${name}`, () => {
    assert.equal(textOf(html), text)
  })
}

test('an article that arrives late is in its place in the outline', () => {
  const html = `<main>${place('B:0')}</main>${part('S:0', '<p>words</p>')}`
  const { outline, source } = read(html)
  assert.equal(outline.blocks.count, 1)
  const at = outline.blocks.sourceFrom[0] ?? 0
  assert.equal(source.toString('utf8', at, at + 8), '<p>words')
  assert.ok(source.indexOf('<p>') < source.indexOf('</main>'))
})

test('parts nested a thousand deep are all written, once', () => {
  let html = place('B:0')
  for (let at = 0; at < 1000; at++) {
    html += part(`S:${at.toString(16)}`, `w${at} ${place(`P:${(at + 1).toString(16)}`)}`)
  }
  assert.equal(textOf(html).split(/\s+/).length, 1000)
})

test('beyond the limit of places and parts, some stay hidden', () => {
  let html = ''
  for (let at = 0; at < 10_000; at++)
    html += place(`B:${at.toString(16)}`) + part(`S:${at.toString(16)}`, 'w')
  assert.equal(textOf(html).split('w').length, 2001)
})

test('assembling a damaged page loses and adds no link', () => {
  const random = createRandom(77)
  const pieces = [
    place('B:0'),
    place('P:1'),
    part('S:0', `<p><a href=one>1</a>${place('P:1')}`),
    part('S:1', `<a href=two>2</a>${place('P:2')}<ul><li><a href=three>3</a></ul>`),
    part('S:2', '<table><tr><td><a href=four>4</a></table>'),
    '<p>Words <a href=five>5</a></p>',
    '<script>$RC("B:0","S:0")</script>',
  ]
  for (let round = 0; round < 1000; round++) {
    let html = '<!doctype html><body>'
    for (let count = 3 + random(10); count > 0; count--) html += pieces[random(pieces.length)]
    html = mutate(html, random)
    // A part with another name is read where it is; damage may put the name into links, too.
    const unnamed = (links: Set<string>) =>
      new Set([...links].map((url) => url.replaceAll('X', 'S')))
    const asItStands = linksOf(html.replaceAll('id="S:', 'id="X:'))
    assert.deepEqual(unnamed(linksOf(html)), unnamed(asItStands), JSON.stringify(html))
  }
})
