import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeUpSummary } from '../../../test/simulate/made-up.ts'
import { type ReportOptions, reportData } from './report.ts'

const OPTIONS: ReportOptions = {
  language: 'en',
  web: 'a small web',
  command: 'jelajah simulate --out report',
  delayMs: null,
  judgedBy: 'truth',
}

function dataOf(made: Parameters<typeof madeUpSummary>[0] = {}) {
  return reportData(madeUpSummary(made), OPTIONS)
}

test('equal input gives equal data, and it passes through JSON', () => {
  const data = dataOf({ seeds: 2, polite: true })
  assert.deepEqual(dataOf({ seeds: 2, polite: true }), data)
  assert.deepEqual(JSON.parse(JSON.stringify(data)), data)
})

test('curves, bars, wins and the values of tables are in the order of the orderings', () => {
  const { orderings, lead, charts, topicCharts, tables, wins } = dataOf()
  assert.equal(orderings[0]?.name, 'adaptive')
  const lists = [
    lead.bars,
    wins ?? [],
    ...charts.map(({ curves }) => curves),
    ...topicCharts.flatMap(({ panels }) => panels.map(({ curves }) => curves)),
    ...tables.flatMap(({ groups }) => groups.flatMap((g) => g.columns.map((c) => c.values))),
  ]
  for (const list of lists) assert.equal(list.length, orderings.length)
  const [nauc] = tables[0]?.groups ?? []
  assert.deepEqual(
    nauc?.columns[0]?.values,
    lead.bars.map(({ mean }) => mean),
  )
  assert.equal(nauc?.columns[0]?.best, lead.bars[0]?.mean)
})

test('a curve ends where its chart does, at the value that is reported', () => {
  for (const { xMax, curves } of dataOf({ upTo: 1 }).charts) {
    for (const { points, end } of curves) {
      assert.ok((points.at(-2) ?? 0) <= xMax * 1.001)
      assert.equal(points.at(-1), end)
      assert.ok(points.length < 400, 'points that nobody would miss are left out')
    }
  }
})

test('without a topic there is nothing about relevance, and PageRank decides', () => {
  const { lead, charts, tables, topicCharts } = dataOf({ focused: false })
  assert.deepEqual([lead.key, lead.share], ['pagerankSum', 0.2])
  assert.ok(!charts.some(({ key }) => key === 'harvest'))
  assert.deepEqual(
    tables.map(({ kind }) => kind),
    ['importance', 'spread'],
  )
  assert.deepEqual(topicCharts, [])
})

test('curves over virtual hours are there when replays were polite', () => {
  const hours = dataOf({ polite: true }).hourCharts
  assert.deepEqual(
    hours.map(({ key }) => key),
    ['harvest', 'recall', 'pagerankSum'],
  )
  assert.ok(hours[0]?.curves.every(({ endedAt }) => typeof endedAt === 'number'))
  assert.deepEqual(dataOf().hourCharts, [])
})

test('names are without what turns a line round or moves a cursor', () => {
  const name = 'a\u202eb\u0000\u001b[31mc\ud800'
  const made = madeUpSummary({ topics: [name], orderings: ['adaptive', name] })
  const text = JSON.stringify(reportData(made, { ...OPTIONS, web: name, command: name }))
  assert.deepEqual(text.match(/\u202e|\\u0000|\\u001b|\\ud800/g), null)
})
