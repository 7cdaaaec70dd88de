import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createFolder } from './folder.ts'

test('folders are made with all above them, and again without complaint', () => {
  const root = mkdtempSync(join(tmpdir(), 'jelajah-test-'))
  const deep = join(root, 'a', 'b', 'c')
  createFolder(deep)
  createFolder(deep)
  assert.ok(existsSync(deep))
  rmSync(root, { recursive: true })
})

test('where nothing can be made there is an error, not an endless wait', () => {
  assert.throws(() => createFolder('/proc/none/below'))
})
