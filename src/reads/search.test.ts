import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { sample, sampleJob } from '../../test/contract/sample-page.ts'
import { asStranger } from '../../test/support/as-stranger.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import type { PageFields } from '../core/page.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { searchPath, storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { openSearch } from './search.ts'
import { SearchResult } from './shapes/page.ts'

function openFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-open-search-'))
  const path = storePath(dir)
  return {
    dir,
    /** A crawl with one page for each title. */
    async store(titles: readonly string[], changes: Partial<PageFields> = {}) {
      await using jobs = await openSqliteJobStore(path)
      const job = await jobs.create(sampleJob())
      await using pages = await openSqlitePageStore({ path, job })
      await pages.save(
        titles.map((title, at) =>
          sample(`a.test/${at}`, { title, contentHash: `${job.id} ${at}`, ...changes }),
        ),
      )
      return job
    },
    async [Symbol.asyncDispose]() {
      rmSync(dir, { recursive: true })
    },
  }
}

const asked = (text: string) => ({ text, all: true, limit: 10, offset: 0 })

test('a folder without a store has nothing to find, and stays as it is', async () => {
  await using folder = openFolder()
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
  assert.equal((await search.search(asked('tea'))).total, 0)
  assert.deepEqual(await search.catchUp(10), { behind: 0 })
  assert.deepEqual(readdirSync(folder.dir), [])
  await folder.store(['Green tea'])
  assert.equal((await search.search(asked('tea'))).total, 1)
})

test('what was stored is found at once, in the shape of the API', async () => {
  await using folder = openFolder()
  const job = await folder.store(['Green tea', 'Coffee'], {
    contentText: 'There is tea and more tea.',
    language: 'en-GB',
    kind: 'article',
    hot: true,
  })
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
  const result = await search.search(asked('tea title:green'))
  assert.ok(Value.Check(SearchResult, result))
  const [hit] = result.hits
  assert.deepEqual(hit, {
    id: 1,
    crawl: `crawl_${job.id}`,
    url: 'http://a.test/0',
    host: 'a.test',
    title: 'Green tea',
    snippet: 'There is tea and more tea.',
    title_marks: [
      [0, 5],
      [6, 9],
    ],
    snippet_marks: [
      [9, 12],
      [22, 25],
    ],
    score: hit?.score,
    others: 0,
    language: 'en-GB',
    kind: 'article',
    hot: true,
    fetched_at: hit?.fetched_at,
    published_at: 1_699_000_000_000,
    url_marks: [],
    link_texts: [],
  })
  const { facets, total, behind, query } = result
  assert.deepEqual([query, total, behind], ['tea title:green', 1, 0])
  assert.deepEqual(facets.crawls, [{ value: `crawl_${job.id}`, count: 1 }])
  assert.deepEqual(facets.languages, [{ value: 'en', count: 1 }])
  const filter = { crawlId: job.id, host: 'a.test', language: 'en', kind: 'article', hot: true }
  assert.equal((await search.search({ ...asked('tea'), filter })).total, 2)
  assert.equal((await search.search({ ...asked('tea'), filter: { hot: false } })).total, 0)
})

test('one of two keeps the index, and the other takes over when it has gone', async () => {
  await using folder = openFolder()
  await folder.store(['Apple'])
  await using second = openSearch(workspaceOf({ dataDir: folder.dir }))
  {
    await using first = openSearch(workspaceOf({ dataDir: folder.dir }))
    assert.equal((await first.search(asked('apple'))).total, 1)
    await folder.store(['Banana'])
    const { total, behind } = await second.search(asked('banana'))
    assert.deepEqual([total, behind], [0, 1])
    assert.equal((await first.search(asked('banana'))).total, 1)
    assert.equal((await second.search(asked('banana'))).total, 1)
    await folder.store(['Cherry'])
  }
  const { total, behind } = await second.search(asked('cherry'))
  assert.deepEqual([total, behind], [1, 0])
})

test('how much can be searched is said: nothing stored, nothing indexed yet, not all, all', async () => {
  await using folder = openFolder()
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
  const stateOf = async () => {
    const { index, total } = await search.searchAsIs(asked('apple OR banana'))
    return [index, total]
  }
  assert.deepEqual(await stateOf(), ['empty', 0])
  await folder.store(['Apple'])
  assert.deepEqual(await stateOf(), ['none', 0])
  assert.ok(!existsSync(searchPath(folder.dir)), 'who asks for it as it is makes nothing')
  await using indexer = openSearch(workspaceOf({ dataDir: folder.dir }))
  assert.equal((await indexer.search(asked('apple'))).index, 'ready')
  assert.deepEqual(await stateOf(), ['ready', 1])
  await folder.store(['Banana'])
  assert.deepEqual(await stateOf(), ['behind', 1])
  assert.equal((await search.search(asked('banana'))).index, 'behind', 'another keeps the index')
  await indexer.catchUp(1000)
  assert.deepEqual(await stateOf(), ['ready', 2])
})

