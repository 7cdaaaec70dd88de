import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { eachVouchedUrl, linkColumns } from './link-columns.ts'

function expected(json: string) {
  const rows: readonly (readonly string[])[] = JSON.parse(json)
  return { urls: rows.map((row) => row[0]), rels: rows.map((row) => row[2] ?? '') }
}

function vouchedUrls(json: string): string[] {
  const urls: string[] = []
  eachVouchedUrl(json, (text, from, end) => urls.push(text.slice(from, end)))
  return urls
}

function expectedVouched(json: string) {
  const { urls, rels } = expected(json)
  return urls.filter((_, nth) => !/(^| )(nofollow|ugc|sponsored)( |$)/.test(rels[nth] ?? ''))
}

test('URLs and rels are those that a whole parse gives', () => {
  const parts: readonly string[] = [
    '[]',
    '[["http://a.test/"]]',
    '[["http://a.test/","an anchor"],["http://a.test/2","","nofollow"]]',
    '[["http://a.test/","says \\"],[\\"","ugc","a \\\\"],["http://b.test/","\\\\\\\\"]]',
    '[["http://a.test/?q=\\\\x","]]","","[["]]',
    // Not as the parser writes it, and still read.
    '[ ["http://a.test/", "x", "nofollow"] ]',
    '[["http://a.test/",null,"nofollow"]]',
    '[["http://a.test/"] ]',
  ]
  for (const json of parts) {
    assert.deepEqual(linkColumns(json), expected(json), json)
    assert.deepEqual(vouchedUrls(json), expectedVouched(json), json)
  }
})

test('whatever stands in anchors and contexts is passed over', () => {
  const random = seededRandom(11)
  const pieces = [
    '"',
    '\\',
    ',',
    '[',
    ']',
    ' ',
    'a',
    '\n',
    '\u2028',
    '🦊',
    '","',
    '"],["',
    '\u0000',
  ]
  const text = (): string =>
    Array.from({ length: Math.floor(random() * 8) }, () => {
      return pieces[Math.floor(random() * pieces.length)]
    }).join('')
  for (let round = 0; round < 3000; round++) {
    const rows = Array.from({ length: Math.floor(random() * 4) }, () =>
      [`http://a.test/${text()}`, text(), text(), text()].slice(0, 1 + Math.floor(random() * 4)),
    )
    const json = JSON.stringify(rows)
    assert.deepEqual(linkColumns(json), expected(json), json)
    assert.deepEqual(vouchedUrls(json), expectedVouched(json), json)
  }
})

test('links that their page does not vouch for are passed over, however they are written', () => {
  const rows = [
    ['http://a.test/1', 'x', 'nofollow'],
    ['http://a.test/2?q=\\', 'x \\', 'noopener'],
    ['http://a.test/3', '', 'a ugc'],
    ['http://a.test/4', ']]"', 'nofollows', '\\"'],
    ['http://a.test/5'],
    ['http://a.test/6', '', 'sponsored\t'],
  ]
  const urls = [2, 4, 5, 6].map((nth) => rows[nth - 1]?.[0])
  assert.deepEqual(vouchedUrls(JSON.stringify(rows)), urls)
  assert.deepEqual(vouchedUrls(JSON.stringify(rows, null, 1)), urls)
})

test('what is no part at all is reported by an error, not by half of it', () => {
  for (const json of [
    '',
    '[',
    '[["http://a.test/"',
    '[["http://a.test/"],',
    '[["http://a.test/"]]x',
  ]) {
    assert.throws(() => linkColumns(json), SyntaxError, json)
  }
})

test('a part of nothing but quotes and backslashes takes no longer for that', () => {
  const words = '\\"'.repeat(200_000)
  const json = JSON.stringify([['http://a.test/', words, 'nofollow', words]])
  assert.deepEqual(linkColumns(json), { urls: ['http://a.test/'], rels: ['nofollow'] })
})
