import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharePairs, TURN_MS } from './share-pairs.ts'

const now = 1_000_000
const atWork = (run: string, ago = 0, isLeaving = false) => ({ run, since: now - ago, isLeaving })

test('every crawl gets a pair before any gets two, and none stands idle', () => {
  const runs = [
    { run: 'a', pairs: 2 },
    { run: 'b', pairs: 0 },
    { run: 'c', pairs: 1 },
  ]
  const { begin, end } = sharePairs(runs, [], { pairs: 4, now })
  assert.deepEqual(begin, ['b', 'b', 'c', 'a'])
  assert.deepEqual(end, [])
})

test('without crawls nothing begins', () => {
  assert.deepEqual(sharePairs([], [], { pairs: 4, now }), { begin: [], end: [] })
})

test('a crawl that has several pairs makes room at once for one that has none', () => {
  const runs = [
    { run: 'a', pairs: 2 },
    { run: 'b', pairs: 0 },
  ]
  const mine = [atWork('a'), atWork('a')]
  assert.deepEqual(sharePairs(runs, mine, { pairs: 2, now }), { begin: [], end: ['a'] })
})

test('with more crawls than pairs they take turns, each for a while', () => {
  const runs = [
    { run: 'a', pairs: 1 },
    { run: 'b', pairs: 0 },
  ]
  const turn = (ago: number) => sharePairs(runs, [atWork('a', ago)], { pairs: 1, now }).end
  assert.deepEqual(turn(TURN_MS - 1), [])
  assert.deepEqual(turn(TURN_MS), ['a'])
})

test('a pair that leaves already is room enough', () => {
  const runs = [
    { run: 'a', pairs: 2 },
    { run: 'b', pairs: 0 },
  ]
  const mine = [atWork('a', TURN_MS), atWork('a', TURN_MS, true)]
  assert.deepEqual(sharePairs(runs, mine, { pairs: 2, now }).end, [])
})
