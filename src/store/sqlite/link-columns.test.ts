import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../lib/seeded-random.ts'
import { linkColumns } from './link-columns.ts'

function expected(json: string) {
  const rows: readonly (readonly string[])[] = JSON.parse(json)
  return { urls: rows.map((row) => row[0]), rels: rows.map((row) => row[2] ?? '') }
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
  for (const json of parts) assert.deepEqual(linkColumns(json), expected(json), json)
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
  }
})

test('what is no part at all is told by an error, not by half of it', () => {
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
