import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageColumns } from '../page-columns.ts'
import { pageParts } from './page-vectors.ts'

const NO_WORDS: PageColumns = {
  ...{ title: [], title_stems: [], keywords: [], keywords_stems: [], description: [] },
  ...{ description_stems: [], text: [], stems: [], url: [], url_stems: [], host: [] },
}

test('a sign tells the column of a word, a label what it weighs', () => {
  const [part, ...others] = pageParts({
    ...NO_WORDS,
    ...{
      title: ["don't"],
      keywords: ['tea'],
      url: ['a'],
      host: ['a'],
      text: ['tea', 'cup', 'tea'],
    },
    ...{ title_stems: ["don't_en"], stems: ['tea_en', 'cup_en', 'tea_en'] },
  })
  assert.deepEqual(others, [])
  assert.equal(part?.words, `'!don''t':1A '#tea':2B '/a':3B '@a':4C 'tea':5,7 'cup':6`)
  assert.equal(part?.stems, `'!don''t_en':1A 'tea_en':2,4 'cup_en':3`)
})

test('a page without a word has one empty part', () => {
  assert.deepEqual(pageParts(NO_WORDS), [{ words: '', stems: '' }])
})

test('no part has more than a vector can count, and each repeats the end of the one before', () => {
  const text = Array.from({ length: 40_000 }, (_, nth) => `w${nth % 2 ? nth : 'same'}`)
  const parts = pageParts({ ...NO_WORDS, text })
  assert.ok(parts.length > 40_000 / 500)
  for (const { words } of parts) {
    const lexemes = words.split(' ').map((lexeme) => lexeme.split(':')[1]?.split(',') ?? [])
    assert.ok(lexemes.every((places) => places.length <= 255))
    assert.ok(lexemes.flat().every((fixture) => Number.parseInt(fixture, 10) <= 16_383))
  }
  const own = parts.flatMap(({ words }) => words.match(/(?<=[:,])\d+(?=[, ]|$)/g) ?? [])
  assert.equal(own.length, text.length)
  const repeated = parts.flatMap(({ words }) => words.match(/\d+C/g) ?? [])
  assert.equal(repeated.length, (parts.length - 1) * 31)
})

test('long words make shorter parts', () => {
  const text = Array.from({ length: 16_000 }, (_, nth) => `${nth}`.padEnd(64, '語'))
  for (const { words } of pageParts({ ...NO_WORDS, text })) {
    assert.ok(Buffer.byteLength(words) < 1_000_000)
  }
})
