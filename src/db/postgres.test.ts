import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres, testDatabase } from '../../test/servers/postgres.ts'
import { freePort } from '../../test/servers/server-process.ts'
import { CrawlerError, type CrawlerErrorCode } from '../core/errors.ts'
import { openPostgres, openPostgresReader } from './postgres.ts'
import { refuseOlderServer } from './postgres-schema.ts'

const database = await testDatabase()
const { url } = database
after(() => database[Symbol.asyncDispose]())

function says(code: CrawlerErrorCode, ...words: readonly RegExp[]) {
  return (error: unknown) => {
    assert.ok(error instanceof CrawlerError, String(error))
    assert.equal(error.code, code, error.message)
    for (const word of words) assert.match(error.message, word)
    assert.doesNotMatch(error.message, /s3cret/)
    return true
  }
}

/** The same server, seen otherwise. */
function changed(change: (url: URL) => void): string {
  const other = new URL(url)
  change(other)
  return other.href
}

test('a store is made once, however many open it at the same time', async () => {
  assert.equal(await openPostgresReader({ url }), null)
  const opening = [1, 2, 3].map(() => openPostgres({ url, max: 2 }))
  // Those who read meanwhile find nothing, or all of it.
  for (let nth = 0; nth < 4; nth++) {
    const early = await openPostgresReader({ url, max: 1 })
    if (early === null) continue
    assert.deepEqual([...(await early.sql`SELECT url FROM urls`)], [])
    await early[Symbol.asyncDispose]()
  }
  const opened = await Promise.all(opening)
  const versions = await opened[0]!.sql`SELECT version FROM jelajah_schema ORDER BY version`
  assert.deepEqual(
    versions.map(({ version }) => version),
    versions.map((_, at) => at + 1),
  )
  for (const db of opened) await db[Symbol.asyncDispose]()
  const reader = await openPostgresReader({ url })
  assert.ok(reader)
  await reader[Symbol.asyncDispose]()
})

test('who reads while a store is made finds no tables, or all of them', async () => {
  await using empty = await testDatabase()
  let isMade = false
  const making = openPostgres({ url: empty.url }).finally(() => {
    isMade = true
  })
  while (!isMade) {
    const reader = await openPostgresReader({ url: empty.url, max: 1 })
    await reader?.[Symbol.asyncDispose]()
  }
  await (await making)[Symbol.asyncDispose]()
})

test('a store of a newer version is refused and not touched', async () => {
  await using db = await openPostgres({ url })
  await db.sql`INSERT INTO jelajah_schema (version) VALUES (999)`
  const newer = says('store-newer', /schema 999/, /newer Jelajah/)
  await assert.rejects(openPostgres({ url }), newer)
  await assert.rejects(openPostgresReader({ url }), newer)
  await db.sql`DELETE FROM jelajah_schema WHERE version = 999`
})

test('a store of an earlier version is not brought up to date by who only reads', async () => {
  await using db = await openPostgres({ url })
  const [last] = await db.sql`
    DELETE FROM jelajah_schema
    WHERE version = (SELECT max(version) FROM jelajah_schema) RETURNING version`
  await assert.rejects(openPostgresReader({ url }), says('store-older', /earlier version/))
  await db.sql`INSERT INTO jelajah_schema (version) VALUES (${last?.version})`
})

test('a database with tables of somebody else is left alone', async () => {
  await using foreign = await testDatabase()
  await using db = await openPostgres({ url })
  await db.sql`SELECT 1`
  const { default: postgres } = await import('postgres')
  const sql = postgres(foreign.url, { max: 1 })
  await sql`CREATE TABLE pages (id integer)`
  await sql.end()
  await assert.rejects(openPostgres({ url: foreign.url }), says('store-damaged', /table pages/))
})

test('what is wrong with a URL or its server is said, the password never', async () => {
  const port = await freePort()
  const none = changed((other) => {
    other.port = String(port)
    other.password = 's3cret'
  })
  await assert.rejects(
    openPostgres({ url: none, openMs: 50 }),
    says('store-unreachable', /:\*\*\*@127/, /ECONNREFUSED/),
  )
  const database = changed((other) => {
    other.pathname = '/not_there'
    other.password = 's3cret'
  })
  await assert.rejects(openPostgres({ url: database }), says('store-unreachable', /createdb/))
  const user = changed((other) => {
    other.username = 'nobody'
    other.password = 's3cret'
  })
  await assert.rejects(openPostgres({ url: user }), says('store-unreachable', /user or password/))
  for (const wrong of [
    'postgres://a:1/s3cret@b/c',
    'postgres://a:1?s3cret@b',
    'postgres://a:s3cret@:x/b',
    'http://a:s3cret@b/',
    '/var/lib',
    '',
  ]) {
    await assert.rejects(openPostgres({ url: wrong }), says('store-unreachable', /not the URL/))
  }
})

test('who reads while the tables are brought up to date waits for that', async () => {
  await using db = await openPostgres({ url })
  const [last] = await db.sql`
    DELETE FROM jelajah_schema
    WHERE version = (SELECT max(version) FROM jelajah_schema) RETURNING version`
  const migration = await db.sql.reserve()
  await migration`BEGIN`
  await migration`SELECT pg_advisory_xact_lock(${0x4a4c4a48})`
  await migration`INSERT INTO jelajah_schema (version) VALUES (${last?.version})`
  const opening = openPostgresReader({ url, max: 1 })
  const waits = () => db.sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
  while ((await waits()).length === 0) await pause(5)
  await migration`COMMIT`
  migration.release()
  const reader = await opening
  assert.ok(reader !== null)
  await reader[Symbol.asyncDispose]()
})

