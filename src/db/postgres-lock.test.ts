import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { after, test } from 'node:test'
import { openLine } from '../../test/servers/line.ts'
import { testDatabase } from '../../test/servers/postgres.ts'
import { openPostgres } from './postgres.ts'
import { holderOfPostgresLock, openPostgresLock, postgresLockIsHeld } from './postgres-lock.ts'

const database = await testDatabase()
const { url } = database
const db = await openPostgres({ url })
after(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Ends the connection that holds it, as a network or a server would. */
async function cutOff(name: string): Promise<void> {
  await db.sql`
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE application_name = ${`jelajah ${name}`} AND datname = current_database()`
}

test('a lock that is held is not given to another, and is free again when let go', async () => {
  const lock = await openPostgresLock('a', { url })
  assert.ok(lock)
  assert.equal(await openPostgresLock('a', { url }), null)
  assert.equal(await postgresLockIsHeld(db, 'a'), true)
  await using other = await openPostgresLock('b', { url })
  assert.ok(other)
  await lock[Symbol.asyncDispose]()
  assert.equal(await postgresLockIsHeld(db, 'a'), false)
  await using again = await openPostgresLock('a', { url })
  assert.ok(again)
})

test('who has a lock is reported as long as it is held', async () => {
  assert.equal(await holderOfPostgresLock(db, 'c'), null)
  const lock = await openPostgresLock('c', { url })
  const held = await holderOfPostgresLock(db, 'c')
  assert.equal(held?.holder, `process ${process.pid} on ${hostname()}`)
  assert.ok((held?.since ?? 0) > 0)
  await lock?.[Symbol.asyncDispose]()
  assert.equal(await holderOfPostgresLock(db, 'c'), null)
})

test('one whose connection was cut is taken again by its holder', async () => {
  await using lock = await openPostgresLock('d', { url, lookEveryMs: 5 })
  assert.ok(lock)
  await cutOff('d')
  for (const until = Date.now() + 20_000; ; ) {
    if (await postgresLockIsHeld(db, 'd')) break
    assert.ok(Date.now() < until, 'it is held again')
  }
  assert.equal(await openPostgresLock('d', { url }), null)
  assert.equal(lock.lost.aborted, false)
})

test('where another was faster, the holder is told that it is lost', async () => {
  await using lock = await openPostgresLock('e', { url, lookEveryMs: 5 })
  assert.ok(lock)
  const lost = new Promise<void>((resolve) => {
    lock.lost.addEventListener('abort', () => resolve())
  })
  // In line already when the lock becomes free.
  const other = await db.sql.reserve()
  const key = "hashtextextended('jelajah lock e', 0)"
  const taken = other.unsafe(`SELECT pg_advisory_lock(${key})`).execute()
  for (const until = Date.now() + 20_000; ; ) {
    const [row] = await db.sql`
      SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
    if (Number(row?.n) > 0) break
    assert.ok(Date.now() < until, 'it waits for the lock')
  }
  await cutOff('e')
  await taken
  await lost
  await other.unsafe(`SELECT pg_advisory_unlock(${key})`)
  other.release()
})

test('one that is waited for is asked for on one connection, and had when it is let go', async () => {
  const lock = await openPostgresLock('f', { url })
  const waiting = openPostgresLock('f', { url, waitMs: 60_000 })
  const backends = new Set<unknown>()
  for (let looks = 0; looks < 20; looks++) {
    const rows = await db.sql`
      SELECT pid FROM pg_stat_activity, pg_sleep(0.02)
      WHERE application_name = 'jelajah f' AND datname = current_database()`
    for (const { pid } of rows) backends.add(pid)
  }
  assert.equal(backends.size, 2)
  await lock?.[Symbol.asyncDispose]()
  await using had = await waiting
  assert.ok(had)
})

test('one is let go without waiting for a server whose line was cut', async () => {
  const through = new URL(url)
  await using line = await openLine(Number(through.port))
  through.port = String(line.port)
  const lock = await openPostgresLock('g', { url: through.href })
  assert.ok(lock)
  line.cut()
  await lock[Symbol.asyncDispose]()
})

test('one is taken although the server may only be read for a moment', async () => {
  const name = new URL(url).pathname.slice(1)
  const mayOnlyBeRead = (is: 'on' | 'off') =>
    db.sql.begin(async (sql) => {
      await sql.unsafe('SET TRANSACTION READ WRITE')
      await sql.unsafe(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${is}`)
    })
  await mayOnlyBeRead('on')
  const taking = openPostgresLock('h', { url })
  for (let isThere = false; !isThere; ) {
    const [row] = await db.sql`
      SELECT count(*)::int AS n FROM pg_stat_activity, pg_sleep(0.02)
      WHERE application_name = 'jelajah h' AND datname = current_database()`
    isThere = Number(row?.n) > 0
  }
  await mayOnlyBeRead('off')
  await using lock = await taking
  assert.ok(lock)
  assert.ok(await holderOfPostgresLock(db, 'h'))
})
