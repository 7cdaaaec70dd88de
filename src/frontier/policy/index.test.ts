import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostFacts, SeedSums, SiteFacts } from './host-policy.ts'
import { fair, largest } from './index.ts'

const host = (pending: number, lastVisit: number): HostFacts => ({
  site: { share: 0, isSeed: false, counted: -1 },
  served: 0,
  bestScore: 0,
  bestId: 1,
  ...{ pending, lastVisit },
})

test('more waiting goes first; of equals the one that was visited longest ago', () => {
  const inOrder = [host(9, 500), host(5, 0), host(5, 7), host(5, 8), host(0, 0), host(0, 3)]
  const ranks = inOrder.map((each) => largest.rank(each))
  assert.deepEqual(
    ranks,
    ranks.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(ranks).size, ranks.length)
})

test('ranks are exact however large a crawl is', () => {
  const [more, fewer] = [
    largest.rank(host(2 ** 24 - 1, 2 ** 40)),
    largest.rank(host(2 ** 24 - 2, 0)),
  ]
  assert.ok(more < fewer)
})

const site = (share: number, more: Partial<SiteFacts> = {}): SiteFacts => ({
  share,
  isSeed: true,
  counted: -1,
  ...more,
})
const hostOn = (on: SiteFacts, served = on.share): HostFacts => ({
  site: on,
  served,
  pending: 10,
  lastVisit: 0,
  bestScore: 0,
  bestId: 1,
})
const sumsOf = (...shares: readonly number[]): SeedSums => ({
  count: shares.length,
  least: Math.min(...shares),
  sum: shares.reduce((total, share) => total + share, 0),
  squares: shares.reduce((total, share) => total + share * share, 0),
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
  assert.equal(fair.rankInSite?.(hostOn(site(3), 2)), 2)
})

test('a lead of two pages is allowed however small the numbers', () => {
  assert.equal(fair.holds(hostOn(site(1)), sumsOf(0)), false)
  assert.equal(fair.holds(hostOn(site(2)), sumsOf(0)), true)
})

test('a seed far ahead counts as one host, one a little ahead does not', () => {
  assert.equal(fair.holds(hostOn(site(110)), sumsOf(100, 100)), false)
  assert.equal(fair.holds(hostOn(site(200)), sumsOf(100, 100)), true)
  // The result is the same whether the domain itself is part of the sums or not.
  assert.equal(fair.holds(hostOn(site(200, { counted: 199 })), sumsOf(100, 100, 199)), true)
})

test('the least served is never held back', () => {
  assert.equal(fair.holds(hostOn(site(10, { counted: 10 })), sumsOf(10, 500, 1000)), false)
})

test('nobody is held back for domains that could not be served, nor one that is no seed', () => {
  assert.equal(fair.holds(hostOn(site(50)), sumsOf()), false)
  assert.equal(fair.holds(hostOn(site(50, { isSeed: false })), sumsOf(0)), false)
})
