import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun, urlOf } from '../../test/ordering/ordering-run.ts'
import { type SampleWeb, topicOf, visitsOf } from '../../test/ordering/sample-web.ts'
import type { OptionValues } from './ordering.ts'
import { sharkSearch } from './shark-search.ts'

const topic = topicOf({ similar: { sharks: 0.3, 'all about sharks': 0.2, next: 0.05 } })

const WEB: SampleWeb = {
  's.test/': {
    similarity: 0.4,
    links: [
      { to: 'a.test/', anchor: 'sharks', context: 'all about sharks' },
      { to: 'b.test/', anchor: 'other', context: 'all about sharks' },
    ],
  },
  // Not above the threshold of 0.05.
  'a.test/': { similarity: 0.05, links: ['c.test/', { to: 'b.test/', anchor: 'sharks' }] },
  'b.test/': { links: [{ to: 'd.test/', context: 'all about sharks' }] },
  'c.test/': { similarity: 0.9, links: ['d.test/', { to: 'e.test/', anchor: 'sharks' }] },
  'd.test/': {},
  'e.test/': {},
}

function crawlOf(options: OptionValues = {}): OrderingRun {
  const visit = visitsOf(WEB, sharkSearch, { topic, options })
  return new OrderingRun({ ordering: sharkSearch, options, visit, seeds: ['s.test/'] })
}

function potentials(crawl: OrderingRun): Record<string, number> {
  const shown = crawl.waiting().map(({ url }) => [url.slice(7, 8), rounded(crawl.scoreOf(url))])
  return Object.fromEntries(shown)
}

function rounded(value: number): number {
  return Math.round(value * 1e12) / 1e12
}

test('potential scores on six pages are those computed by hand', () => {
  // δ = 0.5, β = 0.8, γ = 0.5
  const crawl = crawlOf()
  assert.equal(crawl.step(), 'http://s.test/')
  // Both inherit 0.5 · 0.4 = 0.2.
  // a: anchor 0.3, so its context counts as 1: 0.8 · 0.3 + 0.2 · 1 = 0.44; 0.5 · 0.2 + 0.5 · 0.44
  // b: anchor 0, context 0.2: 0.2 · 0.2 = 0.04;                            0.5 · 0.2 + 0.5 · 0.04
  assert.deepEqual(potentials(crawl), { a: 0.32, b: 0.12 })

  assert.equal(crawl.step(), 'http://a.test/')
  // a is off topic: its links inherit 0.5 · 0.2 = 0.1, from its own inheritance.
  // c: 0.5 · 0.1 + 0.5 · 0; b again: 0.5 · 0.1 + 0.5 · 0.44 = 0.27, more than 0.12
  assert.deepEqual(potentials(crawl), { b: 0.27, c: 0.05 })

  assert.equal(crawl.step(), 'http://b.test/')
  // b has no similarity of its own and inherited 0.1 by its better path: 0.5 · 0.05 + 0.5 · 0.04
  assert.deepEqual(potentials(crawl), { c: 0.05, d: 0.045 })

  assert.equal(crawl.step(), 'http://c.test/')
  // Both inherit 0.5 · 0.9 = 0.45: e 0.225 + 0.22, d 0.225 instead of 0.045.
  assert.deepEqual(potentials(crawl), { e: 0.445, d: 0.225 })
  assert.deepEqual(crawl.run(), ['http://e.test/', 'http://d.test/'])
})

test('every weight can be chosen', () => {
  // δ = 1, β = 0.5, γ = 0.75. a: 0.75 · 0.4 + 0.25 · (0.5 · 0.3 + 0.5); b: 0.3 + 0.25 · 0.1
  const crawl = crawlOf({ delta: 1, beta: 0.5, gamma: 0.75, threshold: 0 })
  crawl.step()
  assert.deepEqual(potentials(crawl), { a: 0.4625, b: 0.325 })
  crawl.step()
  // Without a threshold a passes on its own 0.05: c gets 0.75 · 0.05.
  assert.deepEqual(potentials(crawl), { b: 0.325, c: 0.0375 })
})

test('an anchor speaks of the topic only above the threshold', () => {
  const url = urlOf('a.test/')
  const link = { url, anchor: 'next', context: 'all about sharks' }
  const noted = (threshold: number) =>
    sharkSearch.judge!({ topic, options: { threshold } }).link(link)
  assert.deepEqual(noted(0.05), [0.05, 0.2])
  assert.deepEqual(noted(0.04), [0.05, 1])
})

test('a URL that no page speaks of waits behind all others', () => {
  const crawl = crawlOf()
  crawl.add('listed.test/', null, 1)
  assert.equal(crawl.run().at(-1), 'http://listed.test/')
})

test('without a topic links are worth nothing, and nothing breaks', () => {
  const judge = sharkSearch.judge!({ topic: null, options: {} })
  const url = urlOf('a.test/')
  assert.deepEqual(judge.page({ url, judgement: null }), [0])
  assert.deepEqual(judge.link({ url, anchor: 'sharks', context: '' }), [0, 0])
})
