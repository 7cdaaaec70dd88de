import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageBrowserContract } from '../../../test/contract/page-browser.contract.ts'
import { openStoreFolder } from '../../../test/support/store-folder.ts'
import { openSqlitePageBrowser } from './sqlite-page-browser.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'
import { openSqliteJobStore } from './sqlite-store.ts'

pageBrowserContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    browser: () => openSqlitePageBrowser(path),
  }
})

test('where there is no store, who wants to look through pages is told so', async () => {
  await using folder = openStoreFolder()
  await assert.rejects(openSqlitePageBrowser(folder.path), { code: 'store-unreachable' })
})
