import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fair } from './fair.ts'
import type { HostFacts, SiteFacts } from './host-policy.ts'

const site = (served: number, more: Partial<SiteFacts> = {}): SiteFacts => ({
  served,
  isSeed: true,
  active: true,
  ...more,
})
const hostOn = (on: SiteFacts, served = on.served): HostFacts => ({
  site: on,
  served,
  pending: 10,
  lastVisit: 0,
  bestScore: 0,
  bestId: 1,
})

test('the least served domain goes first, then its least served host', () => {
  const ranks = [
    fair.rank(hostOn(site(3), 0)),
    fair.rank(hostOn(site(3), 2)),
    fair.rank(hostOn(site(4), 0)),
  ]
  assert.deepEqual(
    ranks,
    ranks.toSorted((a, b) => a - b),
  )
})

test('a lead of two pages is allowed however small the numbers', () => {
  const [ahead, behind] = [site(1), site(0)]
  assert.equal(fair.holds(hostOn(ahead), [ahead, behind]), false)
  const farAhead = site(2)
  assert.equal(fair.holds(hostOn(farAhead), [farAhead, behind]), true)
})

test('a seed far ahead waits, one a little ahead does not', () => {
  const others = [site(100), site(100)]
  assert.equal(fair.holds(hostOn(site(110)), others), false)
  assert.equal(fair.holds(hostOn(site(200)), others), true)
})

test('the least served never waits', () => {
  const least = site(10)
  assert.equal(fair.holds(hostOn(least), [least, site(500), site(1000)]), false)
})

test('nobody waits for a domain that is not active, nor does one that is no seed wait', () => {
  const asleep = site(0, { active: false })
  assert.equal(fair.holds(hostOn(site(50)), [asleep]), false)
  assert.equal(fair.holds(hostOn(site(50, { isSeed: false })), [site(0)]), false)
})
