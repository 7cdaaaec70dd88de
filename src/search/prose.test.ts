import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proseIn } from './prose.ts'
import { parseQuery } from './query.ts'

/** Words of a query that must be there, in brackets; those that must not, with a sign. */
function read(text: string): string {
  const { all, none } = parseQuery(text)
  const wanted = all.map((terms) => {
    const shown = terms.map(({ words, prefix }) => words.join('+') + (prefix ? '*' : '')).join('|')
    return terms.every(({ loose }) => loose) ? shown : `[${shown}]`
  })
  return [...wanted, ...none.map(({ words }) => `-${words.join('+')}`)].join(' ')
}

const PROSE: readonly (readonly [typed: string, meant: string])[] = [
  [
    'With -v, the program prints the "whole name" of each file | pipe.',
    'with v the program prints the whole name of each file pipe',
  ],
  [
    'Tea does NOT lower the risk of heart disease, title:none in mice*.',
    'tea does not lower the risk of heart disease title+none in mice',
  ],
  [
    'The variant -308G/A, of IL-6 or CD4+, is rare in healthy people.',
    'the variant 308g+a of il+6 or cd4 is rare in healthy people',
  ],
  [
    'Which machines for the harvest of green tea are used on slopes? -coffee site:a.test',
    "which machines for the harvest of green tea are used on slopes [a+test+'] -coffee",
  ],
  [
    'it shows that "green tea grows on slopes where the soil is wet, and not in the valley',
    'it shows that green tea grows on slopes where the soil is wet and not in the valley',
  ],
  [
    'Which machines for "green tea harvest on the wet slopes are used, and where? -coffee site:a.test',
    "which machines for green tea harvest on the wet slopes are used and where [a+test+'] -coffee",
  ],
  [
    '"Green tea grows on the slopes of Java, where it rains.',
    'green tea grows on the slopes of java where it rains',
  ],
]

test('signs in prose are punctuation, but for those that follow it', () => {
  for (const [typed, meant] of PROSE) assert.equal(read(typed), meant)
})

const QUERIES = [
  '"green tea" OR coffee -sugar',
  'java -coffee how to install jdk on debian linux server',
  'the best green tea -sugar, "in town"',
  '"to be or not to be, that is the question of a prince" hamlet',
  'title:crawler content:polite web archive tools -spider the of',
  'crawl* index* rank* search* fetch* parse* of the web',
  'cat OR dog OR horse OR cow OR sheep OR goat OR hen',
  '"the green tea that grows on the wet slopes of west java where it rains in the afternoon',
]

test('a query with signs of its own is no prose', () => {
  for (const typed of QUERIES) assert.equal(proseIn(typed), 0, typed)
})
