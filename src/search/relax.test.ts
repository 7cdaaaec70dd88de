import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relaxed } from './best-matches.ts'
import { parseQuery } from './query.ts'

/** The relaxed query: | separates alternatives, + joins a phrase, ~ marks any form; light words are in brackets. */
function left(text: string, exact = false): string | null {
  const query = relaxed(parseQuery(text, { exact }), { exact })
  if (query === null) return null
  const shown = query.all.map((terms) =>
    terms.map(({ words, anyForm }) => words.join('+') + (anyForm ? '~' : '')).join('|'),
  )
  const light = (query.light ?? []).map(({ words }) => `(${words.join('+')})`)
  return [...shown, ...light, ...query.none.map(({ words }) => `-${words.join('+')}`)].join(' ')
}

const CASES: readonly (readonly [typed: string, left: string | null])[] = [
  ['web crawler', 'web~|crawler~'],
  ['the web crawler of web', 'web~|crawler~|web~ (the) (of)'],
  ['the of', 'the~|of~'],
  ['the crawler', 'crawler~ (the)'],
  ['crawler', null],
  ['', null],
  ['-crawler', null],
  ['np.fill_holes', 'np~|fill~|holes~'],
  ['(0.05) of 1,000 e-mails v1.2', '0+05|1+000|e~|mails~|v1~|2~ (of)'],
  ['cat OR dog food', null],
  ['cat OR dog cheap food -fish', 'cat~|dog~ cheap~|food~ -fish'],
  ['"web crawler" fast polite', 'web+crawler fast~|polite~'],
  ['"web crawler" fast', null],
  ['"web crawler', 'web~|crawler~'],
  ['fast "web crawler', 'fast~|web~|crawler~'],
  ['web AND crawler', null],
  ['web AND crawler fast polite', 'web~ crawler~ fast~|polite~'],
  ['+web crawler fast', 'web~ crawler~|fast~'],
  ['title:web crawler fast', 'web~ crawler~|fast~'],
  ['craw* fast polite', 'craw fast~|polite~'],
]

test('one of the words that may be missing is enough', () => {
  for (const [typed, wanted] of CASES) assert.equal(left(typed), wanted, typed)
})

test('who wants the very words gets no other forms of them', () => {
  assert.equal(left('web np.crawlers', true), 'web|np|crawlers')
})
