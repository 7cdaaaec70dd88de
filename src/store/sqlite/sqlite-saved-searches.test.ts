import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { savedSearchesContract } from '../../../test/contract/saved-searches.contract.ts'
import { openSqliteSavedSearches } from '../../../test/support/stores.ts'

savedSearchesContract('SQLite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-saved-'))
  return {
    open: () => openSqliteSavedSearches(join(dir, 'jelajah.db')),
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
})
