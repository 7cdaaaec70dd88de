import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import {
  openSqliteChangeFeed,
  openSqliteJobStore,
  openSqlitePageReader,
} from '../../../test/support/stores.ts'
import { CrawlerError } from '../../core/errors.ts'
import type { JobRecord } from '../../core/job.ts'
import type { PageFields } from '../../core/page.ts'
import { ManualClock } from '../../lib/clock.ts'
import type { ChangeFeed } from '../../store/change-feed.ts'
import type { JobStore } from '../../store/job-store.ts'
import type { PageReader } from '../../store/page-reader.ts'
import { openSqlitePageStore } from '../../store/sqlite/sqlite-page-store.ts'
import type { SearchFilter, SearchIndex } from '../search-index.ts'
import { openSqliteSearchIndex } from '../sqlite/open-search-index.ts'
import { catchUp } from './index-writer.ts'

type Scene = {
  readonly jobs: JobStore
  readonly feed: PageReader
  readonly changes: ChangeFeed
  readonly index: SearchIndex
  create(): Promise<JobRecord>
  save(job: JobRecord, paths: readonly string[], changes?: Partial<PageFields>): Promise<void>
  /** Changes the store by hand. */
  alter(sql: string): void
  /** Catches up completely. */
  follow(): Promise<void>
  found(filter?: SearchFilter): Promise<string[]>
}

async function scene(body: (scene: Scene) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-catch-up-'))
  const path = join(dir, 'jelajah.db')
  try {
    await using jobs = await openSqliteJobStore(path)
    await using feed = await openSqlitePageReader(path)
    await using changes = await openSqliteChangeFeed(path)
    assert.ok(feed && changes)
    const pagesOf = (ids: readonly number[]) => feed.pagesOf(ids)
    await using index = await openSqliteSearchIndex({ path: join(dir, 'search.db'), pagesOf })
    await body({
      jobs,
      feed,
      changes,
      index,
      create: () => jobs.create(sampleJob()),
      async save(job, paths, changes = {}) {
        await using store = await openSqlitePageStore({ path, job })
        const hash = (at: string) => ({ contentHash: `${job.id}/${at}`, ...changes })
        await store.save(paths.map((at) => sample(`a.test/${at}`, { title: 'Page', ...hash(at) })))
      },
      alter(sql) {
        const db = new DatabaseSync(path)
        db.exec(sql)
        db.close()
      },
      async follow() {
        const { behind } = await catchUp({
          changes,
          feed,
          index,
          clock: new ManualClock(),
          budgetMs: 1,
        })
        assert.equal(behind, 0)
      },
      async found(filter = {}) {
        const { hits, total } = await index.query({
          text: 'page',
          filter,
          all: true,
          limit: 100,
          offset: 0,
        })
        assert.equal(total, hits.length)
        return hits.map(({ page }) => `${page.crawlId} ${new URL(page.url).pathname}`).sort()
      },
    })
  } finally {
    rmSync(dir, { recursive: true })
  }
}

test('pages are found once the index has caught up, and only those that may be', () =>
  scene(async ({ create, save, follow, found, index }) => {
    const job = await create()
    await follow()
    await save(job, ['1', '2'])
    await save(job, ['hidden'], { noindex: true })
    await save(job, ['again'], { contentHash: `${job.id}/1` })
    await follow()
    assert.deepEqual(await found(), ['1 /1', '1 /2'])
    assert.equal((await index.position()).cursor, 4)
    await save(job, ['3'])
    await follow()
    await follow()
    assert.deepEqual(await found(), ['1 /1', '1 /2', '1 /3'])
  }))

test('with little time it goes one step, tells how far behind it is, and goes on from there', () =>
  scene(async ({ create, save, changes, feed, index }) => {
    const job = await create()
    const paths = Array.from({ length: 900 }, (_, at) => String(at))
    await save(job, paths.slice(0, 700))
    const step = () => catchUp({ changes, feed, index, clock: new ManualClock(), budgetMs: 0 })
    const total = async () => (await index.query({ text: 'page', limit: 1, offset: 0 })).pages
    assert.deepEqual(await step(), { behind: 200 })
    assert.equal(await total(), 500)
    await save(job, paths.slice(700))
    assert.deepEqual(await step(), { behind: 0 })
    assert.equal(await total(), 900)
  }))

