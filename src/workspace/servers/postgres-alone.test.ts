// A workspace on PostgreSQL alone: everything beside the frontier works without a Redis.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { runHere } from '../../../test/e2e/in-process.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { workerRecord } from '../../../test/support/registry-records.ts'
import { openWorker } from '../../cli/worker.ts'
import { systemClock } from '../../lib/clock.ts'
import { openWorkspace } from '../open-workspace.ts'

const database = await testDatabase()
after(() => database[Symbol.asyncDispose]())
const text = { data: database.url, frontier: null }
const WANTED = { delayMs: 0, perHost: 1, forMs: 30_000 }

test('a worker is listed until its lease is over, which the URL of the database may say', async () => {
  await using patient = openWorkspace({ ...text, data: `${text.data}?lease=600` })
  await using hasty = openWorkspace({ ...text, data: `${text.data}?lease=1` })
  await (await patient.workers())?.report(workerRecord({ id: 'long', name: 'rack-7' }))
  await (await hasty.workers())?.report(workerRecord({ id: 'short', name: 'rack-8' }))
  const names = async () => (await (await hasty.workers())?.workers())?.map(({ name }) => name)
  while ((await names())?.includes('rack-8')) await pause(50)
  const listed = await runHere(['worker', '--list', '--data', text.data])
  assert.match(listed.stdout, /^rack-7 /m)
  await (await patient.workers())?.leave('long')
})

test('a worker waits for crawls, and leaves', async () => {
  await using workspace = openWorkspace(text)
  const network = { allowPrivate: false, connectTo: [], dns: [], proxies: [] }
  const options = { name: 'one', pairs: 1, cores: 2, network }
  await using worker = await openWorker(workspace, options, () => assert.fail())
  const running = worker.run()
  await using fleet = await workspace.fleet()
  const seen = async () => (await fleet?.look())?.workers.map(({ name }) => name) ?? []
  while (!(await seen()).includes('one')) await pause(20)
  worker.drain()
  await running
  assert.deepEqual(await seen(), [])
})

test('crawls share the slots at a host, and a dead run leaves none behind', async () => {
  await using workspace = openWorkspace(text)
  const open = (crawl: number) =>
    workspace.hostLimiter({ holder: `crawl ${crawl}`, clock: systemClock, isShared: true })
  await using one = await open(1)
  await using same = await open(1)
  await using other = await open(2)
  assert.ok((await one.ask('a.test', WANTED)).slot)
  assert.ok((await same.ask('a.test', WANTED)).slot)
  assert.equal((await other.ask('a.test', WANTED)).slot, null)
})

test('the doctor checks the database and its clock', async () => {
  const { code, stdout } = await runHere(['doctor', '--data', text.data])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^ok {4}database {4}postgres:/m)
  assert.match(stdout, /^ok {4}clocks {6}this machine and its servers agree$/m)
})

test('a lease that is none is said before anything is opened', async () => {
  const { code, stderr } = await runHere(['pages', '--data', `${database.url}?lease=0`])
  assert.equal(code, 2)
  assert.match(stderr, /--data: lease is a number of seconds from 1 to 600/)
})
