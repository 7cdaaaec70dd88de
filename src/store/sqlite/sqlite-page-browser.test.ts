import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageBrowserContract } from '../../../test/contract/page-browser.contract.ts'
import { openStoreFolder } from '../../../test/support/store-folder.ts'
import { openSqliteJobStore, openSqlitePageReader } from '../../../test/support/stores.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

pageBrowserContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    browser: () => openSqlitePageReader(path),
  }
})

test('where there is no store, who wants to look through pages is told so', async () => {
  await using folder = openStoreFolder()
  await assert.rejects(openSqlitePageReader(folder.path), { code: 'store-unreachable' })
})
