import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecurringBlocks } from './recurring-blocks.ts'

const NOTICE = 'This page is part of the handbook of the society.'
const SITE = 'a.test'

/** Counts the texts of a site, and returns them without recurring blocks. */
function cleaned(texts: readonly string[], site = SITE): readonly string[] {
  const recurring = counted(texts.map((text) => [site, text]))
  return texts.map((text) => recurring.without(site, text).text)
}

function counted(pages: readonly (readonly [site: string, text: string])[]): RecurringBlocks {
  const recurring = new RecurringBlocks(pages.length)
  for (const [site, text] of pages) recurring.estimate(site, text)
  for (const [site, text] of pages) recurring.confirm(site, text)
  recurring.confirmed()
  return recurring
}

function own(page: number): string {
  return `What page ${page} alone has to say, and nobody else.`
}

function pagesWith(count: number, of: number, block = NOTICE): string[] {
  return Array.from({ length: of }, (_, page) =>
    page < count ? `${own(page)}\n\n${block}\n\nThe end of ${page}.` : own(page),
  )
}

test('a paragraph on three of ten pages of a site goes, one on fewer stays', () => {
  const [first] = cleaned(pagesWith(30, 100))
  assert.equal(first, `${own(0)}\n\nThe end of 0.`)
  const fewer = pagesWith(29, 100)
  assert.deepEqual(cleaned(fewer), fewer)
})

test('on a small site it has to stand on five pages', () => {
  const four = pagesWith(4, 5)
  assert.deepEqual(cleaned(four), four)
  assert.equal(cleaned(pagesWith(5, 5))[4], `${own(4)}\n\nThe end of 4.`)
})

test('a paragraph that is repeated within a page counts once', () => {
  const often = Array.from({ length: 10 }, (_, page) =>
    page < 2 ? Array(50).fill(NOTICE).join('\n\n') + own(page) : own(page),
  )
  assert.deepEqual(cleaned(often), often)
})

test('pages of another site do not count', () => {
  const pages = pagesWith(20, 20)
  const recurring = counted([
    ...pages.slice(0, 4).map((text): [string, string] => ['b.test', text]),
    ...pages.map((text): [string, string] => [SITE, text]),
  ])
  assert.equal(recurring.without('b.test', pages[0]!).text, pages[0])
  assert.equal(recurring.without('never.test', pages[0]!).text, pages[0])
  assert.deepEqual(recurring.without(SITE, pages[0]!).blocks, 1)
})

test('headings and other short paragraphs stay', () => {
  const pages = pagesWith(10, 10, 'See also')
  assert.deepEqual(cleaned(pages), pages)
})

test('spaces and line ends within a paragraph tell nothing apart, other characters do', () => {
  const spaced = Array.from({ length: 10 }, (_, page) =>
    [own(page), NOTICE.replaceAll(' ', ' '.repeat(1 + page))].join(' \n \n\n'),
  )
  assert.deepEqual(
    cleaned(spaced),
    Array.from({ length: 10 }, (_, page) => own(page)),
  )
  const dated = Array.from({ length: 10 }, (_, page) => `${own(page)}\n\n${NOTICE} ${page}`)
  assert.deepEqual(cleaned(dated), dated)
})

test('of a long list nearly all of which recurs, the rest stays', () => {
  const menu = Array.from({ length: 20 }, (_, at) => `- Chapter ${at} of the handbook`)
  const pages = Array.from({ length: 10 }, (_, page) =>
    [
      own(page),
      [...menu.slice(0, 10), `- you are here: ${page}`, ...menu.slice(10)].join('\n'),
    ].join('\n\n'),
  )
  assert.equal(cleaned(pages)[3], `${own(3)}\n\n- you are here: 3`)
})

test('lines that recur in a list with much of its own stay', () => {
  const code = ['import numpy as np', 'import scipy.signal as signal', 'def main():']
  const pages = Array.from({ length: 10 }, (_, page) =>
    [...code, ...Array.from({ length: 8 }, (_, at) => `  run(${page}, ${at})`)].join('\n'),
  )
  assert.deepEqual(cleaned(pages), pages)
})

test('a page of nothing else stays as it is', () => {
  const pages = pagesWith(20, 20)
  const recurring = counted(pages.map((text) => [SITE, text]))
  assert.deepEqual(recurring.without(SITE, NOTICE), { text: NOTICE, blocks: 0 })
})

test('any text is cut within its length: empty, without ends, nothing but ends', () => {
  const odd = [
    '',
    '\n',
    ' \n\n \n',
    '\0\ud800\n\n\udc00',
    'a'.repeat(100_000),
    '\n'.repeat(100_000),
  ]
  const pages = odd.flatMap((text) => Array(6).fill(text))
  assert.deepEqual(cleaned(pages), pages)
})

test('more different blocks than the sketch has places for never make one recur', () => {
  const pages = Array.from({ length: 60 }, (_, page) =>
    Array.from({ length: 1000 }, (_, at) => `Paragraph ${page} ${at} of a long page.`).join('\n\n'),
  )
  const recurring = counted(pages.map((text) => [SITE, text]))
  const blocks = pages.reduce((sum, text) => sum + recurring.without(SITE, text).blocks, 0)
  assert.equal(blocks, 0)
})
