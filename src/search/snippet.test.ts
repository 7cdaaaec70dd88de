import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { findMatches, MAX_LOOKED_THROUGH } from './matches.ts'
import { parseQuery } from './query.ts'
import { type Marked, markAll, SNIPPET_LENGTH, snippetOf } from './snippet.ts'
import { StemWords } from './stem-words.ts'

const stems = new StemWords()
const FIELDS = ['text'] as const

function matchesIn(text: string, query: string, language = 'en') {
  return findMatches(text, parseQuery(query), { stems, language, fields: FIELDS })
}

function snippet(text: string, query: string): Marked {
  return snippetOf(text, matchesIn(text, query))
}

function marked({ text, marks }: Marked): string[] {
  return marks.map(([start, end]) => text.slice(start, end))
}

test('words, other forms of them, phrases and beginnings are marked', () => {
  const text = 'Crawlers crawl; a web crawler is crawling the Web. Café!'
  const marksFor = (query: string) => marked(markAll(text, matchesIn(text, query)))
  assert.deepEqual(marksFor('crawler'), ['Crawlers', 'crawler'])
  assert.deepEqual(marksFor('"crawler"'), ['crawler'])
  assert.deepEqual(marksFor('"web crawler"'), ['web crawler'])
  assert.deepEqual(marksFor('crawl*'), ['Crawlers', 'crawl', 'crawler', 'crawling'])
  assert.deepEqual(marksFor('"web craw"*'), ['web crawler'])
  assert.deepEqual(marksFor('cafe OR web'), ['web', 'Web', 'Café'])
})

test('what may not be there and what is asked of another field is not marked', () => {
  const text = 'tea and coffee'
  const marksFor = (query: string) => marked(markAll(text, matchesIn(text, query)))
  assert.deepEqual(marksFor('tea -coffee title:and'), ['tea'])
  assert.deepEqual(marksFor('text:coffee'), ['coffee'])
})

test('forms are those of the language of the page', () => {
  const text = 'makanan dan makan'
  const marksFor = (language: string) => marked(markAll(text, matchesIn(text, 'makan', language)))
  assert.deepEqual(marksFor('id'), ['makanan', 'makan'])
  assert.deepEqual(marksFor('en'), ['makan'])
})

test('pairs of characters that overlap become one mark', () => {
  const text = '毎日日本語を勉強します'
  assert.deepEqual(marked(markAll(text, matchesIn(text, '日本語'))), ['日本語'])
})

test('the window is where most of the words are', () => {
  const filler = 'Something else is told here. '.repeat(20)
  const text = `Only tea. ${filler}Here tea meets coffee and milk. ${filler}Only milk.`
  const found = snippet(text, 'milk coffee tea')
  assert.deepEqual(marked(found), ['tea', 'coffee', 'milk'])
  assert.match(found.text, /^….*Here tea meets coffee and milk\..*…$/)
  assert.ok(found.text.length <= SNIPPET_LENGTH + 2)
})

test('without a match it is the beginning, at most so long, and no word is cut', () => {
  assert.deepEqual(snippet('Short text.', 'other'), { text: 'Short text.', marks: [] })
  const { text } = snippet('Word after word. '.repeat(100), 'other')
  assert.match(text, /^Word after(?: word\. Word after)*(?: word\.)?(?: Word)?…$/)
  assert.deepEqual(snippet('', 'other'), { text: '', marks: [] })
})

test('a match at the very end is shown with what is before it', () => {
  const found = snippet(`${'Filler words here. '.repeat(50)}The end.`, 'end')
  assert.deepEqual(marked(found), ['end'])
  assert.ok(found.text.length > SNIPPET_LENGTH / 2)
  assert.ok(found.text.endsWith('The end.'))
})

test('white space, controls and marks of direction become single spaces', () => {
  const found = snippet('\u202eOne\n\n\ttwo\u0000\u001b[31m three\u2028 four\u200f', 'two four')
  assert.equal(found.text, 'One two [31m three four')
  assert.deepEqual(marked(found), ['two', 'four'])
})

test('characters that cannot be seen are left out, also inside of a match', () => {
  const found = snippet('Brewing \u200bGreen te\u00ada\ufeff leaves', 'tea')
  assert.equal(found.text, 'Brewing Green tea leaves')
  assert.deepEqual(marked(found), ['tea'])
})

test('markup stays what it is: text', () => {
  const found = snippet('<img src=x onerror=alert(1)> & more', 'alert')
  assert.equal(found.text, '<img src=x onerror=alert(1)> & more')
  assert.deepEqual(marked(found), ['alert'])
})

test('a text without an end to its words is cut between characters', () => {
  for (const piece of ['x', '😀', '\u{20000}', 'e\u0301']) {
    const found = snippet(piece.repeat(5000), 'other')
    assert.ok(found.text.isWellFormed(), piece)
    assert.ok(found.text.length <= SNIPPET_LENGTH + 2)
  }
})

test('only the first part of a very long text is looked through', () => {
  const text = `${'word '.repeat(MAX_LOOKED_THROUGH / 5)}needle`
  assert.deepEqual(marked(snippet(text, 'needle')), [])
})

test('whatever the text, marks are in order, inside, and on what was looked for', () => {
  const random = seededRandom(5)
  const pieces = ['tea', 'Teas', ' ', '\n', 'x'.repeat(300), '😀', '.', '日本', '\u0000', 'é', '  ']
  const pick = () => pieces[Math.floor(random() * pieces.length)] ?? ''
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: random() * 200 }, pick).join('')
    const { text: line, marks } = snippet(text, 'tea 日本')
    let last = 0
    for (const [start, end] of marks) {
      assert.ok(start >= last && end > start && end <= line.length)
      assert.match(line.slice(start, end), /^(?:teas?|日本|[日本]+)/i)
      last = end
    }
    assert.ok(line.length <= SNIPPET_LENGTH + 2)
  }
})
