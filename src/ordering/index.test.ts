import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORDERINGS, optionValues, orderingNamed } from './index.ts'
import type { Ordering } from './ordering.ts'

const sample: Ordering = {
  name: 'sample',
  about: 'for tests',
  rescoreOn: [],
  options: [
    { name: 'beta', help: '', default: 0.8, min: 0, max: 1 },
    { name: 'width', help: '', default: 10, min: 1, max: 100, whole: true },
  ],
  createScorer: () => ({ score: () => 0 }),
}

test('every ordering has a name of its own, and options whose defaults fit', () => {
  assert.equal(new Set(ORDERINGS.map(({ name }) => name)).size, ORDERINGS.length)
  for (const ordering of ORDERINGS) {
    assert.equal(orderingNamed(ordering.name), ordering)
    const given = Object.entries(optionValues(ordering, {})).map(([name, value]) => [
      name,
      `${value}`,
    ])
    assert.deepEqual(optionValues(ordering, Object.fromEntries(given)), optionValues(ordering, {}))
  }
})

test('an ordering nobody knows is refused with the names of all', () => {
  assert.throws(() => orderingNamed('x'), { at: 'ordering', message: /breadth-first, depth-first/ })
})

test('options are as given, else by default', () => {
  assert.deepEqual(optionValues(sample, {}), { beta: 0.8, width: 10 })
  assert.deepEqual(optionValues(sample, { width: ' 7 ', beta: '1e-1' }), { beta: 0.1, width: 7 })
})

for (const [what, given, message] of [
  ['an unknown one', { gamma: '1' }, /no option "gamma".*beta \(a number from 0 to 1\), width/],
  ['a name every object has', { constructor: '1' }, /no option "constructor"/],
  ['no number', { beta: 'much' }, /"much" is not beta \(a number from 0 to 1\)/],
  ['nothing', { beta: ' ' }, /"" is not beta/],
  ['too large', { beta: '1.01' }, /"1.01" is not beta/],
  ['not finite', { width: 'Infinity' }, /"Infinity" is not width/],
  ['a fraction of a whole', { width: '2.5' }, /whole number from 1 to 100/],
] as const) {
  test(`an option is refused: ${what}`, () => {
    assert.throws(() => optionValues(sample, given), { at: 'orderingOptions', message })
  })
}

test('an ordering without options says so', () => {
  const bare = orderingNamed('breadth-first')
  assert.throws(() => optionValues(bare, { beta: '1' }), /no option "beta"; it has none/)
})
