import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlOf } from '../../test/ordering/ordering-run.ts'
import { tokens } from '../text/tokens.ts'
import { addressWords, pathWords } from './page-words.ts'

const CASES: readonly (readonly [url: string, words: string])[] = [
  ['http://docs.example.test/', 'docs example test'],
  ['http://a.test/star-maps_2/all.html?of=Mars', 'a test star maps 2 all html of mars'],
  ['http://a.test/b%C3%BCcher/%E6%98%9F%E7%A9%BA', 'a test bücher 星空'],
  ['http://a.test/100%25/%FF', 'a test 100 25 ff'],
]

for (const [url, words] of CASES) {
  test(`the words of ${url} are ${words}`, () => {
    assert.equal(tokens(addressWords(urlOf(url))).join(' '), words)
  })
}

test('the words of a path leave the host out', () => {
  assert.deepEqual(tokens(pathWords(urlOf('http://stars.test/moon?x'))), ['moon', 'x'])
})

test('a URL of any length is read as far as it tells something', () => {
  const long = urlOf(`http://a.test/${'%C3%BC/'.repeat(1000)}`)
  assert.ok(addressWords(long).length <= 300)
})
