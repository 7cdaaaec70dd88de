import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobLeases, WorkerShown } from '../../api/shapes/worker.ts'
import { workersOfJob } from './workers-of-job.ts'

const worker = (id: string, crawl: string, about: Partial<WorkerShown> = {}): WorkerShown => ({
  ...{ id, name: id, machine: 'm', pid: 7, version: '1', since: 0, condition: 'working' },
  ...{ gone_at: null, pairs: 2, cpu: 0, rss_bytes: 0, pages_per_second: 0, in_flight: 0 },
  ...{ leases: 9, crawls: [{ id: crawl, pairs: 2, stored: 5, trouble: '' }], declined: [] },
  ...about,
})
const session = (of: string | null, leases: number, pid = 7): JobLeases['sessions'][number] => ({
  ...{ worker: of, name: of ?? `m (${pid})`, machine: 'm', pid, until: 0, leases, hosts: 1 },
})

test('a worker is shown with what all its scouters hold of this job', () => {
  const sessions = [session('a', 2), session('a', 3), session('b', 4)]
  const rows = workersOfJob('crawl_1', [worker('a', 'crawl_1'), worker('b', 'crawl_2')], sessions)
  assert.deepEqual(
    rows.map(({ name, pairs, stored, leases, hosts }) => [name, pairs, stored, leases, hosts]),
    [['a', 2, 5, 5, 2]],
  )
})

test('who runs the job itself is shown beside the workers; who went is not', () => {
  const gone = worker('a', 'crawl_1', { condition: 'gone' })
  const rows = workersOfJob('crawl_1', [gone], [session(null, 2, 9), session(null, 0, 0)])
  assert.deepEqual(
    rows.map(({ name, leases, stored }) => [name, leases, stored]),
    [['m (9)', 2, null]],
  )
})
