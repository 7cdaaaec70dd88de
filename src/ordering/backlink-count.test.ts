import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun } from '../../test/ordering/ordering-run.ts'
import { visitsOf } from '../../test/ordering/sample-web.ts'
import { backlinkCount } from './backlink-count.ts'

test('what more pages link to goes first, seeds before all', () => {
  const web = {
    's.test/': { links: ['a.test/', 'b.test/', 'c.test/'] },
    't.test/': { links: ['c.test/'] },
    'c.test/': { links: ['b.test/', 'd.test/'] },
  }
  const visit = visitsOf(web, backlinkCount)
  const seeds = ['s.test/', 't.test/']
  const crawl = new OrderingRun({ ordering: backlinkCount, visit, seeds })
  // After the seeds c has two links, a and b one each; c adds a second one to b.
  assert.deepEqual(
    crawl.run().map((url) => url[7]),
    ['s', 't', 'c', 'b', 'a', 'd'],
  )
})
