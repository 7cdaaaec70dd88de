import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_PROGRESS, NOBODY_DIED, withBeat } from './progress.ts'

const footprint = (pid: number) => ({ pid, rssBytes: pid * 1000, cpuMs: pid * 10 })

const SCOUTER = {
  ...({ type: 'beat', role: 'scouter', ...footprint(11) } as const),
  ...{ counts: NO_PROGRESS.counts, hosts: [], fairness: 0.5, inFlight: 3, bytes: 5 },
}

test('bytes go on where a scouter that died had come to', () => {
  const { bytes } = withBeat(NO_PROGRESS, SCOUTER, { ...NOBODY_DIED, bytes: 100 })
  assert.equal(bytes, 105)
})

test('each child’s footprint is known, and a beat of one leaves the other’s as it was', () => {
  const parser = {
    ...({ type: 'beat', role: 'parser', ...footprint(22) } as const),
    ...{ stored: 7, saved: 0, duplicates: 0, waiting: 0, judged: 0, hot: 0 },
    ...{ recentJudged: 0, recentHot: 0, leftOut: 0 },
  }
  const progress = withBeat(withBeat(NO_PROGRESS, SCOUTER, NOBODY_DIED), parser, NOBODY_DIED)
  const { scouterPid, scouterRssBytes, scouterCpuMs } = progress
  assert.deepEqual([scouterPid, scouterRssBytes, scouterCpuMs], [11, 11_000, 110])
  const { parserPid, parserRssBytes, parserCpuMs } = progress
  assert.deepEqual([parserPid, parserRssBytes, parserCpuMs], [22, 22_000, 220])
  assert.deepEqual([progress.inFlight, progress.stored, progress.fairness], [3, 7, 0.5])
})
