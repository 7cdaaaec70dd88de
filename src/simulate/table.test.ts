import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeUpSummary } from '../../test/simulate/made-up.ts'
import { cells } from '../lib/terminal.ts'
import { printTable } from './table.ts'

const TOPICS = ['databases', 'astronomy', 'music', 'web servers', 'testing', 'x'.repeat(80), '健康']

function linesOf(text: string): string[] {
  return text.split('\n')
}

test('no line is wider than a hundred columns, whatever the names', () => {
  const orderings = ['adaptive', 'an ordering with a name that does not end so soon', 'opic']
  const topics = [...TOPICS, ...TOPICS.map((topic) => `more ${topic}`)]
  for (const line of linesOf(printTable(madeUpSummary({ topics, orderings }), { verbose: true }))) {
    assert.ok(cells(line) <= 100, line)
  }
})

test('one row per ordering, the best first, with harvest at each checkpoint', () => {
  const [over, under, first, ...rest] = linesOf(printTable(madeUpSummary()))
  assert.match(over!, /harvest +recall +nAUC20 +hosts +PR +P_CS +P_ST +P_BC +Jain$/)
  assert.match(under!, /^ordering +@2\/5\/10\/20% +@20% +±sd/)
  assert.match(first!, /^adaptive +\d+\/\d+\/\d+\/\d+ +\d+\.\d +\d+\.\d ± ?\d+\.\d +\d+/)
  assert.equal(rest.indexOf(''), 12)
})

test('topic by topic only when asked for', () => {
  const summary = madeUpSummary({ topics: ['databases', 'music'] })
  assert.doesNotMatch(printTable(summary), /databases/)
  assert.match(
    printTable(summary, { verbose: true }),
    /topic by topic\nordering +databases +music\n/,
  )
})

test('who beats whom is reported below the table', () => {
  const text = printTable(madeUpSummary()).replaceAll('\n', ' ')
  assert.match(text, /adaptive beats .*breadth-first.* on every topic\./)
})

test('what was not measured has no column', () => {
  const text = printTable(madeUpSummary({ focused: false }))
  assert.doesNotMatch(text, /harvest|recall|nAUC20|NaN/)
  assert.match(text, /PR +P_CS/)
})

test('a crawl that was cut short has no column for the limited buffer, and is told why', () => {
  const whole = madeUpSummary()
  const cut = {
    ...whole,
    contenders: whole.contenders.map((one) => {
      const singles = { ...one.mean.singles, bc10Pagerank: Number.NaN }
      return { ...one, mean: { ...one.mean, singles } }
    }),
  }
  const text = printTable(cut).replaceAll('\n', ' ')
  assert.doesNotMatch(text, /P_ST +P_BC/)
  assert.match(text, /P_BC is measured at the end of a crawl: --budget 100%\./)
  assert.doesNotMatch(printTable(whole), /--budget/)
})

test('a name cannot move the cursor', () => {
  const text = printTable(madeUpSummary({ orderings: ['\u001b[2Jgone\u202e', 'opic'] }))
  assert.doesNotMatch(text, /\u001b|\u202e/)
})
