// What every reader of a crawl's link graph promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src/core/job.ts'
import type { GraphEdges, GraphReader, LinkedPage, Redirect } from '../../src/store/graph-reader.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleJob, urlFor } from './sample-page.ts'

export interface GraphFixture extends AsyncDisposable {
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  graph(): Promise<GraphReader>
}

type Scene = {
  readonly fixture: GraphFixture
  readonly job: Job
  readonly store: PageStore
  readonly reader: GraphReader
}
type Link = string | readonly [url: string, rel: string]

export function graphReaderContract(name: string, openFixture: () => Promise<GraphFixture>): void {
  const promise = (title: string, body: (scene: Scene) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      const job = await createJob(fixture)
      await using store = await fixture.pages(job)
      await using reader = await fixture.graph()
      await body({ fixture, job, store, reader })
    })

  promise('the pages of a crawl come by id, without those that repeat another', async (scene) => {
    const { store, reader, job } = scene
    const same = { contentHash: 'same' }
    await store.save([
      page('a.test/1', [], { relevance: 0.75 }),
      page('a.test/2', [], { ...same, relevance: null }),
      page('a.test/3', [], same),
      page('b.test/4', []),
    ])
    const pages = await Array.fromAsync(reader.pages(job.id))
    assert.deepEqual(
      pages.map(({ url, relevance }) => [url, relevance]),
      [
        ['http://a.test/1', 0.75],
        ['http://a.test/2', null],
        ['http://b.test/4', 0.25],
      ],
    )
    assert.ok(pages.every(({ id }, at) => at === 0 || id > pages[at - 1]!.id))
  })

  promise('links between stored pages are edges, in the order of the page', async (scene) => {
    await scene.store.save([
      page('a.test/1', ['b.test/3', 'a.test/2']),
      page('a.test/2', ['a.test/1']),
      page('b.test/3', []),
    ])
    assert.deepEqual(await edgesOf(scene), ['1 → 3 2', '2 → 1'])
  })

  promise(
    'two links are one edge, and one to itself or to what is not stored is none',
    async (scene) => {
      const links = ['a.test/2', 'a.test/1', 'other.test/', 'a.test/2', 'other.test/']
      await scene.store.save([page('a.test/1', links), page('a.test/2', ['other.test/'])])
      assert.deepEqual(await edgesOf(scene), ['1 → 2'])
      assert.deepEqual(await edgesOf(scene, { outside: true }), [
        '1 → 2 http://other.test/',
        '2 → http://other.test/',
      ])
    },
  )

  promise('a page that repeats another is folded onto it, from and to', async (scene) => {
    const same = { contentHash: 'same' }
    await scene.store.save([
      page('a.test/1', ['a.test/2', 'a.test/3']),
      page('a.test/2', ['a.test/1', 'a.test/3'], same),
      page('a.test/3', ['a.test/2', 'a.test/4'], same),
      page('a.test/4', ['a.test/3']),
    ])
    // Where it leads is what the first of them says: links of a copy are not kept.
    assert.deepEqual(await edgesOf(scene), ['1 → 2', '2 → 1', '4 → 2'])
  })

  promise('links that their page does not vouch for are no edges', async (scene) => {
    const rels = ['nofollow', 'noopener ugc', 'sponsored nofollow', 'noopener', 'nofollows']
    const pages = rels.map((_, nth) => `a.test/${nth + 2}`)
    const links = pages.map((url, nth) => [url, rels[nth]!] as const)
    await scene.store.save([page('a.test/1', links), ...pages.map((url) => page(url, []))])
    assert.deepEqual(await edgesOf(scene, { outside: true }), ['1 → 5 6'])
  })

  promise('a link to a redirect leads where it leads, over hops in any order', async (scene) => {
    await scene.store.save([
      page('a.test/1', ['a.test/old', 'a.test/loop', 'a.test/gone', 'a.test/2']),
      page('a.test/2', ['a.test/older', 'a.test/1']),
      page('a.test/3', ['a.test/oldest']),
    ])
    const redirects = redirectsFrom({
      'a.test/oldest': 'a.test/older',
      'a.test/older': 'a.test/old',
      'a.test/old': 'a.test/3',
      'a.test/loop': 'a.test/pool',
      'a.test/pool': 'a.test/loop',
      'a.test/gone': 'a.test/404',
      // A page that was stored once and redirects now is still that page.
      'a.test/2': 'a.test/3',
    })
    assert.deepEqual(await edgesOf(scene, { redirects }), ['1 → 3 2', '2 → 3 1'])
  })

  promise(
    'names tell which page a URL stands for, and edges may be read by them',
    async (scene) => {
      const same = { contentHash: 'same' }
      await scene.store.save([
        page('a.test/1', ['a.test/old', 'a.test/3']),
        page('a.test/2', [], same),
        page('a.test/3', [], same),
      ])
      const [first, second] = await Array.fromAsync(scene.reader.pages(scene.job.id))
      const redirects = redirectsFrom({ 'a.test/old': 'a.test/3' })
      const names = await scene.reader.names(scene.job.id, redirects)
      const found = ['a.test/1', 'a.test/2', 'a.test/3', 'a.test/old', 'a.test/4'].map((url) =>
        names.find(urlFor(url)),
      )
      const twin = second?.id
      assert.deepEqual(found, [first?.id, twin, twin, twin, undefined])
      assert.deepEqual(await edgesOf(scene, { names }), ['1 → 2'])
    },
  )

  promise(
    'pages are told with the links they vouch for, those that repeat with none',
    async (scene) => {
      const same = { contentHash: 'same' }
      await scene.store.save([
        page('a.test/1', ['a.test/2', ['a.test/3', 'nofollow'], 'b.test/', 'a.test/2'], same),
        page('a.test/2', ['a.test/1'], same),
        sample('a.test/3'),
      ])
      const all = await Array.fromAsync(scene.reader.linkedPages(scene.job.id))
      const [first, second, third] = all.map(({ id }) => id)
      assert.deepEqual(all.map(shownPage), [
        'http://a.test/1: http://a.test/2 http://b.test/ http://a.test/2',
        `http://a.test/2 repeats ${first}: `,
        'http://a.test/3: ',
      ])
      const later = await Array.fromAsync(scene.reader.linkedPages(scene.job.id, first))
      assert.deepEqual(
        later.map(({ id }) => id),
        [second, third],
      )
      const asked = scene.reader.linkedPagesOf(scene.job.id, [third!, 999_999, first!])
      assert.deepEqual(
        (await Array.fromAsync(asked)).map(({ id }) => id),
        [third, first],
      )
      assert.deepEqual(await Array.fromAsync(scene.reader.linkedPagesOf(999, [first!])), [])
    },
  )

  promise('crawls in one place do not see each other', async (scene) => {
    const other = await createJob(scene.fixture)
    await using others = await scene.fixture.pages(other)
    await scene.store.save([page('a.test/1', ['a.test/2'])])
    await others.save([page('a.test/2', ['a.test/1']), page('a.test/3', ['a.test/2'])])
    assert.deepEqual(await edgesOf(scene), [])
    assert.equal((await Array.fromAsync(scene.reader.pages(scene.job.id))).length, 1)
    const edges = await Array.fromAsync(scene.reader.edges(other.id))
    assert.equal(edges.length, 1)
  })

  promise('a crawl of many pages is read whole', async (scene) => {
    const count = 2345
    const url = (nth: number) => `a.test/${nth % count}`
    const pages = Array.from({ length: count }, (_, nth) => page(url(nth), [url(nth + 1)]))
    await scene.store.save(pages)
    const read = await Array.fromAsync(scene.reader.pages(scene.job.id))
    assert.deepEqual(
      read.map((page) => page.url),
      pages.map(({ page }) => page.fields.url),
    )
    const edges = await Array.fromAsync(scene.reader.edges(scene.job.id))
    assert.deepEqual(
      edges.map(({ from, to }) => [from, ...to]),
      read.map(({ id }, nth) => [id, read[(nth + 1) % count]?.id]),
    )
  })

  promise('pages with megabytes of links are all read', async (scene) => {
    const long = Array.from({ length: 1500 }, (_, n) => `b.test/${n}/${'x'.repeat(1900)}`)
    const paths = [1, 2, 3, 4, 5]
    await scene.store.save(
      paths.map((n) => page(`a.test/${n}`, [...long, `a.test/${(n % 5) + 1}`])),
    )
    assert.deepEqual(await edgesOf(scene), ['1 → 2', '2 → 3', '3 → 4', '4 → 5', '5 → 1'])
    const ids = (await Array.fromAsync(scene.reader.pages(scene.job.id))).map(({ id }) => id)
    const asked = [...ids.toReversed(), 999_999, ...ids]
    const read = await Array.fromAsync(scene.reader.linkedPagesOf(scene.job.id, asked))
    assert.deepEqual(
      read.map(({ id }) => id),
      asked.filter((id) => id !== 999_999),
    )
  })

  promise('a crawl without links, and one that is not there, have no edges', async (scene) => {
    await scene.store.save([sample('a.test/1'), sample('a.test/2')])
    assert.deepEqual(await edgesOf(scene), [])
    assert.deepEqual(await Array.fromAsync(scene.reader.pages(999)), [])
    assert.deepEqual(await Array.fromAsync(scene.reader.edges(999)), [])
  })
}

