import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jainsIndex } from '../core/fairness.ts'
import { measureBuffer, measureImportance } from './importance.ts'
import {
  measureReplay,
  measureSpread,
  openRelevanceMeter,
  SiteCounts,
  shareGrid,
} from './metrics.ts'
import { foundOfTop, hotCount, rankPages } from './ranking.ts'
import type { Replay, Truth, World } from './replay-result.ts'
import { createYardstick, fetchesFor } from './yardstick.ts'

// Ten pages on three hosts of two sites. Page 7 has much PageRank but no links to it; page 9 is relevant but
// an example. For the topic eight pages count; 1, 6 and 8 of them are relevant.
const WORLD: World = {
  pages: 10,
  hostOf: Uint32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 2, 2),
  siteOf: Uint32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1, 1),
  pagerank: Float64Array.of(0.3, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05, 0.5, 0.05, 0.05),
  inDegree: Uint32Array.of(5, 5, 1, 1, 1, 1, 1, 9, 1, 1),
}
const TRUTH: Truth = {
  topic: 'tea',
  relevant: Uint8Array.of(0, 1, 0, 0, 0, 0, 1, 0, 1, 1),
  leftOut: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
  reachable: Uint8Array.of(1, 1, 1, 1, 1, 1, 1, 0, 1, 1),
}
const YARDSTICK = createYardstick(WORLD, TRUTH)

function replayOf(fetched: readonly number[], more: Partial<Replay> = {}): Replay {
  return {
    ordering: 'breadth-first',
    hostPolicy: 'fair',
    topic: 'tea',
    seed: 1,
    fetched: Uint32Array.from(fetched),
    at: null,
    ranDry: false,
    buffers: new Map(),
    seconds: 0.5,
    ...more,
  }
}

const WHOLE = replayOf([0, 9, 1, 8, 2, 6, 3, 4, 5])

function near(actual: ArrayLike<number>, expected: readonly number[]): void {
  assert.equal(actual.length, expected.length)
  for (const [at, value] of expected.entries()) {
    const got = actual[at]!
    const same = Number.isNaN(value) ? Number.isNaN(got) : Math.abs(got - value) < 1e-9
    assert.ok(same, `at ${at}: ${got} is not ${value}`)
  }
}

test('a topic is counted among what can be reached, without its examples', () => {
  const { reachable, relevant, leftOut, relevantHosts, sites } = YARDSTICK
  assert.deepEqual([reachable, relevant, leftOut, relevantHosts, sites], [9, 3, 1, 3, 2])
  assert.equal(fetchesFor(YARDSTICK, 0.2), 3)
  assert.equal(fetchesFor(YARDSTICK, 1), 9)
})

test('harvest, recall, share of the ideal and hosts leave example pages out of every count', () => {
  // Counted fetches: 0 1 8 2 6 3 4 5, so relevant after n: 0 1 2 2 3 3 3 3.
  const figures = openRelevanceMeter(YARDSTICK, WHOLE).at([0.125, 0.25, 0.5, 1])
  near(figures.harvest, [0, 50, 50, 37.5])
  near(figures.recall, [0, 100 / 3, 200 / 3, 100])
  near(figures.ofIdeal, [0, 50, 200 / 3, 100])
  near(figures.relevantHosts, [0, 1, 2, 3])
})

test('nAUC20 is the mean share of the ideal over the first fifth of the pages', () => {
  // n = 1, 2: 0/1 and 1/2.
  near([openRelevanceMeter(YARDSTICK, WHOLE).nauc20()], [25])
  // Twenty pages, two of them relevant, n = 1 … 4: 1/1, 1/2, 2/2, 2/2.
  const twenty = createYardstick(plainWorld(20), plainTruth(20, [3, 7]))
  near([openRelevanceMeter(twenty, replayOf([3, 0, 7, 1])).nauc20()], [87.5])
})

test('a crawl that ran dry keeps what it has; one that was stopped is not measured further', () => {
  const shares = [0.25, 0.5]
  const dry = openRelevanceMeter(YARDSTICK, replayOf([0, 9, 1], { ranDry: true }))
  near(dry.at(shares).harvest, [50, 50])
  near(dry.at(shares).recall, [100 / 3, 100 / 3])
  near(dry.at(shares).ofIdeal, [50, 100 / 3])
  const stopped = openRelevanceMeter(YARDSTICK, replayOf([0, 9, 1]))
  near(stopped.at(shares).harvest, [50, Number.NaN])
  near(openRelevanceMeter(YARDSTICK, replayOf([0])).at(shares).recall, [Number.NaN, Number.NaN])
  near([openRelevanceMeter(YARDSTICK, replayOf([0])).nauc20()], [Number.NaN])
})

test('without relevant pages nothing about relevance is measured, and the rest is', () => {
  const none = createYardstick(WORLD, { ...TRUTH, relevant: new Uint8Array(10) })
  const { curves, singles } = measureReplay(none, WHOLE, Float64Array.of(0.5, 1))
  near(curves.harvest, [Number.NaN, Number.NaN])
  near([singles.nauc20], [Number.NaN])
  near([curves.pagerankSum[1]!], [100])
})

