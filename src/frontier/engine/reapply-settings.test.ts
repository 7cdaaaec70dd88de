import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { founds, urlOf } from '../../../test/contract/frontier/rig.ts'
import type { CrawlSettings } from '../../core/job.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { Frontier } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { openSqliteFrontier } from '../sqlite/sqlite-frontier.ts'
import type { Admit } from './admission.ts'

const ordering = orderingNamed('breadth-first')
const URLS = 7000
const OUT = 'scope: out'

type Open = (admit: Admit, changes?: Partial<CrawlSettings>) => Promise<Frontier>

/** A file in which the scope `host` has refused all URLs. */
async function refusedFile(context: TestContext): Promise<Open> {
  const folder = mkdtempSync(join(tmpdir(), 'frontier-judgement-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const open: Open = (admit, changes = {}) =>
    openSqliteFrontier({
      path: join(folder, 'frontier-8.db'),
      job: {
        ...{ id: 8, name: 'judged', seeds: [urlOf('a.test/')], topic: null, salt: 77 },
        origin: 'cli',
        settings: { ...DEFAULT_SETTINGS, ...changes },
      },
      ordering,
      scorer: ordering.createScorer({}, 1),
      policy: hostPolicyNamed('fair'),
      admit,
      templateOf: () => null,
      clock: new ManualClock(),
    })
  await using frontier = await open(() => OUT, { scope: 'host' })
  const urls = Array.from({ length: URLS }, (_, index) => `b.test/${index}`)
  await frontier.add(founds(...urls), 'seed')
  assert.equal(frontier.counts().outside, URLS)
  return open
}

/** Answers `times` calls, then throws. */
function answering(times: number, reason: string | null): Admit {
  let asked = 0
  return () => {
    asked += 1
    if (asked > times) throw new Error('killed')
    return reason
  }
}

test('judging again goes on where it was when the process was killed', async (context) => {
  const open = await refusedFile(context)
  await assert.rejects(open(answering(5000, null), { scope: 'any' }), /killed/)
  let asked = 0
  const admit = (): null => {
    asked += 1
    return null
  }
  await using frontier = await open(admit, { scope: 'any' })
  assert.equal(frontier.counts().queued, URLS)
  assert.equal(asked, URLS - 4000)
})

test('yet other settings after a kill judge all rows again, whoever judged them', async (context) => {
  const open = await refusedFile(context)
  // Now a filter refuses the first 4000; the rest is still refused by the scope.
  const filtered = { scope: 'any', exclude: ['*'] } as const
  await assert.rejects(open(answering(5000, 'filter: out'), filtered), /killed/)
  await using frontier = await open(() => null, { scope: 'any' })
  assert.equal(frontier.counts().queued, URLS)
})

test('settings taken back after a kill leave all as it was', async (context) => {
  const open = await refusedFile(context)
  await assert.rejects(open(answering(5000, null), { scope: 'any' }), /killed/)
  await using frontier = await open(() => OUT, { scope: 'host' })
  assert.deepEqual([frontier.counts().queued, frontier.counts().outside], [0, URLS])
})

test('the same settings judge nothing again', async (context) => {
  const open = await refusedFile(context)
  await using frontier = await open(answering(0, null), { scope: 'host' })
  assert.equal(frontier.counts().outside, URLS)
})

test('others get a turn while a large frontier is judged again', async (context) => {
  const open = await refusedFile(context)
  let turns = 0
  let isOpen = false
  const take = (): void => {
    turns += 1
    if (!isOpen) setImmediate(take)
  }
  setImmediate(take)
  await using frontier = await open(() => null, { scope: 'any' })
  isOpen = true
  assert.equal(frontier.counts().queued, URLS)
  assert.ok(turns >= 3, `${turns} turns`)
})
