// The promises over several machines: whatever dies or goes away for a while, what is stored is the
// truth, and no host is asked faster than allowed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultRound } from './fault-round.ts'

const ROUND = { workers: 4, delayMs: 100, leaseS: 3, patienceMs: 200_000 }

test('workers killed and stopped, Redis and PostgreSQL restarted: exactly the truth is stored', async (t) => {
  const { broken, done, stored } = await faultRound({
    ...{ ...ROUND, seed: 7, pages: 250, hosts: 8, maxPages: null, everyMs: [100, 500] },
    faults: ['kill-worker', 'restart-redis', 'stop-worker', 'restart-postgres', 'kill-worker'],
  })
  for (const text of done) t.diagnostic(text)
  t.diagnostic(`${stored} pages`)
  assert.deepEqual(broken, [])
})
