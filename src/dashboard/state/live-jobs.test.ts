import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobProgress, JobSummary } from '../../reads/shapes/job.ts'
import { advanced, type ListedJob, withJob } from './live-jobs.ts'

const job = (id: string, about: Partial<JobSummary> = {}): JobSummary => ({
  id,
  name: id,
  status: 'running',
  note: '',
  origin: 'api',
  seeds: [],
  ordering: 'breadth-first',
  topic: null,
  max_pages: 10,
  started_at: 0,
  ended_at: null,
  ran_ms: 1000,
  elsewhere: false,
  ahead: null,
  stored: 0,
  duplicates: 0,
  refused: 0,
  outside: 0,
  failed: 0,
  queued: 0,
  bytes: 0,
  hot: null,
  judged: null,
  ...about,
})
const list = (...ids: string[]): readonly ListedJob[] =>
  ids.reduce<readonly ListedJob[]>((jobs, id) => withJob(jobs, job(id), 0), [])

test('the newest job comes first, by number and not by letter', () => {
  const ids = list('crawl_2', 'crawl_10', 'crawl_9').map((entry) => entry.job.id)
  assert.deepEqual(ids, ['crawl_10', 'crawl_9', 'crawl_2'])
})

test('a job that changes keeps its place', () => {
  const jobs = withJob(list('crawl_1', 'crawl_2'), job('crawl_1', { status: 'paused' }), 5)
  assert.deepEqual(
    jobs.map((entry) => entry.job.status),
    ['running', 'paused'],
  )
  assert.equal(jobs[1]?.pagesPerSecond, null)
})

test('progress brings the figures of a job up to date, and the time it ran', () => {
  const [entry] = list('crawl_1')
  const progress = {
    stored: 5,
    queued: 7,
    pages_per_second: 2.5,
    busy: 'waiting for workers',
  } as JobProgress
  const after = advanced(entry!, progress, 500)
  assert.equal(after.job.stored, 5)
  assert.equal(after.job.ran_ms, 1500)
  assert.equal(after.pagesPerSecond, 2.5)
  assert.equal(after.job.note, 'waiting for workers')
  assert.equal(advanced(after, { ...progress, busy: '' }, 500).job.note, '')
})
