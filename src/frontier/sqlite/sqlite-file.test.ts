// Promises of the SQLite frontier alone: its file, as SQL users and other processes see it.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import type { Job } from '../../core/job.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { orderingNamed } from '../../ordering/index.ts'
import type { Frontier } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { openSqliteFrontier } from './sqlite-frontier.ts'
import { openSqliteRows } from './sqlite-rows.ts'
import { findSqliteUrlStates, openSqliteUrlStates } from './sqlite-url-states.ts'

const ordering = orderingNamed('breadth-first')
const settings = { ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false }
const job: Job = {
  id: 8,
  name: 'file',
  origin: 'cli',
  seeds: [urlOf('a.test/')],
  settings,
  topic: null,
  salt: 77,
}

function pathFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontier-file-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'frontier-8.db')
}

function open(path: string, changes: Partial<Job> = {}): Promise<Frontier> {
  return openSqliteFrontier({
    path,
    job: { ...job, ...changes },
    ordering,
    scorer: ordering.createScorer({}, 1),
    policy: hostPolicyNamed('fair'),
    admit: () => null,
    templateOf: () => null,
    clock: new ManualClock(),
  })
}

test('the view urls has the columns and the words of the contract', async (context) => {
  const path = pathFor(context)
  await using frontier = await open(path)
  await frontier.add(founds('a.test/', 'b.test:8080/x?y=1'), 'seed')
  const [lease] = await frontier.lease(1)
  frontier.requestSent(lease!)
  frontier.requestEnded(lease!, { ok: true })
  await frontier.settle([stored(lease!, founds('a.test/1'))])
  using db = new DatabaseSync(path, { readOnly: true })
  const rows = db.prepare('SELECT * FROM urls').all()
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      ['http://a.test/', 'a.test', 'stored', 0, null, 1],
      ['http://b.test:8080/x?y=1', 'b.test:8080', 'queued', 0, null, 0],
      ['http://a.test/1', 'a.test', 'queued', 1, 'http://a.test/', 0],
    ].map(([url, host, state, depth, found_on, tries]) => ({
      ...{ crawl_id: 8, url, host, state, reason: '', depth, found_on },
      ...{ priority: 0 - Number(depth), tries, next_at: null },
    })),
  )
  const host = db.prepare("SELECT * FROM hosts WHERE host = 'a.test'").get()
  assert.deepEqual([host?.crawl_id, host?.site, host?.queued, host?.stored], [8, 'a.test', 1, 1])
})

test('leases show in the file a moment later, and counts with them', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const path = pathFor(context)
  await using frontier = await open(path)
  await frontier.add(founds('a.test/', 'b.test/'), 'seed')
  await frontier.lease(1)
  await using urlStates = await openSqliteUrlStates(path, job)
  assert.equal((await urlStates.counts()).leased, 0)
  context.mock.timers.tick(100)
  assert.equal((await urlStates.find(urlOf('a.test/')))?.state, 'leased')
  assert.deepEqual(await urlStates.counts(), frontier.counts())
  const [host] = await urlStates.hosts(1)
  assert.deepEqual([host?.host, host?.queued, host?.inFlight], ['a.test', 0, 1])
})

test('a marked lease that is released or lost is queued with its tries as they were', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const path = pathFor(context)
  await using frontier = await open(path)
  await frontier.add(founds('a.test/'), 'seed')
  const [lease] = await frontier.lease(1)
  context.mock.timers.tick(100)
  await frontier.settle([{ lease: lease!, outcome: 'released' }])
  await using urlStates = await openSqliteUrlStates(path, job)
  const record = await urlStates.find(urlOf('a.test/'))
  assert.deepEqual([record?.state, record?.tries], ['queued', 0])
  const [again] = await frontier.lease(1)
  assert.equal(again?.tries, 1)
})

test('a lease that was marked when the process was killed is queued again', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const path = pathFor(context)
  await using killed = await open(path)
  await killed.add(founds('a.test/'), 'seed')
  await killed.lease(1)
  context.mock.timers.tick(100)
  for (const part of ['', '-wal']) copyFileSync(path + part, `${path}.copy${part}`)
  await using frontier = await open(`${path}.copy`)
  assert.deepEqual([frontier.counts().queued, frontier.counts().leased], [1, 0])
  await using urlStates = await openSqliteUrlStates(`${path}.copy`, job)
  const record = await urlStates.find(urlOf('a.test/'))
  // The request may have been sent, so this try counts.
  assert.deepEqual([record?.state, record?.tries], ['queued', 1])
  assert.deepEqual(await urlStates.counts(), frontier.counts())
})

test('a file of another crawl is refused, and a missing one is not made by a reader', async (context) => {
  const path = pathFor(context)
  await assert.rejects(openSqliteUrlStates(path, job), { code: 'store-unreachable' })
  await (await open(path))[Symbol.asyncDispose]()
  await assert.rejects(open(path, { id: 9 }), { code: 'store-damaged' })
})

test('a file that has nothing in it yet is no frontier yet, and nothing is wrong with it', async (context) => {
  const path = pathFor(context)
  writeFileSync(path, '')
  assert.equal(await findSqliteUrlStates(path, job), null)
})

test('opening again reads the hashes in a few large blobs', async (context) => {
  const path = pathFor(context)
  const frontier = await open(path)
  for (let page = 0; page < 900; page += 1) {
    const links = Array.from({ length: 10 }, (_, link) => `a.test/${page}/${link}`)
    await frontier.add(founds(...links), 'seed')
  }
  await frontier[Symbol.asyncDispose]()
  using db = new DatabaseSync(path, { readOnly: true })
  const { blobs, bytes } = db
    .prepare('SELECT count(*) AS blobs, sum(length(hashes)) AS bytes FROM seen')
    .get() as { blobs: number; bytes: number }
  assert.deepEqual([blobs, bytes], [3, 9000 * 8])
})

test('a file of an earlier version keeps the settings that its rows were checked under', (context) => {
  const path = pathFor(context)
  const folder = join(import.meta.dirname, 'migrations')
  const before = readdirSync(folder).sort().slice(0, 7)
  const db = new DatabaseSync(path)
  for (const file of before) db.exec(readFileSync(join(folder, file), 'utf8'))
  db.exec(`PRAGMA user_version = ${before.length}; PRAGMA application_id = ${0x4a4c4a48}`)
  db.exec(`INSERT INTO crawl (crawl_id, salt, judged_by, stored) VALUES (8, 77, '["then"]', 3)`)
  db.close()
  const rows = openSqliteRows(path)
  context.after(() => rows.close())
  assert.deepEqual({ ...rows.judgement.get(8) }, { crawlId: 8, judgedBy: '["then"]' })
  assert.equal(rows.crawl.get(8)?.stored, 3)
})
