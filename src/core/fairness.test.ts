import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairnessOf, type HostShare, hasSeveralSites, jainsIndex } from './fairness.ts'
import type { CanonicalUrl } from './url.ts'

const SEEDS = ['http://a.test/', 'http://b.test/', 'http://c.test/'] as CanonicalUrl[]

function host(name: string, stored: number, more: Partial<HostShare> = {}): HostShare {
  return { host: name, stored, queued: 0, failures: 0, delayMs: 1000, ...more }
}
const fairness = (...hosts: readonly HostShare[]) => fairnessOf(SEEDS, hosts, 1000)

test('equal shares are perfectly fair, one taker of all is one over n', () => {
  assert.equal(jainsIndex([400, 400, 400]), 1)
  assert.equal(jainsIndex([7, 0, 0, 0]), 0.25)
  assert.ok(Math.abs(jainsIndex([75, 15, 10]) - 10_000 / (3 * (5625 + 225 + 100))) < 1e-12)
})

test('nobody and nothing are fair', () => {
  assert.equal(jainsIndex([]), 1)
  assert.equal(jainsIndex([0, 0]), 1)
  assert.deepEqual(fairness(), { index: 1, over: 0 })
})

test('who had more to give and was not asked makes a crawl unfair', () => {
  const waiting = { queued: 100 }
  const { index, over } = fairness(
    host('a.test', 56, waiting),
    host('b.test', 1, waiting),
    host('c.test', 1, waiting),
  )
  assert.equal(over, 3)
  assert.ok(index < 0.4, `the index is ${index}`)
})

test('who has given all it has was served in full', () => {
  assert.deepEqual(fairness(host('a.test', 56), host('b.test', 1), host('c.test', 1)), {
    index: 1,
    over: 3,
  })
  // The others could have had what this one did not need.
  const { index } = fairness(
    host('a.test', 90, { queued: 500 }),
    host('b.test', 10, { queued: 500 }),
    host('c.test', 1),
  )
  assert.ok(index > 0.6 && index < 0.8, `the index is ${index}`)
})

test('a domain that fails, or keeps a longer gap than the crawl, had no chance of more', () => {
  const healthy = host('a.test', 400, { queued: 500 })
  const dead = host('b.test', 0, { queued: 9, failures: 5 })
  const slow = host('c.test', 4, { queued: 500, delayMs: 20_000 })
  assert.deepEqual(fairness(healthy, dead, slow), { index: 1, over: 2 })
})

test('hosts of a domain count together, and those of other domains not at all', () => {
  const { index, over } = fairness(
    host('a.test', 50, { queued: 10 }),
    ...[1, 2, 3, 4, 5].map((n) => host(`h${n}.b.test`, 10, { queued: 10 })),
    host('c.test', 50, { queued: 10 }),
    host('elsewhere.test', 5000, { queued: 10 }),
  )
  assert.deepEqual({ index, over }, { index: 1, over: 3 })
})

test('with one domain there is nobody to be fair to', () => {
  const seeds = ['http://a.test/', 'http://www.a.test/'] as CanonicalUrl[]
  assert.equal(hasSeveralSites(seeds), false)
  assert.equal(fairnessOf(seeds, [host('a.test', 9), host('www.a.test', 1)], 0).over, 0)
})
