import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterMs } from './retry-after.ts'

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
