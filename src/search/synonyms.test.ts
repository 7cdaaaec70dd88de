import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.ts'
import { parseSynonyms, Synonyms, withSynonyms } from './synonyms.ts'

const FILE = `
# cars
car, auto, motor car
NYC, New York
colour => color, hue
news paper => newspaper
`

/** + joins a phrase, | separates alternatives, ~ marks any form. */
function asked(text: string): string {
  const synonyms = new Synonyms(parseSynonyms(FILE).rules)
  const { all } = withSynonyms(parseQuery(text), synonyms.for(text))
  return all
    .map((terms) => terms.map((t) => t.words.join('+') + (t.anyForm ? '~' : '')).join('|'))
    .join(' ')
}

const CASES: readonly (readonly [typed: string, asked: string])[] = [
  ['red car', 'red~ car~|auto~|motor+car'],
  ['motor car', 'motor~|car~|auto~ car~|car~|auto~'],
  ['new york hotel', 'new~|nyc~ york~|nyc~ hotel~'],
  ['nyc', 'nyc~|new+york'],
  ['colour', 'color~|hue~'],
  ['news paper today', 'newspaper~ today~'],
  ['news', 'news~'],
  ['"new york" auto*', 'new+york auto'],
  ['title:car', 'car~|auto~|motor+car'],
  ['car OR bus', 'car~|bus~'],
]
for (const [typed, expected] of CASES) {
  test(`with synonyms, "${typed}" is a query for "${expected}"`, () => {
    assert.equal(asked(typed), expected)
  })
}

test('every line that is wrong is named', () => {
  const { rules, bad } = parseSynonyms(
    'car\n\na => b => c\nx,\n=> y\n1 2 3 4 5 6 7 8 9, z\nok, fine\n!',
  )
  assert.deepEqual(
    bad.map(({ line }) => line),
    [1, 3, 4, 5, 6, 8],
  )
  assert.match(bad[0]!.message, /needs two words/)
  assert.equal(rules.length, 2)
  assert.equal(parseSynonyms('a, b\n'.repeat(20_001)).bad.length, 1)
})
