import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markedPieces } from './marked-pieces.ts'

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
