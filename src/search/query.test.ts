import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  MAX_PHRASE_WORDS,
  MAX_QUERY,
  MAX_QUERY_WORDS,
  MAX_STRICT_WORDS,
  mayBeMistaken,
  parseQuery,
  type Term,
} from './query.ts'

/** A query in short form: | separates alternatives, + joins a phrase, * marks a prefix, ~ any form. */
function short(text: string): string {
  const { all, none } = parseQuery(text)
  const wanted = all.map((terms) => terms.map(shortTerm).join('|'))
  return [...wanted, ...none.map((term) => `-${shortTerm(term)}`)].join(' ')
}

function shortTerm({ words, prefix, anyForm, fields }: Term): string {
  const mark = (prefix ? '*' : '') + (anyForm ? '~' : '')
  return (fields === null ? '' : `${fields.join(',')}:`) + words.join('+') + mark
}

const CASES: readonly (readonly [typed: string, meant: string])[] = [
  ['web crawler', 'web~ crawler~'],
  ['  Web   CRAWLER ', 'web~ crawler~'],
  ['"Web Crawler"', 'web+crawler'],
  ['"web"', 'web'],
  ['"never closed words', 'never+closed+words'],
  ['"never closed" "words here', 'never+closed words+here'],
  ['"green tea -coffee site:a.test', "green+tea host:a+test+' -coffee~"],
  ['"green tea OR coffee', 'green+tea|coffee~'],
  ['title:"green tea -coffee', 'title:green+tea -coffee~'],
  ['12" pizza stone -coffee', '12~ pizza~ stone~ -coffee~'],
  ['the 14" disc "green tea"', 'the~ 14~ disc~ green+tea'],
  ['green tea" -coffee', 'green~ tea~ -coffee~'],
  ['\u201cweb crawler\u201d', 'web+crawler'],
  ['craw*', 'craw*'],
  ['"web craw"*', 'web+craw*'],
  ['ab*', 'ab~'],
  ['*', ''],
  ['a OR b', 'a~|b~'],
  ['x a OR b | c y', 'x~ a~|b~|c~ y~'],
  ['a or b', 'a~ or~ b~'],
  ['OR a', 'a~'],
  ['a OR', 'a~'],
  ['a OR OR b', 'a~|b~'],
  ['a AND b & c', 'a~ b~ c~'],
  ['a -b', 'a~ -b~'],
  ['a NOT b', 'a~ -b~'],
  ['a -"b c"', 'a~ -b+c'],
  ['a OR -b', 'a~ -b~'],
  ['"OR"', 'or'],
  ['a - b', 'a~ b~'],
  ['--a', '-a~'],
  ['+a', 'a~'],
  ['title:news', 'title:news~'],
  ['TITLE:"good news"', 'title:good+news'],
  ['-title:news a', 'a~ -title:news~'],
  ['site:a.test host:b', "host:a+test+' host:b~"],
  ['inurl:x content:y intitle:z', 'url:x~ text:y~ title:z~'],
  ['title: news', 'title~ news~'],
  ['nope:x', 'nope+x'],
  ['constructor:x', 'constructor+x'],
  ['10:30', '10+30'],
  ['http://a.test/b%20c', 'a+test+b+c'],
  ['100%', '100~'],
  ['e-mail', 'e+mail'],
  ["don't", "don't~"],
  ['(a OR (b c))', 'a~|b~ c~'],
  ['NEAR(a b, 5)', 'near+a b~ 5~'],
  ['caf\u00e9', 'cafe~'],
  ['日本語', '日本+本語'],
  ['日', '日*'],
  ['', ''],
  ['\0', ''],
  ['a\0b', 'a+b'],
  ['\ud800 \udc00', ''],
]

for (const [typed, meant] of CASES) {
  test(`${JSON.stringify(typed)} is a query for ${JSON.stringify(meant)}`, () => {
    assert.equal(short(typed), meant)
  })
}

test('words around AND are required, those around & are as in any sentence', () => {
  const looseOf = (typed: string) => parseQuery(typed).all.flatMap((terms) => terms.map(({ loose }) => loose)) // biome-ignore format: one line
  assert.deepEqual(looseOf('salt AND pepper'), [false, false])
  assert.deepEqual(looseOf('salt & pepper'), [true, true])
})

test('words after a quote that never ends are a phrase that may be missing', () => {
  const looseOf = (typed: string) => parseQuery(typed).all.flatMap((terms) => terms.map(({ loose }) => loose)) // biome-ignore format: one line
  assert.deepEqual(looseOf('"green tea'), [true])
  assert.deepEqual(looseOf('"green tea"'), [false])
})

test('a quote that never ends loses no words, however many follow', () => {
  const { all, cut } = parseQuery(`"${'word '.repeat(MAX_PHRASE_WORDS + 1)}-coffee`)
  assert.deepEqual([all.length, cut], [2, false])
})

test('a sentence without spaces is several phrases', () => {
  const sentence = '茶农在清晨采摘茶叶，然后在阳光下晒干。'.repeat(3)
  const { all, cut } = parseQuery(sentence)
  assert.deepEqual([all.length, cut], [2, false])
  const { none, ...rest } = parseQuery(`tea -${sentence}`)
  assert.deepEqual([none.length, rest.used, rest.cut], [0, 'tea ', true])
})

test('what is too long is cut between characters, and that is reported', () => {
  const text = `${'ab '.repeat(20)}${'😀'.repeat(MAX_QUERY)}`
  const { used, cut } = parseQuery(text)
  assert.equal(cut, true)
  assert.ok(used.length <= MAX_QUERY && text.startsWith(used))
  assert.ok(used.isWellFormed())
  assert.equal(parseQuery('short').cut, false)
  assert.equal(parseQuery('x'.repeat(MAX_QUERY)).cut, false)
})

test('of too many words only the first count, and that is reported', () => {
  const text = 'a '.repeat(MAX_QUERY_WORDS + 1)
  const { all, used, cut } = parseQuery(text)
  assert.deepEqual([all.length, cut], [MAX_QUERY_WORDS, true])
  assert.equal(used, 'a '.repeat(MAX_QUERY_WORDS))
  const phrase = parseQuery(`x "${'a '.repeat(MAX_QUERY_WORDS)}" y`)
  assert.deepEqual([phrase.all[1]?.[0]?.words.length, phrase.cut], [MAX_PHRASE_WORDS, true])
  assert.equal(phrase.used, `x "${'a '.repeat(MAX_PHRASE_WORDS)}`.trimEnd())
})

test('fewer words may be required, excluded or alternatives: each of them is scored', () => {
  for (const sign of ['+a ', '-a ', 'title:a ', 'b OR ']) {
    const { all, none, cut } = parseQuery(sign.repeat(MAX_QUERY_WORDS))
    const words = [...all.flat(), ...none].flatMap((term) => term.words).length
    assert.deepEqual([cut, words <= MAX_STRICT_WORDS + 1], [true, true], sign)
  }
})

test('a word that has another spelling, a name and a stop word are no mistakes', () => {
  const mistaken = (typed: string) => mayBeMistaken(parseQuery(typed)).flatMap((term) => term.words)
  assert.deepEqual(mistaken('nodejs servr F#'), ['servr'])
  assert.deepEqual(mistaken('where does grren tea grow'), ['grren', 'tea', 'grow'])
  assert.deepEqual(mistaken('dos the'), ['dos'])
  assert.deepEqual(mistaken('does'), ['does'])
})
