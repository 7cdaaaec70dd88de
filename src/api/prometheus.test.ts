import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcome, Stage, submit } from '../../test/support/dispatcher-stage.ts'
import { NO_PROGRESS } from '../crawl/progress.ts'
import { prometheusText, WorkDone } from './prometheus.ts'

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

const heard = { ...NO_PROGRESS, scouterPid: 1, parserPid: 2 }

test('a run that goes on adds what it does, not what earlier runs had done', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  const done = new WorkDone(dispatcher)
  await submit(dispatcher)
  for (const [from, to] of [
    [0, 460],
    [460, 509],
  ] as const) {
    const { listener } = await stage.run(1)
    listener.onProgress({ ...NO_PROGRESS, stored: from })
    stage.clock.advance(1000)
    listener.onProgress({ ...heard, stored: to, bytes: (to - from) * 10 })
    assert.equal(outcome(await dispatcher.pause(1)), 'paused')
    stage.runs.clear()
    stage.clock.advance(1000)
    assert.deepEqual([done.stored, done.bytes], [to, to * 10])
    await dispatcher.resume(1)
  }
  done.close()
})