function page(url: string, links: readonly Link[], changes: Parameters<typeof sample>[1] = {}) {
  const rows = links.map((link) => {
    const [target, rel] = typeof link === 'string' ? [link, ''] : link
    return [urlFor(target), 'anchor', rel]
  })
  return sample(url, changes, { parts: { links: JSON.stringify(rows) } })
}

function shownPage({ url, duplicateOf, links }: LinkedPage): string {
  const targets: string[] = []
  links.each((text, from, end) => targets.push(text.slice(from, end)))
  return `${url}${duplicateOf === null ? '' : ` repeats ${duplicateOf}`}: ${targets.join(' ')}`
}

async function* redirectsFrom(targets: Readonly<Record<string, string>>): AsyncGenerator<Redirect> {
  for (const [from, to] of Object.entries(targets)) yield { from: urlFor(from), to: urlFor(to) }
}

/** Edges with pages numbered from 1 in the order they were saved. */
async function edgesOf(
  { reader, job }: Scene,
  options?: Parameters<GraphReader['edges']>[1],
): Promise<string[]> {
  const pages = await Array.fromAsync(reader.pages(job.id))
  const first = pages[0]?.id ?? 0
  const shown = ({ from, to, outside }: GraphEdges) =>
    `${from - first + 1} → ${[...to.map((id) => id - first + 1), ...outside].join(' ')}`
  return (await Array.fromAsync(reader.edges(job.id, options))).map(shown)
}

async function createJob(fixture: GraphFixture): Promise<Job> {
  await using jobs = await fixture.jobs()
  const { settings, ...job } = sampleJob()
  return jobs.create({ ...job, settings: { ...settings, maxPages: 10_000 } })
}
