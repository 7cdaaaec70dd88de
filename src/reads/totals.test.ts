import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import { testDatabase } from '../../test/servers/postgres.ts'
import { startRedis } from '../../test/servers/redis.ts'
import { frontierNeeds } from '../crawl/frontier-needs.ts'
import { systemClock } from '../lib/clock.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { readTotals } from './totals.ts'
import { WorkspaceFiles } from './workspace-files.ts'

test('while Redis is away, totals are answered without waiting for it', async () => {
  await using database = await testDatabase()
  await using redis = await startRedis()
  // Whoever waits for Redis itself does not come back.
  const text = { data: database.url, frontier: redis.url, storeTimeoutMs: 600_000 }
  await using workspace = openWorkspace(text)
  await using jobs = await workspace.jobStore()
  const job = await jobs.create(sampleJob())
  const needs = frontierNeeds(job, systemClock)
  await workspace.beginRun(needs)
  {
    const { frontier } = await workspace.frontier(needs)
    await using open = frontier
    const url = urlFor('a.test/')
    await open.add(
      [{ url, hash: createUrlHasher(job.salt)(url), nofollow: false, signals: null }],
      'seed',
    )
  }
  await using files = new WorkspaceFiles(workspace)
  assert.equal((await readTotals(files, job.id)).queued, 1)
  await redis.stop('SIGKILL')
  // Nobody knows, and nobody waits for it.
  assert.equal((await readTotals(files, job.id)).queued, 0)
  assert.ok(files.askFrontiersAt > 0)
})
