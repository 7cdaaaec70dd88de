import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sample, sampleJob } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import { openLock } from '../db/lock.ts'
import { ExportInterrupted } from '../export/run-export.ts'
import { openSearch } from '../reads/search.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { lockPath, storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { openExportSearch } from './export-pages.ts'

const dir = mkdtempSync(join(tmpdir(), 'jelajah-export-search-'))
after(() => rmSync(dir, { recursive: true }))

before(async () => {
  await using jobs = await openSqliteJobStore(storePath(dir))
  const job = await jobs.create(sampleJob())
  await using pages = await openSqlitePageStore({ path: storePath(dir), job })
  await pages.save([sample('a.test/', { contentText: 'green tea' })])
})

const options = { signal: new AbortController().signal, onBehind: () => {} }

test('an index that somebody else keeps and is behind is not exported by', async () => {
  await using _kept = await openLock(lockPath(dir, 'search'))
  await assert.rejects(
    openExportSearch(workspaceOf({ dataDir: dir }), { ...options, patienceMs: 0 }),
    {
      code: 'store-busy',
      message: /1 change behind; wait/,
    },
  )
})

test('an index that somebody else brings up to date is waited for', async () => {
  const kept = await openLock(lockPath(dir, 'search'))
  const opening = openExportSearch(workspaceOf({ dataDir: dir }), {
    ...options,
    onBehind: () => void kept?.[Symbol.asyncDispose](),
  })
  await using search = await opening
  assert.equal((await search.matching({ text: 'tea' })).length, 1)
})

test('who is stopped meanwhile hears of nothing else', async () => {
  const signal = AbortSignal.abort()
  await assert.rejects(
    openExportSearch(workspaceOf({ dataDir: dir }), { ...options, signal }),
    ExportInterrupted,
  )
})

test('an index that is up to date is opened while somebody else keeps it', async () => {
  await using keeper = openSearch(workspaceOf({ dataDir: dir }))
  await keeper.catchUp(10_000)
  await using search = await openExportSearch(workspaceOf({ dataDir: dir }), {
    ...options,
    patienceMs: 0,
  })
  assert.equal((await search.matching({ text: 'tea' })).length, 1)
})