test('a batch that could not be written is read again', () =>
  scene(async ({ create, save, changes, feed, index, follow, found }) => {
    const job = await create()
    await save(job, ['1'])
    const failing = new Proxy(index, {
      get: (target, name) => {
        if (name === 'add') return () => Promise.reject(new CrawlerError('disk-full', 'full'))
        const member = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const options = { changes, feed, index: failing, clock: new ManualClock(), budgetMs: 0 }
    await assert.rejects(catchUp(options), { code: 'disk-full' })
    await follow()
    assert.deepEqual(await found(), ['1 /1'])
  }))

test('a removed crawl cannot be found any more, before and after it is swept', () =>
  scene(async ({ jobs, create, save, follow, found, index }) => {
    const one = await create()
    const two = await create()
    await save(one, ['1'])
    await save(two, ['2'])
    await follow()
    await jobs.remove(two.id)
    await save(one, ['3'])
    await follow()
    assert.deepEqual(await found(), ['1 /1', '1 /3'])
    await jobs.sweep(two.id)
    await follow()
    assert.deepEqual(await found(), ['1 /1', '1 /3'])
    assert.deepEqual(
      (await index.crawls()).map(({ id }) => id),
      [one.id],
    )
  }))

test('who has no time to take a removed crawl out to the end is told that there is more', () =>
  scene(async ({ jobs, create, save, changes, feed, index, follow, found }) => {
    const one = await create()
    const large = sampleJob()
    const settings = { ...large.settings, maxPages: 2500 }
    const two = await jobs.create({ ...large, settings })
    await save(one, ['kept'])
    await save(
      two,
      Array.from({ length: 2500 }, (_, nth) => `${nth}`),
    )
    await follow()
    await jobs.remove(two.id)
    while (await jobs.sweep(two.id));
    const step = () => catchUp({ changes, feed, index, clock: new ManualClock(), budgetMs: 0 })
    const behind = []
    for (let nth = 0; nth < 4; nth++) behind.push((await step()).behind)
    assert.deepEqual(behind, [1501, 501, 1, 0])
    assert.deepEqual(await found(), ['1 /kept'])
  }))

test('a crawl that is removed while its changes are read leaves nothing behind', () =>
  scene(async ({ jobs, create, save, changes, feed, index, follow, found }) => {
    const one = await create()
    await save(one, ['1'])
    await follow()
    await save(one, ['2'])
    let raced = false
    // Everything that could happen between reading the changes and reading the pages happens here.
    const racing: ChangeFeed = {
      mark: () => changes.mark(),
      last: () => changes.last(),
      mayHaveChanged: () => changes.mayHaveChanged(),
      async after(cursor, limit) {
        const read = await changes.after(cursor, limit)
        if (!raced) {
          raced = true
          await jobs.remove(one.id)
          while (await jobs.sweep(one.id));
          await save(await create(), ['a', 'b', 'c'])
        }
        return read
      },
      [Symbol.asyncDispose]: async () => {},
    }
    await catchUp({ changes: racing, feed, index, clock: new ManualClock(), budgetMs: 1 })
    assert.deepEqual(await found(), ['2 /a', '2 /b', '2 /c'])
  }))

test('pages that changed are found as they are now, and those that went are not', () =>
  scene(async ({ create, save, alter, follow, found, index }) => {
    const job = await create()
    await save(job, ['1', '2', '3', '4', '5'])
    await follow()
    const changed = (id: number) => `
      INSERT INTO page_changes (crawl_id, page_id, change, at) VALUES (1, ${id}, 'change', 0)`
    alter(`
      UPDATE pages SET title = 'Other', description = '', keywords = '', content_text = '' WHERE id = 1; ${changed(1)};
      UPDATE pages SET noindex = 1 WHERE id = 2; ${changed(2)};
      UPDATE pages SET duplicate_of = 1 WHERE id = 3; ${changed(3)};
      DELETE FROM pages WHERE id = 4;
      INSERT INTO page_changes (crawl_id, page_id, change, at, url, reason)
      VALUES (1, 4, 'delete', 0, 'http://a.test/4', 'http 404')`)
    await follow()
    assert.deepEqual(await found(), ['1 /5'])
    assert.equal((await index.query({ text: 'other', limit: 9, offset: 0 })).total, 1)
    alter(`UPDATE pages SET noindex = 0 WHERE id = 2; ${changed(2)}; ${changed(2)}`)
    await follow()
    assert.deepEqual(await found(), ['1 /2', '1 /5'])
  }))

test('of long pages fewer are taken at once, and none is missed', () =>
  scene(async ({ create, save, changes, feed, index }) => {
    const job = await create()
    const contentText = `word${' '.repeat(1_500_000)}`
    await save(job, ['1', '2', '3', '4', '5'], { contentText })
    const step = () => catchUp({ changes, feed, index, clock: new ManualClock(), budgetMs: 0 })
    assert.deepEqual([await step(), await step()], [{ behind: 2 }, { behind: 0 }])
    assert.equal((await index.query({ text: 'word', limit: 1, offset: 0 })).pages, 5)
  }))

test('an index of another store begins again', () =>
  scene(async ({ create, save, alter, index, follow, found }) => {
    const job = await create()
    await save(job, ['1', '2'])
    await follow()
    alter("DELETE FROM pages WHERE id = 1; UPDATE page_ids SET mark = 'another'")
    await follow()
    assert.deepEqual(await found(), ['1 /2'])
    assert.deepEqual(await index.position(), { mark: 'another', cursor: 2 })
  }))

test('which pages are hot follows the end of a crawl', () =>
  scene(async ({ jobs, create, save, follow, found, index }) => {
    const job = await create()
    await save(job, ['1'])
    await save(job, ['2'], { hot: true })
    await follow()
    assert.deepEqual(await found({ hot: true }), ['1 /2'])
    await index.markHot(job.id, [1], 'something else')
    await follow()
    assert.deepEqual(await found({ hot: true }), ['1 /1'], 'it runs: nothing to follow')
    await jobs.setStatus(job.id, 'completed')
    await follow()
    assert.deepEqual(await found({ hot: true }), ['1 /2'])
  }))
