// The promises over several machines: whatever dies or goes away for a while, what is stored is the
// truth, and no host is asked faster than allowed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultRound } from './fault-round.ts'

test('workers killed and stopped, Redis and PostgreSQL restarted: exactly the truth is stored', async (t) => {
  const { broken, done, stored } = await faultRound({
    ...{ seed: 7, pages: 400, hosts: 10, workers: 4, delayMs: 100, maxPages: null },
    faults: ['kill-worker', 'restart-redis', 'stop-worker', 'restart-postgres', 'kill-worker'],
    everyMs: [200, 900],
    pastLeaseMs: 17_000,
    patienceMs: 150_000,
  })
  for (const text of done) t.diagnostic(text)
  t.diagnostic(`${stored} pages`)
  assert.deepEqual(broken, [])
})
