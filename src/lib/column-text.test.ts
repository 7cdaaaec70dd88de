import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonWithoutNul, wholeText, withoutNul } from './column-text.ts'

test('a NUL is left out wherever a text goes, half a pair of surrogates is reported as such', () => {
  assert.equal(withoutNul('a\0b'), 'ab')
  assert.equal(wholeText('a\0\ud800b'), 'a\ufffdb')
})

test('in JSON keys and values are treated alike, however deep', () => {
  const json = JSON.stringify({ 'a\0': ['\0b', { '\ud800': 'c\0', n: 1 }], d: null })
  assert.equal(jsonWithoutNul(json), '{"a":["b",{"\ufffd":"c","n":1}],"d":null}')
  assert.equal(jsonWithoutNul('{"__proto__":"\\u0000"}'), '{"__proto__":""}')
  assert.equal(jsonWithoutNul('{"a":1}'), '{"a":1}')
})
