import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.ts'
import { type KnownWords, suggestionFor } from './suggestion.ts'

/** Page counts by word; `near` returns the words given for a word. */
function knowing(
  pages: Readonly<Record<string, number>>,
  near: Readonly<Record<string, readonly string[]>>,
  findsMore: (text: string) => boolean = () => true,
): KnownWords & { readonly tried: string[] } {
  const tried: string[] = []
  return {
    tried,
    pagesWith: async (words) => words.map((word) => pages[word] ?? 0),
    common: async (word) => pages[word] ?? 0,
    near: async (word) => (near[word] ?? []).map((text) => ({ text, pages: pages[text] ?? 100 })),
    async findsMore(text) {
      tried.push(text)
      return findsMore(text)
    },
  }
}

const suggest = (typed: string, known: KnownWords, total = 0) =>
  suggestionFor(parseQuery(typed), total, known)

test('only words that hardly any page has are exchanged, and all else stays as it was typed', async () => {
  const known = knowing({ tea: 500 }, { tea: ['sea'], grean: ['green'] })
  assert.equal(
    await suggest('  Grean   "tea" -grean title:x*', known),
    '  green   "tea" -grean title:x*',
  )
})

test('what finds nothing is not suggested, the next best is', async () => {
  const known = knowing({}, { tae: ['tax', 'tea'] }, (text) => text === 'tea')
  assert.equal(await suggest('tae', known), 'tea')
  assert.deepEqual(known.tried, ['tax', 'tea'])
})

test('who has found something gets only what is much more common', async () => {
  const near = { cofee: ['coffee'] }
  assert.equal(await suggest('cofee', knowing({ cofee: 1, coffee: 500 }, near), 1), 'coffee')
  assert.equal(await suggest('cofee', knowing({ cofee: 1, coffee: 10 }, near), 1), null)
  assert.equal(await suggest('cofee', knowing({ cofee: 3, coffee: 500 }, near), 3), null)
})

test('so many words, so many tries, and no more', async () => {
  const words = Array.from({ length: 30 }, (_, nth) => `word${String.fromCharCode(97 + nth)}`)
  const near = Object.fromEntries(words.map((word) => [word, [`${word}x`, `${word}y`, `${word}z`]]))
  const known = knowing({}, near, () => false)
  assert.equal(await suggest(words.join(' '), known), null)
  assert.ok(known.tried.length <= 6)
})
