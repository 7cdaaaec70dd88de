import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { asStranger } from '../../test/support/as-stranger.ts'
import { emptyLog, openSqlite, openSqliteReader } from './sqlite.ts'

let dir = ''
let path = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'jelajah-sqlite-'))
  path = join(dir, 'a file?#%.db')
})
afterEach(() => {
  chmodSync(dir, 0o700)
  rmSync(dir, { recursive: true })
})

function tablesSeen(): number {
  const db = openSqliteReader(path, 'store')
  assert.ok(db)
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n)
  } finally {
    db.close()
  }
}

test('a file is read by a user who may write neither it nor its folder', async () => {
  openSqlite(path, { schema: 'store', durability: 'normal' }).close()
  assert.deepEqual(readdirSync(dir), ['a file?#%.db'])
  assert.ok((await asStranger(dir, tablesSeen)) > 0)
  assert.deepEqual(readdirSync(dir), ['a file?#%.db'])
})

test('a file that is being written shows such a user what is in its log', async () => {
  const writer = openSqlite(path, { schema: 'store', durability: 'normal' })
  try {
    const before = await asStranger(dir, tablesSeen)
    writer.exec('CREATE TABLE one_more (x)')
    assert.equal(await asStranger(dir, tablesSeen), before + 1)
  } finally {
    writer.close()
  }
})

test('a file whose log was emptied has all in it, though others still have it open', () => {
  using writer = openSqlite(path, { schema: 'store', durability: 'normal' })
  using reader = openSqliteReader(path, 'store')
  writer.exec('CREATE TABLE one_more (x)')
  emptyLog(path)
  copyFileSync(path, join(dir, 'copy.db'))
  using copy = openSqliteReader(join(dir, 'copy.db'), 'store')
  assert.equal(copy?.prepare('SELECT count(*) AS n FROM one_more').get()?.n, 0)
  assert.ok(reader)
  assert.equal(statSync(`${path}-wal`).size, 0)
})

test('a log that is in use, or that of no file, stays as it is', () => {
  using writer = openSqlite(path, { schema: 'store', durability: 'normal' })
  writer.exec('BEGIN IMMEDIATE; CREATE TABLE one_more (x)')
  emptyLog(path)
  writer.exec('COMMIT')
  emptyLog(join(dir, 'none.db'))
  assert.ok(!readdirSync(dir).includes('none.db'))
})

test('a file that may not be read says whose business that is', async () => {
  openSqlite(path, { schema: 'store', durability: 'normal' }).close()
  chmodSync(path, 0)
  await assert.rejects(asStranger(dir, tablesSeen), {
    code: 'store-unreachable',
    message: /Check who may read and write it and its folder/,
  })
})

test('a file of the same number but an earlier form says what to do, to writers and readers', () => {
  const made = openSqlite(path, { schema: 'store', durability: 'normal' })
  made.exec('ALTER TABLE crawls DROP COLUMN note')
  made.close()
  const older = {
    code: 'store-older',
    message: /made by an earlier development version .*crawls\.note.* Use another --data folder/,
  }
  assert.throws(() => openSqlite(path, { schema: 'store', durability: 'normal' }), older)
  assert.throws(tablesSeen, older)
})

test('migrations of a schema are numbered from one, each with a number of its own', () => {
  const source = join(import.meta.dirname, '..')
  const folders = globSync('*/*/migrations', { cwd: source })
  assert.ok(folders.length >= 5, folders.join())
  for (const folder of folders) {
    const numbers = readdirSync(join(source, folder)).map((name) => Number.parseInt(name, 10))
    const expected = numbers.map((_, index) => index + 1)
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      expected,
      folder,
    )
  }
})

test('a file whose number does not fit its form is refused before anything in it changes', () => {
  openSqlite(path, { schema: 'store', durability: 'normal' }).close()
  const db = new DatabaseSync(path)
  db.exec('DROP TABLE dropped_pages; DROP TABLE linked_urls; DROP TABLE best_pages')
  db.exec('ALTER TABLE crawls DROP COLUMN note; PRAGMA user_version = 17')
  db.close()
  const older = { code: 'store-older', message: /crawls\.note/ }
  assert.throws(() => openSqlite(path, { schema: 'store', durability: 'normal' }), older)
  using same = new DatabaseSync(path)
  assert.equal(same.prepare('PRAGMA user_version').get()?.user_version, 17)
  assert.throws(() => same.prepare('SELECT * FROM best_pages'), /no such table/)
})

test('migrations that stores may have keep their places', () => {
  const store = join(import.meta.dirname, '..', 'store')
  const placed = [
    'sqlite/migrations/0014_style_text.sql',
    'postgres/migrations/0013_style_text.sql',
  ]
  for (const file of placed) assert.ok(existsSync(join(store, file)), file)
})

/** As the first version wrote it. */
function makeFirstVersion(): void {
  const folder = join(import.meta.dirname, '..', 'store', 'sqlite', 'migrations')
  const db = new DatabaseSync(path)
  db.exec(readFileSync(join(folder, '0001_crawls_and_pages.sql'), 'utf8'))
  db.exec('PRAGMA user_version = 1; PRAGMA application_id = 0x4a4c4a48; PRAGMA journal_mode = WAL')
  db.exec(`INSERT INTO crawls (name, status, seeds, settings, topic, salt, started_at)
    VALUES ('old', 'completed', '[]', '{}', '{"fingerprint":"f","words":["kopi"]}', 7, 1000)`)
  db.close()
}

test('a file of an earlier version is brought up to date by writers and by readers', () => {
  for (const open of [
    () => openSqlite(path, { schema: 'store', durability: 'normal' }),
    () => openSqliteReader(path, 'store'),
  ]) {
    makeFirstVersion()
    const db = open()
    assert.ok(db)
    const row = db.prepare('SELECT name, origin, ran_ms FROM crawls').get()
    assert.deepEqual({ ...row }, { name: 'old', origin: 'cli', ran_ms: 0 })
    const topic = db.prepare('SELECT crawl_id, fingerprint, topic FROM crawl_topics').get()
    const kept = '{"fingerprint":"f","words":["kopi"]}'
    assert.deepEqual({ ...topic }, { crawl_id: 1, fingerprint: 'f', topic: kept })
    db.close()
    rmSync(path)
  }
})

test('a file of an earlier version that may not be written says who can help', async () => {
  makeFirstVersion()
  await assert.rejects(asStranger(dir, tablesSeen), {
    code: 'store-older',
    message: /earlier version of Jelajah.*Let its owner run 'jelajah crawls' once/,
  })
})

test('a file that has more than it needs is opened', () => {
  const made = openSqlite(path, { schema: 'store', durability: 'normal' })
  made.exec('CREATE TABLE notes (text); ALTER TABLE crawls ADD COLUMN mine TEXT')
  made.close()
  openSqlite(path, { schema: 'store', durability: 'normal' }).close()
  assert.ok(tablesSeen() > 0)
})

test('a damaged file says how to go on', () => {
  writeFileSync(path, 'not a database at all, though it is long enough'.repeat(100))
  assert.throws(tablesSeen, {
    code: 'store-damaged',
    message: /is damaged \(.*\)\. Put back a copy/,
  })
})
