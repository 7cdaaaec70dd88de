// Idle hosts leave memory, and no caller of the frontier notices.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { found, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import type { Job } from '../../core/job.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { Frontier, HostFeedback, Lease } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { openSqliteFrontier } from '../sqlite/sqlite-frontier.ts'

const settings = { ...DEFAULT_SETTINGS, sitemaps: false, delayMs: 1000 }
const seeds = [urlOf('a.test/')]
const job: Job = { id: 8, name: 'parked', origin: 'cli', seeds, settings, topic: null, salt: 77 }

type Opened = { readonly frontier: Frontier; readonly clock: ManualClock; parked(): number }

async function open(context: TestContext): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'frontier-parked-'))
  const path = join(folder, 'frontier-8.db')
  const clock = new ManualClock()
  const ordering = orderingNamed('breadth-first')
  const frontier = await openSqliteFrontier({
    ...{ path, job, clock, ordering, scorer: ordering.createScorer({}, 1), idleInMemory: 0 },
    policy: hostPolicyNamed('fair'),
    admit: () => null,
    templateOf: () => null,
  })
  const reader = openSqlite(path, { schema: 'frontier', durability: 'normal' })
  context.after(async () => {
    reader.close()
    await frontier[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    ...{ frontier, clock },
    parked: () => Number(reader.prepare('SELECT count(*) AS n FROM parked').get()?.n),
  }
}

async function visit(
  { frontier, clock }: Opened,
  note: HostFeedback = { ok: true },
): Promise<Lease> {
  const { readyAt } = frontier.status()
  clock.advance(Math.max(0, (readyAt ?? 0) - clock.now()))
  const [lease] = await frontier.lease(1)
  assert.ok(lease)
  frontier.requestSent(lease)
  frontier.requestEnded(lease, note)
  return lease
}

async function readRobots(opened: Opened): Promise<void> {
  const lease = await visit(opened)
  assert.equal(lease.kind, 'robots')
  const now = opened.clock.now()
  await opened.frontier.saveRobots(lease, {
    ...{ origin: 'http://a.test', status: 'fetched', body: '', sitemaps: [], attempts: 0 },
    ...{ fetchedAt: now, expiresAt: now + 86_400_000 },
  })
}

test('a host with nothing to do leaves memory, and its clock and robots.txt are kept', async (context) => {
  const opened = await open(context)
  const { frontier, clock } = opened
  await frontier.add([found('a.test/1')], 'seed')
  await readRobots(opened)
  const lease = await visit(opened, { ok: true, restMs: 5000 })
  const at = clock.now()
  await frontier.settle([stored(lease)])
  assert.equal(opened.parked(), 0)
  // Parked with the next step that is written.
  await frontier.add([found('b.test/1')], 'seed')
  assert.equal(opened.parked(), 1)
  assert.equal(frontier.hosts(10).find(({ host }) => host === 'a.test')?.stored, 1)
  await frontier.add([found('a.test/2')], 'seed')
  assert.equal(opened.parked(), 0)
  assert.deepEqual(
    (await frontier.lease(10)).map(({ host }) => host),
    ['b.test'],
  )
  clock.advance(at + 5000 - clock.now())
  const [next] = await frontier.lease(10)
  // robots.txt is not requested again, and the pace is still known.
  assert.deepEqual([next?.kind, next?.url, next?.pace], ['page', urlOf('a.test/2'), undefined])
})

test('failures in a row are counted on when a host comes back', async (context) => {
  const opened = await open(context)
  const { frontier, clock } = opened
  await frontier.add([found('a.test/1')], 'seed')
  await readRobots(opened)
  const lease = await visit(opened, { ok: false, trouble: 'connect', restMs: 100 })
  await frontier.settle([{ lease, outcome: 'failed', reason: 'connect', retryAt: null }])
  await frontier.add([found('b.test/1')], 'seed')
  assert.equal(opened.parked(), 1)
  assert.equal(frontier.hosts(10).find(({ host }) => host === 'a.test')?.trouble, 'connect')
  await frontier.add([found('a.test/2')], 'seed')
  clock.advance(2000)
  const leases = await frontier.lease(10)
  assert.equal(leases.find(({ host }) => host === 'a.test')?.hostFailures, 1)
})

test('a host that waits for a retry, a sitemap or a lease stays', async (context) => {
  const opened = await open(context)
  const { frontier, clock } = opened
  await frontier.add([found('a.test/1')], 'seed')
  await readRobots(opened)
  const lease = await visit(opened)
  await frontier.add([found('b.test/1')], 'seed')
  assert.equal(opened.parked(), 0)
  const retryAt = clock.now() + 60_000
  await frontier.settle([{ lease, outcome: 'failed', reason: 'connect', retryAt }])
  await frontier.add([found('b.test/2')], 'seed')
  assert.equal(opened.parked(), 0)
})
