import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostState } from '../core/host.ts'
import type { RobotsRecord } from '../frontier/frontier.ts'
import { hostCondition, jobHost, readHosts } from './urls.ts'

const SHUT = 'User-agent: *\nDisallow: /'

type Known = Partial<Record<'http' | 'https', Partial<RobotsRecord>>>

type Asked = { readonly stored: number; readonly trouble: string; readonly ignoreRobots: boolean }

async function conditionOf(
  known: Known,
  { stored = 0, trouble = '', ignoreRobots = false }: Partial<Asked> = {},
) {
  const failures = trouble === '' ? 0 : 1
  const counts = { queued: 1, inFlight: 0, stored, failures, trouble }
  const host = { host: 'a.test', site: 'a.test', ...counts, delayMs: 1000, restsUntil: 0 }
  const robots = async (origin: string): Promise<RobotsRecord | null> => {
    const record = origin === 'http://a.test' ? known.http : known.https
    const empty = { body: '', fetchedAt: 0, expiresAt: 0, attempts: 0, sitemaps: [] }
    return record === undefined ? null : { origin, status: 'fetched', ...empty, ...record }
  }
  const urlStates = { hosts: async () => [host], robots }
  const [shown] = await readHosts(urlStates, { ignoreRobots }, { limit: 9, now: NOW })
  return shown?.condition
}

test('a host is blocked when its robots.txt forbids it or is not given out', async () => {
  assert.equal(await conditionOf({ http: { body: SHUT } }), 'blocked')
  assert.equal(await conditionOf({ https: { status: 'unreachable' } }), 'blocked')
  assert.equal(await conditionOf({ https: { status: 'unreachable' } }, { stored: 5 }), 'blocked')
  assert.equal(
    await conditionOf({ http: { body: `${SHUT}\nUser-agent: Jelajah\nAllow: /` } }),
    'ready',
  )
  assert.equal(await conditionOf({ http: { status: 'unavailable' } }), 'ready')
  assert.equal(await conditionOf({}), 'ready')
})

test('a host is open when one of its two ways in is', async () => {
  assert.equal(await conditionOf({ http: { body: SHUT }, https: { body: '' } }), 'ready')
  assert.equal(await conditionOf({ http: { body: SHUT }, https: { body: SHUT } }), 'blocked')
})

test('a host of which pages were stored is not shut, nor any for who ignores robots.txt', async () => {
  assert.equal(await conditionOf({ http: { body: SHUT } }, { stored: 1 }), 'ready')
  assert.equal(await conditionOf({ http: { body: SHUT } }, { ignoreRobots: true }), 'ready')
})

test('a host that cannot be reached is in trouble, whatever is not known of its robots.txt', async () => {
  const lost = { https: { status: 'unreachable' } } as const
  assert.equal(await conditionOf(lost, { trouble: 'dns: ENOTFOUND' }), 'troubled')
  assert.equal(await conditionOf(lost, { trouble: 'connect: ECONNREFUSED' }), 'troubled')
  assert.equal(await conditionOf(lost, { trouble: 'http-503' }), 'blocked')
  assert.equal(await conditionOf({ http: { body: SHUT } }, { trouble: 'dns: ENODATA' }), 'blocked')
})

const NOW = 1_700_000_000_000
const HOST: HostState = {
  host: 'a.test',
  site: 'a.test',
  queued: 3,
  inFlight: 0,
  stored: 5,
  failures: 0,
  trouble: '',
  delayMs: 1000,
  restsUntil: NOW - 1,
}

test('a host’s condition is the one that matters most', () => {
  const rests = { restsUntil: NOW + 500 }
  const fails = { failures: 2, trouble: 'http-503' }
  const cases: readonly (readonly [Partial<HostState>, boolean, string])[] = [
    [{}, false, 'ready'],
    [{ inFlight: 1 }, false, 'busy'],
    [{ inFlight: 1 }, true, 'busy'],
    [rests, false, 'waiting'],
    [{ ...rests, ...fails }, false, 'slow'],
    [fails, false, 'troubled'],
    [{ queued: 0 }, false, 'done'],
    [{ queued: 0, ...rests }, false, 'done'],
    [{ queued: 0, ...fails }, false, 'troubled'],
    [{}, true, 'blocked'],
    [{ queued: 0 }, true, 'blocked'],
    [{ ...rests, ...fails }, true, 'blocked'],
  ]
  for (const [changes, blocked, expected] of cases) {
    const label = JSON.stringify([changes, blocked])
    assert.equal(hostCondition({ ...HOST, ...changes, blocked }, NOW), expected, label)
  }
})

test('times of a host are whole milliseconds', () => {
  const { delay_ms, rests_until } = jobHost({ ...HOST, delayMs: 12.7, restsUntil: NOW + 0.4 }, NOW)
  assert.deepEqual([delay_ms, rests_until], [13, NOW])
})
