// What every page store promises, and what every reader of it sees.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src/core/job.ts'
import { STORED_PARTS } from '../../src/core/page.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageReader } from '../../src/store/page-reader.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleFields, sampleJob, urlFor } from './sample-page.ts'

/** One place where stores live; opened again, it is the same place. */
export interface StoreFixture extends AsyncDisposable {
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  reader(): Promise<PageReader>
}

type Scene = {
  readonly fixture: StoreFixture
  readonly job: Job
  readonly store: PageStore
  readonly reader: PageReader
}

export function pageStoreContract(name: string, openFixture: () => Promise<StoreFixture>): void {
  const promise = (title: string, body: (scene: Scene) => Promise<void>, maxPages = 1000) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      const job = await createJob(fixture, maxPages)
      await using store = await fixture.pages(job)
      await using reader = await fixture.reader()
      await body({ fixture, job, store, reader })
    })

  promise('a saved page is read back as it was', async ({ store, reader, job }) => {
    const changes = { canonicalUrl: urlFor('a.test/c'), html5: false, hot: true, truncated: true }
    const [saved] = await store.save([sample('a.test/1', changes)])
    const id = idOf(saved)
    const expected = {
      ...sampleFields('a.test/1', changes),
      id,
      crawlId: job.id,
      duplicateOf: null,
      publishedDay: '2023-11-03',
    }
    assert.deepEqual(await reader.get(id), expected)
    assert.deepEqual(await reader.findByUrl(job.id, urlFor('a.test/1')), expected)
    assert.equal(await reader.get(id + 1), null)
    assert.equal(await reader.findByUrl(job.id, urlFor('a.test/2')), null)
  })

  promise('what a page does not have is null, not zero', async ({ store, reader }) => {
    const [saved] = await store.save([sample('a.test/', { publishedAt: null, relevance: null })])
    const page = await reader.get(idOf(saved))
    assert.deepEqual([page?.publishedAt, page?.relevance], [null, null])
    assert.equal(page?.publishedDay, null)
  })

  promise('the day of publication is the one that the page writes', async ({ store, reader }) => {
    const publishedAt = Date.UTC(2026, 0, 12, 20)
    const about = '{"published_day":"2026-01-13","open_graph":{"published_day":"1999-01-01"}}'
    const other = '{"open_graph":{"published_day":"1999-01-01"}}'
    const ids = (
      await store.save([
        sample('a.test/1', { publishedAt, about }),
        sample('a.test/2', { publishedAt, about: other }),
        sample('a.test/3', { publishedAt: -1, about: '{}' }),
      ])
    ).map(idOf)
    const days = await Promise.all(ids.map(async (id) => (await reader.get(id))?.publishedDay))
    assert.deepEqual(days, ['2026-01-13', '2026-01-12', '1969-12-31'])
  })

  promise('a second save of a URL changes nothing and reports the first', async (scene) => {
    const { store, reader, job } = scene
    const [first] = await store.save([sample('a.test/1')])
    const [second] = await store.save([sample('a.test/1', { title: 'new', contentHash: 'new' })])
    assert.deepEqual(second, first)
    assert.equal((await reader.get(idOf(first)))?.title, 'Title of a.test/1')
    assert.equal(await store.count(), 1)
    assert.equal((await reader.totals(job.id)).stored, 1)
    assert.equal((await store.undelivered()).length, 1)
  })

  promise('the same URL twice in one batch is one row', async ({ store }) => {
    const [first, second] = await store.save([sample('a.test/1'), sample('a.test/1')])
    assert.deepEqual(second, first)
    assert.equal(await store.count(), 1)
  })

  promise('a page with the content of another is a duplicate of the first', async (scene) => {
    const { store, reader } = scene
    const same = { contentHash: 'same' }
    const [first, second] = await store.save([sample('a.test/1', same), sample('b.test/2', same)])
    const [third] = await store.save([sample('c.test/3', same)])
    for (const answer of [second, third]) {
      assert.equal(answer?.outcome, 'duplicate')
      assert.ok(answer.outcome === 'duplicate')
      assert.equal(answer.of, 'http://a.test/1')
      assert.equal((await reader.get(answer.id))?.duplicateOf, idOf(first))
    }
    assert.equal(await store.count(), 1)
  })

  promise('a duplicate keeps no parts, and no text that is the first one’s', async (scene) => {
    const { store, reader } = scene
    const parts = {
      links: JSON.stringify([['http://a.test/x', 'x', '']]),
      fields: '[["price",1]]',
    }
    const same = { contentHash: 'same', contentText: 'one text' }
    const canonicalUrl = urlFor('a.test/1')
    const near = { contentText: 'one text', canonicalUrl }
    const [first, second, third] = await store.save([
      sample('a.test/1', same, { parts }),
      sample('b.test/2', same, { parts }),
      sample('c.test/3', near, { parts }),
    ])
    const texts = [first, second, third].map(
      async (saved) => (await reader.get(idOf(saved)))?.contentText,
    )
    assert.deepEqual(await Promise.all(texts), ['one text', '', 'one text'])
    const kept = [first, second, third].map((saved) => reader.partsOf(idOf(saved)))
    assert.deepEqual(
      (await Promise.all(kept)).map(({ links }) => links !== undefined),
      [true, false, false],
    )
  })

  promise('a page near-equal to its canonical one is a duplicate of it', async ({ store }) => {
    const text = Array.from({ length: 200 }, (_, nth) => `kata${nth}`).join(' ')
    const canonical = sample('a.test/page', { contentText: `${text} satu` })
    const canonicalUrl = canonical.page.fields.url
    const variant = sample('a.test/page?from=feed', { canonicalUrl, contentText: `${text} dua` })
    const liar = sample('a.test/other', { canonicalUrl, contentText: 'something else' })
    const silent = sample('a.test/third', { contentText: `${text} tiga` })
    const answers = await store.save([canonical, variant, liar, silent])
    const outcomes = answers.map(({ outcome }) => outcome)
    assert.deepEqual(outcomes, ['stored', 'duplicate', 'stored', 'stored'])
  })

  promise('a duplicate saved again is reported as that duplicate', async ({ store }) => {
    const same = { contentHash: 'same' }
    const [, second] = await store.save([sample('a.test/1', same), sample('a.test/2', same)])
    assert.deepEqual((await store.save([sample('a.test/2', same)]))[0], second)
  })

  promise(
    'no more pages than the limit are stored, wherever in a batch it is reached',
    async ({ store, reader, job }) => {
      const first = await store.save([sample('a.test/1'), sample('a.test/2')])
      const same = { contentHash: 'hash of a.test/1' }
      const second = await store.save([
        sample('a.test/3', same),
        sample('a.test/4'),
        sample('a.test/5'),
        sample('a.test/1'),
        sample('a.test/6', same),
      ])
      const outcomes = [...first, ...second].map(({ outcome }) => outcome)
      const kept = ['stored', 'stored', 'duplicate', 'stored']
      assert.deepEqual(outcomes, [...kept, 'over-limit', 'stored', 'over-limit'])
      assert.equal(await store.count(), 3)
      assert.equal((await pagesOf(reader, job)).length, 4)
    },
    3,
  )

  promise(
    'a store opened again goes on counting where it was',
    async ({ fixture, store, job }) => {
      await store.save([sample('a.test/1'), sample('a.test/2')])
      await store[Symbol.asyncDispose]()
      await using again = await fixture.pages(job)
      assert.equal(await again.count(), 2)
      const saved = await again.save([sample('a.test/3'), sample('a.test/4')])
      assert.deepEqual(
        saved.map(({ outcome }) => outcome),
        ['stored', 'over-limit'],
      )
    },
    3,
  )

  promise('receipts wait until they are acknowledged, oldest first', async ({ store }) => {
    const same = { contentHash: 'same' }
    const batch = [sample('a.test/1', same), sample('a.test/2', same), sample('a.test/3')]
    const saved = await store.save(batch)
    const expected = batch.map(({ page, urlId, receipt }, at) => {
      const { url, depth } = page.fields
      return { url, urlId, depth, round: 0, saved: saved[at], receipt }
    })
    assert.deepEqual(plain(await store.undelivered()), plain(expected))
    store.acknowledge([urlFor('a.test/2'), urlFor('a.test/999')])
    assert.deepEqual(await waiting(store), [batch[0]!.urlId, batch[2]!.urlId])
  })

  promise('an acknowledgement is for a URL, whoever else had its number', async ({ store }) => {
    const [old, other] = [sample('a.test/1'), sample('a.test/2')]
    await store.save([old, { ...other, urlId: old.urlId }])
    store.acknowledge([urlFor('a.test/1')])
    const left = (await store.undelivered()).map(({ url }) => url)
    assert.deepEqual(left, [urlFor('a.test/2')])
  })

  promise('an acknowledgement is durable with the next save', async ({ fixture, store, job }) => {
    const [first, second] = [sample('a.test/1'), sample('a.test/2')]
    await store.save([first])
    store.acknowledge([urlFor('a.test/1')])
    await store.save([second])
    // A second holder sees what a new process would see after this one was killed.
    await using after = await fixture.pages(job)
    assert.deepEqual(await waiting(after), [second.urlId])
  })

  promise(
    'an acknowledgement is kept when the store is closed',
    async ({ fixture, store, job }) => {
      const batch = [sample('a.test/1')]
      await store.save(batch)
      await store[Symbol.asyncDispose]()
      const again = await fixture.pages(job)
      assert.deepEqual(await waiting(again), [batch[0]!.urlId])
      again.acknowledge([urlFor('a.test/1')])
      await again[Symbol.asyncDispose]()
      await using last = await fixture.pages(job)
      assert.deepEqual(await waiting(last), [])
    },
  )

  promise('crawls in one place do not see each other', async ({ fixture, store, reader, job }) => {
    const other = await createJob(fixture, 1)
    await using others = await fixture.pages(other)
    const same = { contentHash: 'same' }
    await store.save([sample('a.test/1', same), sample('a.test/2')])
    const saved = await others.save([sample('a.test/1', same), sample('a.test/9')])
    assert.deepEqual(
      saved.map(({ outcome }) => outcome),
      ['stored', 'over-limit'],
    )
    assert.equal((await others.undelivered()).length, 1)
    assert.deepEqual(await pagesOf(reader, job), ['http://a.test/1', 'http://a.test/2'])
    assert.deepEqual(await pagesOf(reader, other), ['http://a.test/1'])
  })

  promise('pages are read through in order of id, by host if asked', async (scene) => {
    const { store, reader, job } = scene
    const urls = ['a.test/1', 'https://a.test/2', 'b.test/3', 'a.test:8080/4', 'a.test/5']
    await store.save(urls.map((url) => sample(url)))
    assert.equal((await pagesOf(reader, job)).length, 5)
    const host = await pagesOf(reader, job, 'a.test')
    assert.deepEqual(host, ['http://a.test/1', 'https://a.test/2', 'http://a.test/5'])
    assert.deepEqual(await pagesOf(reader, job, 'a.test:8080'), ['http://a.test:8080/4'])
  })

  promise('pages that were cut are counted, duplicates are not', async (scene) => {
    const { job, reader } = scene
    const cut = { truncated: true, contentHash: 'c'.repeat(32) }
    await scene.store.save([sample('a.test/1', cut), sample('a.test/2', cut), sample('a.test/3')])
    assert.equal(await reader.truncated(job.id), 1)
  })

  promise('totals count per host, most first, duplicates apart', async (scene) => {
    const { store, reader, job } = scene
    await store.save([sample('a.test/1'), sample('b.test/1'), sample('b.test/2')])
    await store.save([sample('b.test/3'), sample('c.test/1', { contentHash: 'hash of a.test/1' })])
    const { hosts, ...sums } = await reader.totals(job.id)
    assert.deepEqual(sums, { stored: 4, duplicates: 1, bytes: 4000, judged: 5, hot: 0 })
    assert.deepEqual(
      [...hosts],
      [
        ['b.test', 3],
        ['a.test', 1],
      ],
    )
  })

  promise(
    'totals tell what a topic judged, and hot pages without their duplicates',
    async (scene) => {
      const { store, reader, job } = scene
      const hot = { hot: true, contentHash: 'same' }
      await store.save([sample('a.test/1', hot), sample('a.test/2', { relevance: null })])
      await store.save([sample('b.test/3', hot), sample('b.test/4', { hot: true })])
      const { stored, duplicates, judged, hot: found } = await reader.totals(job.id)
      assert.deepEqual([stored, duplicates, judged, found], [3, 1, 3, 2])
    },
  )

  promise('no more hot pages than the limit are stored, nor any page after them', async (scene) => {
    const settings = { ...DEFAULT_SETTINGS, maxHot: 2 }
    await using jobs = await scene.fixture.jobs()
    const job = await jobs.create(sampleJob({ settings }))
    await using store = await scene.fixture.pages(job)
    const hot = { hot: true }
    const first = await store.save([sample('a.test/1', hot), sample('a.test/2')])
    const second = await store.save([
      ...[sample('a.test/3', { hot: true, contentHash: 'hash of a.test/1' })],
      ...[sample('a.test/4', hot), sample('a.test/5'), sample('a.test/6', hot)],
    ])
    const outcomes = [...first, ...second].map(({ outcome }) => outcome)
    const kept = ['stored', 'stored', 'duplicate', 'stored']
    assert.deepEqual(outcomes, [...kept, 'over-limit', 'over-limit'])
    await using again = await scene.fixture.pages(job)
    const [late] = await again.save([sample('a.test/7')])
    assert.equal(late?.outcome, 'over-limit')
    assert.equal((await scene.reader.totals(job.id)).hot, 2)
  })

  promise('pages are listed by relevance and by being hot', async ({ store, reader, job }) => {
    await store.save([
      sample('a.test/1', { relevance: 0.4 }),
      sample('a.test/2', { relevance: 0.5, hot: true }),
      sample('b.test/3', { relevance: 0.9 }),
      sample('b.test/4', { relevance: null, hot: true }),
    ])
    const urls = async (filter: object) => {
      const pages = await reader.list({ crawlId: job.id, after: 0, limit: 9, ...filter })
      return pages.map(({ url }) => url.slice(-1)).join('')
    }
    assert.equal(await urls({ minRelevance: 0.5 }), '23')
    assert.equal(await urls({ hot: true }), '24')
    assert.equal(await urls({ hot: true, minRelevance: 0, host: 'a.test' }), '2')
  })

  promise('links are read back in their order', async ({ store, reader }) => {
    const links = JSON.stringify([
      ['http://a.test/2', 'second "page"', ''],
      ['http://b.test/', 'Bé', 'nofollow ugc'],
    ])
    const [saved, bare] = await store.save([
      sample('a.test/1', {}, { parts: { links } }),
      sample('a.test/2'),
    ])
    const pageId = idOf(saved)
    assert.deepEqual(await reader.linksOf(pageId), [
      { pageId, url: 'http://a.test/2', anchor: 'second "page"', rel: '' },
      { pageId, url: 'http://b.test/', anchor: 'Bé', rel: 'nofollow ugc' },
    ])
    assert.deepEqual(await reader.linksOf(idOf(bare)), [])
  })

  promise('every part is read back as it was saved, and none that was not', async (scene) => {
    const { store, reader } = scene
    const parts = Object.fromEntries(
      STORED_PARTS.map((part) => [part, JSON.stringify([[part, 'é', 1]])]),
    )
    const some = { tables: '[]', styles: '[[null,"print",10]]' }
    const saved = await store.save([
      sample('a.test/1', {}, { parts }),
      sample('a.test/2', {}, { parts: some }),
      sample('a.test/3'),
    ])
    const read = await Promise.all(saved.map((answer) => reader.partsOf(idOf(answer))))
    assert.deepEqual(read, [parts, some, {}])
    assert.deepEqual(await reader.partsOf(idOf(saved[2]) + 1), {})
  })

  promise('HTML is kept byte for byte when it is given', async ({ store, reader }) => {
    const html = new Uint8Array([60, 0, 255, 62, 60, 60])
    const saved = await store.save([sample('a.test/1', {}, { html }), sample('a.test/2')])
    assert.deepEqual(Buffer.from((await reader.htmlOf(idOf(saved[0])))!), Buffer.from(html))
    assert.equal(await reader.htmlOf(idOf(saved[1])), null)
  })

  promise('no text from the web breaks a row', async ({ store, reader }) => {
    const nul = String.fromCharCode(0)
    const title = `a${nul}b \ud800 c`
    const links = JSON.stringify([['http://a.test/2', `x${nul}y \\u0000`, '']])
    const [saved] = await store.save([
      sample('a.test/1', { title, contentText: `1${nul}2` }, { parts: { links } }),
    ])
    const page = await reader.get(idOf(saved))
    assert.deepEqual([page?.title, page?.contentText], ['ab \ufffd c', '12'])
    assert.equal((await reader.linksOf(idOf(saved)))[0]?.anchor, 'xy \\u0000')
  })
}

async function createJob(fixture: StoreFixture, maxPages: number): Promise<Job> {
  await using jobs = await fixture.jobs()
  return jobs.create(sampleJob({ settings: { ...DEFAULT_SETTINGS, maxPages } }))
}

async function pagesOf(reader: PageReader, job: Job, host?: string): Promise<string[]> {
  const urls: string[] = []
  for (let after = 0; ; ) {
    const filter = host === undefined ? {} : { host }
    const pages = await reader.list({ crawlId: job.id, after, limit: 2, ...filter })
    const last = pages.at(-1)
    if (last === undefined) return urls
    urls.push(...pages.map(({ url }) => url))
    after = last.id
  }
}

async function waiting(store: PageStore): Promise<number[]> {
  return (await store.undelivered()).map(({ urlId }) => urlId)
}

function idOf(saved: Awaited<ReturnType<PageStore['save']>>[number] | undefined): number {
  assert.ok(saved !== undefined && 'id' in saved)
  return saved.id
}

/** Byte arrays of any class compare equal when their bytes do. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, inner) => (inner instanceof Uint8Array ? [...inner] : inner)),
  )
}
