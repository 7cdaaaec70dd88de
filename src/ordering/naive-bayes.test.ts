import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun } from '../../test/ordering/ordering-run.ts'
import { type SampleWeb, visitsOf } from '../../test/ordering/sample-web.ts'
import { naiveBayes } from './naive-bayes.ts'
import type { OptionValues } from './ordering.ts'

const WEB: SampleWeb = {
  's.test/': { evidence: -0.2, relevance: 0.1, links: ['off.test/', 'on.test/'] },
  'off.test/': { evidence: -0.3, relevance: 0.2, links: ['x.test/', 'both.test/'] },
  'on.test/': { evidence: 0.6, relevance: 0.9, links: ['y.test/', 'both.test/'] },
  'x.test/': {},
  'y.test/': {},
  'both.test/': {},
}

function crawlOf(options: OptionValues = {}): OrderingRun {
  const visit = visitsOf(WEB, naiveBayes, { options })
  return new OrderingRun({ ordering: naiveBayes, options, visit, seeds: ['s.test/'] })
}

test('soft focus orders all links by what their best page has for evidence', () => {
  const crawl = crawlOf()
  crawl.run(3)
  assert.equal(crawl.scoreOf('x.test/'), -0.3)
  assert.equal(crawl.scoreOf('y.test/'), 0.6)
  assert.equal(crawl.scoreOf('both.test/'), 0.6)
  assert.deepEqual(crawl.run(), ['http://both.test/', 'http://y.test/', 'http://x.test/'])
})

test('hard focus does not follow links of pages off topic, unless a better page has them', () => {
  const fetched = crawlOf({ hard: 1 }).run()
  assert.ok(!fetched.includes('http://x.test/' as never))
  assert.ok(fetched.includes('http://both.test/' as never))
})

test('hard focus follows the links of a seed wherever it stands', () => {
  assert.deepEqual(crawlOf({ hard: 1 }).run(3).slice(1), ['http://off.test/', 'http://on.test/'])
})
