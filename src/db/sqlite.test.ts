import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { openSqlite, openSqliteReader } from './sqlite.ts'

const NOBODY = 65_534

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

/** Runs `work` as a user who may look into the folder, but change nothing there. */
function asStranger<T>(work: () => T): T {
  const { geteuid, seteuid } = process
  if (geteuid === undefined || seteuid === undefined) throw new Error('no users here')
  const me = geteuid()
  chmodSync(dir, 0o555)
  // Root may write everywhere, so it has to become somebody else; others need no more than this.
  if (me === 0) seteuid(NOBODY)
  try {
    return work()
  } finally {
    if (me === 0) seteuid(me)
  }
}

function tablesSeen(): number {
  const db = openSqliteReader(path, 'store')
  assert.ok(db)
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n)
  } finally {
    db.close()
  }
}

test('a file is read by a user who may write neither it nor its folder', () => {
  openSqlite(path, { schema: 'store', durability: 'normal' }).close()
  assert.deepEqual(readdirSync(dir), ['a file?#%.db'])
  assert.ok(asStranger(tablesSeen) > 0)
  assert.deepEqual(readdirSync(dir), ['a file?#%.db'])
})

test('a file that is being written shows such a user what is in its log', () => {
  const writer = openSqlite(path, { schema: 'store', durability: 'normal' })
  try {
    const before = asStranger(tablesSeen)
    writer.exec('CREATE TABLE one_more (x)')
    assert.equal(asStranger(tablesSeen), before + 1)
  } finally {
    writer.close()
  }
})

test('a file that may not be read says whose business that is', () => {
  openSqlite(path, { schema: 'store', durability: 'normal' }).close()
  chmodSync(path, 0)
  assert.throws(() => asStranger(tablesSeen), {
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

test('a file that has more than it needs is opened', () => {
  const made = openSqlite(path, { schema: 'store', durability: 'normal' })
  made.exec('CREATE TABLE notes (text); ALTER TABLE crawls ADD COLUMN mine TEXT')
  made.close()
  openSqlite(path, { schema: 'store', durability: 'normal' }).close()
  assert.ok(tablesSeen() > 0)
})

test('a damaged file says how to go on', () => {
  writeFileSync(path, 'not a database at all, though it is long enough'.repeat(100))
  assert.throws(tablesSeen, { code: 'store-damaged', message: /Move its folder away, or choose/ })
})
