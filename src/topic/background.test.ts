import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTermReader } from '../../test/support/term-reader.ts'
import { Background } from './background.ts'

const reader = createTermReader('en', new Set())
const background = new Background(reader, 'en')
const rarityOf = (word: string) => background.rarityOf(reader.termOf(word))

test('a word tells the more the fewer pages have it', () => {
  const words = ['the', 'privacy', 'science', 'photometry']
  const rarities = words.map(rarityOf)
  assert.deepEqual(
    rarities,
    [...rarities].sort((a, b) => a - b),
  )
  assert.ok(rarityOf('the') < 1.5)
  assert.ok(rarityOf('photometry') > 7)
})

test('function words of the topic’s own language are common, too', () => {
  const own = createTermReader('id', new Set())
  const indonesian = new Background(own, 'id')
  assert.ok(indonesian.rarityOf(own.termOf('yang')) < 2)
  assert.ok(indonesian.rarityOf(own.termOf('kesehatan')) > 5)
})

test('made-up pages are the same for the same seed, and have common words more often', () => {
  const pages = background.madeUpPages(50, 3)
  assert.deepEqual(
    background.madeUpPages(50, 3).map(({ size }) => size),
    pages.map(({ size }) => size),
  )
  const having = (word: string) => pages.filter((page) => page.has(reader.termOf(word))).length
  assert.ok(having('the') > 10)
  assert.ok(having('the') > having('science'))
})
