import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageFeedContract } from '../../../test/contract/page-feed.contract.ts'
import { openSqliteJobStore, openSqlitePageReader } from '../../../test/support/stores.ts'
import { CrawlerError } from '../../core/errors.ts'
import type { PageReader } from '../page-reader.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

pageFeedContract('SQLite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-feed-'))
  const path = join(dir, 'jelajah.db')
  return {
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    feed: async () => {
      const reader = await openSqlitePageReader(path).catch((error: unknown) => error)
      if (!(reader instanceof CrawlerError)) return reader as PageReader
      assert.equal(reader.code, 'store-unreachable')
      return null
    },
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
})
