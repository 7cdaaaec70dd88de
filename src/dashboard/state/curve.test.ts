import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobHistory, JobProgress, JobSummary } from '../../reads/shapes/job.ts'
import { extended, finished, samplesOf } from './curve.ts'

const history: JobHistory = {
  at: [1000, 2000],
  stored: [1, 2],
  refused: [0, 1],
  outside: [2, 3],
  failed: [0, 0],
  queued: [5, 6],
  pages_per_second: [1, 1.5],
  recent_harvest_rate: [null, 0.5],
  scouter_rss_bytes: [10, 20],
  parser_rss_bytes: [30, 40],
  cpu: [0.5, 1],
}
const progress = (at: number, stored = 3): JobProgress => ({
  at,
  stored,
  duplicates: 0,
  refused: 1,
  outside: 3,
  failed: 0,
  queued: 6,
  in_flight: 1,
  bytes: 100,
  pages_per_second: 2,
  fairness: 1,
  harvest_rate: 0.5,
  recent_harvest_rate: 0.25,
  restarts: 0,
  busy: '',
  processes: [
    { role: 'scouter', pid: 1, rss_bytes: 11, cpu: 0.5 },
    { role: 'parser', pid: 2, rss_bytes: 22, cpu: 1 },
    { role: 'server', pid: 3, rss_bytes: 33, cpu: 9 },
  ],
  hosts: [],
})

test('what is seen live goes on where the kept curve ends', () => {
  const curve = extended(samplesOf(history), progress(3000))
  assert.deepEqual(
    curve.map(({ at, stored }) => [at, stored]),
    [
      [1000, 1],
      [2000, 2],
      [3000, 3],
    ],
  )
  const last = curve.at(-1)
  assert.deepEqual([last?.scouter_rss_bytes, last?.parser_rss_bytes, last?.cpu], [11, 22, 1.5])
})

test('moments that are too close or late change nothing', () => {
  const curve = samplesOf(history)
  assert.equal(extended(curve, progress(2500)), curve)
  assert.equal(extended(curve, progress(500)), curve)
})

test('a long curve stays bounded, from its first sample to its last', () => {
  let curve = samplesOf(history)
  for (let second = 3; second < 20_000; second++) curve = extended(curve, progress(second * 1000))
  assert.ok(curve.length <= 1200, String(curve.length))
  assert.equal(curve[0]?.at, 1000)
  assert.equal(curve.at(-1)?.at, 19_999_000)
})

test('the curve of a job at rest ends with what came out', () => {
  const totals = { stored: 9, refused: 8, outside: 6, failed: 7, queued: 0 }
  const job = { ...totals, ended_at: 2600 } as JobSummary
  assert.deepEqual(finished(samplesOf(history), job).at(-1)?.stored, 9)
  assert.equal(finished(samplesOf(history), { ...job, ended_at: null }).length, 2)
  assert.deepEqual(finished([], job), [])
})

test('a history that is shorter than it says has gaps, not errors', () => {
  const torn = { ...history, stored: [1] }
  assert.deepEqual(
    samplesOf(torn).map(({ stored }) => stored),
    [1, null],
  )
})
