import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun, urlOf } from '../../test/ordering/ordering-run.ts'
import { visitsOf } from '../../test/ordering/sample-web.ts'
import { optionValues, orderingNamed } from './index.ts'
import { location } from './location.ts'
import type { OptionValues } from './ordering.ts'

const WEB = {
  'seed.com/deep/down/here.html': { links: ['seed.com/a/b', 'seed.com/a', 'seed.com/a/b/c'] },
  'seed.com/a': { links: ['other.com/'] },
}

function fetched(options: OptionValues = {}): string[] {
  const visit = visitsOf(WEB, location)
  const seeds = ['seed.com/deep/down/here.html']
  const crawl = new OrderingRun({ ordering: location, options, visit, seeds })
  return crawl.run().map((url) => url.slice('http://'.length))
}

test('short paths go first, seeds before all', () => {
  const order = ['seed.com/deep/down/here.html', 'seed.com/a', 'other.com/', 'seed.com/a/b']
  assert.deepEqual(fetched(), [...order, 'seed.com/a/b/c'])
})

test('links away from a seed can be counted, too', () => {
  // 0.95 less two links is below 0.95/4 less one.
  const order = ['seed.com/deep/down/here.html', 'seed.com/a', 'seed.com/a/b', 'seed.com/a/b/c']
  assert.deepEqual(fetched({ distance: 0.75 }), [...order, 'other.com/'])
})

const ADDRESSES = [
  'a.org/x/y/z',
  'a.org/Home/index.html',
  'shop.com/p/q/r/s',
  'shop.com:8080/',
  'com.example/',
  'a.org/?from=/a/b/c',
]

function sorted(name: string, given: Readonly<Record<string, string>> = {}): string[] {
  const ordering = orderingNamed(name)
  const { score } = ordering.createScorer(optionValues(ordering, given), 1)
  const facts = { depth: 1, foundAt: 1, inLinks: 1, signals: null }
  const scores = new Map(ADDRESSES.map((url) => [url, score({ url: urlOf(url), ...facts })]))
  return ADDRESSES.toSorted((a, b) => scores.get(b)! - scores.get(a)!)
}

for (const [rules, order] of [
  [{ '.com': '1', usual: '0' }, [2, 3, 0, 1, 4, 5]],
  [{ home: '1', usual: '0' }, [1, 0, 2, 3, 4, 5]],
  [{ '/': '-1', usual: '0' }, [3, 4, 5, 1, 0, 2]],
  [{ '.com': '-5', HOME: '2', '/': '-0.1', usual: '0' }, [1, 4, 5, 0, 3, 2]],
] as const) {
  test(`rules decide, each with its worth: ${JSON.stringify(rules)}`, () => {
    assert.deepEqual(
      sorted('location', rules),
      order.map((at) => ADDRESSES[at]),
    )
  })
}

test('the preset cho has the published examples, and a rule that is given wins', () => {
  const order = [3, 1, 4, 5, 0, 2]
  assert.deepEqual(
    sorted('location:cho'),
    order.map((at) => ADDRESSES[at]),
  )
  assert.equal(sorted('location:cho', { '/': '0' })[0], ADDRESSES[1])
  assert.equal(sorted('location:cho', { '.org': '9' })[0], ADDRESSES[1])
})

test('a rule needs a number, and a name of bearable length', () => {
  const given = (rules: Record<string, string>) => () => optionValues(location, rules)
  assert.throws(given({ '.com': 'good' }), /"good" is not .com \(a number from -1000 to 1000\)/)
  assert.throws(given({ ['x'.repeat(101)]: '1' }), /a rule of at most 100 characters/)
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`r${at}`, '1']))
  assert.throws(given(many), /location takes at most 100 rules/)
})
