import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText, withoutBrackets, withoutMarkup } from './clean-text.ts'

test('what a title names in angle brackets stays', () => {
  for (const title of [
    '<video>: The Video Embed element',
    '<br>: The Line Break element',
    '<b>: The Bring Attention To element',
    'Vec<T> in std::vec',
    'Map<String, List<T>>',
    '<Suspense> – React',
    'How do I read <meta charset="utf-8">?',
    'a < b and c > d',
  ]) {
    assert.equal(withoutMarkup(title), title)
  }
})

test('markup that a title was written with goes', () => {
  assert.equal(withoutMarkup('Growing <em>rice</em> in hills'), 'Growing rice in hills')
  assert.equal(withoutMarkup('Rice<br>in hills <br/> today'), 'Rice in hills today')
  assert.equal(withoutMarkup('<span class="x">Rice'), 'Rice')
  assert.equal(withoutMarkup('<p>Rice that was cut'), 'Rice that was cut')
  assert.equal(withoutMarkup('Rice</b>'), 'Rice')
  assert.equal(withoutMarkup('<custom-tag>Rice</custom-tag> &amp; more'), 'Rice & more')
})

test('text of a page keeps all that can be seen', () => {
  assert.equal(plainText('<b>a</b> &amp;\u00a0b\u00ad\u200bc'), '<b>a</b> &amp; bc')
})

test('a name keeps nothing of the brackets behind it', () => {
  assert.equal(withoutBrackets('by <a href=x>Jane Doe</a> &lt;jane@a.test>'), 'by Jane Doe')
})

test('a text of open brackets is read in linear time', () => {
  const text = `${'<'.repeat(50_000)}${'<a '.repeat(50_000)}${'a'.repeat(50_000)}`
  assert.equal(withoutMarkup(text).length, text.length)
})
