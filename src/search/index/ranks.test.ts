import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../../test/contract/sample-page.ts'
import {
  openSqliteChangeFeed,
  openSqliteGraphReader,
  openSqliteImportanceStore,
  openSqliteJobStore,
  openSqlitePageReader,
} from '../../../test/support/stores.ts'
import type { JobRecord } from '../../core/job.ts'
import { ManualClock } from '../../lib/clock.ts'
import type { JobStore } from '../../store/job-store.ts'
import { openSqlitePageStore } from '../../store/sqlite/sqlite-page-store.ts'
import type { SearchIndex } from '../search-index.ts'
import { openSqliteSearchIndex } from '../sqlite/open-search-index.ts'
import { catchUp } from './index-writer.ts'
import { Ranks } from './ranks.ts'

type Scene = {
  readonly path: string
  readonly job: JobRecord
  readonly jobs: JobStore
  readonly index: SearchIndex
  /** Saves pages `from` to `to`, each with a link to page `best`. */
  save(from: number, to: number, best: number): Promise<void>
  /** Brings the index up to date and returns the mark of its ranks. */
  follow(ranks?: Ranks): Promise<string>
  graphs(): Ranks
  /** The page that comes first when all have the same words. */
  first(): Promise<string | undefined>
}

async function scene(body: (scene: Scene) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-ranks-'))
  const path = join(dir, 'jelajah.db')
  try {
    await using jobs = await openSqliteJobStore(path)
    const job = await jobs.create(sampleJob())
    await using store = await openSqlitePageStore({ path, job })
    await using feed = await openSqlitePageReader(path)
    await using changes = await openSqliteChangeFeed(path)
    await using reader = await openSqliteGraphReader(path)
    assert.ok(feed && changes)
    const pagesOf = (ids: readonly number[]) => feed.pagesOf(ids)
    await using index = await openSqliteSearchIndex({ path: join(dir, 'search.db'), pagesOf })
    const fixture = { feed, changes, index, clock: new ManualClock(), budgetMs: 1000 }
    await body({
      ...{ path, job, jobs, index },
      graphs: () => new Ranks({ reader, changes }),
      async save(from, to, best) {
        const links = { links: JSON.stringify([[urlFor(`a.test/${best}`)]]) }
        const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at)
        await store.save(numbers.map((at) => named(at, links)))
      },
      async follow(ranks) {
        await catchUp({ ...fixture, ...(ranks === undefined ? {} : { ranks }) })
        return (await index.crawls())[0]?.rankMark ?? ''
      },
      async first() {
        const { hits } = await index.query({ text: 'page', all: true, limit: 1, offset: 0 })
        return hits[0]?.page.url
      },
    })
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function named(at: number, parts: { readonly links: string }) {
  const fields = { title: 'Page', contentText: '', contentHash: String(at) }
  return sample(`a.test/${at}`, fields, { parts })
}

test('a crawl that has ended is ranked as the store says, once', async () => {
  await scene(async ({ path, job, jobs, save, follow, first }) => {
    await save(1, 3, 2)
    assert.equal(await follow(), '')
    await using importance = await openSqliteImportanceStore(path)
    const none = { similarity: null, backlinks: 0, location: 0, importance: 0 }
    await importance.replace(job.id, [
      { ...none, pageId: 1, pagerank: 0.2 },
      { ...none, pageId: 2, pagerank: 0.2 },
      { ...none, pageId: 3, pagerank: 0.6 },
    ])
    assert.equal(await follow(), '')
    await jobs.setStatus(job.id, 'completed')
    assert.match(await follow(), /^ended \d/)
    assert.equal(await first(), urlFor('a.test/3'))
  })
})

test('a running crawl is ranked by its links when it has some pages, and when it grew', async () => {
  await scene(async ({ save, follow, first, graphs }) => {
    const ranks = graphs()
    await save(1, 60, 7)
    assert.equal(await follow(ranks), '')
    await save(61, 120, 7)
    assert.equal(await follow(), '')
    assert.equal(await follow(ranks), 'running 120')
    assert.equal(await first(), urlFor('a.test/7'))
    await save(121, 150, 121)
    assert.equal(await follow(ranks), 'running 120')
    await save(151, 300, 121)
    assert.equal(await follow(ranks), 'running 300')
    assert.equal(await first(), urlFor('a.test/121'))
    // Another process continues from the state in the index.
    assert.equal(await follow(graphs()), 'running 300')
  })
})

test('a crawl that ended without ranks keeps those it had', async () => {
  await scene(async ({ job, jobs, save, follow, first, graphs }) => {
    await save(1, 120, 7)
    const ranks = graphs()
    await follow(ranks)
    await jobs.setStatus(job.id, 'completed')
    assert.match(await follow(ranks), /^ended/)
    assert.equal(await first(), urlFor('a.test/7'))
  })
})
