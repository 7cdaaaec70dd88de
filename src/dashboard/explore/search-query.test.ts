import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  lastPage,
  markedPieces,
  readSearchQuery,
  searchQueryTexts,
  searchRequest,
  toggled,
} from './search-query.ts'

const NOTHING = readSearchQuery({})

test('what the address says is read back the same', () => {
  const query = { ...NOTHING, q: '"kopi tubruk" -teh', crawl: 'crawl_3', hot: true, page: 4 }
  assert.deepEqual(readSearchQuery(searchQueryTexts(query)), query)
  const more = { ...NOTHING, q: 'kopi', topic: 'minuman', since: '7d', all: true } as const
  assert.deepEqual(readSearchQuery(searchQueryTexts(more)), more)
  assert.deepEqual(searchQueryTexts(NOTHING), {})
})

test('a page of results becomes an offset', () => {
  const request = searchRequest({ ...NOTHING, q: 'kopi', page: 3 })
  assert.deepEqual(request, { q: 'kopi', limit: '20', offset: '40' })
})

test('what makes no sense in the address is left out', () => {
  const wrong = { crawl: '../etc', page: '-3', hot: 'x', all: '1', since: 'soon' }
  assert.deepEqual(readSearchQuery(wrong), NOTHING)
  assert.equal(readSearchQuery({ page: '1e12' }).page, 1)
  assert.equal(readSearchQuery({ q: 'x'.repeat(50_000) }).q.length, 10_000)
})

test('there are as many pages as hits, as far as the server looks', () => {
  assert.equal(lastPage(0), 1)
  assert.equal(lastPage(20), 1)
  assert.equal(lastPage(21), 2)
  assert.equal(lastPage(1e9), 501)
})

test('a facet is set and taken away by the same click', () => {
  const set = toggled({ ...NOTHING, page: 5 }, 'host', 'a.test')
  assert.equal(set.host, 'a.test')
  assert.equal(set.page, 1)
  assert.equal(toggled(set, 'host', 'a.test').host, '')
  assert.equal(toggled(set, 'host', 'b.test').host, 'b.test')
})

const shown = (text: string, marks: readonly (readonly number[])[]): string =>
  markedPieces(text, marks)
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('')

test('marks cut a text into pieces', () => {
  assert.equal(shown('kabar sehat hari ini', [[6, 11]]), 'kabar [sehat] hari ini')
  const marks = [
    [0, 5],
    [17, 20],
  ]
  assert.equal(shown('kabar sehat hari ini', marks), '[kabar] sehat hari [ini]')
  assert.equal(shown('kabar', []), 'kabar')
  assert.deepEqual(markedPieces('', [[0, 3]]), [])
})

test('marks that overlap, go backwards or point outside lose nothing of the text', () => {
  const text = 'abcdefgh'
  const cases: (readonly number[])[][] = [
    [
      [0, 4],
      [2, 6],
    ],
    [
      [5, 7],
      [0, 2],
    ],
    [[4, 2]],
    [[-5, 3]],
    [[6, 9e15]],
    [[Number.NaN, Number.POSITIVE_INFINITY]],
    [[], [1]],
    [[1.5, 3]],
  ]
  for (const marks of cases) {
    const pieces = markedPieces(text, marks)
    assert.equal(pieces.map((piece) => piece.text).join(''), text, JSON.stringify(marks))
  }
})

test('a mark does not cut a character in two', () => {
  assert.equal(shown('a😀b', [[2, 4]]), 'a[😀b]')
})

test('a flood of marks is cut, the text is not', () => {
  const text = 'x'.repeat(10_000)
  const marks = Array.from({ length: 5_000 }, (_, at) => [at * 2, at * 2 + 1])
  const pieces = markedPieces(text, marks)
  assert.ok(pieces.length <= 401)
  assert.equal(pieces.map((piece) => piece.text).join(''), text)
})
