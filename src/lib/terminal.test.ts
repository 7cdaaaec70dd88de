import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cells, fit, safeLines, safeText } from './terminal.ts'

test('nothing from the web can steer the terminal', () => {
  const cases: [string, string][] = [
    ['plain', 'plain'],
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b]0;title\x07text', 'text'],
    ['\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1bPq...\x1b\\after', 'after'],
    ['a\x1b', 'a'],
    ['\x9b31mC1', '31mC1'],
    ['one\r\ntwo\tthree', 'one two three'],
    ['evil\u202egpj.exe', 'evilgpj.exe'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
    ['bell\x07 back\x08', 'bell back'],
    ['lone \ud800 half', 'lone \ufffd half'],
    ['fine 😀 検索 é', 'fine 😀 検索 é'],
  ]
  for (const [raw, safe] of cases) assert.equal(safeText(raw), safe)
})

test('text of several lines keeps its shape and nothing else', () => {
  const cases: [string, string][] = [
    ['one\r\ntwo\rthree\u2028four', 'one\ntwo\nthree\nfour'],
    ['if x:\n\treturn', 'if x:\n\treturn'],
    ['\x1b[2J\x1b]0;title\x07text\x9b31m', 'text31m'],
    ['a\x1b\nb\x00\x08', 'a\nb'],
    ['evil\u202egpj.exe\u2066\ufeff', 'evilgpj.exe'],
    ['می\u200cخواهم 👩\u200d🚀', 'می\u200cخواهم 👩\u200d🚀'],
    ['lone \ud800\n', 'lone \ufffd\n'],
  ]
  for (const [raw, safe] of cases) assert.equal(safeLines(raw), safe)
  assert.equal(safeLines('\x1b]'.repeat(50_000)).includes('\x1b'), false)
})

test('an escape that never ends costs no more than its length', () => {
  const endless = '\x1b]'.repeat(50_000)
  assert.equal(safeText(endless).includes('\x1b'), false)
})

test('width is counted in cells', () => {
  assert.equal(cells('abc'), 3)
  assert.equal(cells('検索'), 4)
  assert.equal(cells('e\u0301'), 1)
})

test('a text is cut to fit', () => {
  assert.equal(fit('abcdef', 6), 'abcdef')
  assert.equal(fit('abcdef', 5), 'abcd…')
  assert.equal(fit('検索結果', 5), '検索…')
  assert.equal(fit('abc', 0), '')
  assert.ok(fit(`a${'\u0301'.repeat(10_000)}`, 10).length < 100)
})
