import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleJob } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import type { JobStatus } from '../core/job.ts'
import { lockCrawl } from '../crawl/claim-job.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { jobsAsTheyAre } from './job-reader.ts'

test('a crawl that was killed is stopped wherever jobs are listed or counted', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-jobs-'))
  try {
    await using jobs = await openSqliteJobStore(storePath(dir))
    const statuses: JobStatus[] = [
      'stopped',
      'running',
      'running',
      'stopped',
      'completed',
      'running',
    ]
    for (const status of statuses) {
      const { id } = await jobs.create(sampleJob())
      await jobs.setStatus(id, status)
    }
    // The second job runs elsewhere; the third and the last were killed.
    await using _lock = await lockCrawl(workspaceOf({ dataDir: dir }), 2)
    const shown = jobsAsTheyAre(jobs, workspaceOf({ dataDir: dir }))
    const ids = async (status: JobStatus, options = {}) =>
      (await shown.list({ status, ...options })).map((job) => `${job.id} ${job.status}`)
    assert.deepEqual(await ids('running'), ['2 running'])
    assert.deepEqual(await ids('stopped'), ['6 stopped', '4 stopped', '3 stopped', '1 stopped'])
    assert.deepEqual(await ids('stopped', { limit: 2 }), ['6 stopped', '4 stopped'])
    assert.deepEqual(await ids('stopped', { limit: 2, before: 4 }), ['3 stopped', '1 stopped'])
    assert.deepEqual(await ids('completed'), ['5 completed'])
    const { running, stopped, completed } = await shown.counts()
    assert.deepEqual({ running, stopped, completed }, { running: 1, stopped: 4, completed: 1 })
  } finally {
    rmSync(dir, { recursive: true })
  }
})
