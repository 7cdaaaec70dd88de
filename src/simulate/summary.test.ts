import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeUpSummary } from '../../test/simulate/made-up.ts'
import { duel } from './comparison.ts'
import { spreadOf } from './measures.ts'
import type { Figures, Measured } from './metrics.ts'
import { curvesOverHours } from './report/charts.ts'
import { referencesFor, seedDeviation, summarise, topicSpread } from './summary.ts'
import { createYardstick, type Yardstick } from './yardstick.ts'

const GRID = Float64Array.of(0.25, 0.5, 1)
const NAUC = { key: 'nauc20' } as const

/** Four pages, the first the most important; `relevant` lists the relevant ones. */
function yardstickOf(topic: string, relevant: readonly number[]): Yardstick {
  return createYardstick(
    {
      pages: 4,
      hostOf: Uint32Array.of(0, 0, 1, 1),
      siteOf: Uint32Array.of(0, 0, 1, 1),
      pagerank: Float64Array.of(0.4, 0.3, 0.2, 0.1),
      inDegree: Uint32Array.of(3, 2, 1, 1),
    },
    {
      topic,
      relevant: Uint8Array.from([0, 1, 2, 3], (page) => (relevant.includes(page) ? 1 : 0)),
      leftOut: new Uint8Array(4),
      reachable: new Uint8Array(4).fill(1),
    },
  )
}

const TEA = yardstickOf('tea', [2])
const RICE = yardstickOf('rice', [0, 3])
const NOTHING = yardstickOf('nothing', [])

type Run = {
  readonly ordering: string
  readonly topic: string
  readonly nauc20: number
  readonly seed?: number
  readonly hostPolicy?: string
}

function run({ ordering, topic, nauc20, seed = 1, hostPolicy = 'fair' }: Run): Measured {
  const curve = Float64Array.of(1, 2, 3)
  const curves: Figures['curves'] = {
    harvest: Float64Array.of(nauc20, nauc20, Number.NaN),
    ...{ recall: curve, ofIdeal: curve, relevantHosts: curve, pagerankSum: curve },
    ...{ csPagerank: curve, csInDegree: curve, stPagerank: curve, stInDegree: curve },
    ...{ jain: curve, gini: curve, entropy: curve },
  }
  const buffers = { bc5Pagerank: 1, bc10Pagerank: 2, bc5InDegree: 3, bc10InDegree: 4 }
  const singles = { nauc20, ...buffers, fetched: 4, pagesPerSecond: 1000 }
  return { ordering, hostPolicy, topic, seed, curves, singles, hours: null }
}

// A: tea 60 and 70 by seed, rice 20. B: tea 50, rice 30.
const RUNS = [
  run({ ordering: 'B', topic: 'tea', nauc20: 50 }),
  run({ ordering: 'B', topic: 'rice', nauc20: 30 }),
  run({ ordering: 'A', topic: 'tea', nauc20: 60 }),
  run({ ordering: 'A', topic: 'tea', nauc20: 70, seed: 2 }),
  run({ ordering: 'A', topic: 'rice', nauc20: 20 }),
]

test('seeds are averaged within a topic, then topics; the best comes first', () => {
  const { contenders, seeds } = summarise({ yardsticks: [TEA, RICE], grid: GRID, measured: RUNS })
  assert.deepEqual(seeds, [1, 2])
  assert.deepEqual(
    contenders.map(({ name, mean }) => [name, mean.singles.nauc20]),
    [
      ['A', 42.5],
      ['B', 40],
    ],
  )
  assert.equal(contenders[0]!.byTopic.get('tea')!.singles.nauc20, 65)
})

test('spread is reported over topics and, apart from it, over seeds', () => {
  const summary = summarise({ yardsticks: [TEA, RICE], grid: GRID, measured: RUNS })
  const [a] = summary.contenders
  const spread = topicSpread(summary, a!, NAUC)
  // 65 and 20: each 22.5 from the mean, so the deviation is 22.5·√2.
  assert.ok(Math.abs(spread.deviation - 22.5 * Math.SQRT2) < 1e-9)
  assert.deepEqual([spread.mean, spread.min, spread.max, spread.count], [42.5, 20, 65, 2])
  // 60 and 70: 5·√2; the one seed of rice: 0.
  assert.ok(Math.abs(seedDeviation(summary, a!, NAUC) - 2.5 * Math.SQRT2) < 1e-9)
})

