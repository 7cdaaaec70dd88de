// What every feed of stored pages promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord } from '../../src/core/job.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageReader } from '../../src/store/page-reader.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleJob } from './sample-page.ts'

export interface FeedFixture extends AsyncDisposable {
  jobs(): Promise<JobStore>
  pages(job: JobRecord): Promise<PageStore>
  /** Null when there is no store. */
  feed(): Promise<PageReader | null>
}

type Scene = {
  readonly jobs: JobStore
  readonly feed: PageReader
  /** Saves pages in a crawl. */
  save(job: JobRecord, ...pages: readonly ReturnType<typeof sample>[]): Promise<number[]>
}

export function pageFeedContract(name: string, openFixture: () => Promise<FeedFixture>): void {
  const promise = (title: string, body: (scene: Scene) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      await using jobs = await fixture.jobs()
      await using feed = await fixture.feed()
      assert.ok(feed)
      const save: Scene['save'] = async (job, ...pages) => {
        await using store = await fixture.pages(job)
        return (await store.save(pages)).map((saved) => ('id' in saved ? saved.id : 0))
      }
      await body({ jobs, feed, save })
    })

  test(`${name}: there is no feed where there is no store`, async () => {
    await using fixture = await openFixture()
    assert.equal(await fixture.feed(), null)
  })

  promise('pages of all crawls come by id, in the order that is asked for', async (scene) => {
    const { jobs, feed, save } = scene
    const one = await jobs.create(sampleJob())
    const two = await jobs.create(sampleJob({ name: 'other' }))
    const [a] = await save(one, sample('a.test/1'))
    const [b] = await save(two, sample('a.test/1'))
    const [c] = await save(one, sample('a.test/2', { noindex: true }))
    assert.deepEqual(
      (await feed.pagesOf([c!, 999, b!, a!])).map(({ crawlId, url, noindex }) => [
        crawlId,
        url,
        noindex,
      ]),
      [
        [one.id, 'http://a.test/2', true],
        [two.id, 'http://a.test/1', false],
        [one.id, 'http://a.test/1', false],
      ],
    )
  })

  promise('a page comes with its text and all that search needs', async ({ jobs, feed, save }) => {
    const job = await jobs.create(sampleJob())
    const fields = { contentText: 'The text', language: 'id', kind: 'product', hot: true } as const
    const [id] = await save(job, sample('a.test/1', { ...fields, contentHash: 'same' }))
    const [other] = await save(job, sample('a.test/2', { contentHash: 'same' }))
    const [page, repeated] = await feed.pagesOf([id!, other!])
    const { contentText, language, kind, hot, duplicateOf } = page!
    assert.deepEqual(
      { contentText, language, kind, hot, duplicateOf },
      { ...fields, duplicateOf: null },
    )
    assert.equal(repeated!.duplicateOf, id)
  })

  promise('it stops at a number of characters, after one page at least', async (scene) => {
    const { jobs, feed, save } = scene
    const job = await jobs.create(sampleJob())
    const text = { contentText: 'x'.repeat(1000) }
    const pages = [1, 2, 3].map((at) => sample(`a.test/${at}`, text))
    const ids = await save(job, ...pages)
    const countWith = async (maxChars: number) => {
      const { pages, read } = await feed.somePages([998, ...ids, 999], maxChars)
      return [pages.length, read]
    }
    assert.deepEqual(await countWith(1), [1, 2])
    assert.deepEqual(await countWith(1500), [2, 3])
    assert.deepEqual(await countWith(1e6), [3, 5])
  })

  promise(
    'the crawls are those that are there, and a removed one is gone at once',
    async ({ jobs, feed, save }) => {
      const one = await jobs.create(sampleJob())
      const two = await jobs.create(sampleJob({ name: 'other' }))
      await save(one, sample('a.test/1'))
      const [first, second] = await feed.crawls()
      assert.deepEqual([first!.id, second!.id], [one.id, two.id])
      await jobs.remove(one.id)
      assert.deepEqual(await feed.crawls(), [second])
    },
  )

  promise('crawls are about what their user said, and most about nothing', async (scene) => {
    const { jobs, feed } = scene
    const { settings } = sampleJob()
    await jobs.create(sampleJob())
    const about = { ...settings, topic: 'tea', keywords: ['oolong'] }
    const two = await jobs.create(sampleJob({ name: 'other', settings: about }))
    const three = await jobs.create(
      sampleJob({ name: 'third', settings: { ...settings, classifier: 'model.json' } }),
    )
    assert.deepEqual(
      [...(await feed.topics())],
      [
        [two.id, 'tea, oolong'],
        [three.id, 'as model.json tells'],
      ],
    )
  })

  promise('what may have changed about hot pages shows when a crawl has ended', async (scene) => {
    const { jobs, feed, save } = scene
    const job = await jobs.create(sampleJob())
    const [, hot] = await save(job, sample('a.test/1'), sample('a.test/2', { hot: true }))
    const markOf = async () => (await feed.crawls())[0]!.hotMark
    assert.equal(await markOf(), null)
    await jobs.setStatus(job.id, 'completed')
    const ended = await markOf()
    assert.notEqual(ended, null)
    assert.deepEqual(await feed.hotPages(job.id), [hot])
    await save(job, sample('a.test/3', { hot: true }))
    assert.notEqual(await markOf(), ended)
  })
}
