// What everyone who looks through pages is promised.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src/core/job.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageFilter, PageReader, PageSort } from '../../src/store/page-reader.ts'
import { PAGE_SORTS } from '../../src/store/page-reader.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleFields, sampleJob, urlFor } from './sample-page.ts'

export interface BrowserFixture extends AsyncDisposable {
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  browser(): Promise<PageReader>
}

type Scene = {
  readonly fixture: BrowserFixture
  readonly job: Job
  readonly store: PageStore
  readonly browser: PageReader
}

export function pageBrowserContract(
  name: string,
  openFixture: () => Promise<BrowserFixture>,
): void {
  const promise = (title: string, body: (scene: Scene) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      const job = await createJob(fixture)
      await using store = await fixture.pages(job)
      await using browser = await fixture.browser()
      await body({ fixture, job, store, browser })
    })

  promise('a row has all that was saved of a page but its text', async (scene) => {
    const { store, browser, job } = scene
    await store.save([sample('a.test/1', { hot: true, truncated: true, noindex: true })])
    const [row] = await browser.summaries({ crawlId: job.id, after: 0, limit: 9 })
    const { url, title, statusCode, contentType, kind, language, depth, sizeBytes, relevance } =
      sampleFields('a.test/1')
    assert.deepEqual(row, {
      ...{ url, title, statusCode, contentType, kind, language, depth, sizeBytes, relevance },
      ...{ id: row?.id, hot: true, truncated: true, noindex: true, duplicateOf: null },
      fetchedAt: sampleFields('a.test/1').fetchedAt,
    })
  })

  promise('pages come by id, part by part, to the last', async ({ store, browser, job }) => {
    await store.save(Array.from({ length: 7 }, (_, n) => sample(`a.test/${n}`)))
    const urls: string[] = []
    for (let after = 0; ; ) {
      const part = await browser.summaries({ crawlId: job.id, after, limit: 3 })
      if (part.length === 0) break
      urls.push(...part.map(({ url }) => url))
      after = part.at(-1)!.id
    }
    assert.deepEqual(
      urls,
      Array.from({ length: 7 }, (_, n) => `http://a.test/${n}`),
    )
  })

  promise('every filter finds what it says, and they all hold at once', async (scene) => {
    const same = { contentHash: 'same' }
    await scene.store.save([
      sample('a.test/1', { title: 'Kopi SUSU', kind: 'listing', language: 'id' }),
      sample('b.test/2', { title: 'Tea', hot: true, relevance: 0.9, ...same }),
      sample('b.test/3', { title: 'Tea', hot: true, relevance: 0.9, ...same }),
      sample('b.test:81/4', { title: 'Éclair', relevance: null }),
    ])
    const cases: readonly (readonly [PageFilter, string])[] = [
      [{}, '1 2 4'],
      [{ duplicates: false }, '1 2 4'],
      [{ duplicates: true }, '1 2 3 4'],
      [{ text: 'susu' }, '1'],
      [{ text: 'B.TEST' }, '2 4'],
      [{ text: 'éCLAIR' }, '4'],
      [{ text: '' }, '1 2 4'],
      [{ text: 'nowhere' }, ''],
      [{ host: 'b.test' }, '2'],
      [{ host: 'b.test:81' }, '4'],
      [{ host: 'est' }, ''],
      [{ kind: 'listing' }, '1'],
      [{ language: 'id' }, '1'],
      [{ hot: true }, '2'],
      [{ hot: false }, '1 4'],
      [{ minRelevance: 0 }, '1 2'],
      [{ minRelevance: 0.9 }, '2'],
      [{ text: 'tea', host: 'b.test', hot: true, duplicates: true }, '2 3'],
      [{ text: 'tea', language: 'id' }, ''],
    ]
    for (const [filter, expected] of cases) {
      assert.equal(await found(scene, filter), expected, JSON.stringify(filter))
    }
  })

  promise('what looks like a pattern, a quote or a command is only text', async (scene) => {
    const titles = ['100%', 'snake_case', 'back\\slash', `it's "so"`, "'); DROP TABLE pages;--"]
    await scene.store.save(titles.map((title, n) => sample(`a.test/${n + 1}`, { title })))
    for (const [at, text] of ['%', '_', '\\', `'s "`, "');"].entries()) {
      assert.equal(await found(scene, { text }), String(at + 1), text)
    }
    for (const value of [`' OR 1=1 --`, '%', '\u0000', '\ud800']) {
      const filters: PageFilter[] = [{ host: value }, { kind: value }, { language: value }]
      for (const filter of filters) assert.equal(await found(scene, filter), '')
    }
    assert.equal(await found(scene, { text: `${'x'.repeat(100_000)}` }), '')
    assert.equal(await found(scene, { minRelevance: Number.NaN }), '')
  })

  promise('ids come in the order that is asked for, equal ones by id', async (scene) => {
    const { store, browser, job } = scene
    await store.save([
      sample('c.test/', { title: 'beta', depth: 2, relevance: 0.5, sizeBytes: 30 }),
      sample('a.test/', { title: 'Alpha', depth: 2, relevance: null, sizeBytes: 10 }),
      sample('b.test/', { title: 'Gamma', depth: 1, relevance: 0.5, sizeBytes: 20 }),
    ])
    const first = (await browser.summaries({ crawlId: job.id, after: 0, limit: 1 }))[0]!.id
    const order = async (sort: PageSort, descending: boolean): Promise<string> => {
      const { ids } = await browser.sortedIds({ crawlId: job.id, sort, descending, limit: 9 })
      return ids.map((id) => id - first + 1).join(' ')
    }
    const expected: Readonly<Record<PageSort, readonly [up: string, down: string]>> = {
      id: ['1 2 3', '3 2 1'],
      url: ['2 3 1', '1 3 2'],
      title: ['2 1 3', '3 1 2'],
      depth: ['3 1 2', '1 2 3'],
      relevance: ['1 3 2', '1 3 2'],
      size_bytes: ['2 3 1', '1 3 2'],
    }
    for (const sort of PAGE_SORTS) {
      assert.deepEqual([await order(sort, false), await order(sort, true)], expected[sort], sort)
    }
  })

  promise('no more ids than the limit, and still how many there are', async (scene) => {
    const { store, browser, job } = scene
    await store.save(Array.from({ length: 5 }, (_, n) => sample(`a.test/${n}`, { depth: n % 2 })))
    const ask = (limit: number, filter: PageFilter) =>
      browser.sortedIds({ crawlId: job.id, filter, sort: 'url', descending: false, limit })
    assert.deepEqual([(await ask(2, {})).ids.length, (await ask(2, {})).total], [2, 5])
    assert.deepEqual([(await ask(5, {})).ids.length, (await ask(5, {})).total], [5, 5])
    assert.equal((await ask(2, { text: 'a.test/4' })).total, 1)
  })

  promise('rows by ids come in that order, of this crawl alone', async (scene) => {
    const { fixture, store, browser, job } = scene
    const other = await createJob(fixture)
    await using others = await fixture.pages(other)
    await store.save([sample('a.test/1'), sample('a.test/2')])
    await others.save([sample('b.test/1')])
    const [one, two] = await browser.summaries({ crawlId: job.id, after: 0, limit: 9 })
    const [foreign] = await browser.summaries({ crawlId: other.id, after: 0, limit: 9 })
    const rows = await browser.summariesOf(job.id, [
      two!.id,
      foreign!.id,
      999_999,
      one!.id,
      two!.id,
    ])
    assert.deepEqual(
      rows.map(({ id }) => id),
      [two!.id, one!.id, two!.id],
    )
    assert.deepEqual(await browser.summariesOf(job.id, []), [])
  })

  promise('pages with links have the URLs of all links, in order', async (scene) => {
    const { store, browser, job } = scene
    const urls = Array.from({ length: 10_000 }, (_, n) => `http://b.test/${n}`)
    const rows = urls.map((url) => [url, 'an "anchor"', 'nofollow', 'around … it'])
    const same = { contentHash: 'same' }
    await store.save([
      sample('a.test/1', {}, { parts: { links: JSON.stringify(rows) } }),
      sample('a.test/2', same, { parts: { links: '[]' } }),
      sample('a.test/3', same),
      sample('a.test/4'),
    ])
    const pages = await browser.withLinks(job.id, 0, 9)
    assert.deepEqual(
      pages.map(({ url, links }) => [url, links.length]),
      [
        ['http://a.test/1', 10_000],
        ['http://a.test/2', 0],
        ['http://a.test/4', 0],
      ],
    )
    assert.deepEqual(pages[0]?.links, urls)
    const { title, statusCode, fetchedAt } = sampleFields('a.test/1')
    assert.deepEqual(
      { ...pages[0], links: [] },
      { id: pages[0]?.id, url: urlFor('a.test/1'), title, statusCode, fetchedAt, links: [] },
    )
    assert.equal((await browser.withLinks(job.id, pages[0]!.id, 1))[0]?.url, 'http://a.test/2')
  })

  promise(
    'pages with megabytes of links come a few at a time, and all of them in the end',
    async (scene) => {
      const { store, browser, job } = scene
      const rows = Array.from({ length: 1500 }, (_, n) => [
        `http://b.test/${n}/${'x'.repeat(1900)}`,
      ])
      const parts = { links: JSON.stringify(rows) }
      const paths = ['1', '2', '3', '4', '5']
      await store.save(paths.map((path) => sample(`a.test/${path}`, {}, { parts })))
      const counts: number[] = []
      for (let after: number | undefined = 0; after !== undefined; ) {
        const pages = await browser.withLinks(job.id, after, 9)
        counts.push(pages.length)
        after = pages.at(-1)?.id
      }
      assert.deepEqual(counts, [2, 2, 1, 0])
    },
  )

  promise('hosts have their pages and hot pages, duplicates not counted', async (scene) => {
    const { store, browser, job } = scene
    const same = { contentHash: 'same' }
    await store.save([
      sample('a.test/1', { hot: true, ...same }),
      sample('a.test/2'),
      sample('b.test/1', { hot: true, ...same }),
    ])
    assert.deepEqual(await browser.hosts(job.id), [{ host: 'a.test', stored: 2, hot: 1 }])
  })

  promise('the last id is that of the newest page, a duplicate too', async (scene) => {
    const { store, browser, job } = scene
    assert.equal(await browser.lastIdOf(job.id), 0)
    const same = { contentHash: 'same' }
    const saved = await store.save([sample('a.test/1', same), sample('a.test/2', same)])
    const last = saved[1]
    assert.ok(last?.outcome === 'duplicate')
    assert.equal(await browser.lastIdOf(job.id), last.id)
  })

  promise('it is known whether a body was kept', async ({ store, browser, job }) => {
    await store.save([sample('a.test/1', {}, { html: new Uint8Array(3) }), sample('a.test/2')])
    const pages = await browser.summaries({ crawlId: job.id, after: 0, limit: 9 })
    const kept = await Promise.all(pages.map(({ id }) => browser.hasHtml(id)))
    assert.deepEqual(kept, [true, false])
  })

  promise('pages are found by their URLs', async ({ store, browser, job }) => {
    const [saved] = await store.save([sample('a.test/1')])
    assert.ok(saved?.outcome === 'stored')
    const ids = await browser.idsByUrl(job.id, ['http://a.test/1', 'http://a.test/2'])
    assert.deepEqual([...ids], [['http://a.test/1', saved.id]])
    assert.equal((await browser.idsByUrl(999, ['http://a.test/1'])).size, 0)
  })

  promise('a crawl that is not there has nothing', async ({ browser }) => {
    assert.deepEqual(await browser.summaries({ crawlId: 999, after: 0, limit: 9 }), [])
    const none = await browser.sortedIds({
      crawlId: 999,
      sort: 'title',
      descending: true,
      limit: 9,
    })
    assert.deepEqual(none, { ids: [], total: 0 })
    assert.deepEqual(await browser.withLinks(999, 0, 9), [])
    assert.deepEqual(await browser.hosts(999), [])
    assert.equal(await browser.lastIdOf(999), 0)
  })
}

/** Last letters of the URLs that a filter finds: both ways of asking must agree. */
async function found({ browser, job }: Scene, filter: PageFilter): Promise<string> {
  const rows = await browser.summaries({ crawlId: job.id, after: 0, limit: 99, filter })
  const options = { crawlId: job.id, filter, sort: 'id', descending: false, limit: 99 } as const
  const { ids, total } = await browser.sortedIds(options)
  assert.deepEqual(
    ids,
    rows.map(({ id }) => id),
  )
  assert.equal(total, ids.length)
  return rows.map(({ url }) => url.slice(-1)).join(' ')
}

async function createJob(fixture: BrowserFixture): Promise<Job> {
  await using jobs = await fixture.jobs()
  return jobs.create(sampleJob())
}