test('wins are counted topic by topic, and a draw is for nobody', () => {
  const measured = [...RUNS, run({ ordering: 'C', topic: 'tea', nauc20: 50 })]
  const summary = summarise({ yardsticks: [TEA, RICE], grid: GRID, measured })
  const [c, a, b] = summary.contenders
  assert.deepEqual([c!.name, a!.name, b!.name], ['C', 'A', 'B'])
  const { deviation, ...rest } = duel(summary, a!, b!, NAUC)
  assert.deepEqual(rest, { wins: 1, losses: 1, topics: 2, difference: 2.5 })
  assert.ok(Math.abs(deviation - 12.5 * Math.SQRT2) < 1e-9)
  assert.deepEqual(duel(summary, b!, c!, NAUC), {
    wins: 0,
    losses: 0,
    topics: 1,
    difference: 0,
    deviation: 0,
  })
})

test('where less is better, less wins', () => {
  const measured = RUNS.map((one) => ({
    ...one,
    curves: { ...one.curves, gini: Float64Array.of(one.ordering === 'A' ? 0.2 : 0.4, 0, 0) },
  }))
  const summary = summarise({ yardsticks: [TEA, RICE], grid: GRID, measured })
  const [a, b] = summary.contenders
  assert.equal(duel(summary, a!, b!, { key: 'gini', share: 0.25 }).wins, 2)
})

test('what one run did not measure is not measured in the mean', () => {
  const { contenders } = summarise({ yardsticks: [TEA, RICE], grid: GRID, measured: RUNS })
  assert.deepEqual([...contenders[0]!.mean.curves.harvest], [42.5, 42.5, Number.NaN])
})

test('a topic without relevant pages counts for importance and not for relevance', () => {
  const measured = [
    run({ ordering: 'A', topic: 'tea', nauc20: 60 }),
    run({ ordering: 'A', topic: 'nothing', nauc20: Number.NaN }),
  ]
  const summary = summarise({ yardsticks: [TEA, NOTHING], grid: GRID, measured })
  assert.equal(summary.contenders[0]!.mean.singles.nauc20, 60)
  assert.equal(topicSpread(summary, summary.contenders[0]!, NAUC).count, 1)
  assert.equal(topicSpread(summary, summary.contenders[0]!, { key: 'jain', share: 1 }).count, 2)
})

test('an ordering that ran with several host policies is told apart by them', () => {
  const measured = ['fair', 'best'].map((hostPolicy, at) =>
    run({ ordering: 'A', topic: 'tea', nauc20: 60 - at, hostPolicy }),
  )
  const { contenders } = summarise({ yardsticks: [TEA], grid: GRID, measured })
  assert.deepEqual(
    contenders.map(({ name }) => name),
    ['A, fair', 'A, best'],
  )
})

test('foresight and chance, by hand', () => {
  const found = referencesFor(RICE, GRID)
  // After 1, 2 and 4 pages; two of four are relevant.
  assert.deepEqual([...found.get('harvest')!.ideal], [100, 100, 50])
  assert.deepEqual([...found.get('harvest')!.random], [50, 50, 50])
  assert.deepEqual([...found.get('recall')!.ideal], [50, 100, 100])
  assert.deepEqual([...found.get('recall')!.random], [25, 50, 100])
  assert.deepEqual([...found.get('ofIdeal')!.random], [50, 50, 100])
  const rank = [...found.get('pagerankSum')!.ideal].map((value) => Number(value.toFixed(6)))
  assert.deepEqual(rank, [40, 70, 100])
  assert.equal(referencesFor(NOTHING, GRID).has('harvest'), false)
})

test('over virtual hours values lie on the line between points, and stay when a replay has ended', () => {
  // Values 1, 2, 3; A reaches them after 1, 2 and 4 hours, B after 2, 4 and 8.
  const measured = ['A', 'B'].map((ordering, at) => ({
    ...run({ ordering, topic: 'tea', nauc20: 60 - at }),
    hours: Float64Array.of(1, 2, 4).map((hour) => hour * (at + 1)),
  }))
  const summary = summarise({ yardsticks: [TEA], grid: GRID, measured })
  const curves = curvesOverHours(summary, 'recall', 1)!
  const at = (hour: number) => curves.hours.findIndex((value) => Math.abs(value - hour) < 1e-9)
  const [a, b] = summary.contenders.map((contender) => curves.of(contender))
  assert.deepEqual(
    [1, 1.5, 3, 4, 8].map((hour) => Number(a![at(hour)]!.toFixed(9))),
    [1, 1.5, 2.5, 3, 3],
  )
  assert.deepEqual(
    [3, 8].map((hour) => Number(b![at(hour)]!.toFixed(9))),
    [1.5, 3],
  )
  assert.equal(curves.endOf(summary.contenders[0]!), 4)
  assert.equal(curvesOverHours(madeUpSummary({ pages: 200 }), 'recall', 1), null)
})

test('the spread of nothing is unknown, of one value 0', () => {
  assert.ok(Number.isNaN(spreadOf([]).mean))
  assert.deepEqual(spreadOf([7]), { mean: 7, deviation: 0, min: 7, max: 7, count: 1 })
})
