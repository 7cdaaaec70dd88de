import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../../test/servers/postgres.ts'
import { createPostgresJobStore } from '../../test/support/stores.ts'
import { openPostgres } from './postgres.ts'

const MIGRATIONS = join(import.meta.dirname, '..', 'store', 'postgres', 'migrations')
const WEBHOOK = { url: 'https://hook.test/a', secret: 's3cret-of-hook', events: ['page'] }

test('an older database hands its secrets over to the table for them', async () => {
  await using database = await testDatabase()
  const names = readdirSync(MIGRATIONS).sort()
  const older = names.slice(0, names.indexOf('0005_secrets_apart.sql'))
  {
    await using db = await openPostgres({ url: database.url })
    await db.sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public').simple()
    await db.sql`CREATE TABLE jelajah_schema (
      version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`
    for (const [at, name] of older.entries()) {
      await db.sql.unsafe(readFileSync(join(MIGRATIONS, name), 'utf8')).simple()
      await db.sql`INSERT INTO jelajah_schema (version) VALUES (${at + 1})`
    }
    for (const origin of ['cli', 'api']) {
      const settings = JSON.stringify({ proxies: ['http://a:***@p:1'] })
      const [row = {}] = await db.sql`
        INSERT INTO crawls (name, origin, run_by, status, seeds, settings, salt, started_at)
        VALUES (${origin}, ${origin}, ${origin}, 'running', '[]', ${settings}, 1, 0) RETURNING id`
      const proxies = JSON.stringify(['http://a:pa55@p:1'])
      await db.sql`INSERT INTO crawl_secrets VALUES (${Number(row.id)}, ${proxies})`
    }
    await db.sql`INSERT INTO crawl_orders VALUES (2, NULL, 'f', ${JSON.stringify(WEBHOOK)}, 'null')`
  }
  await using db = await openPostgres({ url: database.url })
  await using jobs = createPostgresJobStore(db)
  assert.deepEqual((await jobs.get(1))?.settings.proxies, ['http://a:***@p:1'])
  assert.deepEqual((await jobs.get(2))?.settings.proxies, ['http://a:pa55@p:1'])
  assert.deepEqual((await jobs.orderOf(2))?.webhook, WEBHOOK)
})
