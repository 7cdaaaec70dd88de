// Several crawls write one file: each in its own process, as parsers do.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import {
  openSqliteJobJournal,
  openSqliteJobStore,
  openSqlitePageReader,
} from '../../../test/support/stores.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { openSqlitePageStore } from './sqlite-page-store.ts'

const WRITERS = 8
const BATCHES = 12
const PAGES = BATCHES * 20
const WRITER = join(import.meta.dirname, '../../../test/support/page-writer.ts')

const dir = mkdtempSync(join(tmpdir(), 'jelajah-writers-'))
const path = join(dir, 'jelajah.db')
after(() => rmSync(dir, { recursive: true }))

function write(crawlId: number): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', WRITER, path, `${crawlId}`, `${BATCHES}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  return new Promise((resolve) => child.once('close', () => resolve(said.trim())))
}

test('eight crawls that write at once lose nothing, and their totals hold', async () => {
  await using jobs = await openSqliteJobStore(path)
  await using journal = await openSqliteJobJournal(path)
  for (let n = 0; n < WRITERS; n++) await jobs.create(sampleJob())
  let isOver = false
  const written = Promise.all(Array.from({ length: WRITERS }, (_, n) => write(n + 1)))
  const over = written.then(() => {
    isOver = true
  })
  let events = 0
  while (!isOver) {
    await journal.append(1 + (events % WRITERS), { type: 'notice', text: 'meanwhile' })
    events++
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await over
  assert.deepEqual(await written, Array(WRITERS).fill(`${PAGES}`))
  assert.equal((await journal.list({ after: 0, limit: 1e6 })).length, events)
  await using reader = await openSqlitePageReader(path)
  for (let n = 1; n <= WRITERS; n++) {
    const { hosts, ...sums } = await reader.totals(n)
    assert.deepEqual(sums, {
      ...{ stored: PAGES, duplicates: 0, bytes: PAGES * 1000, judged: PAGES, hot: 0 },
    })
    assert.deepEqual([...hosts.values()], Array(3).fill(PAGES / 3))
    const pages = await reader.list({ crawlId: n, after: 0, limit: PAGES + 1 })
    assert.equal(pages.length, PAGES)
  }
})

test('a writer that is long at it is waited for, and the event loop goes on meanwhile', async () => {
  await using jobs = await openSqliteJobStore(path)
  const job = await jobs.create(sampleJob())
  await using store = await openSqlitePageStore({ path, job })
  const other = openSqlite(path, { schema: 'store', durability: 'full' })
  other.exec('BEGIN IMMEDIATE')
  const order: string[] = []
  const saved = store.save([sample('a.test/')]).then(() => order.push('saved'))
  const told = jobs.setStatus(job.id, 'running').then(() => order.push('told'))
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5))
  order.push('free')
  other.exec('COMMIT')
  other.close()
  await Promise.all([saved, told])
  assert.equal(order[0], 'free')
  assert.equal(order.length, 3)
})

test('what serves others does not stand still to copy what parsers wrote into the file', async () => {
  const own = join(dir, 'checkpoints.db')
  await using jobs = await openSqliteJobStore(own)
  await using journal = await openSqliteJobJournal(own)
  const { id } = await jobs.create(sampleJob())
  using parser = openSqlite(own, { schema: 'store', durability: 'normal', checkpointPages: 0 })
  parser.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const before = statSync(own).size
  const text = 'x'.repeat(8_000_000)
  parser.prepare('INSERT INTO crawl_history (crawl_id, samples) VALUES (0, ?)').run(text)
  await journal.append(id, { type: 'notice', text: 'meanwhile' })
  await jobs.setStatus(id, 'running')
  assert.equal(statSync(own).size, before)
})

test('receipts of a thread that is gone can be acknowledged by its parser', async () => {
  const own = join(dir, 'threads.db')
  await using jobs = await openSqliteJobStore(own)
  const job = await jobs.create(sampleJob())
  const pages = [sample('a.test/1'), sample('a.test/2')]
  const urls = pages.map(({ page }) => page.fields.url)
  const parser = await openSqlitePageStore({ path: own, job })
  const thread = await openSqlitePageStore({ path: own, job, isOfThread: true })
  await thread.save(pages)
  const names = async () => (await parser.undelivered()).map(({ url }) => url)
  parser.acknowledge(urls.slice(0, 1))
  assert.deepEqual(await names(), urls, 'it has not heard of them')
  await thread[Symbol.asyncDispose]()
  parser.inherit?.()
  parser.acknowledge(urls.slice(0, 1))
  assert.deepEqual(await names(), urls.slice(1))
  await parser[Symbol.asyncDispose]()
  await using again = await openSqlitePageStore({ path: own, job })
  assert.deepEqual(
    (await again.undelivered()).map(({ url }) => url),
    urls.slice(1),
  )
})
