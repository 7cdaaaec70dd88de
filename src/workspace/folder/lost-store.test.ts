import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { refuseLostStore } from './lost-store.ts'

const ROOT = 0
const NOBODY = 65_534
const needsRoot = { skip: process.geteuid?.() !== ROOT && 'only root can be another user' }

test('a folder that is closed to this user is told so, with what to do', needsRoot, () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-closed-'))
  process.seteuid?.(NOBODY)
  try {
    assert.throws(() => refuseLostStore(folder), {
      code: 'store-unreachable',
      message: /not open to this user .*Run this as the user whose it is, or choose another --data/,
    })
  } finally {
    process.seteuid?.(ROOT)
    rmSync(folder, { recursive: true })
  }
})
