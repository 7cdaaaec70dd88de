import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sample, sampleJob } from '../../test/contract/sample-page.ts'
import { CrawlerError } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import type { PageFields } from '../core/page.ts'
import { ManualClock } from '../lib/clock.ts'
import type { SearchFilter, SearchIndex } from '../search/search-index.ts'
import { openSqliteSearchIndex } from '../search/sqlite/open-search-index.ts'
import type { JobStore } from '../store/job-store.ts'
import type { PageFeed } from '../store/page-feed.ts'
import { openSqliteJobStore } from '../store/sqlite/sqlite-job-store.ts'
import { openSqlitePageFeed } from '../store/sqlite/sqlite-page-feed.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { catchUp } from './catch-up.ts'

type Scene = {
  readonly jobs: JobStore
  readonly feed: PageFeed
  readonly index: SearchIndex
  create(): Promise<JobRecord>
  save(job: JobRecord, paths: readonly string[], changes?: Partial<PageFields>): Promise<void>
  /** All the way. */
  follow(): Promise<void>
  found(filter?: SearchFilter): Promise<string[]>
}

async function scene(body: (scene: Scene) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-catch-up-'))
  const path = join(dir, 'jelajah.db')
  try {
    await using jobs = await openSqliteJobStore(path)
    await using feed = await openSqlitePageFeed(path)
    assert.ok(feed)
    const pagesOf = (ids: readonly number[]) => feed.pages(ids)
    await using index = await openSqliteSearchIndex({ path: join(dir, 'search.db'), pagesOf })
    await body({
      jobs,
      feed,
      index,
      create: () => jobs.create(sampleJob()),
      async save(job, paths, changes = {}) {
        await using store = await openSqlitePageStore({ path, job })
        const hash = (at: string) => ({ contentHash: `${job.id}/${at}`, ...changes })
        await store.save(paths.map((at) => sample(`a.test/${at}`, { title: 'Page', ...hash(at) })))
      },
      async follow() {
        const { behind } = await catchUp({ feed, index, clock: new ManualClock(), budgetMs: 1 })
        assert.equal(behind, 0)
      },
      async found(filter = {}) {
        const { hits, total } = await index.query({ text: 'page', filter, limit: 100, offset: 0 })
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
    assert.equal(await index.cursor(), 4)
    await save(job, ['3'])
    await follow()
    await follow()
    assert.deepEqual(await found(), ['1 /1', '1 /2', '1 /3'])
  }))

test('with little time it goes one step, tells how far behind it is, and goes on from there', () =>
  scene(async ({ create, save, feed, index }) => {
    const job = await create()
    const paths = Array.from({ length: 900 }, (_, at) => String(at))
    await save(job, paths.slice(0, 700))
    const step = () => catchUp({ feed, index, clock: new ManualClock(), budgetMs: 0 })
    const total = async () => (await index.query({ text: 'page', limit: 1, offset: 0 })).total
    assert.deepEqual(await step(), { behind: 200 })
    assert.equal(await total(), 500)
    await save(job, paths.slice(700))
    assert.deepEqual(await step(), { behind: 0 })
    assert.equal(await total(), 900)
  }))

test('a batch that could not be written is read again', () =>
  scene(async ({ create, save, feed, index, follow, found }) => {
    const job = await create()
    await save(job, ['1'])
    const failing = new Proxy(index, {
      get: (target, name) => {
        if (name === 'add') return () => Promise.reject(new CrawlerError('disk-full', 'full'))
        const member = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const options = { feed, index: failing, clock: new ManualClock(), budgetMs: 0 }
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
  scene(async ({ jobs, create, save, feed, index, follow, found }) => {
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
    const step = () => catchUp({ feed, index, clock: new ManualClock(), budgetMs: 0 })
    const behind = []
    for (let nth = 0; nth < 4; nth++) behind.push((await step()).behind)
    assert.deepEqual(behind, [1500, 500, 0, 0])
    assert.deepEqual(await found(), ['1 /kept'])
  }))

test('pages that were given the ids of a removed crawl are found', () =>
  scene(async ({ jobs, create, save, follow, found, feed }) => {
    const one = await create()
    await save(one, ['kept'])
    const two = await create()
    await save(two, ['x', 'y', 'z'])
    await follow()
    await jobs.remove(two.id)
    // Being swept: its pages are there, but are of no crawl.
    await follow()
    assert.deepEqual(await found(), ['1 /kept'])
    await jobs.sweep(two.id)
    const three = await create()
    await save(three, ['a', 'b', 'c', 'd'])
    const ids = (await feed.after(0, { pages: 9, chars: 1e6 })).map(({ id }) => id)
    assert.deepEqual(ids, [1, 2, 3, 4, 5], 'ids are given again')
    await follow()
    assert.deepEqual(await found(), ['1 /kept', '3 /a', '3 /b', '3 /c', '3 /d'])
    assert.deepEqual(await found({ crawlId: two.id }), [])
  }))

test('a crawl that is removed while its pages are read leaves nothing behind', () =>
  scene(async ({ jobs, create, save, feed, index, follow, found }) => {
    const one = await create()
    await save(one, ['1'])
    await follow()
    const three: string[] = []
    // Between the cursor and the pages, everything that could happen, happens.
    const racing: PageFeed = {
      after: async (id, limits) => {
        if (three.length === 0) {
          await jobs.remove(one.id)
          await jobs.sweep(one.id)
          three.push('a', 'b', 'c')
          await save(await create(), three)
        }
        return feed.after(id, limits)
      },
      pages: (ids) => feed.pages(ids),
      crawls: () => feed.crawls(),
      hotPages: (id) => feed.hotPages(id),
      countAfter: (id) => feed.countAfter(id),
      [Symbol.asyncDispose]: async () => {},
    }
    await catchUp({ feed: racing, index, clock: new ManualClock(), budgetMs: 1 })
    assert.deepEqual(await found(), ['2 /a', '2 /b', '2 /c'])
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
