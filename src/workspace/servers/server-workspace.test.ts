import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sampleJob } from '../../../test/contract/sample-page.ts'
import { runHere } from '../../../test/e2e/in-process.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { frontierNeeds } from '../../crawl/frontier-needs.ts'
import { KeptFeed } from '../../crawl/keep-feed.ts'
import { openPostgres } from '../../db/postgres.ts'
import { openRedis } from '../../db/redis.ts'
import { systemClock } from '../../lib/clock.ts'
import { openWorkspace } from '../open-workspace.ts'

const runtime = mkdtempSync(join(tmpdir(), 'jelajah-runtime-'))
process.env.XDG_RUNTIME_DIR = runtime
const database = await testDatabase()
const frontier = `${await sharedRedisUrl()}?prefix=test-${randomBytes(8).toString('hex')}`
after(async () => {
  rmSync(runtime, { recursive: true })
  await database[Symbol.asyncDispose]()
})
const text = { data: database.url, frontier }

async function versions(url: string): Promise<number> {
  await using db = await openPostgres({ url })
  const [row] = await db.sql`SELECT max(version) AS newest FROM jelajah_schema`
  return Number(row?.newest)
}

test('who only reads makes nothing: an empty database stays empty', async () => {
  await using empty = await testDatabase()
  await using workspace = openWorkspace({ data: empty.url, frontier: null })
  assert.equal(await workspace.jobReader(), null)
  assert.equal(await workspace.changeFeed(), null)
  assert.equal(await workspace.isLocked('server'), false)
  await assert.rejects(workspace.pageReader(), { message: /there is no crawl in postgres:/ })
  const { code, stderr } = await runHere(['pages', '--data', empty.url])
  assert.equal(code, 2)
  assert.match(stderr, /there is no crawl in postgres:.* yet; 'jelajah crawl <seed>' makes one/)
  await using writer = openWorkspace({ data: empty.url, frontier: null })
  await writer.make()
  await using jobs = await workspace.jobReader()
  assert.ok(jobs)
})

test('who reads a store of another version says so, and leaves it as it is', async () => {
  await using other = await testDatabase()
  const newest = await versions(other.url)
  await using db = await openPostgres({ url: other.url })
  await db.sql`INSERT INTO jelajah_schema (version) VALUES (${newest + 1})`
  const newer = await runHere(['crawls', '--data', other.url])
  assert.equal(newer.code, 8)
  assert.match(newer.stderr, /newer Jelajah/)
  await db.sql`DELETE FROM jelajah_schema WHERE version >= ${newest}`
  const older = await runHere(['crawls', '--data', other.url])
  assert.equal(older.code, 8)
  assert.match(older.stderr, /earlier version of Jelajah/)
  const [row] = await db.sql`SELECT max(version) AS newest FROM jelajah_schema`
  assert.equal(Number(row?.newest), newest - 1)
})

test('no message shows a password', async () => {
  const { host } = new URL(database.url)
  const url = `postgres://nobody:rahasia@${host}/none`
  for (const command of ['pages', 'crawls', 'doctor']) {
    const { code, stdout, stderr } = await runHere([command, '--data', url])
    assert.notEqual(code, 0)
    assert.doesNotMatch(stdout + stderr, /rahasia/)
    assert.match(stdout + stderr, /postgres:\/\/nobody:\*\*\*@/)
  }
})

test('who holds a lock of a place is told to others', async () => {
  await using workspace = openWorkspace(text)
  await workspace.make()
  await using lock = await workspace.lock('server')
  assert.ok(lock)
  await using other = openWorkspace(text)
  assert.equal(await other.lock('server'), null)
  assert.equal(await other.isLocked('server'), true)
  assert.match(
    (await other.holderOf('server')) ?? '',
    new RegExp(`^process ${process.pid} on ${hostname()}, since \\d{4}-`),
  )
  await assert.rejects(other.waitForLock('server', 0), { code: 'store-busy' })
})

test('children of one crawl do not shut each other out', async () => {
  await using workspace = openWorkspace(text)
  await using one = await workspace.lock('scouter-1')
  await using two = await workspace.lock('scouter-1')
  assert.ok(one && two)
})

test('a frontier is begun by who runs the crawl, and opened by many', async () => {
  await using workspace = openWorkspace(text)
  await using jobs = await workspace.jobStore()
  const job = await jobs.create(sampleJob())
  const needs = frontierNeeds(job, systemClock)
  assert.equal(await workspace.hasFrontier(job.id), false)
  await assert.rejects(workspace.frontier(needs), { code: 'store-damaged' })
  await workspace.beginRun(needs)
  assert.equal(await workspace.hasFrontier(job.id), true)
  {
    await using one = (await workspace.frontier(needs)).frontier
    await using two = (await workspace.frontier(needs)).frontier
    assert.deepEqual(one.counts(), two.counts())
  }
  assert.equal(await (await workspace.urlStates(job))?.find(job.seeds[0]!), null)
  await workspace.discard(job.id)
  assert.equal(await workspace.hasFrontier(job.id), false)
})

test('a frontier that its server lost is there again when those that own it have written it', async () => {
  await using workspace = openWorkspace(text)
  await using jobs = await workspace.jobStore()
  const job = await jobs.create(sampleJob())
  const needs = frontierNeeds(job, systemClock)
  await workspace.beginRun(needs)
  await using _owner = (await workspace.frontier(needs)).frontier
  await using redis = await openRedis({ url: frontier })
  const keys = await redis.call('KEYS', `{${redis.prefix}:${job.id}*`)
  assert.ok(Array.isArray(keys) && keys.length > 0)
  for (const key of keys) await redis.call('DEL', String(key))
  await using other = openWorkspace(text)
  assert.equal(await other.hasFrontier(job.id), true)
})

test('the feed is served on a socket that only this user can reach', async () => {
  await using workspace = openWorkspace(text)
  await workspace.make()
  await using feed = new KeptFeed({ workspace, onNotice: (notice) => assert.fail(notice) })
  for (const until = Date.now() + 20_000; !feed.isServing; await pause(5)) {
    assert.ok(Date.now() < until, 'it is served')
  }
  assert.ok(workspace.feedSocket.startsWith(runtime))
  assert.ok(existsSync(workspace.feedSocket))
})