test('cumulated PageRank is a share of what can be reached', () => {
  // After 1, 3 and 9 pages: 0.3, then 0.05 and 0.2 more, then all.
  const { pagerankSum } = measureImportance(YARDSTICK, WHOLE, [1 / 9, 3 / 9, 1])
  near(pagerankSum, [30, 55, 100])
})

test('P_CS counts the top K among the first K, and equals share the places that are left', () => {
  // By PageRank: 0, 1, then 2 3 4 equal, then 5 6 8 9 equal.
  const shares = [1, 2, 3, 4, 5, 6, 9].map((k) => k / 9)
  const { csPagerank } = measureImportance(YARDSTICK, WHOLE, shares)
  near(csPagerank, [100, 50, 200 / 3, 50, 60, 400 / 6, 100])
  const best = measureImportance(YARDSTICK, replayOf([0, 1, 4, 3, 2, 9, 8, 6, 5]), shares)
  near(best.csPagerank, [100, 100, 100, 100, 100, 100, 100])
})

test('P_ST takes all that are as important as the last hot page', () => {
  const { stPagerank, stInDegree } = measureImportance(YARDSTICK, WHOLE, [1 / 9, 2 / 9, 3 / 9])
  near(stPagerank, [100, 100, 100])
  near(stInDegree, [50, 50, 100])
})

test('P_BC compares the buffer at the end with what it should hold', () => {
  const ranking = rankPages([9, 8, 7, 7, 7, 1, 1, 1, 1, 1], new Uint8Array(10).fill(1))
  assert.equal(hotCount(ranking, 3), 5)
  assert.equal(foundOfTop(ranking, Uint32Array.of(0, 3, 4, 5), 4), 3)
  assert.equal(foundOfTop(ranking, Uint32Array.of(2, 3, 4, 5), 4), 2)
  const forty = createYardstick(plainWorld(40), plainTruth(40, []))
  const buffers = new Map([[0.1, Uint32Array.of(0, 2, 30, 31)]])
  near([measureBuffer(forty.byPagerank, replayOf([], { buffers }), 0.1)], [50])
  near([measureBuffer(forty.byPagerank, replayOf([], { buffers }), 0.05)], [Number.NaN])
})

test('fairness is over all sites that can be reached, also those without pages', () => {
  const counts = new SiteCounts(4)
  for (const site of [7, 7, 2, 7]) counts.add(site)
  near([counts.jain(), counts.gini()], [0.4, 0.625])
  near([counts.jain()], [jainsIndex([3, 1, 0, 0])])
  near([counts.entropy()], [(0.75 * Math.log2(4 / 3) + 0.25 * 2) / 2])
  near([new SiteCounts(3).jain(), new SiteCounts(3).gini(), new SiteCounts(1).entropy()], [1, 0, 1])
})

test('fairness along a crawl: an even beginning, then one site more and more', () => {
  // After 2 pages one each, after 4 two each, after 9 seven and two.
  const { jain, gini } = measureSpread(YARDSTICK, WHOLE, [2 / 9, 4 / 9, 1])
  near(jain, [1, 1, 81 / (2 * 53)])
  near(gini, [0, 0, (2 * (2 + 14)) / 18 - 3 / 2])
})

test('the grid of shares rises, ends at the budget and holds the checkpoints within it', () => {
  const grid = [...shareGrid(0.2)]
  assert.deepEqual(
    grid,
    [...new Set(grid)].sort((a, b) => a - b),
  )
  assert.equal(grid.at(-1), 0.2)
  for (const share of [0.02, 0.05, 0.1]) assert.ok(grid.includes(share))
  assert.ok(!shareGrid(0.07).includes(0.1))
})

test('with politeness the virtual hours until each share are kept', () => {
  const at = Float64Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8], (hour) => hour * 3_600_000)
  const { hours } = measureReplay(YARDSTICK, { ...WHOLE, at }, Float64Array.of(1 / 9, 5 / 9, 1))
  near(hours!, [0, 4, 8])
  assert.equal(measureReplay(YARDSTICK, WHOLE, Float64Array.of(1)).hours, null)
})

/** Page 0 is the most important, each next one less. */
function plainWorld(pages: number): World {
  return {
    pages,
    hostOf: new Uint32Array(pages),
    siteOf: new Uint32Array(pages),
    pagerank: Float64Array.from({ length: pages }, (_, page) => pages - page),
    inDegree: new Uint32Array(pages),
  }
}

function plainTruth(pages: number, relevant: readonly number[]): Truth {
  return {
    topic: 'plain',
    relevant: Uint8Array.from({ length: pages }, (_, page) => (relevant.includes(page) ? 1 : 0)),
    leftOut: new Uint8Array(pages),
    reachable: new Uint8Array(pages).fill(1),
  }
}
