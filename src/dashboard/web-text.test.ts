import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeHref, visible, visibleLines } from './web-text.ts'

test('what cannot be seen is made visible', () => {
  assert.equal(visible('a\u0000b\u001b[31m'), 'a␀b␛[31m')
  assert.equal(visible('gpj.\u202eexe'), 'gpj.\ufffdexe')
  assert.equal(visible('one\n\ttwo\u2028three'), 'one two three')
})

test('a long text is cut between characters, whatever its length', () => {
  assert.equal(visible('x'.repeat(1_000_000), 5), 'xxxxx…')
  assert.equal(visible('ab😀', 3), 'ab…')
  assert.equal(visible('exact', 5), 'exact')
  assert.equal(visible(`${' '.repeat(1000)}end`, 10), ' …')
})

test('lines stay lines', () => {
  assert.equal(visibleLines('a\r\nb\rc\n\td\u0007', 100), 'a\nb\nc\n\td␇')
  assert.equal(visibleLines('abcdef', 3), 'abc…')
})

test('only addresses of the web can be opened', () => {
  const cases: [string, string | null][] = [
    ['https://a.test/x', 'https://a.test/x'],
    ['HTTP://a.test', 'http://a.test/'],
    ['javascript:alert(1)', null],
    [' java\nscript:alert(1)', null],
    ['data:text/html,<script>', null],
    ['/relative', null],
    ['//a.test/', null],
    ['file:///etc/passwd', null],
    ['', null],
    [`https://a.test/${'x'.repeat(10_000)}`, null],
  ]
  for (const [url, href] of cases) assert.equal(safeHref(url), href, url.slice(0, 60))
})
