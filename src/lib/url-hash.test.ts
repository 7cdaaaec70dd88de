import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StretchHash } from './url-hash.ts'

const hash = new StretchHash()

function keyOf(text: string, from?: number, end?: number): string {
  const { hi, lo } = hash.take(text, from, end)
  return `${hi} ${lo}`
}

test('a stretch has the hash of the same text alone', () => {
  for (const [from, end] of [
    [0, 0],
    [1, 2],
    [2, 7],
    [3, 9],
  ] as const) {
    assert.equal(keyOf('abcdefghi', from, end), keyOf('abcdefghi'.slice(from, end)))
  }
})

test('texts that are alike have hashes that are not', () => {
  const texts = Array.from({ length: 20_000 }, (_, n) => [
    `/p/${n}`,
    `/p/${n}/`,
    `/q?${n}\0`,
  ]).flat()
  const more = ['', '\0', '\0\0', '\0\0\0', 'ab', 'ba', '\u0100a', 'a\u0001', '🦊', '🦊🦊']
  assert.equal(new Set([...texts, ...more].map((text) => keyOf(text))).size, texts.length + 10)
  // By halves: of 60,000 numbers in 2³², less than one pair is equal by chance.
  const low = new Set(texts.map((text) => hash.take(text).lo))
  const high = new Set(texts.map((text) => hash.take(text).hi))
  assert.ok(low.size > texts.length - 20 && high.size > texts.length - 20)
})

test('hashes are other ones each time', () => {
  const other = new StretchHash().take('http://a.test/')
  assert.notEqual(`${other.hi} ${other.lo}`, keyOf('http://a.test/'))
})
