import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeStopWords, MAX_STOP_WORDS, readStopWords } from './stop-words.ts'

const AT = '--stop-words'

test('a list has a word per line and remarks, each word once', () => {
  const text = '\ufeff# mine\nThe\r\n  Und # German\n\nThe\nseolah-olah\n# end'
  assert.deepEqual(readStopWords(text, AT), ['The', 'Und', 'seolah-olah'])
  assert.deepEqual(decodeStopWords(Buffer.from('kata\nwörter'), AT), ['kata', 'wörter'])
})

const REFUSED: readonly (readonly [what: string, bytes: Uint8Array, message: RegExp])[] = [
  ['what is not UTF-8', Buffer.from([0x61, 0x0a, 0xff, 0xfe]), /is not UTF-8/],
  ['what is no text', Buffer.from('a\nb\nc\0'), /line 3: is not a text/],
  ['signs alone', Buffer.from('a\n---'), /line 2: "---" has no letters/],
  ['a text', Buffer.from('kata\nini adalah sebuah kalimat'), /line 2: .* is not a word/],
  ['one endless line', Buffer.from('a'.repeat(101)), /line 1: /],
  ['no word at all', Buffer.from('# nothing\n\n'), /has no words/],
  [
    'more than any list has',
    Buffer.from(Array.from({ length: MAX_STOP_WORDS + 1 }, (_, nth) => `w${nth}`).join('\n')),
    /at most 10000/,
  ],
]

for (const [what, bytes, message] of REFUSED) {
  test(`${what} is refused as a list of stop words`, () => {
    assert.throws(() => decodeStopWords(bytes, AT), { name: 'InvalidInput', at: AT, message })
  })
}
