// What every feed of changes promises. Changes of pages that were looked at again are those of the
// suite of page stores.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord } from '../../src/core/job.ts'
import type { ChangeFeed, PageChange } from '../../src/store/change-feed.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageStore, PageToSave } from '../../src/store/page-store.ts'
import { sample, sampleJob } from './sample-page.ts'

export interface ChangeFixture extends AsyncDisposable {
  jobs(): Promise<JobStore>
  pages(job: JobRecord): Promise<PageStore>
  /** Null when there is no store. */
  feed(): Promise<ChangeFeed | null>
}

type Scene = {
  readonly jobs: JobStore
  readonly feed: ChangeFeed
  save(job: JobRecord, ...pages: readonly PageToSave[]): Promise<void>
  /** All that is told after a cursor, read by so many. */
  read(after?: number, limit?: number): Promise<PageChange[]>
}

export function changeFeedContract(name: string, openFixture: () => Promise<ChangeFixture>): void {
  const promise = (title: string, body: (scene: Scene) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      await using jobs = await fixture.jobs()
      await using feed = await fixture.feed()
      assert.ok(feed)
      await body({
        jobs,
        feed,
        async save(job, ...pages) {
          await using store = await fixture.pages(job)
          await store.save(pages)
        },
        async read(after = 0, limit = 100) {
          const all: PageChange[] = []
          for (let at = after; ; ) {
            const { changes, cursor } = await feed.after(at, limit)
            all.push(...changes)
            if (cursor === at) return all
            assert.ok(cursor > at)
            at = cursor
          }
        },
      })
    })

  test(`${name}: there is no feed of changes where there is no store`, async () => {
    await using fixture = await openFixture()
    assert.equal(await fixture.feed(), null)
  })

  promise('nothing is told of a store without pages', async ({ jobs, feed }) => {
    await jobs.create(sampleJob())
    assert.deepEqual(await feed.after(0, 10), { changes: [], cursor: 0 })
    assert.equal(await feed.last(), 0)
  })

  promise('each page that is saved is told once, in the order they were saved', async (scene) => {
    const { jobs, feed, save, read } = scene
    const one = await jobs.create(sampleJob())
    const two = await jobs.create(sampleJob({ name: 'other' }))
    await save(one, sample('a.test/1', { fetchedAt: 1234 }))
    await save(two, sample('a.test/1'))
    await save(one, sample('a.test/1'), sample('a.test/2'))
    const told = await read()
    assert.deepEqual(
      told.map(({ change, crawlId, url }) => [change, crawlId, url]),
      [
        ['add', one.id, 'http://a.test/1'],
        ['add', two.id, 'http://a.test/1'],
        ['add', one.id, 'http://a.test/2'],
      ],
    )
    assert.equal(told[0]!.at, 1234)
    assert.equal(new Set(told.map(({ pageId }) => pageId)).size, 3)
    assert.equal(await feed.last(), told.at(-1)!.cursor)
  })

  promise('who reads in pieces, from anywhere, misses nothing', async ({ jobs, save, read }) => {
    const job = await jobs.create(sampleJob())
    await save(job, ...Array.from({ length: 7 }, (_, nth) => sample(`a.test/${nth}`)))
    const all = await read()
    assert.equal(all.length, 7)
    assert.deepEqual(await read(0, 2), all)
    assert.deepEqual(await read(all[3]!.cursor, 1), all.slice(4))
    assert.deepEqual(await read(all.at(-1)!.cursor), [])
  })

  promise('repeated pages and those that ask not to be found are told as such', async (scene) => {
    const { jobs, save, read } = scene
    const job = await jobs.create(sampleJob())
    await save(
      job,
      sample('a.test/1', { contentHash: 'same' }),
      sample('a.test/2', { contentHash: 'same' }),
      sample('a.test/3', { noindex: true }),
    )
    const told = await read()
    assert.deepEqual(
      told.map(({ duplicateOf, noindex, reason }) => [duplicateOf, noindex, reason]),
      [
        [null, false, ''],
        [told[0]!.pageId, false, ''],
        [null, true, ''],
      ],
    )
  })

  promise('a removed crawl is told at once, and stays told when it is swept', async (scene) => {
    const { jobs, save, read, feed } = scene
    const one = await jobs.create(sampleJob())
    const two = await jobs.create(sampleJob({ name: 'other' }))
    await save(one, sample('a.test/1'), sample('a.test/2'))
    await save(two, sample('a.test/1'))
    await jobs.remove(one.id)
    const last = (await read()).at(-1)!
    const { change, crawlId, pageId, url } = last
    assert.deepEqual([change, crawlId, pageId, url], ['crawl-removed', one.id, null, null])
    while (await jobs.sweep(one.id));
    assert.deepEqual(
      (await read(0, 1)).map(({ change, crawlId }) => [change, crawlId]),
      [
        ['add', two.id],
        ['crawl-removed', one.id],
      ],
    )
    assert.equal(await feed.last(), last.cursor)
  })

  promise('neither cursors nor ids of pages are ever given again', async (scene) => {
    const { jobs, save, read } = scene
    const one = await jobs.create(sampleJob())
    await save(one, sample('a.test/1'), sample('a.test/2'))
    const before = await read()
    await jobs.remove(one.id)
    while (await jobs.sweep(one.id));
    await save(await jobs.create(sampleJob()), sample('a.test/1'), sample('a.test/2'))
    const after = await read(before.at(-1)!.cursor)
    assert.deepEqual(
      after.map(({ change }) => change),
      ['crawl-removed', 'add', 'add'],
    )
    const ids = [...before, ...after].flatMap(({ pageId }) => pageId ?? [])
    assert.equal(new Set(ids).size, 4)
  })

  promise('it stirs when something came, and rests until then', async ({ jobs, feed, save }) => {
    const job = await jobs.create(sampleJob())
    assert.equal(await feed.mayHaveChanged(), true, 'nobody asked before')
    assert.equal(await feed.mayHaveChanged(), false)
    await save(job, sample('a.test/1'))
    assert.equal(await feed.mayHaveChanged(), true)
    assert.equal((await feed.after(0, 9)).changes.length, 1)
    assert.equal(await feed.mayHaveChanged(), false)
  })

  test(`${name}: a store is told from another by its mark`, async () => {
    const marks: string[] = []
    for (let nth = 0; nth < 2; nth++) {
      await using fixture = await openFixture()
      await using _jobs = await fixture.jobs()
      for (let again = 0; again < 2; again++) {
        await using feed = await fixture.feed()
        marks.push(await feed!.mark())
      }
    }
    assert.equal(new Set(marks).size, 2)
    assert.equal(marks[0], marks[1])
  })
}
