import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { announcementOf, programOf, workerRecord } from '../../../test/support/registry-records.ts'
import { NO_TOTALS } from '../../crawl/progress-totals.ts'
import type { Announcement, WorkerRecord } from '../../fleet/worker-registry.ts'
import { isSharedNow } from './server-workspace.ts'

/** More than any system allows. */
const NO_PID = 2 ** 30

function shared(there: { runs?: readonly Announcement[]; workers?: readonly WorkerRecord[] }) {
  const { runs = [], workers = [] } = there
  return isSharedNow({ announcements: async () => runs, workers: async () => workers }, 1)
}

function runOf(machine: string, pid: number, phase: Announcement['phase'] = 'running') {
  return announcementOf({ phase, owner: { ...programOf(), machine, pid, role: 'crawl' } })
}

test('a crawl is shared while a worker has a pair for it', async () => {
  const rest = { crawl: 1, run: 'run', figures: NO_TOTALS, end: null, trouble: null }
  assert.equal(await shared({ workers: [workerRecord({ shares: [{ ...rest, pairs: 1 }] })] }), true)
  assert.equal(
    await shared({ workers: [workerRecord({ shares: [{ ...rest, pairs: 0 }] })] }),
    false,
  )
})

test('an owner that still speaks counts, as it may not have noticed that it lost the crawl', async () => {
  assert.equal(await shared({ runs: [runOf('elsewhere', 1)] }), true)
  assert.equal(await shared({ runs: [runOf(hostname(), process.ppid)] }), true)
  assert.equal(await shared({ runs: [runOf('elsewhere', 1, 'over')] }), false)
})

test('one on this machine that died, or ran in this process before, does not', async () => {
  assert.equal(await shared({ runs: [runOf(hostname(), NO_PID)] }), false)
  assert.equal(await shared({ runs: [runOf(hostname(), process.pid)] }), false)
})
