import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { hostLimiterContract } from '../../../test/contract/host-limiter.contract.ts'
import { ManualClock, systemClock } from '../../lib/clock.ts'
import { openSqliteHostLimiter } from './sqlite-host-limiter.ts'

function temporaryFile(): Disposable & { readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-turns-'))
  return {
    path: join(folder, 'run', 'hosts.db'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

hostLimiterContract('SQLite', async () => {
  const { path, ...file } = temporaryFile()
  return {
    open: (holder, clock) => openSqliteHostLimiter({ path, holder, clock }),
    [Symbol.asyncDispose]: async () => file[Symbol.dispose](),
  }
})

const WANTED = { delayMs: 1000, perHost: 1, forMs: 30_000 }

test('a file that is damaged is rebuilt', async () => {
  using file = temporaryFile()
  const open = () => openSqliteHostLimiter({ path: file.path, holder: 'one', clock: systemClock })
  await (await open())[Symbol.asyncDispose]()
  writeFileSync(file.path, 'not a database, but long enough to be looked at as one'.repeat(100))
  await using limiter = await open()
  assert.ok((await limiter.ask('a.test', WANTED)).slot)
})

test('hosts not asked for a day are forgotten', async () => {
  using file = temporaryFile()
  const clock = new ManualClock()
  const ask = async (host: string) => {
    await using limiter = await openSqliteHostLimiter({ path: file.path, holder: 'one', clock })
    await limiter.ask(host, WANTED)
  }
  await ask('a.test')
  clock.advance(1000)
  await ask('b.test')
  clock.advance(24 * 60 * 60 * 1000 - 500)
  await ask('c.test')
  assert.deepEqual(hostsIn(file.path), ['b.test', 'c.test'])
})

test('who finds the file in use waits without standing still', async () => {
  using file = temporaryFile()
  await using limiter = await openSqliteHostLimiter({
    path: file.path,
    holder: 'one',
    clock: systemClock,
  })
  const other = new DatabaseSync(file.path)
  other.exec('BEGIN IMMEDIATE')
  const answer = limiter.ask('a.test', WANTED)
  let turnsOfTheLoop = 0
  while (turnsOfTheLoop < 10) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    turnsOfTheLoop++
  }
  other.exec('COMMIT')
  other.close()
  assert.ok((await answer).slot)
})

test('what others wrote while this one waited for the file is not taken for a clock set back', async () => {
  using file = temporaryFile()
  const manual = new ManualClock()
  let meanwhile: (() => void) | null = null
  const now = () => {
    const time = manual.now()
    meanwhile?.()
    meanwhile = null
    return time
  }
  await using limiter = await openSqliteHostLimiter({
    path: file.path,
    holder: 'one',
    clock: { now },
  })
  using other = new DatabaseSync(file.path)
  const started = manual.now() + 100
  meanwhile = () => {
    manual.advance(100)
    const row = ['a.test', started, 'two', started, 0, '', '[]', started] as const
    other.prepare('INSERT INTO host VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(...row)
  }
  const answer = await limiter.ask('a.test', WANTED)
  assert.deepEqual(answer, { slot: null, askAgainAt: started + 1000, trouble: '' })
})

test('questions are refused when it is closed, and nothing is left beside the file', async () => {
  using file = temporaryFile()
  const limiter = await openSqliteHostLimiter({
    path: file.path,
    holder: 'one',
    clock: systemClock,
  })
  const pending = limiter.ask('a.test', WANTED)
  await Promise.all([
    assert.rejects(pending, { code: 'store-unreachable' }),
    limiter[Symbol.asyncDispose](),
  ])
  await assert.rejects(limiter.ask('a.test', WANTED), { code: 'store-unreachable' })
  await limiter[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(join(file.path, '..')).sort(), ['hosts.db', 'hosts.db-lock'])
})

function hostsIn(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return db
      .prepare('SELECT name FROM host')
      .all()
      .map(({ name }) => String(name))
  } finally {
    db.close()
  }
}
