import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleJob } from '../../test/contract/sample-page.ts'
import type { JobRecord } from '../core/job.ts'
import { JobQueue } from './job-queue.ts'

function job(id: number): JobRecord {
  const state = { status: 'started', startedAt: 0, endedAt: null, note: '', ranMs: 0 } as const
  return { ...sampleJob(), id, salt: 1, ...state }
}

test('jobs wait oldest first, whenever they came', () => {
  const queue = new JobQueue()
  for (const id of [5, 2, 9, 2, 7]) queue.add(job(id))
  assert.equal(queue.length, 4)
  assert.deepEqual(
    [2, 5, 7, 9, 1, 6].map((id) => queue.ahead(id)),
    [0, 1, 2, 3, null, null],
  )
  assert.equal(queue.first?.id, 2)
  assert.equal(queue.take(7)?.id, 7)
  assert.equal(queue.take(7), null)
  assert.equal(queue.ahead(9), 2)
  for (const id of [2, 5, 9]) queue.take(id)
  assert.equal(queue.first, null)
})
