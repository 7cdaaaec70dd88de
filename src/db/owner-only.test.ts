import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { closeToOthers } from './owner-only.ts'

const folder = mkdtempSync(join(tmpdir(), 'jelajah-owner-'))
after(() => rmSync(folder, { recursive: true }))

test('a database is closed to others with all that lies beside it', () => {
  const path = join(folder, 'jelajah.db')
  const files = [path, `${path}-wal`]
  for (const file of files) writeFileSync(file, '')
  for (const file of files) chmodSync(file, 0o644)
  closeToOthers(path)
  for (const file of files) assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('one that is not there is no trouble', () => {
  closeToOthers(join(folder, 'none.db'))
})
