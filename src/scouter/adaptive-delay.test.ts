import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import { readHeaders } from '../http/fetched.ts'
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

const SETTINGS = { delayMs: 1000, hostPatienceMs: 60_000 }

/** An answer that took this long. */
function answer(status: number, tookMs = 10, headers: Record<string, string> = {}): Fetched {
  return {
    ...{ outcome: 'response', status, headers: readHeaders(headers), body: [], wireBytes: 0 },
    ...{ truncated: false, startedAt: 0, tookMs },
  }
}

function delaysOf(settings: Partial<typeof SETTINGS> = {}): AdaptiveDelay {
  return new AdaptiveDelay({ ...SETTINGS, ...settings }, new ManualClock(0), () => 0)
}

test('the gap at a host that got slow is twice its answers, thirty seconds at most', () => {
  const delays = delaysOf()
  const lease = leaseOf('a.test')
  assert.deepEqual(delays.feedbackOf(answer(200, 4000), lease), { ok: true, delayMs: 8000 })
  assert.equal(delays.feedbackOf(answer(200, 60_000), lease).delayMs, 30_000)
})

test('one slow answer among quick ones changes little, and a host that is quick again has its old gap', () => {
  const delays = delaysOf()
  const lease = leaseOf('a.test')
  delays.feedbackOf(answer(200, 100), lease)
  assert.equal(delays.feedbackOf(answer(200, 2000), lease).delayMs, undefined)
  delays.feedbackOf(answer(200, 9000), lease)
  const gaps = Array.from({ length: 9 }, () => delays.feedbackOf(answer(200, 10), lease).delayMs)
  assert.equal(gaps.includes(0), true, 'the gap of the crawl alone counts again')
  assert.equal(gaps.at(-1), undefined, 'nothing changes any more')
})

test('a slow host keeps at least the gap that its robots.txt asks for', () => {
  const delays = delaysOf()
  delays.setCrawlDelay('a.test', 9000)
  assert.equal(delays.feedbackOf(answer(200, 2000), leaseOf('a.test')).delayMs, 9000)
})

test('with a delay of 0 the user alone decides about the pace', () => {
  const delays = delaysOf({ delayMs: 0 })
  assert.deepEqual(delays.feedbackOf(answer(200, 20_000), leaseOf('a.test')), { ok: true })
})

test('a host rests as long as it asks for, or longer with every failure in a row', () => {
  const delays = delaysOf()
  const lease = leaseOf('a.test')
  assert.deepEqual(delays.feedbackOf(answer(503, 10, { 'retry-after': '90' }), lease), {
    ...{ ok: false, trouble: 'http-503', restMs: 90_000 },
  })
  const rests = [0, 1, 2].map(
    (hostFailures) => delays.feedbackOf(answer(429), { ...lease, hostFailures }).restMs,
  )
  assert.deepEqual(rests, [1000, 2000, 4000])
})

test('a plain 500 is the fault of one page, but of the host where robots.txt answers so', () => {
  const delays = delaysOf()
  const lease = leaseOf('a.test')
  assert.equal(delays.feedbackOf(answer(500), lease).ok, true)
  assert.equal(delays.feedbackOf(answer(500), { ...lease, kind: 'robots' }).trouble, 'http-500')
})

test('while a crawl waits for a host that answered before, it tries it every minute', () => {
  const delays = delaysOf()
  const known = { hostAnswered: true, hostDownMs: 10_000 }
  assert.equal(delays.backoffMs(20, known), 60_000)
  assert.equal(
    delays.backoffMs(20, { ...known, hostDownMs: 60_000 }),
    3_600_000,
    'patience is over',
  )
  assert.equal(delays.backoffMs(20, { ...known, hostAnswered: false }), 3_600_000)
})

test('a URL is tried again later than its host', () => {
  const delays = delaysOf()
  for (const tries of [1, 2, 5]) {
    const host = delays.backoffMs(tries, { hostAnswered: false, hostDownMs: 0 })
    assert.ok(delays.retryMs(tries) > host)
  }
})

test('a connection that this machine has no room for says nothing about the host', () => {
  const delays = delaysOf()
  const lease = leaseOf('a.test')
  const crowded: Fetched = { outcome: 'stale', crowded: 'EMFILE' }
  assert.deepEqual(delays.feedbackOf(crowded, lease), { ok: true, restMs: 1000 })
  assert.deepEqual(delays.feedbackOf({ outcome: 'stale' }, lease), { ok: true })
})
