import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sample } from '../store/job-journal.ts'
import { JobHistory, MAX_SAMPLES } from './run-measures.ts'

const NONE = {
  refused: 0,
  outside: 0,
  failed: 0,
  queued: 0,
  bytes: 0,
  pagesPerSecond: 0,
  recentHarvestRate: null,
}

function sampleAt(at: number): Sample {
  return { at, stored: at / 1000, ...NONE, scouterRssBytes: 0, parserRssBytes: 0, cpu: 0 }
}

/** Like a running job: one call every quarter of a second. */
function watch(history: JobHistory, from: number, to: number): void {
  for (let at = from; at <= to; at += 250) if (history.isDue(at)) history.add(sampleAt(at))
}

test('a sample is taken each quarter of a second at most, so that short jobs have a curve', () => {
  const history = new JobHistory()
  for (let at = 0; at <= 10_000; at += 50) if (history.isDue(at)) history.add(sampleAt(at))
  assert.deepEqual(
    history.samples.map(({ at }) => at),
    Array.from({ length: 41 }, (_, nth) => nth * 250),
  )
})

test('the last sample is the end, taken once', () => {
  const history = new JobHistory()
  watch(history, 0, 1000)
  history.close({ ...sampleAt(1000), stored: 7 })
  history.close({ ...sampleAt(1100), stored: 8 })
  assert.deepEqual(
    history.samples.slice(-3).map(({ at, stored }) => [at, stored]),
    [
      [750, 0.75],
      [1000, 7],
      [1100, 8],
    ],
  )
})

test('the end is kept also where it is one sample too many', () => {
  const history = new JobHistory()
  watch(history, 0, (MAX_SAMPLES - 1) * 250)
  assert.equal(history.samples.length, MAX_SAMPLES)
  history.close(sampleAt(1e9))
  assert.equal(history.samples.at(-1)?.at, 1e9)
})

test('however long a job runs, its curve spans all of it in few samples', () => {
  const history = new JobHistory()
  const day = 24 * 3600_000
  watch(history, 0, day)
  const times = history.samples.map(({ at }) => at)
  assert.ok(times.length <= MAX_SAMPLES && times.length >= MAX_SAMPLES / 2, `${times.length}`)
  assert.equal(times[0], 0)
  assert.ok(day - (times.at(-1) ?? 0) < 300_000)
  const gaps = times.slice(1).map((at, nth) => at - times[nth]!)
  assert.equal(Math.min(...gaps), Math.max(...gaps))
})

test('a later run goes on as finely as the earlier ones ended', () => {
  const history = new JobHistory()
  watch(history, 0, 2000_000)
  const later = new JobHistory(history.samples)
  const before = later.samples.length
  watch(later, 9000_000, 9100_000)
  const gap = later.samples.at(-1)!.at - later.samples.at(-2)!.at
  assert.equal(gap, history.samples.at(-1)!.at - history.samples.at(-2)!.at)
  assert.ok(later.samples.length > before)
})
