import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prometheusText } from './prometheus.ts'

test('a metric has its help, its type and a line for each sample', () => {
  const text = prometheusText([
    {
      name: 'jobs',
      type: 'gauge',
      help: 'Jobs\nby \\ status.',
      samples: [{ labels: { status: 'a"b\\c\nd', kind: 'x' }, value: 1.5 }, { value: 0 }],
    },
    { name: 'none', type: 'counter', help: 'Nothing yet.', samples: [] },
  ])
  assert.equal(
    text,
    '# HELP jobs Jobs\\nby \\\\ status.\n# TYPE jobs gauge\n' +
      'jobs{status="a\\"b\\\\c\\nd",kind="x"} 1.5\njobs 0\n' +
      '# HELP none Nothing yet.\n# TYPE none counter\n',
  )
})

test('what is no number is written as Prometheus has it', () => {
  const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const samples = values.map((value) => ({ value }))
  const text = prometheusText([{ name: 'x', type: 'gauge', help: 'X.', samples }])
  assert.match(text, /x NaN\nx \+Inf\nx -Inf\n$/)
})
