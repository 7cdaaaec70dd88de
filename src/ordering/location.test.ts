import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitsOf } from '../../test/ordering/sample-web.ts'
import { SteerCrawl } from '../../test/ordering/steer-crawl.ts'
import { location } from './location.ts'
import type { OptionValues } from './ordering.ts'

const WEB = {
  'seed.com/deep/down/here.html': { links: ['seed.com/a/b', 'seed.com/a', 'seed.com/a/b/c'] },
  'seed.com/a': { links: ['other.com/'] },
}

function fetched(options: OptionValues = {}): string[] {
  const visit = visitsOf(WEB, location)
  const seeds = ['seed.com/deep/down/here.html']
  const crawl = new SteerCrawl({ ordering: location, options, visit, seeds })
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
