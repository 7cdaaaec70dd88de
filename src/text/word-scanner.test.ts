import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText } from './text.ts'
import { WordScanner } from './word-scanner.ts'

test('a plain word has the hash of its letters, however it was found', () => {
  const text = `plain ещё o'clock jakarta's 日本 ${'y'.repeat(200)} end`
  const scanner = new WordScanner(text)
  let words = 0
  while (scanner.next()) {
    if (!scanner.plain) continue
    assert.equal(scanner.hash, hashText(text, scanner.start, scanner.end))
    words++
  }
  assert.equal(words, 7)
})

test('words that need NFKC or cleaning are said not to be plain', () => {
  for (const word of ['ﬁne', 'a\u0301', 'don’t', 'a\u00adb', '𝐀', 'ｱｲ']) {
    const scanner = new WordScanner(word)
    assert.ok(scanner.next())
    assert.equal(scanner.plain, false, JSON.stringify(word))
  }
})

test('no two different short words of a language share a hash by construction', () => {
  const seen = new Set<number>()
  for (let a = 0; a < 26; a++) {
    for (let b = 0; b < 26; b++) {
      for (let c = 0; c < 26; c++) seen.add(hashText(String.fromCharCode(97 + a, 97 + b, 97 + c)))
    }
  }
  assert.equal(seen.size, 26 ** 3)
  assert.ok(!seen.has(0))
})
