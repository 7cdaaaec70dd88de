import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { workerRegistryContract } from '../../../test/contract/worker-registry.contract.ts'
import { testDatabase } from '../../../test/servers/postgres.ts'
import { workerRecord } from '../../../test/support/registry-records.ts'
import { openPostgres, openPostgresReader } from '../../db/postgres.ts'
import { createPostgresWorkerRegistry } from './postgres-worker-registry.ts'

const database = await testDatabase()
const db = await openPostgres({ url: database.url })
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
const tables = { writing: async () => db, reading: async () => db }

async function openRegistry() {
  const clock = { ms: 1_000_000 }
  const registry = createPostgresWorkerRegistry({ ...tables, now: () => clock.ms })
  return {
    ...{ clock, registry },
    [Symbol.asyncDispose]: async () => {
      await db.sql`TRUNCATE fleet_workers, fleet_runs, fleet_glances`
    },
  }
}

workerRegistryContract('PostgreSQL', openRegistry, 300)

test('time is the server’s unless a test has its own', async () => {
  const [row] = await db.sql`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`
  const now = await createPostgresWorkerRegistry(tables).now()
  assert.ok(Math.abs(now - Number(row?.now)) < 60_000)
})

test('a list of workers makes no tables', async () => {
  await using empty = await testDatabase()
  const registry = createPostgresWorkerRegistry({
    writing: () => assert.fail('nothing is written'),
    reading: () => openPostgresReader({ url: empty.url }),
  })
  assert.deepEqual([await registry.workers(), await registry.announcements()], [[], []])
})

test('records of programs that fell silent are removed', async () => {
  await using opened = await openRegistry()
  await opened.registry.report(workerRecord({ id: 'silent' }))
  opened.clock.ms += 60_000
  const later = createPostgresWorkerRegistry({ ...tables, now: () => opened.clock.ms })
  await later.report(workerRecord({ id: 'alive' }))
  assert.deepEqual(
    (await db.sql`SELECT id FROM fleet_workers`).map(({ id }) => id),
    ['alive'],
  )
})
