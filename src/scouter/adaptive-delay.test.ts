import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'
import { ManualClock } from '../lib/clock.ts'
import { AdaptiveDelay, retryAfterMs } from './adaptive-delay.ts'

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

const DAY = 86_400_000
const NOW = Date.parse('2026-11-06T08:49:37Z')

const wait = (value: string | null, date: string | null = null) => retryAfterMs(value, date, NOW)

test('seconds and all three forms of a date are understood', () => {
  const cases: readonly [string, number][] = [
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5000],
    ['Fri, 06 Nov 2026 08:50:37 GMT', 60_000],
    ['Friday, 06-Nov-26 08:50:37 GMT', 60_000],
    ['Fri Nov  6 08:50:37 2026', 60_000],
  ]
  for (const [value, expected] of cases) assert.equal(wait(value), expected, value)
})

test('a wait is never negative and never longer than a day', () => {
  assert.equal(wait('Fri, 06 Nov 2026 08:00:00 GMT'), 0)
  assert.equal(wait('Sat, 06 Nov 2027 08:00:00 GMT'), DAY)
  assert.equal(wait('86401'), DAY)
  assert.equal(wait('9'.repeat(400)), DAY)
})

test('a date counts from the clock of the server that sent it', () => {
  const wrongClock = 'Tue, 01 Jan 2019 00:00:00 GMT'
  assert.equal(wait('Tue, 01 Jan 2019 00:00:30 GMT', wrongClock), 30_000)
  assert.equal(wait('Fri, 06 Nov 2026 08:50:37 GMT', 'yesterday'), 60_000)
})

test('garbage is no wait at all', () => {
  for (const value of [null, '', '-1', '1.5', '1e3', 'soon', 'Fri, 99 Foo 2026', '2026-11-06']) {
    assert.equal(wait(value), null, String(value))
  }
})
