// The promises over several machines: whatever dies or goes away for a while, what is stored is the
// truth, and no host is asked faster than allowed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { faultRound } from './fault-round.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
before(async () => {
  stage = await openStage({
    ...{ seed: 7, pages: 130, hosts: 8, workers: 4, delayMs: 100, leaseS: 3, patienceMs: 200_000 },
  })
})
after(() => stage?.[Symbol.asyncDispose]())

test('workers killed and stopped, Redis and PostgreSQL restarted: exactly the truth is stored', async (t) => {
  const { broken, done } = await faultRound(stage, {
    ...{ maxPages: null, everyMs: [50, 400] },
    faults: ['kill-worker', 'stop-worker', 'restart-redis', 'restart-postgres', 'kill-worker'],
  })
  for (const text of done) t.diagnostic(text)
  assert.deepEqual(broken, [])
})

test('a limit of pages is kept to the page while processes of workers are killed', async (t) => {
  const { broken, done } = await faultRound(stage, {
    ...{ maxPages: 50, everyMs: [50, 300] },
    faults: ['kill-scouter', 'kill-parser'],
  })
  for (const text of done) t.diagnostic(text)
  assert.deepEqual(broken, [])
})
