import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rareTerms } from './best-matches.ts'
import { parseQuery } from './query.ts'

const PAGES: Readonly<Record<string, number>> = {
  common: 120_000,
  odd: 60_000,
  even: 60_000,
  rare: 8,
}

test('words are left out that bring more pages than all of them may', async () => {
  const pagesWith = async (lists: readonly (readonly string[])[], most: number) =>
    lists.map(([word = '']) => Math.min(most, PAGES[word] ?? 0))
  const kept = async (text: string) =>
    (await rareTerms({ pagesWith }, parseQuery(text).all.flat())).flatMap(({ words }) => words)
  assert.deepEqual(await kept('common rare odd'), ['rare', 'odd'])
  assert.deepEqual(await kept('odd rare even'), ['odd', 'rare'])
  assert.deepEqual(await kept('common'), ['common'])
  assert.deepEqual(await kept('unheard common rare'), ['unheard', 'rare'])
  assert.deepEqual(await kept('unheard common'), ['unheard', 'common'])
})

test('a word that is repeated is one of the rare words, and counts as often', async () => {
  const pagesWith = async (lists: readonly (readonly string[])[]) => lists.map(() => 60_000)
  const terms = parseQuery('tea cup tea tea').all.flat()
  const kept = await rareTerms({ pagesWith }, terms)
  assert.deepEqual(
    kept.flatMap(({ words }) => words),
    ['tea', 'tea', 'tea'],
  )
})

test('stop words come after all others', async () => {
  const counts: Readonly<Record<string, number>> = { tea: 60_000, cup: 30_000, about: 20_000 }
  const pagesWith = async (lists: readonly (readonly string[])[]) =>
    lists.map(([word = '']) => counts[word] ?? 0)
  const kept = async (text: string) =>
    (await rareTerms({ pagesWith }, parseQuery(text).all.flat())).flatMap(({ words }) => words)
  assert.deepEqual(await kept('about tea cup'), ['tea', 'cup'])
  assert.deepEqual(await kept('about tea'), ['about', 'tea'])
})
