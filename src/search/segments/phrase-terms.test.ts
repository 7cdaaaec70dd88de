import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommonWord, CommonWords } from './common-words.ts'
import type { IndexView } from './index-view.ts'
import { type PhraseWords, phraseSpans } from './phrase-terms.ts'

const SEGMENTS = [
  { id: 1, base: 0, end: 600, meanLength: 1 },
  { id: 2, base: 600, end: 1000, meanLength: 1 },
]

function spansOf(words: readonly CommonWord[], phrase: PhraseWords) {
  const view = { segments: SEGMENTS, end: 1000, common: new CommonWords(words) }
  return phraseSpans(view as unknown as IndexView, phrase).map((span) => ({
    pages: [span.base, span.end],
    terms: span.terms.map(({ term, offset }) => `${offset} ${term}`),
    segments: span.view.segments.map(({ id }) => id),
  }))
}

const common = (word: string, since: number): CommonWord => ({ word, level: 1, since })
const phrase = (text: string, prefix = false) => ({ words: text.split(' '), prefix })

test('common words in a row are looked for as pairs, whatever stands around them', () => {
  const terms = (text: string, prefix = false) => spansOf([], phrase(text, prefix))[0]?.terms
  assert.deepEqual(terms('leaf of the bowl'), ['0 leaf', '1 of the', '3 bowl'])
  assert.deepEqual(terms('of the in'), ['0 of the', '1 the in'])
  assert.deepEqual(terms('of the in a'), ['0 of the', '2 in a'])
  assert.deepEqual(terms('of the', true), ['0 of'])
  assert.deepEqual(terms('of the bowl', true), ['0 of the'])
})

test('a pair of words that became common is looked for from that page on, and by its words before', () => {
  const words = [common('green', 300), common('leaf', 700), common('bowl', 100)]
  assert.deepEqual(spansOf(words, phrase('green leaf')), [
    { pages: [0, 700], terms: ['0 green', '1 leaf'], segments: [1, 2] },
    { pages: [700, 1000], terms: ['0 green leaf'], segments: [2] },
  ])
  assert.deepEqual(
    spansOf(words, phrase('leaf bowl green')).map(({ pages, terms }) => [pages, terms]),
    [
      [
        [0, 300],
        ['0 leaf', '1 bowl', '2 green'],
      ],
      [
        [300, 700],
        ['0 leaf', '1 bowl green'],
      ],
      [
        [700, 1000],
        ['0 leaf bowl', '1 bowl green'],
      ],
    ],
  )
  assert.equal(spansOf(words, phrase('green leaf', true)).length, 1, 'a prefix is no word')
})

test('pairs that are terms since the first pages begin together', () => {
  const words = [common('green', 20), common('leaf', 30), common('bowl', 50), common('cover', 500)]
  const pages = spansOf(words, phrase('green leaf bowl cover')).map((span) => span.pages)
  assert.deepEqual(pages, [
    [0, 50],
    [50, 500],
    [500, 1000],
  ])
})
