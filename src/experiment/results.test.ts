import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DoneCell } from './experiment.ts'
import { readPlan } from './plan.ts'
import { Baselines, figuresOf, groupBy, summarise, tablesOf } from './results.ts'

/** One table of one measure; rows are orderings, topics are averaged. */
function planOf(measure: string) {
  return readPlan(
    `{ "name": "x", "kind": "crawl", "repeats": 3, "baseline": { "ordering": "a" },
       "factors": { "ordering": ["a", "b", "c"], "topic": ["t", "u"] },
       "tables": [{ "rows": ["ordering"], "columns": ["${measure}"] }] }`,
    'x.json',
  )
}

type Values = Readonly<Record<string, readonly number[]>>

/** For each ordering six values: three repeats of topic t, then three of u. */
function cellsOf(measure: string, values: Values): DoneCell[] {
  return Object.entries(values).flatMap(([ordering, own]) =>
    own.map((value, at) => ({
      cell: {
        ...{ number: 0, key: '', options: {}, seed: 0, repeat: at % 3 },
        labels: { ordering, topic: at < 3 ? 't' : 'u' },
      },
      result: {
        ...{ key: '', curves: [], sites: [], maps: [], notes: [] },
        measures: [{ measure, of: '', at: '', value, unit: '' }],
      },
    })),
  )
}

function bold(measure: string, values: Values): string[] {
  const [table] = tablesOf(planOf(measure), cellsOf(measure, values))
  const best = table?.rows.filter(({ cells }) => cells[0]?.isBest) ?? []
  return best.map(({ labels }) => labels.ordering ?? '')
}

test('a difference that may be chance does not make one row the best', () => {
  const worst = [1, 2, 1, 1, 2, 1]
  const [good, alike] = [
    [10, 12, 11, 13, 10, 12],
    [11, 11, 12, 12, 10, 11],
  ]
  assert.deepEqual(bold('pages', { a: good, b: alike, c: worst }), ['a', 'b'])
  assert.deepEqual(bold('pages', { a: good, b: good.map((value) => value - 1), c: worst }), ['a'])
})

test('a row behind one that is worse is not the best, however much it varies', () => {
  const [good, worse] = [
    [50, 51, 50, 51, 50, 51],
    [40, 41, 40, 41, 40, 41],
  ]
  assert.deepEqual(bold('pages', { a: good, b: worse, c: [0, 99, 0, 50, 10, 60] }), ['a'])
})

test('nothing is the best if no row differs from the first beyond chance', () => {
  const [one, other] = [
    [10, 12, 11, 13, 10, 12],
    [11, 11, 12, 12, 10, 11],
  ]
  assert.deepEqual(bold('pages', { a: one, b: other }), [])
  assert.deepEqual(bold('pages', { a: one, b: one }), [])
})

test('pairs are compared, so that hard topics hide no difference', () => {
  const hard = [10, 11, 10, 90, 91, 90]
  assert.deepEqual(bold('pages', { a: hard, b: hard.map((value) => value + 1) }), ['b'])
})

test('the least is the best of what costs something, and more is no merit of other things', () => {
  const [few, many] = [
    [1, 2, 1, 2, 1, 2],
    [90, 91, 90, 91, 90, 91],
  ]
  for (const cost of ['failed', 'memory_per_worker', 'stage_ms']) {
    assert.deepEqual(bold(cost, { a: few, b: many }), ['a'], cost)
  }
  for (const other of ['queued', 'cpu_per_worker']) {
    assert.deepEqual(bold(other, { a: few, b: many }), [], other)
  }
})

test('a cell is compared with the baseline of its own topic and repeat', () => {
  const cells = cellsOf('pages', { a: [1, 2, 3, 40, 50, 60], b: [2, 4, 6, 40, 50, 60] })
  const baselines = new Baselines(planOf('pages'), cells)
  const ref = { measure: 'pages', of: '', at: '' }
  const [first, second] = groupBy(cells, ['ordering']).map((group) =>
    summarise(group, ref, baselines),
  )
  assert.equal(first?.difference, null)
  assert.equal(second?.difference?.mean, 1)
  assert.equal(second?.difference?.count, 6)
})

test('a figure tells how many groups it leaves out, since more than 28 cannot be told apart', () => {
  const plan = readPlan(
    `{ "name": "x", "kind": "crawl", "repeats": 1, "factors": { "ordering": ["a", "b"] },
       "figures": [{ "name": "f", "bars": "pages", "lines": ["ordering"] }] }`,
    'x.json',
  )
  const values = Array.from({ length: 30 }, (_, at) => [`o${at}`, [at]] as const)
  const drawn = (count: number) =>
    figuresOf(plan, cellsOf('pages', Object.fromEntries(values.slice(0, count))))
  assert.deepEqual(
    [28, 30].map((count) => drawn(count).map(({ bars, omitted }) => [bars.length, omitted])),
    [[[28, 0]], [[28, 2]]],
  )
})