test('who gives way leaves the index to an indexer after each search', async () => {
  await using folder = openFolder()
  await folder.store(['Apple'])
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }), { givesWay: true })
  assert.equal((await search.search(asked('apple'))).total, 1)
  await using indexer = openSearch(workspaceOf({ dataDir: folder.dir }))
  await folder.store(['Banana'])
  assert.deepEqual(await indexer.catchUp(1000), { behind: 0 })
  const { total, behind } = await search.search(asked('banana'))
  assert.deepEqual([total, behind], [1, 0])
})

test('a search waits a moment for the one who keeps the index', async () => {
  await using folder = openFolder()
  await folder.store(['Apple'])
  await using indexer = openSearch(workspaceOf({ dataDir: folder.dir }))
  await indexer.catchUp(1000)
  await folder.store(['Banana'])
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
  const searching = search.search(asked('banana'))
  await indexer.catchUp(1000)
  const { total, behind } = await searching
  assert.deepEqual([total, behind], [1, 0])
})

test('calls at the same time are answered one after the other', async () => {
  await using folder = openFolder()
  await folder.store(['Tea', 'Tea', 'Tea'])
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
  const results = await Promise.all([
    search.search(asked('tea')),
    search.catchUp(100),
    search.search(asked('tea')),
  ])
  assert.deepEqual(
    results.map((result) => ('total' in result ? result.total : result.behind)),
    [3, 0, 3],
  )
})

test('an index that was damaged is rebuilt', async () => {
  await using folder = openFolder()
  await folder.store(
    Array.from({ length: 300 }, (_, at) => `Page ${at}`),
    { contentText: 'Many words to fill some blocks of the file. '.repeat(20) },
  )
  {
    await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
    assert.equal((await search.search(asked('page'))).total, 300)
  }
  truncateSync(searchPath(folder.dir), 20_000)
  {
    await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
    assert.equal((await search.search(asked('page'))).total, 300)
  }
  // Newer than the types of the oldest Node that we run on.
  const unguarded = { readOnly: false, defensive: false }
  const db = new DatabaseSync(searchPath(folder.dir), unguarded)
  db.exec("UPDATE segment_pieces SET bytes = x'00112233'")
  db.close()
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
  assert.equal((await search.search(asked('words'))).total, 300)
})

test('a process killed while it reads loses nothing, and nothing is there twice', async () => {
  await using folder = openFolder()
  await folder.store(Array.from({ length: 900 }, (_, at) => `Page ${at}`))
  const program = `
    import { openSearch } from ${JSON.stringify(import.meta.resolve('./search.ts'))}
    import { workspaceOf } from ${JSON.stringify(import.meta.resolve('../workspace/open-workspace.ts'))}
    const search = openSearch(workspaceOf({ dataDir: ${JSON.stringify(folder.dir)} }))
    await search.catchUp(0)
    console.log('one step')
    await search.catchUp(60_000)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
  const { total, behind } = await search.search(asked('page'))
  assert.deepEqual([total, behind], [900, 0])
})

test('a store that was replaced by another is searched, not the one before', async () => {
  await using folder = openFolder()
  await folder.store(['Old', 'Old'])
  {
    await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
    assert.equal((await search.search(asked('old'))).total, 2)
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(storePath(folder.dir) + suffix, { force: true })
  await folder.store(['New'])
  await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
  assert.equal((await search.search(asked('old'))).total, 0)
  assert.equal((await search.search(asked('new'))).total, 1)
  assert.ok(existsSync(searchPath(folder.dir)))
})

test('who may change nothing in the folder finds what is in its index', async () => {
  await using folder = openFolder()
  await folder.store(['Green tea'])
  {
    await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
    assert.equal((await search.search(asked('tea'))).total, 1)
  }
  await folder.store(['Black tea'])
  chmodSync(join(folder.dir, 'run'), 0o555)
  const found = await asStranger(folder.dir, async () => {
    await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
    return await search.search(asked('tea'))
  })
  chmodSync(folder.dir, 0o700)
  chmodSync(join(folder.dir, 'run'), 0o700)
  assert.equal(found.total, 1)
  assert.ok(found.behind > 0)
})

test('a damaged index that may not be rebuilt is no index', async () => {
  await using folder = openFolder()
  await folder.store(['Green tea'])
  writeFileSync(searchPath(folder.dir), 'no database at all')
  const { total, behind } = await asStranger(folder.dir, async () => {
    await using search = openSearch(workspaceOf({ dataDir: folder.dir }))
    return await search.search(asked('tea'))
  })
  chmodSync(folder.dir, 0o700)
  assert.equal(total, 0)
  assert.ok(behind > 0)
})
