// What every store of importance promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src/core/job.ts'
import type {
  ImportanceReader,
  ImportanceStore,
  PageImportance,
} from '../../src/store/importance-store.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageReader } from '../../src/store/page-reader.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleJob } from './sample-page.ts'

export interface ImportanceFixture extends AsyncDisposable {
  store(): Promise<ImportanceStore>
  reader(): Promise<ImportanceReader>
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  pageReader(): Promise<PageReader>
}

export function importanceStoreContract(
  name: string,
  openFixture: () => Promise<ImportanceFixture>,
): void {
  const promise = (
    title: string,
    body: (store: ImportanceStore, reader: ImportanceReader) => Promise<void>,
  ) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      await using store = await fixture.store()
      await using reader = await fixture.reader()
      await body(store, reader)
    })

  promise('what was kept is read back as it was', async (store, reader) => {
    const pages = [page(7, 1 / 3), { ...page(8, 0), similarity: null, pagerank: 1e-12 }]
    assert.equal(await store.replace(1, pages), 2)
    assert.deepEqual(await reader.get(7), pages[0])
    assert.deepEqual(await reader.get(8), pages[1])
    assert.equal(await reader.get(9), null)
  })

  promise('the best pages come first, equal ones by id', async (store, reader) => {
    await store.replace(1, [page(1, 0.2), page(2, 0.9), page(4, 0.5), page(3, 0.5)])
    assert.deepEqual(await idsOf(reader, 1, 10), [2, 3, 4, 1])
    assert.deepEqual(await idsOf(reader, 1, 2), [2, 3])
  })

  promise(
    'the best by another measure come first when that is asked for',
    async (store, reader) => {
      const pages = [
        { ...page(1, 0.2), pagerank: 0.1, backlinks: 3 },
        { ...page(2, 0.9), pagerank: 0.3, backlinks: 1 },
        { ...page(3, 0.5), pagerank: 0.6, backlinks: 2 },
        { ...page(4, 0.4), pagerank: 0.2, backlinks: 3 },
      ]
      await store.replace(1, pages)
      const best = async (by: 'pagerank' | 'backlinks') =>
        (await reader.best(1, 2, { by })).map(({ pageId }) => pageId)
      assert.deepEqual(await best('pagerank'), [3, 2])
      assert.deepEqual(await best('backlinks'), [4, 1])
    },
  )

  promise('a crawl has what was computed last, and nothing of before', async (store, reader) => {
    await store.replace(1, [page(1, 0.2), page(2, 0.9)])
    await store.replace(2, [page(3, 0.3)])
    assert.equal(await store.replace(1, [page(2, 0.1)]), 1)
    assert.deepEqual(await idsOf(reader, 1, 10), [2])
    assert.deepEqual(await idsOf(reader, 2, 10), [3])
    assert.equal(await store.replace(1, []), 0)
    assert.equal(await reader.get(2), null)
  })

  promise('when it cannot be finished, all is as it was', async (store, reader) => {
    await store.replace(1, [page(1, 0.2)])
    function* broken() {
      yield page(2, 0.9)
      throw new Error('no more')
    }
    await assert.rejects(store.replace(1, broken()), /no more/)
    assert.deepEqual(await idsOf(reader, 1, 10), [1])
    assert.equal(await store.replace(1, [page(3, 0.4)]), 1)
  })

  test(`${name}: with a threshold, pages at or above it are hot and counted so, no others`, async () => {
    await using fixture = await openFixture()
    await using jobs = await fixture.jobs()
    const job = await jobs.create(sampleJob())
    const other = await jobs.create(sampleJob({ name: 'other' }))
    await using pages = await fixture.pages(job)
    await pages.save([
      sample('a.test/1', { hot: true }),
      sample('a.test/2'),
      sample('b.test/3'),
      sample('b.test/4', { contentHash: 'hash of b.test/3', hot: true }),
      sample('b.test/5', { noindex: true }),
    ])
    await using others = await fixture.pages(other)
    await others.save([sample('a.test/1', { hot: true })])
    await using reader = await fixture.pageReader()
    await using store = await fixture.store()
    const list = await reader.list({ crawlId: job.id, after: 0, limit: 10 })
    const [low = 0, high = 0, exact = 0, , hidden = 0] = list.map(({ id }) => id)
    const rows = [page(low, 0.49), page(high, 0.9), page(exact, 0.5), page(hidden, 0.9)]
    await store.replace(job.id, rows)
    assert.deepEqual(await hotOf(reader, job.id), ['http://a.test/1', 'http://b.test/4'])
    await store.replace(job.id, rows, { hotThreshold: 0.5 })
    assert.deepEqual(await hotOf(reader, job.id), ['http://a.test/2', 'http://b.test/3'])
    assert.equal((await reader.totals(job.id)).hot, 2)
    assert.equal((await reader.totals(other.id)).hot, 1)
  })
}

async function hotOf(reader: PageReader, crawlId: number): Promise<string[]> {
  const pages = await reader.list({ crawlId, after: 0, limit: 10 })
  return pages.filter(({ hot }) => hot).map(({ url }) => url)
}

function page(pageId: number, importance: number): PageImportance {
  return { pageId, similarity: 0.25, backlinks: 12, pagerank: 0.001, location: 0.5, importance }
}

async function idsOf(reader: ImportanceReader, crawlId: number, limit: number): Promise<number[]> {
  return (await reader.best(crawlId, limit)).map(({ pageId }) => pageId)
}
