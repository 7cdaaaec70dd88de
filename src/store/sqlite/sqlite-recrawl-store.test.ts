import assert from 'node:assert/strict'
import { roundsContract } from '../../../test/contract/recrawls.contract.ts'
import { openStoreFolder } from '../../../test/support/store-folder.ts'
import {
  openSqliteChangeFeed,
  openSqliteJobStore,
  openSqlitePageReader,
  openSqliteRecrawlStore,
} from '../../../test/support/stores.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

roundsContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    reader: () => openSqlitePageReader(path),
    rounds: (clock) => openSqliteRecrawlStore(path, clock),
    feed: async () => {
      const feed = await openSqliteChangeFeed(path)
      assert.ok(feed)
      return feed
    },
  }
})
