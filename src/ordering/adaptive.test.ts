import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SampleWeb, topicOf, visitsOf } from '../../test/ordering/sample-web.ts'
import { SteerCrawl } from '../../test/ordering/steer-crawl.ts'
import { adaptive } from './adaptive.ts'
import type { OptionValues } from './ordering.ts'

// Numbers that are easy to follow by hand: half of the past is forgotten, nothing is weighed but
// places and hub, and what was not seen counts as 1 observed and 1 expected.
const BY_HAND = { memory: 0.5, prior: 1, expected: 0.5, credit: 2, place: 0.5, hub: 1 }
const { log } = Math

const WEB: SampleWeb = {
  's.test/': { relevance: 0, links: ['a.test/d/1', 'a.test/d/2', 'a.test/e/3', 'b.test/4'] },
  'a.test/d/1': { relevance: 1, links: [] },
  'a.test/d/2': { relevance: 0, links: [] },
  'a.test/e/3': { relevance: 0, links: [] },
  'b.test/4': { relevance: 0, links: [] },
}

function crawlOf(web: SampleWeb, options: OptionValues = {}): SteerCrawl {
  const given = { ...BY_HAND, ...options }
  const topic = topicOf({ similar: { stars: 2 } })
  const visit = visitsOf(web, adaptive, { topic, options: given })
  return new SteerCrawl({ ordering: adaptive, options: given, visit, seeds: ['s.test/'] })
}

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} instead of ${expected}`)
}

test('what is observed and expected at places changes scores as computed by hand', () => {
  const crawl = crawlOf(WEB)
  // The seed: host s.test and its directories have seen 0 of 0.5; it has no hub.
  crawl.run(1)
  for (const url of ['a.test/d/1', 'a.test/d/2', 'a.test/e/3', 'b.test/4']) {
    assert.equal(crawl.scoreOf(url), 0)
  }
  // a.test/d/1 is relevant. Observed and expected: host a, directory d, its subdirectory and the
  // hub s each 1 and 0.5, so ln((1 + 1) / (0.5 + 1)) = ln(4/3). The page s led to another host:
  // its places get 2 · 1, which no candidate here belongs to.
  assert.deepEqual(crawl.run(1), ['http://a.test/d/1'])
  near(crawl.scoreOf('a.test/d/2'), 0.5 * 3 * log(4 / 3) + log(4 / 3))
  near(crawl.scoreOf('a.test/e/3'), 0.5 * log(4 / 3) + log(4 / 3))
  near(crawl.scoreOf('b.test/4'), log(4 / 3))
  // a.test/d/2 is not. Host a, directory d and subdirectory: 0.5 · 1 + 0 of 0.5 · 0.5 + 0.5, so
  // ln(1.5 / 1.75); the hub forgets nothing: 1 of 1, ln(2 / 2) = 0.
  assert.deepEqual(crawl.run(1), ['http://a.test/d/2'])
  near(crawl.scoreOf('a.test/e/3'), 0.5 * log(1.5 / 1.75))
  near(crawl.scoreOf('b.test/4'), 0)
  // b.test/4 goes first now, and is not relevant: the hub has 1 of 1.5, ln(2 / 2.5).
  assert.deepEqual(crawl.run(1), ['http://b.test/4'])
  near(crawl.scoreOf('a.test/e/3'), 0.5 * log(1.5 / 1.75) + log(2 / 2.5))
})

test('a relevant page speaks for the place of another host that led to it', () => {
  const web: SampleWeb = {
    's.test/': { links: [{ to: 'far.test/', anchor: 'stars' }, 's.test/next'] },
    'far.test/': { relevance: 1 },
    's.test/next': {},
  }
  const crawl = crawlOf(web, { hub: 0 })
  crawl.run(1)
  // The seed itself: 0 of 0.5 at host, directory and subdirectory.
  near(crawl.scoreOf('s.test/next'), 0.5 * 3 * log(1 / 1.5))
  assert.deepEqual(crawl.run(1), ['http://far.test/'])
  // 2 of 0.5 with the credit.
  near(crawl.scoreOf('s.test/next'), 0.5 * 3 * log(3 / 1.5))
})

test('the hub of a link is the page that speaks best for it', () => {
  const web: SampleWeb = {
    's.test/': { evidence: 0, links: ['one.test/', 'x.test/'] },
    'one.test/': { evidence: 0.5, links: ['x.test/'] },
    'x.test/': {},
  }
  const crawl = crawlOf(web, { place: 0 })
  crawl.run(1)
  const before = crawl.candidate('x.test/').signals
  crawl.run(1)
  const after = crawl.candidate('x.test/').signals
  assert.notEqual(before?.[7], after?.[7])
  // The hub s.test has sent us to a page of no relevance, the new one nowhere yet.
  assert.equal(crawl.scoreOf('x.test/'), 0.5)
})

test('a page’s promise is what is learned from, where the topic tells one', () => {
  const web: SampleWeb = {
    's.test/': { links: ['a.test/1', 'a.test/2'] },
    'a.test/1': { relevance: 0, promise: 0.5 },
    'a.test/2': {},
  }
  const crawl = crawlOf(web)
  crawl.run(2)
  // 0.5 observed of 0.5 expected, everywhere.
  assert.equal(crawl.scoreOf('a.test/2'), 0)
})

test('what was learned comes back after a restart', () => {
  const crawl = crawlOf(WEB)
  crawl.run(3)
  const state = crawl.steering.save?.()
  assert.ok(state)
  const again = adaptive.steer({ ...BY_HAND }, 1)
  again.load?.(state)
  for (const candidate of crawl.waiting()) {
    assert.equal(again.score(candidate), crawl.steering.score(candidate))
  }
})

test('bytes that are no state are ignored', () => {
  const steering = adaptive.steer({ ...BY_HAND }, 1)
  for (const bytes of [new Uint8Array(0), new Uint8Array(3), new Uint8Array(64).fill(0xff)]) {
    steering.load?.(bytes)
  }
  const crawl = crawlOf(WEB)
  crawl.run(1)
  for (const candidate of crawl.waiting()) assert.equal(steering.score(candidate), 0)
})

test('the parts of a score add up to it', () => {
  const crawl = crawlOf(WEB)
  crawl.run(2)
  const candidate = crawl.candidate('a.test/e/3')
  const parts = crawl.steering.explain?.(candidate) ?? []
  assert.deepEqual(
    parts.map(({ name }) => name),
    adaptive.signals,
  )
  near(
    parts.reduce((sum, { value }) => sum + value, 0),
    crawl.scoreOf('a.test/e/3'),
  )
})
