import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord } from '../core/job.ts'
import { ManualClock } from '../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import type { CrawlTotals } from '../reads/totals.ts'
import { KnownTotals } from './job-views.ts'

function rig() {
  const clock = new ManualClock()
  const asked: (readonly number[])[] = []
  const reads = {
    totals: async (ids: readonly number[]) => {
      asked.push(ids)
      return ids.map((id) => ({ stored: id * 100 + asked.length }) as CrawlTotals)
    },
  }
  return { clock, asked, totals: new KnownTotals({ reads, clock }) }
}

function job(id: number, endedAt: number | null = null): JobRecord {
  const status = endedAt === null ? 'running' : 'completed'
  const kept = { name: 'a', origin: 'api', seeds: [], topic: null, salt: 1, note: '' } as const
  return { id, ...kept, status, settings: DEFAULT_SETTINGS, startedAt: 0, endedAt, ranMs: 0 }
}

test('of jobs that run totals are as old as a second and no older', async () => {
  const { clock, asked, totals } = rig()
  await totals.ofAll([job(1), job(2)])
  await totals.ofAll([job(2), job(1)])
  assert.deepEqual(asked, [[1, 2]])
  clock.advance(1001)
  await totals.of(job(2))
  assert.deepEqual(asked, [[1, 2], [2]])
})

test('what ended some time ago is asked for once', async () => {
  const { clock, asked, totals } = rig()
  const ended = job(1, clock.now() - 70_000)
  const first = await totals.of(ended)
  clock.advance(10_000_000)
  assert.equal(await totals.of(ended), first)
  assert.equal(asked.length, 1)
})

test('what ended just now may still change, and a change of status is asked about at once', async () => {
  const { clock, asked, totals } = rig()
  await totals.of(job(1))
  const endedAt = clock.now()
  await totals.of(job(1, endedAt))
  clock.advance(2000)
  await totals.of(job(1, endedAt))
  assert.equal(asked.length, 3)
})

test('answers stand in the order of the jobs, known or not', async () => {
  const { totals } = rig()
  await totals.of(job(2))
  const found = await totals.ofAll([job(3), job(2), job(1)])
  assert.deepEqual(
    found.map((one) => Math.floor((one?.stored ?? 0) / 100)),
    [3, 2, 1],
  )
})
