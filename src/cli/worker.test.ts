import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type WorkerRow, workersText } from './worker.ts'

const WORKER: WorkerRow = {
  ...{ name: 'rack-7', machine: 'seven', pid: 42, version: '1.0.0', pairs: 2, since: 0 },
  ...{ cpu: 1.25, rssBytes: 200e6, pagesPerSecond: 31, inFlight: 12, isLeaving: false },
  shares: [
    { crawl: 3, pairs: 2 },
    { crawl: 4, pairs: 0 },
  ],
}

test('each worker is a line, with what it does', () => {
  const [, line] = workersText([WORKER], 'postgres://db/web').split('\n')
  assert.match(line ?? '', /^rack-7 {2}seven, process 42 .* 125 ?% .* 12 {2}3 \(2 pairs\)$/)
})

test('one that does nothing waits, one that goes leaves', () => {
  const idle = workersText([{ ...WORKER, shares: [] }], '')
  assert.match(idle, /waiting\n$/)
  assert.match(workersText([{ ...WORKER, isLeaving: true }], ''), /3 \(2 pairs\), leaving\n$/)
})

test('that there are none is said, with how to have one', () => {
  assert.match(
    workersText([], 'postgres://db/web'),
    /^no workers in postgres:\/\/db\/web; 'jelajah worker'/,
  )
})
