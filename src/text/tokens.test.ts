import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_WORD } from './text.ts'
import { lowerCased, tokens, tokensWithOffsets, withoutAccents } from './tokens.ts'

const CASES: readonly (readonly [what: string, text: string, words: string])[] = [
  [
    'words are lower-cased runs of letters and digits',
    'Covid19, in 2024: B2B!',
    'covid19 in 2024 b2b',
  ],
  ['hyphens divide, so doubled words count twice', 'anak-anak', 'anak anak'],
  ['an apostrophe between letters stays', "don't o'clock Qur'an", "don't o'clock qur'an"],
  ['a typographic apostrophe is the same', 'don’t', "don't"],
  ['quotes around a word do not', "'quoted' ‘so’ “too”", 'quoted so too'],
  ['a possessive is the word it belongs to', "Jakarta's all’s", 'jakarta all'],
  [
    'what French and Italian elide is a word',
    "l'homme d’accord dell'arte",
    'l homme d accord dell arte',
  ],
  ['full-width letters and ligatures are plain ones', 'Ａｐｐｌｅ ﬁne', 'apple fine'],
  ['letters beyond 16 bits are words too', '𝐀bc', 'abc'],
  ['accents written apart are joined', 'cafe\u0301', 'café'],
  ['a soft hyphen is not there', 'infor\u00admasi', 'informasi'],
  ['Han and kana give overlapping pairs', '日本語の', '日本 本語 語の'],
  ['the long-vowel mark belongs to its word', 'データ', 'デー ータ'],
  ['a lone ideograph is a word', '山 x', '山 x'],
  ['Thai gives pairs with their marks', 'ที่นี่', 'ที่นี่'],
  ['Hangul has spaces and gives words', '한국어 문서', '한국어 문서'],
  ['digits of other scripts are digits', '๒๕๖๗ ปี', '๒๕๖๗ ปี'],
  ['a combining mark alone is nothing', '\u0301 a', 'a'],
  ['NUL and lone surrogates divide', 'a\0b\ud800c\udc00d', 'a b c d'],
  ['text without words has none', ' .,;:!? \n\t 😀', ''],
]

for (const [what, text, words] of CASES) {
  test(`${what}`, () => assert.equal(tokens(text).join(' '), words))
}

test('accents can be left out of a word', () => {
  const words = tokens('Café Straße naïve').map(withoutAccents)
  assert.deepEqual(words, ['cafe', 'straße', 'naive'])
})

test('offsets are those of the text, whatever lower case does to it', () => {
  const text = 'İSTANBUL, Ａ and l’Été'
  for (const { start, end, word } of tokensWithOffsets(text)) {
    const there = tokens(text.slice(start, end))
    assert.deepEqual(there, [word])
  }
  assert.equal(lowerCased('İİ').length, 2)
})

test('no more words than asked for', () => {
  assert.deepEqual(tokens('a b c d', { max: 2 }), ['a', 'b'])
})

test('a word of five million letters is cut and the next one found', () => {
  const words = tokens(`${'x'.repeat(5_000_000)} end`)
  assert.deepEqual(words, ['x'.repeat(MAX_WORD), 'end'])
})

test('marks, apostrophes, joiners and halves without end are passed in one go', () => {
  for (const filler of ['\u0301', "'", "a'", '\u200d', '\ud800', 'ก\u0e48', '\u00ad', 'ﷺ', '𠀀']) {
    for (const word of tokens(filler.repeat(300_000), { max: 1000 })) {
      assert.ok(word.length <= MAX_WORD, JSON.stringify(filler))
    }
  }
})

test('a cut leaves no half of a character', () => {
  assert.ok(tokens(`a${'𐐀'.repeat(100)}`)[0]!.isWellFormed())
})

test('tokens of tokens are the same tokens', () => {
  const text = "Don't l'homme 日本語 café \u0130stanbul ﬁ ﷺ हिन्दी भाषा ไทยนี้ A\u030a"
  const once = tokens(text)
  assert.deepEqual(
    once.flatMap((word) => tokens(word)),
    once,
  )
})
