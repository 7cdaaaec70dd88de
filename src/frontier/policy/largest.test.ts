import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostFacts } from './host-policy.ts'
import { largest } from './largest.ts'

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
