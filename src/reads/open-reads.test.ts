import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sample, sampleJob } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { openReads, ReadingThread } from './open-reads.ts'
import type { WorkspaceReads } from './reads.ts'

function openFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-reads-'))
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true }) }
}

/** Every question there is, of a crawl; each with what is answered when there is none. */
function questions(
  reads: WorkspaceReads,
  crawlId: number,
): readonly (readonly [unknown, unknown])[] {
  const filter = {}
  const graph = { nodes: [], edges: [], total_nodes: 0, total_edges: 0 }
  const sorted = { filter, sort: 'title', descending: true, limit: 9 } as const
  return [
    [reads.fetchedPages(crawlId, 0, 9), []],
    [reads.pageRows(crawlId, { after: 0, limit: 9, filter }), { pages: [], next: null }],
    [reads.lastPageId(crawlId), 0],
    [
      reads.bulkPages(crawlId, { after: 0, limit: 9, fields: ['url'], filter }),
      { lines: [], last: null },
    ],
    [reads.pageIds(crawlId, sorted), { ids: [], total: 0, cut: false }],
    [reads.rowsOf(crawlId, [1]), []],
    [reads.page(crawlId, 1), null],
    [reads.linksIn(crawlId, 1), { total: 0, pages: [] }],
    [reads.html(crawlId, 1), null],
    [reads.urls(crawlId, { after: 0, limit: 9 }), { urls: [], next: null }],
    [reads.reasons(crawlId), { reasons: [] }],
    [reads.hosts(crawlId, { limit: 9 }), { hosts: [] }],
    [reads.explain(crawlId, { url: 'http://a.test/' }), null],
    [reads.rank(crawlId, { limit: 9 }), { pages: [] }],
    [reads.pageGraph(crawlId, { top: 9 }), graph],
    [reads.siteGraph(crawlId, { top: 9 }), graph],
    [reads.totals([crawlId]).then(([totals]) => totals?.stored), 0],
  ]
}

test('a folder without a store has nothing to tell, and is left as it is', async () => {
  using folder = openFolder()
  await using reads = await openReads({ data: folder.dir, frontier: null })
  for (const [answer, expected] of questions(reads, 1)) {
    assert.deepEqual(await answer, expected)
  }
  const found = await reads.search({ text: 'anything', limit: 9, offset: 0 })
  assert.deepEqual([found.total, found.hits], [0, []])
  assert.deepEqual(readdirSync(folder.dir), [])
})

test('what is crawled later is seen, also in a store that took the place of another', async () => {
  using folder = openFolder()
  await using reads = await openReads({ data: folder.dir, frontier: null })
  const path = storePath(folder.dir)
  for (const pages of [2, 3]) {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    assert.equal(await reads.lastPageId(1), 0)
    await using jobs = await openSqliteJobStore(path)
    const job = await jobs.create(sampleJob())
    await using store = await openSqlitePageStore({ path, job })
    await store.save(Array.from({ length: pages }, (_, n) => sample(`a.test/${n}`)))
    const [totals] = await reads.totals([job.id])
    assert.deepEqual(
      [totals?.stored, totals?.hosts, totals?.fairness],
      [pages, { 'a.test': pages }, 1],
    )
    const { pages: rows } = await reads.pageRows(1, { after: 0, limit: 9, filter: {} })
    assert.equal(rows.length, pages)
  }
})

test('a crawl that was removed has nothing to tell any more', async () => {
  using folder = openFolder()
  const path = storePath(folder.dir)
  await using jobs = await openSqliteJobStore(path)
  const job = await jobs.create(sampleJob())
  await using store = await openSqlitePageStore({ path, job })
  await store.save([sample('a.test/1')])
  await using reads = await openReads({ data: folder.dir, frontier: null })
  assert.equal((await reads.fetchedPages(job.id, 0, 9)).length, 1)
  assert.equal((await reads.pageGraph(job.id, { top: 9 })).total_nodes, 1)
  await jobs.remove(job.id)
  for (const [answer, expected] of questions(reads, job.id)) {
    assert.deepEqual(await answer, expected)
  }
})

test('a store that is none of ours is named as what is wrong', async () => {
  using folder = openFolder()
  writeFileSync(storePath(folder.dir), 'not a database at all, but long enough to be looked at')
  await using reads = await openReads({ data: folder.dir, frontier: null })
  await assert.rejects(reads.lastPageId(1), { name: 'CrawlerError', code: 'store-damaged' })
})

test('a bad URL to explain is the asker’s mistake, on both sides of the thread', async () => {
  using folder = openFolder()
  await using jobs = await openSqliteJobStore(storePath(folder.dir))
  const { id } = await jobs.create(sampleJob())
  await using reads = await openReads({ data: folder.dir, frontier: null })
  await assert.rejects(reads.explain(id, { url: 'nonsense' }), { name: 'InvalidInput', at: 'url' })
})

/** Dies of the first question; a second thread finds the mark and answers. */
const DYING = `
  import { existsSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { parentPort, workerData } from 'node:worker_threads'
  const mark = join(workerData.data, 'died')
  parentPort.on('message', (call) => {
    if (call === null) return parentPort.close()
    if (existsSync(mark)) return parentPort.postMessage({ id: call.id, value: 7 })
    writeFileSync(mark, '')
    process.exit(3)
  })
  parentPort.postMessage('ready')
`

test('a thread that dies fails what was asked of it, and the next question starts another', async () => {
  using folder = openFolder()
  const program = join(folder.dir, 'dying.mjs')
  writeFileSync(program, DYING)
  const workspace = { data: folder.dir, frontier: null }
  const options = { workspace, name: 'thread of a test', program: pathToFileURL(program) }
  await using thread = new ReadingThread(options)
  const asked = [thread.call('lastPageId', [1]), thread.call('lastPageId', [2])]
  for (const { status, reason } of await Promise.allSettled(asked).then(rejections)) {
    assert.equal(status, 'rejected')
    assert.equal(reason.code, 'process-died')
    assert.match(reason.message, /thread of a test/)
  }
  assert.equal(await thread.call('lastPageId', [1]), 7)
})

function rejections(settled: readonly PromiseSettledResult<unknown>[]) {
  return settled.filter((one) => one.status === 'rejected')
}

test('no more questions wait than a limit, and none after the end', async () => {
  using folder = openFolder()
  const thread = new ReadingThread({
    workspace: { data: folder.dir, frontier: null },
    name: 'thread of a test',
  })
  const asked = Array.from({ length: 1200 }, () => thread.call('lastPageId', [1]))
  const refused = rejections(await Promise.allSettled(asked))
  assert.equal(refused.length, 200)
  assert.ok(refused.every(({ reason }) => reason.code === 'store-busy'))
  await thread[Symbol.asyncDispose]()
  await assert.rejects(thread.call('lastPageId', [1]), { code: 'process-died' })
})
