import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextPieces } from './text-pieces.ts'

function lineOf(text: string, maxLength = 100): { readonly line: string; readonly cut: boolean } {
  const pieces = new TextPieces(Buffer.from(text))
  return { line: pieces.line(0, Buffer.byteLength(text), maxLength), cut: pieces.cut }
}

const LINES: readonly (readonly [text: string, line: string])[] = [
  ['', ''],
  [' \n\t', ''],
  [' words\n', 'words'],
  ['two\nlines', 'two lines'],
  ['a\x1fcell \n\t indented', 'a cell indented'],
  ['kafé ok', 'kafé ok'],
]

for (const [text, line] of LINES) {
  test(`${JSON.stringify(text)} is one line: "${line}"`, () => {
    assert.deepEqual(lineOf(text), { line, cut: false })
  })
}

test('a line that is too long is cut between two characters and flagged', () => {
  assert.deepEqual(lineOf('abcdef', 5), { line: 'abcde', cut: true })
  assert.deepEqual(lineOf('\u{1F600}'.repeat(3), 5), { line: '\u{1F600}'.repeat(2), cut: true })
  assert.deepEqual(lineOf('é'.repeat(1000), 5), { line: 'é'.repeat(5), cut: true })
  assert.deepEqual(lineOf('é'.repeat(5), 5), { line: 'é'.repeat(5), cut: false })
})

test('a piece is sliced at its offsets, and beyond the end there is none', () => {
  const pieces = new TextPieces(Buffer.from('one é two'))
  assert.equal(pieces.line(0, 3, 10), 'one')
  assert.equal(pieces.line(3, 6, 10), 'é')
  assert.equal(pieces.line(6, 99, 10), 'two')
  assert.equal(pieces.line(50, 99, 10), '')
})
