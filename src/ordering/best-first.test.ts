import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun } from '../../test/ordering/ordering-run.ts'
import { type SampleWeb, visitsOf } from '../../test/ordering/sample-web.ts'
import { bestFirst } from './best-first.ts'

const WEB: SampleWeb = {
  's.test/': { similarity: 0.2, links: ['far.test/', 'near.test/'] },
  'far.test/': { similarity: 0.1, links: ['c.test/'] },
  'near.test/': { similarity: 0.7, links: ['d.test/', 'c.test/'] },
  'c.test/': {},
  'd.test/': {},
}

function crawlOf(): OrderingRun {
  const visit = visitsOf(WEB, bestFirst)
  return new OrderingRun({ ordering: bestFirst, visit, seeds: ['s.test/'] })
}

test('a link is worth the similarity of its page, and equals go in the order they were found', () => {
  const crawl = crawlOf()
  crawl.run(1)
  assert.equal(crawl.scoreOf('far.test/'), 0.2)
  assert.equal(crawl.scoreOf('near.test/'), 0.2)
  assert.deepEqual(crawl.run(1), ['http://far.test/'])
})

test('of several pages that link to a URL the one nearest to the topic counts', () => {
  const crawl = crawlOf()
  crawl.run(2)
  assert.equal(crawl.scoreOf('c.test/'), 0.1)
  assert.deepEqual(crawl.run(1), ['http://near.test/'])
  assert.equal(crawl.scoreOf('c.test/'), 0.7)
})

test('a URL that nobody spoke of waits until the last', () => {
  const crawl = crawlOf()
  crawl.run(1)
  crawl.add('listed.test/', null, 1)
  assert.equal(crawl.run().at(-1), 'http://listed.test/')
})
