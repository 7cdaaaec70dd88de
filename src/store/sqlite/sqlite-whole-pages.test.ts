import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholePagesContract } from '../../../test/contract/whole-pages.contract.ts'
import { openStoreFolder } from '../../../test/support/store-folder.ts'
import { openSqliteJobStore, openSqlitePageReader } from '../../../test/support/stores.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

wholePagesContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    whole: () => openSqlitePageReader(path),
  }
})

test('where there is no store, whole pages are none', async () => {
  await using folder = openStoreFolder()
  await assert.rejects(openSqlitePageReader(folder.path), { code: 'store-unreachable' })
})