test('a wrong password is reported as such at once', async () => {
  await using server = await startPostgres({ password: 'right' })
  const wrong = new URL(server.url)
  wrong.password = 's3cret'
  const refused = says('store-unreachable', /refuses this user or password/, /:\*\*\*@127/)
  await assert.rejects(openPostgres({ url: wrong.href, openMs: 60_000 }), refused)
  wrong.password = ''
  await assert.rejects(openPostgres({ url: wrong.href, openMs: 60_000 }), CrawlerError)
  await using db = await openPostgres({ url: server.url })
  assert.equal((await db.sql`SELECT 1`).length, 1)
})

test('an old server is reported by its version', () => {
  assert.throws(() => refuseOlderServer(140_011, 'it'), says('store-older', /PostgreSQL 14.*15/))
  refuseOlderServer(150_000, 'it')
})

test('a connection that was cut is rebuilt, and the question asked again', async () => {
  await using db = await openPostgres({ url, max: 1, name: 'jelajah cut' })
  await using other = await openPostgres({ url })
  let asked = 0
  const answer = await db.inTransaction(async (sql, attempt) => {
    asked = attempt
    if (attempt === 1) {
      await other.sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'jelajah cut'`
    }
    return sql`SELECT 'here' AS answer`
  })
  assert.deepEqual([asked, answer[0]?.answer], [2, 'here'])
})

test('what fails for good is not tried again', async () => {
  await using db = await openPostgres({ url })
  let asked = 0
  const wrong = db.run((sql) => {
    asked++
    return sql`SELECT * FROM no_such_table`
  })
  await assert.rejects(wrong, says('store-damaged', /no_such_table/))
  assert.equal(asked, 1)
})

test('what is wrong with a question alone is no trouble of the server', async () => {
  await using db = await openPostgres({ url })
  const questions = [
    `SELECT 1 / 0`,
    `SELECT 'x'::bigint`,
    `SELEC`,
    `SELECT repeat('x', 2000000000)`,
  ]
  for (const question of questions) {
    await assert.rejects(
      db.run((sql) => sql.unsafe(question)),
      (error) => !(error instanceof CrawlerError),
    )
  }
})

test('a question that somebody ended is asked again, on the same connection', async () => {
  await using db = await openPostgres({ url, max: 1, name: 'jelajah ended' })
  await using other = await openPostgres({ url, max: 1 })
  const [before] = await db.sql`SELECT pg_backend_pid() AS pid`
  let asked = 0
  const [answer] = await db.run(async (sql) => {
    if (++asked > 1) return sql`SELECT pg_backend_pid() AS pid`
    const waiting = sql`SELECT pg_sleep(60)`.execute()
    // It may be ended before the other one has its answer.
    waiting.catch(() => {})
    for (let ended = false; !ended; ) {
      const [row] = await other.sql`
        SELECT pg_cancel_backend(pid) AS ended FROM pg_stat_activity
        WHERE pid = ${Number(before?.pid)} AND query LIKE '%pg_sleep%' AND state = 'active'`
      ended = row?.ended === true
    }
    return waiting
  })
  assert.deepEqual([asked, answer?.pid], [2, before?.pid])
})

test('how long a question may take is not left to what the database has as its default', async () => {
  await using limited = await testDatabase()
  await using made = await openPostgres({ url: limited.url, max: 1 })
  const name = new URL(limited.url).pathname.slice(1)
  await made.sql.unsafe(`ALTER DATABASE ${name} SET statement_timeout = 7000`)
  await made.sql.unsafe(`ALTER DATABASE ${name} SET lock_timeout = 7000`)
  await using db = await openPostgres({ url: limited.url, max: 1 })
  const [row] = await db.sql`
    SELECT current_setting('statement_timeout') AS work, current_setting('lock_timeout') AS lock`
  assert.deepEqual([row?.work, row?.lock], ['0', '0'])
})

test('where one may only read, who wants to write is told so at once', async () => {
  await using fixed = await testDatabase()
  await using made = await openPostgres({ url: fixed.url, max: 1 })
  const name = new URL(fixed.url).pathname.slice(1)
  await made.sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await assert.rejects(openPostgres({ url: fixed.url }), says('store-unreachable', /only be read/))
  await using reader = await openPostgresReader({ url: fixed.url })
  assert.ok(reader)
})

test('too many connections are waited for, and those that are there go on', async () => {
  await using db = await openPostgres({ url, max: 1 })
  const [before] = await db.sql`SELECT pg_backend_pid() AS pid`
  let asked = 0
  const [after] = await db.run((sql) => {
    if (++asked > 1) return sql`SELECT pg_backend_pid() AS pid`
    return Promise.reject(Object.assign(new Error('too many clients'), { code: '53300' }))
  })
  assert.equal(after?.pid, before?.pid)
})

test('a server that is away for too long is unreachable', async () => {
  await using db = await openPostgres({ url, max: 1, deadlineMs: 50 })
  const gone = Object.assign(new Error('gone'), { code: 'ECONNRESET' })
  await assert.rejects(
    db.run(() => Promise.reject(gone)),
    says('store-unreachable', /cannot be reached/),
  )
})
