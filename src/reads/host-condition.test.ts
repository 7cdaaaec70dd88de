import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostState } from '../core/host.ts'
import { hostCondition, jobHost } from './host-condition.ts'

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
