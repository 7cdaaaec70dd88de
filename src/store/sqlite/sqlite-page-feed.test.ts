import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageFeedContract } from '../../../test/contract/page-feed.contract.ts'
import { openSqlitePageFeed } from './sqlite-page-feed.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'
import { openSqliteJobStore } from './sqlite-store.ts'

pageFeedContract('SQLite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-feed-'))
  const path = join(dir, 'jelajah.db')
  return {
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    feed: () => openSqlitePageFeed(path),
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
})
