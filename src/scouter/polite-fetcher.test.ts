import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FakeAnswers, FakeWeb, failed } from '../../test/support/fake-web.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../core/url.ts'
import type { HostFeedback, Lease } from '../frontier/frontier.ts'
import { ManualClock } from '../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { AdaptiveDelay } from './adaptive-delay.ts'
import { type HostLimiter, NO_LIMITER, type SlotAnswer } from './host-limiter.ts'
import { NetworkWatch } from './host-trouble.ts'
import { PoliteFetcher, type PoliteFetcherOptions } from './polite-fetcher.ts'

function leaseOf(text: string): Lease {
  const url = canonicalise(text)!
  return {
    ...{ kind: 'page', id: 1, token: 1, url, host: hostOf(url), depth: 0, hops: 0, tries: 1 },
    ...{ hostFailures: 0, hostDownMs: 0, hostAnswered: true, delayMs: 1000 },
  }
}

function rig(answers: FakeAnswers, options: Partial<PoliteFetcherOptions> = {}) {
  const clock = new ManualClock(0)
  const web = new FakeWeb(clock, answers)
  const ended: [string, HostFeedback][] = []
  const sent: string[] = []
  const fetcher = new PoliteFetcher({
    ...{ fetcher: web, clock, limiter: NO_LIMITER, settings: DEFAULT_SETTINGS },
    delays: new AdaptiveDelay(DEFAULT_SETTINGS, clock, () => 0),
    hosts: {
      isValid: () => true,
      requestSent: ({ host }) => void sent.push(host),
      requestEnded: ({ host }, feedback) => void ended.push([host, feedback]),
    },
    ...options,
  })
  const request = (text: string) => {
    const lease = leaseOf(text)
    return fetcher.request(lease, lease.url as CanonicalUrl, { wants: () => 1000 })
  }
  return { clock, web, ended, sent, request }
}

function limiterOf(answer: SlotAnswer, rests: unknown[] = []): HostLimiter {
  return { ...NO_LIMITER, ask: async () => answer, rest: (...rest) => void rests.push(rest) }
}

const A = 'http://a.test/'

test('a request is noted at its host when it goes out and when it has ended', async () => {
  const { sent, ended, request } = rig({ [A]: { body: 'page' } })
  assert.equal((await request(A))?.outcome, 'response')
  assert.deepEqual(sent, ['a.test'])
  assert.deepEqual(ended, [['a.test', { ok: true, delayMs: 0, bytes: 4 }]])
})

test('while other crawls are first at a host nothing is sent, and the host rests', async () => {
  const limiter = limiterOf({ slot: null, askAgainAt: 700, trouble: '' })
  const { web, ended, request } = rig({}, { limiter })
  assert.equal(await request(A), null)
  assert.deepEqual(web.asked, [])
  assert.deepEqual(ended, [['a.test', { ok: true, restMs: 700 }]])
})

test('a host that asked another crawl for rest is unwell for this one, too', async () => {
  const limiter = limiterOf({ slot: null, askAgainAt: 700, trouble: 'http-503' })
  const { ended, request } = rig({}, { limiter })
  await request(A)
  assert.deepEqual(ended, [['a.test', { ok: false, trouble: 'http-503', restMs: 700 }]])
})

test('other crawls hear of a host that asks for rest, and of no other trouble', async () => {
  const slot = { requestSent: () => {}, done: () => {} }
  for (const [status, shared] of [
    [429, [['a.test', 5000, 'http-429']]],
    [503, [['a.test', 5000, 'http-503']]],
    [502, []],
    [404, []],
  ] as const) {
    const rests: unknown[] = []
    const answers = { [A]: { status, headers: { 'retry-after': '5' } } }
    await rig(answers, { limiter: limiterOf({ slot }, rests) }).request(A)
    assert.deepEqual(rests, shared, String(status))
  }
})

test('hosts at one address share the requests that it may have at once', async () => {
  const settings = { ...DEFAULT_SETTINGS, perIp: 1, delayMs: 1000 }
  const { clock, web, ended, request } = rig({}, { settings })
  assert.notEqual(await request(A), null)
  assert.equal(await request('http://b.test/'), null)
  const [host, { restMs = 0 }] = ended.at(-1)!
  assert.equal(host, 'b.test')
  clock.advance(restMs)
  assert.notEqual(await request('http://b.test/'), null)
  assert.deepEqual(web.asked, ['0 http://a.test/', `${restMs} http://b.test/`])
})

test('when all hosts fail at once it is the network, and no host is blamed', async () => {
  const lost = failed('connect: ENETUNREACH')
  const B = 'http://b.test/'
  const network = new NetworkWatch(new ManualClock(0))
  const { ended, request } = rig({ [A]: [{}, lost], [B]: [{}, lost] }, { network })
  for (const url of [A, B, A]) await request(url)
  assert.equal(ended.at(-1)?.[1].ok, false, 'one host alone may be down')
  assert.equal(await request(B), null)
  assert.deepEqual(ended.at(-1), ['b.test', { ok: true, restMs: 5000 }])
  assert.equal(network.awayMs, 0)
})

test('a lease that was lost meanwhile sends nothing', async () => {
  const hosts = { isValid: () => false, requestSent: () => assert.fail(), requestEnded: () => {} }
  const { web, request } = rig({}, { hosts })
  assert.equal((await request(A))?.outcome, 'stale')
  assert.deepEqual(web.asked, [])
})
