import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asWritten } from './search-tokens.ts'
import { StemWords } from './stem-words.ts'
import { MAX_WORDS, urlText, wordsOf } from './words.ts'

const stems = new StemWords()

test('names with signs are words', () => {
  const named = wordsOf('C++ and C# or F#: .NET beside ASP.NET, AT&T, R&D, not x#1 or a & b')
  const names = ['cplusplus', 'csharp', 'fsharp', 'dotnet', "at'n't", "r'n'd"]
  assert.deepEqual(
    named.filter((word) => names.includes(word)),
    names,
  )
  assert.deepEqual(wordsOf('asp.net x#1 a & b R&B'), ['asp', 'net', 'x', '1', 'a', 'b', "r'n'b"])
  assert.deepEqual(wordsOf(urlText('http://a.test/?a&b&c')), ['a', 'test', 'a', 'b', 'c'])
})

test('a word of an index is shown as texts have it', () => {
  const shown = ['cplusplus', 'fsharp', 'dotnet', "at'n't", 'sharp', 'plusplus', "don't"]
  assert.deepEqual(shown.map(asWritten), [
    'c++',
    'f#',
    '.net',
    'at&t',
    'sharp',
    'plusplus',
    "don't",
  ])
  for (const word of shown) assert.deepEqual(wordsOf(asWritten(word)), [word])
})

test('Korean words are pairs of syllables, also beside other letters', () => {
  assert.deepEqual(wordsOf('한국어를 2024년 물'), ['한국', '국어', '어를', '2024', '년', '물'])
})

test('Arabic and Persian letters that look alike are one', () => {
  assert.deepEqual(wordsOf('كِتَابٌ الأُستاذ إلى مـــن'), wordsOf('كتاب الاستاذ الي من'))
  assert.deepEqual(wordsOf('کتاب‌ها می‌روم ۱۲۳'), wordsOf('كتاب ها مي روم 123'))
})

test('letters that are no accents are folded, too', () => {
  assert.deepEqual(wordsOf('Straße ŁÓDŹ Ærø'), ['strasse', 'lodz', 'aero'])
})

test('words are folded and cut the same way everywhere', () => {
  assert.deepEqual(wordsOf("Café ÜBER, don't; ﬁle"), ['cafe', 'uber', "don't", 'file'])
  assert.deepEqual(wordsOf('日本語'), ['日本', '本語'])
  assert.equal(wordsOf('a '.repeat(MAX_WORDS + 5)).length, MAX_WORDS)
})

test('stems carry their language and are no words of any text', () => {
  assert.deepEqual(stems.of(['crawlers', 'crawling'], 'en-GB'), ['crawler_en', 'crawl_en'])
  assert.deepEqual(stems.of(['makanan'], 'id'), ['makan_id'])
  assert.deepEqual(stems.of(['makanan'], 'ms'), ['makan_id'])
  assert.deepEqual(wordsOf('makan_id'), ['makan', 'id'])
})

test('stop words, numbers and languages without a stemmer have no stems', () => {
  assert.deepEqual(stems.of(['the', 'yang', '2024'], 'en'), [])
  assert.deepEqual(stems.of(['the', 'yang', '2024'], 'id'), [])
  assert.deepEqual(stems.of(['chats'], 'xx'), [])
})

test('words of a text whose language nothing tells have the stems of every language', () => {
  assert.deepEqual(stems.of(['makanan', 'yang'], ''), ['makanan_en', 'makan_id'])
})

test('a word stands for its stem in every language, or in the one that is asked for', () => {
  assert.deepEqual(stems.forms('makanan'), ['makanan_en', 'makan_id'])
  assert.deepEqual(stems.forms('makanan', 'id'), ['makan_id'])
  assert.deepEqual(stems.forms('makanan', 'xx'), [])
})

test('stems are made of words as they were written, and forms with accents are kept', () => {
  assert.deepEqual(stems.of(['häuser', 'haus'], 'de'), ['haus_de', 'häuser_', 'haus_de'])
  assert.deepEqual(stems.of(['книгами', 'книга'], 'ru'), ['книг_ru', 'книг_ru'])
  assert.deepEqual(new StemWords(['de', 'fr']).forms('chats'), ['chat_de', 'chat_fr'])
})

test('"and the" before an Arabic word is no part of its stem', () => {
  const school = stems.of(['مدرسة'], 'ar')
  assert.deepEqual(stems.of(['والمدرسة'], 'ar'), school)
  assert.deepEqual(stems.of(['فالمدرسة'], 'ar'), school)
  assert.deepEqual(stems.of(['والد'], 'ar'), ['والد_ar'])
})

test('a URL is read without its scheme and with its escapes', () => {
  assert.equal(urlText('https://a.test/caf%C3%A9?q=%E6%97%A5'), 'a.test/café?q=日')
  assert.equal(urlText('http://a.test/100%'), 'a.test/100%')
  assert.equal(urlText('http://a.test/%ff'), 'a.test/%ff')
})
