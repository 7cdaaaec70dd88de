import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { openSqliteJobReader, openSqliteJobStore } from '../../test/support/stores.ts'

const MIGRATIONS = join(import.meta.dirname, '..', 'store', 'sqlite', 'migrations')
const BEFORE = readdirSync(MIGRATIONS).indexOf('0008_secrets_apart.sql')
const PROXIES = ['http://ann:s3cret-of-proxy@p:1', 'http://q:2']
const WEBHOOK = { url: 'https://hook.test/s3cret-path', secret: 's3cret-of-hook', events: ['page'] }

let dir = ''
let path = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'jelajah-secrets-'))
  path = join(dir, 'jelajah.db')
  using db = new DatabaseSync(path)
  const files = readdirSync(MIGRATIONS).sort().slice(0, BEFORE)
  for (const file of files) db.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))
  db.exec(`PRAGMA user_version = ${BEFORE}; PRAGMA application_id = ${0x4a4c4a48}`)
  const settings = JSON.stringify({ maxPages: 9, proxies: PROXIES })
  const crawl = db.prepare(
    `INSERT INTO crawls (name, origin, run_by, status, seeds, settings, salt, started_at)
     VALUES (?1, ?1, ?1, 'running', '[]', ?2, ?3, 0)`,
  )
  crawl.run('cli', settings, 11)
  crawl.run('api', settings, 12)
  crawl.run('plain', JSON.stringify({ proxies: ['http://q:2'] }), 13)
  db.prepare("INSERT INTO crawl_orders VALUES (2, NULL, 'f', ?, 'null')").run(
    JSON.stringify(WEBHOOK),
  )
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Files that hold some part of a secret. */
function telling(): string[] {
  const names = readdirSync(dir)
  return names.filter((name) => readFileSync(join(dir, name)).includes('s3cret'))
}

test('an older store hands its secrets over, and holds none of them any more', async () => {
  assert.deepEqual(telling(), ['jelajah.db'])
  {
    await using jobs = await openSqliteJobStore(path)
    assert.deepEqual((await jobs.get(2))?.settings.proxies, PROXIES)
    assert.equal((await jobs.get(2))?.settings.maxPages, 9)
    assert.deepEqual((await jobs.orderOf(2))?.webhook, WEBHOOK)
    assert.deepEqual((await jobs.get(1))?.settings.proxies, ['http://ann:***@p:1', 'http://q:2'])
    assert.deepEqual((await jobs.get(3))?.settings.proxies, ['http://q:2'])
    assert.deepEqual(telling(), ['secrets.db'])
  }
  assert.deepEqual(telling(), ['secrets.db'])
  assert.equal(statSync(join(dir, 'secrets.db')).mode & 0o777, 0o600)
})

test('a reader brings it up to date as well, and is told no secret', async () => {
  await using reader = await openSqliteJobReader(path)
  assert.deepEqual((await reader?.get(2))?.settings.proxies, ['http://ann:***@p:1', 'http://q:2'])
  assert.deepEqual(telling(), ['secrets.db'])
})

test('a job that is removed takes its secrets along', async () => {
  await using jobs = await openSqliteJobStore(path)
  await jobs.remove(2)
  assert.deepEqual(telling(), [])
})
