import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun, urlOf } from '../../test/ordering/ordering-run.ts'
import { type SampleWeb, topicOf, visitsOf } from '../../test/ordering/sample-web.ts'
import { linkContext } from './link-context.ts'
import type { OptionValues } from './ordering.ts'

const topic = {
  ...topicOf({ similar: { stars: 2, 'about stars': 1, shop: -1 } }),
  addressEvidence: (url: string) => (url.includes('star') ? 3 : 0),
}

const WEB: SampleWeb = {
  's.test/': {
    evidence: -0.5,
    links: [
      { to: 'star.test/', anchor: 'stars', context: 'about stars' },
      { to: 'b.test/', anchor: 'shop', context: 'about stars' },
    ],
  },
  'star.test/': { evidence: 1, links: [{ to: 'b.test/', anchor: 'shop' }] },
  'b.test/': {},
}

function crawlOf(options: OptionValues = {}): OrderingRun {
  const visit = visitsOf(WEB, linkContext, { topic, options })
  return new OrderingRun({ ordering: linkContext, options, visit, seeds: ['s.test/'] })
}

test('page, anchor, context and address make the score, each with its weight', () => {
  const crawl = crawlOf()
  crawl.run(1)
  // -0.5 + 0.5 · 2 + 0.25 · 1 + 0.25 · 3
  assert.equal(crawl.scoreOf('star.test/'), 1.5)
  // -0.5 + 0.5 · -1 + 0.25 · 1 + 0.25 · 0
  assert.equal(crawl.scoreOf('b.test/'), -0.75)
})

test('of several pages the one that promises most counts', () => {
  const crawl = crawlOf()
  crawl.run(2)
  // 1 + 0.5 · -1 from the second page
  assert.equal(crawl.scoreOf('b.test/'), 0.5)
})

test('weights are options', () => {
  const crawl = crawlOf({ anchor: 1, context: 0, address: 0 })
  crawl.run(1)
  assert.equal(crawl.scoreOf('star.test/'), 1.5)
  assert.equal(crawl.scoreOf('b.test/'), -1.5)
})

test('of a listed URL only the address speaks', () => {
  const judge = linkContext.judge?.({ topic, options: {} })
  assert.deepEqual(judge?.listed?.(urlOf('star.test/x')), [0, 0, 0, 3])
})
