import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { jobJournalContract } from '../../../test/contract/job-journal.contract.ts'
import { jobStoreContract } from '../../../test/contract/job-store.contract.ts'
import { pageStoreContract } from '../../../test/contract/page-store.contract.ts'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { order } from '../../../test/support/dispatcher-stage.ts'
import { openStoreFolder } from '../../../test/support/store-folder.ts'
import { PARTS, type Part } from '../../core/page.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { openSqliteJobJournal } from './sqlite-job-journal.ts'
import { openSqliteJobReader, openSqliteJobStore } from './sqlite-job-store.ts'
import { openSqlitePageReader } from './sqlite-page-reader.ts'
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
  store.acknowledge([first.urlId])
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

const FORM = { action: 'http://a.test/', method: 'get', fields: [{ name: 'q', type: 'text' }] }
const TABLE = { caption: 'Prices', headers: ['what', 'price'], rows: [['tea', '2']] }

/** Rows as the parser makes them, and what a reader of the view sees. */
const PART_ROWS: Readonly<Record<Part, readonly (readonly [row: unknown, seen: object])[]>> = {
  links: [
    [
      ['http://a.test/2', 'two', 'nofollow', 'page … of three'],
      { url: 'http://a.test/2', anchor: 'two', rel: 'nofollow', context: 'page … of three' },
    ],
    [
      ['http://a.test/3', 'three', ''],
      { url: 'http://a.test/3', anchor: 'three', rel: '', context: '' },
    ],
  ],
  images: [
    [
      ['http://a.test/i.png', 'alt'],
      { src: 'http://a.test/i.png', alt: 'alt', width: null, height: null, best: null },
    ],
    [
      ['http://a.test/j.png', '', 10, null, 'http://a.test/k.png'],
      { src: 'http://a.test/j.png', alt: '', width: 10, height: null, best: 'http://a.test/k.png' },
    ],
  ],
  tables: [[TABLE, { caption: 'Prices', headers: '["what","price"]', rows: '[["tea","2"]]' }]],
  forms: [
    [FORM, { action: 'http://a.test/', method: 'get', fields: '[{"name":"q","type":"text"}]' }],
  ],
  lists: [
    [['ol', 0, true, ['a', 'b']], { kind: 'ol', depth: 0, links: 1, entries: '["a","b"]' }],
    [['dl', 1, false, [['a', 'b']]], { kind: 'dl', depth: 1, links: 0, entries: '[["a","b"]]' }],
  ],
  scripts: [
    [
      ['http://a.test/s.js', 'module', 'async'],
      { src: 'http://a.test/s.js', type: 'module', load: 'async', length: null, text: null },
    ],
    [
      [null, 'application/ld+json', null, 2, '{}'],
      { src: null, type: 'application/ld+json', load: null, length: 2, text: '{}' },
    ],
  ],
  styles: [
    [['http://a.test/s.css'], { href: 'http://a.test/s.css', media: null, length: null }],
    [[null, 'print', 10], { href: null, media: 'print', length: 10 }],
  ],
}

test('every part of a page can be read by SQL under its public name', async () => {
  await using folder = openStoreFolder()
  await using jobs = await openSqliteJobStore(folder.path)
  const job = await jobs.create(sampleJob())
  await using store = await openSqlitePageStore({ path: folder.path, job })
  const parts = Object.fromEntries(
    PARTS.map((part) => [part, JSON.stringify(PART_ROWS[part].map(([row]) => row))]),
  )
  const [saved] = await store.save([sample('a.test/1', {}, { parts }), sample('a.test/2')])
  assert.ok(saved?.outcome === 'stored')
  const db = new DatabaseSync(folder.path, { readOnly: true })
  try {
    for (const part of PARTS) {
      const rows = db.prepare(`SELECT * FROM page_${part} ORDER BY position`).all()
      const seen = PART_ROWS[part].map(([, row], position) => ({ ...row, position }))
      assert.deepEqual(
        rows.map(({ page_id, ...row }) => row),
        seen,
        part,
      )
    }
  } finally {
    db.close()
  }
})

test('a store that takes a secret is closed to others first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-secret-'))
  const path = join(folder, 'jelajah.db')
  const others = () => statSync(path).mode & 0o077
  try {
    await using jobs = await openSqliteJobStore(path)
    chmodSync(path, 0o644)
    await jobs.order(order())
    assert.equal(others(), 0o044)
    await jobs.order(order({ webhook: { url: 'http://a.test/', secret: 's', events: ['page'] } }))
    assert.equal(others(), 0)
    assert.equal(statSync(`${path}-wal`).mode & 0o077, 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
