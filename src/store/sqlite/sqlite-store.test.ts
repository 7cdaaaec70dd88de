import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { jobJournalContract } from '../../../test/contract/job-journal.contract.ts'
import { jobStoreContract } from '../../../test/contract/job-store.contract.ts'
import { pageStoreContract } from '../../../test/contract/page-store.contract.ts'
import { partViewsContract } from '../../../test/contract/part-views.contract.ts'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { order } from '../../../test/support/dispatcher-stage.ts'
import { openStoreFolder } from '../../../test/support/store-folder.ts'
import {
  openSqliteJobJournal,
  openSqliteJobReader,
  openSqliteJobStore,
  openSqlitePageReader,
} from '../../../test/support/stores.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { openSqlitePageStore, SqlitePageStore } from './sqlite-page-store.ts'

pageStoreContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    reader: () => openSqlitePageReader(path),
  }
})

jobStoreContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    open: (clock) => openSqliteJobStore(path, clock),
    pages: (job) => openSqlitePageStore({ path, job }),
    reader: () => openSqlitePageReader(path),
  }
})

jobJournalContract('SQLite', async () => {
  const folder = openStoreFolder()
  return {
    ...folder,
    open: (clock) => openSqliteJobJournal(folder.path, clock),
    jobs: () => openSqliteJobStore(folder.path),
  }
})

test('where there is no store, readers say so and make none', async () => {
  await using folder = openStoreFolder()
  await assert.rejects(openSqlitePageReader(folder.path), { code: 'store-unreachable' })
  assert.equal(existsSync(folder.path), false)
  assert.equal(await openSqliteJobReader(folder.path), null)
})

test('a full disk is a clear error, and the store stays as it was and usable', async () => {
  await using folder = openStoreFolder()
  await using jobs = await openSqliteJobStore(folder.path)
  const job = await jobs.create(sampleJob())
  const db = openSqlite(folder.path, { schema: 'store', durability: 'full' })
  await using store = new SqlitePageStore(db, { path: folder.path, job })
  const first = sample('a.test/1')
  await store.save([first])
  store.acknowledge([first.page.fields.url])
  db.exec('PRAGMA max_page_count = 1')
  const large = { contentText: 'x'.repeat(100_000) }
  const batch = [sample('a.test/2'), sample('a.test/3', large)]
  await assert.rejects(store.save(batch), { name: 'CrawlerError', code: 'disk-full' })
  assert.equal(await store.count(), 1)
  db.exec('PRAGMA max_page_count = 4294967294')
  const saved = await store.save(batch)
  assert.deepEqual(
    saved.map(({ outcome }) => outcome),
    ['stored', 'stored'],
  )
  await using reader = await openSqlitePageReader(folder.path)
  const { hosts, ...sums } = await reader.totals(job.id)
  assert.deepEqual(sums, { stored: 3, duplicates: 0, bytes: 3000, judged: 3, hot: 0 })
  assert.deepEqual([...hosts], [['a.test', 3]])
  const waiting = (await store.undelivered()).map(({ urlId }) => urlId)
  assert.deepEqual(
    waiting,
    batch.map(({ urlId }) => urlId),
  )
})

partViewsContract('SQLite', async () => {
  const folder = openStoreFolder()
  const { path } = folder
  return {
    ...folder,
    jobs: () => openSqliteJobStore(path),
    pages: (job) => openSqlitePageStore({ path, job }),
    async query(sql) {
      using db = new DatabaseSync(path, { readOnly: true })
      return db.prepare(sql).all()
    },
  }
})

test('a store and what SQLite keeps beside it are for their owner alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-own-'))
  const path = join(folder, 'jelajah.db')
  const umask = process.umask(0)
  try {
    await using jobs = await openSqliteJobStore(path)
    await jobs.order(order())
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      assert.equal(statSync(file).mode & 0o777, 0o600)
    }
  } finally {
    process.umask(umask)
    rmSync(folder, { recursive: true })
  }
})
