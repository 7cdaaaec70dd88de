// What everyone who reads pages whole is promised.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src/core/job.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageReader, WholePageFilter, WholePageRange } from '../../src/store/page-reader.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleFields, sampleJob } from './sample-page.ts'

export interface WholePagesFixture extends AsyncDisposable {
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  whole(): Promise<PageReader>
}

type Scene = {
  readonly fixture: WholePagesFixture
  readonly job: Job
  readonly store: PageStore
  readonly whole: PageReader
}

const LINKS = '[["http://a.test/","Home"]]'

export function wholePagesContract(
  name: string,
  openFixture: () => Promise<WholePagesFixture>,
): void {
  const promise = (title: string, body: (scene: Scene) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      const job = await createJob(fixture)
      await using store = await fixture.pages(job)
      await using whole = await fixture.whole()
      await body({ fixture, job, store, whole })
    })

  promise('a page has its fields, and the parts and the body that are asked for', async (scene) => {
    const { store, whole, job } = scene
    const html = Buffer.from('<p>Hello')
    const markdown = '# Head'
    const parts = { links: LINKS, images: '[]' }
    await store.save([sample('a.test/1', { markdown }, { parts, html })])
    const [bare] = await whole.wholePages(everything(), { text: false }, 9)
    const [page] = await whole.wholePages(
      everything(),
      { parts: ['links', 'forms'], html: true },
      9,
    )
    const [written] = await whole.wholePages(everything(), { markdown: true }, 9)
    const fields = {
      ...sampleFields('a.test/1'),
      ...{ id: bare?.id, crawlId: job.id, duplicateOf: null, publishedDay: '2023-11-03' },
    }
    assert.deepEqual(bare, { ...fields, contentText: '', parts: {}, html: null })
    assert.deepEqual(page, { ...fields, parts: { links: LINKS }, html })
    assert.deepEqual(written, { ...fields, markdown, parts: {}, html: null })
  })

  promise('pages come by id, part by part, also where they are large', async ({ store, whole }) => {
    const contentText = 'x'.repeat(1_000_000)
    await store.save(Array.from({ length: 12 }, (_, n) => sample(`a.test/${n}`, { contentText })))
    const { urls, calls } = await readAll(whole, everything(), 8)
    assert.deepEqual(
      urls,
      Array.from({ length: 12 }, (_, n) => `http://a.test/${n}`),
    )
    assert.ok(calls >= 3, `${calls} calls: never eight megabytes at once`)
  })

  promise('pages that say noindex are never there, duplicates when asked for', async (scene) => {
    const { store, whole } = scene
    await store.save([
      sample('a.test/1', { contentHash: 'same' }),
      sample('a.test/2', { contentHash: 'same' }),
      sample('a.test/hidden', { noindex: true }),
    ])
    assert.deepEqual(await urlsOf(whole, {}), ['http://a.test/1'])
    const both = ['http://a.test/1', 'http://a.test/2']
    assert.deepEqual(await urlsOf(whole, { duplicates: true }), both)
    assert.deepEqual(await whole.leftOut(everything()), { noindex: 1, duplicates: 1 })
    const repeated = everything({ duplicates: true, host: 'a.test' })
    assert.deepEqual(await whole.leftOut(repeated), { noindex: 1, duplicates: 0 })
    const [first = 0, second = 0] = await whole.idsIn(everything({ duplicates: true }))
    assert.deepEqual([...(await whole.urlsOf([second, second + 1, 999]))], [[second, both[1]]])
    assert.deepEqual([...(await whole.repeatsOf(scene.job.id))], [[first, [second]]])
  })

  promise('every filter counts', async ({ store, whole }) => {
    await store.save([
      sample('a.test/1', { language: 'en-GB', kind: 'listing', fetchedAt: 1000 }),
      sample('b.test:8080/2', { language: 'ID', hot: true, fetchedAt: 2000 }),
      sample('b.test/3', { language: 'en_us', relevance: 0.75, fetchedAt: 3000 }),
      sample('b.test/4', { language: 'enm', relevance: null, fetchedAt: 4000 }),
    ])
    const wanted: readonly (readonly [WholePageFilter, readonly number[]])[] = [
      [{ host: 'b.test' }, [3, 4]],
      [{ host: 'b.test:8080' }, [2]],
      [{ language: 'en' }, [1, 3]],
      [{ language: 'en-US' }, [1, 3]],
      [{ language: 'id' }, [2]],
      [{ kind: 'listing' }, [1]],
      [{ hot: true }, [2]],
      [{ since: 3000 }, [3, 4]],
      [{ minRelevance: 0.5 }, [3]],
      [{ host: 'b.test', since: 4000 }, [4]],
      [{ host: "' OR 1=1 --" }, []],
    ]
    for (const [filter, expected] of wanted) {
      const urls = await urlsOf(whole, filter)
      const numbers = urls.map((url) => Number(url.at(-1)))
      assert.deepEqual(numbers, expected, JSON.stringify(filter))
      assert.equal(await whole.count(everything(filter)), expected.length)
    }
  })

  promise('of ids that are named only those that match are there', async ({ store, whole }) => {
    await store.save(Array.from({ length: 1200 }, (_, n) => sample(`a.test/${n}`, { hot: n > 9 })))
    const ids = await whole.idsIn(everything())
    const among = ids.filter((id) => id % 2 === 1)
    const hot = { filter: { among, hot: true }, after: ids[20] ?? 0, upTo: ids[1150] ?? 0 }
    const expected = among.filter((id) => id > hot.after && id <= hot.upTo)
    assert.deepEqual(await whole.idsIn(hot), expected)
    assert.equal(await whole.count(hot), expected.length)
    assert.equal((await readAll(whole, hot, 100)).urls.length, expected.length)
    assert.deepEqual(await whole.idsIn(everything({ among: [] })), [])
  })

  promise('one crawl, some or all: never one that was removed', async ({ fixture, ...scene }) => {
    const { store, whole, job } = scene
    await store.save([sample('a.test/1')])
    const other = await createJob(fixture)
    await using others = await fixture.pages(other)
    await others.save([sample('a.test/2')])
    const [first, second] = ['http://a.test/1', 'http://a.test/2']
    assert.deepEqual(await urlsOf(whole, {}), [first, second])
    assert.deepEqual(await urlsOf(whole, { crawlIds: [job.id, other.id] }), [first, second])
    assert.deepEqual(await urlsOf(whole, { crawlIds: [other.id] }), [second])
    await using jobs = await fixture.jobs()
    await jobs.remove(job.id)
    assert.deepEqual(await urlsOf(whole, {}), [second])
  })

  promise('a bound keeps out what came after it', async ({ store, whole }) => {
    await store.save([sample('a.test/1'), sample('a.test/2')])
    const upTo = await whole.lastId()
    await store.save([sample('a.test/3')])
    assert.equal(await whole.count({ filter: {}, after: 0, upTo }), 2)
  })

  promise('it says whether a body was kept, and which store it is', async ({ store, whole }) => {
    await store.save([sample('a.test/1'), sample('b.test/2', {}, { html: Buffer.from('<p>') })])
    assert.equal(await whole.anyHtml(everything()), true)
    assert.equal(await whole.anyHtml(everything({ host: 'a.test' })), false)
    assert.match(await whole.mark(), /./)
  })
}

async function createJob(fixture: WholePagesFixture): Promise<Job> {
  await using jobs = await fixture.jobs()
  const job = await jobs.create(sampleJob())
  return { ...job, settings: { ...job.settings, maxPages: 100_000 } }
}

function everything(filter: WholePageFilter = {}): WholePageRange {
  return { filter, after: 0, upTo: Number.MAX_SAFE_INTEGER }
}

async function urlsOf(whole: PageReader, filter: WholePageFilter): Promise<string[]> {
  return (await readAll(whole, everything(filter), 2)).urls
}

async function readAll(whole: PageReader, range: WholePageRange, limit: number) {
  const urls: string[] = []
  let calls = 0
  for (let { after } = range; ; calls++) {
    const some = await whole.wholePages({ ...range, after }, { parts: [] }, limit)
    assert.ok(some.length <= limit)
    const last = some.at(-1)
    if (last === undefined) return { urls, calls }
    urls.push(...some.map(({ url }) => url))
    after = last.id
  }
}
