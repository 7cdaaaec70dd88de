import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText } from '../text/text.ts'
import {
  createTermNamer,
  createTextReader,
  type ReadingRules,
  readingsBeside,
  simplestReading,
} from './reading.ts'

const PLAIN: ReadingRules = { language: '', keepsStopWords: true, usesWordParts: false }

/** Terms by name with their counts from the reader; both must have the same terms. */
function countsIn(text: string, rules: ReadingRules): Record<string, number> {
  const counts = createTextReader(rules).count(text)
  const names = [...new Set(createTermNamer(rules)(text))]
  assert.equal(names.length, counts.size, `${names} and ${counts.size} terms`)
  return Object.fromEntries(names.map((name) => [name, counts.get(hashText(name))]))
}

test('words are counted as they are where no language is known', () => {
  assert.deepEqual(countsIn('The boats, the BOATS!', PLAIN), { the: 2, boats: 2 })
})

test('stems and stop words are those of the language', () => {
  const rules = { ...PLAIN, language: 'en', keepsStopWords: false }
  assert.deepEqual(countsIn('The boats and the boat', rules), { boat: 2 })
  assert.deepEqual(countsIn('The boats', { ...rules, keepsStopWords: true }), { the: 1, boat: 1 })
})

test('parts of words have their ends marked, and are counted with their words', () => {
  const rules = { ...PLAIN, usesWordParts: true }
  assert.deepEqual(countsIn('laut laut', rules), { laut: 2, '#^lau': 2, '#laut': 2, '#aut$': 2 })
  assert.deepEqual(countsIn('di', rules), { di: 1 })
  const both = countsIn('jalan berjalan', rules)
  assert.deepEqual([both['#jala'], both['#lan$'], both['#^jal']], [2, 2, 1])
})

test('stop words have no parts either', () => {
  const rules = { language: 'id', keepsStopWords: false, usesWordParts: true }
  assert.deepEqual(countsIn('yang dengan', rules), {})
})

test('words in any script and form are read alike by both readers', () => {
  const text = 'ﬁne café 日本語 cafe\u0301 \u{1d400}bc naïve soft\u00adhyphen'
  const parts = countsIn(text, { ...PLAIN, usesWordParts: true })
  for (const [word, count] of Object.entries(countsIn(text, PLAIN))) {
    assert.equal(parts[word], count, word)
  }
})

test('counts are added to a table that is given', () => {
  for (const usesWordParts of [false, true]) {
    const reader = createTextReader({ ...PLAIN, usesWordParts })
    const counts = reader.count('one two', reader.count('two'))
    assert.equal(counts.get(hashText('two')), 2)
  }
})

test('a reader that has met more words than it remembers reads on as before', () => {
  const reader = createTextReader({ ...PLAIN, usesWordParts: true })
  const flood = Array.from({ length: 30_000 }, (_, n) => `word${n.toString(36)}`).join(' ')
  const before = reader.count('laut').size
  reader.count(flood)
  assert.equal(reader.count('laut').size, before)
  assert.ok(reader.count(flood).size > 30_000)
})

test('short texts are also read by parts of words, and stop words are tried both ways', () => {
  const shown = (language: string, words: number) => {
    const first = simplestReading(language)
    return [first, ...readingsBeside(first, words)].map(
      ({ keepsStopWords, usesWordParts }) =>
        `${keepsStopWords ? 'all' : 'no stop words'}${usesWordParts ? ' + parts' : ''}`,
    )
  }
  assert.deepEqual(shown('id', 400), ['no stop words', 'all'])
  assert.deepEqual(shown('id', 20), [
    'no stop words',
    'no stop words + parts',
    'all',
    'all + parts',
  ])
  assert.deepEqual(shown('', 20), ['all', 'all + parts'])
  assert.deepEqual(shown('', 400), ['all'])
})
