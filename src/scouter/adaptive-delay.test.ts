import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'
import { ManualClock } from '../lib/clock.ts'
import { AdaptiveDelay } from './adaptive-delay.ts'

function leaseOf(host: string): Lease {
  return {
    ...{ kind: 'page', id: 1, token: 1, url: `http://${host}/` as CanonicalUrl, host },
    ...{ depth: 0, hops: 0, tries: 1, hostFailures: 0, delayMs: 1000 },
    ...{ hostDownMs: 0, hostAnswered: false },
  }
}

test('a crawl of very many hosts forgets the oldest gap that was asked for, not all of them', () => {
  const delays = new AdaptiveDelay({ delayMs: 1000, hostPatienceMs: 0 }, new ManualClock())
  for (let host = 0; host <= 50_000; host += 1) delays.setCrawlDelay(`h${host}.test`, 7000)
  const quick = { outcome: 'response', status: 200, headers: {}, tookMs: 10 } as unknown as Fetched
  const gapAt = (host: string) => delays.feedbackOf(quick, leaseOf(host)).delayMs
  assert.equal(gapAt('h50000.test'), 7000)
  assert.equal(gapAt('h1.test'), 7000)
  assert.equal(gapAt('h0.test'), 0)
})
