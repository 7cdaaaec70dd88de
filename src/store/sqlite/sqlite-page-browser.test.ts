import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pageBrowserContract } from '../../../test/contract/page-browser.contract.ts'
import { openSqliteJobStore } from './sqlite-job-store.ts'
import { openSqlitePageBrowser } from './sqlite-page-browser.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

function openFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-browser-'))
  return {
    path: join(dir, 'jelajah.db'),
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
}

pageBrowserContract('SQLite', async () => {
  const folder = openFolder()
  const { path } = folder
  return {
    ...folder,
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    browser: () => openSqlitePageBrowser(path),
  }
})

test('where there is no store, who wants to look through pages is told so', async () => {
  await using folder = openFolder()
  await assert.rejects(openSqlitePageBrowser(folder.path), { code: 'store-unreachable' })
})
