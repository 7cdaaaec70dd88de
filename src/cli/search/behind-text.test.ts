import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openLock } from '../../db/lock.ts'
import { lockPath } from '../../workspace/folder/paths.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { behindText } from './behind-text.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-behind-'))
after(() => rmSync(dataDir, { recursive: true }))

test('who searches beside a crawl that nobody indexes hears how to keep up with it', async () => {
  const plain = /^7 changes of the store cannot be searched yet$/
  assert.match(await behindText(workspaceOf({ dataDir }), 1, 7), plain)
  await using _crawl = await openLock(lockPath(dataDir, 'crawl-1'))
  assert.match(
    await behindText(workspaceOf({ dataDir }), 1, 7),
    /yet: a crawl runs; .*index --follow.* --index/,
  )
  await using _index = await openLock(lockPath(dataDir, 'search'))
  assert.match(await behindText(workspaceOf({ dataDir }), 1, 7), plain)
})
