import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlFor } from '../../test/contract/sample-page.ts'
import { type StoredPageOf, storeCrawl } from '../../test/simulate/stored-crawl.ts'
import { openSqliteGraphReader, openSqlitePageReader } from '../../test/support/stores.ts'
import type { ReplayWorld } from './replay-world.ts'
import { loadStoredWorld, type StoredCrawl } from './stored-world.ts'
import { reachableFrom } from './truth-file.ts'

async function withWorld(
  pages: readonly StoredPageOf[],
  more: Partial<StoredCrawl>,
  body: (world: ReplayWorld) => Promise<void>,
): Promise<void> {
  using folder = await storeCrawl(pages)
  const { path, crawlId } = folder
  await using reader = await openSqlitePageReader(path)
  await using graph = await openSqliteGraphReader(path)
  const crawl = { crawlId, pages: reader, graph, redirects: [], dead: [], ...more }
  await body(await loadStoredWorld(crawl))
}

const PAGES: readonly StoredPageOf[] = [
  {
    url: 'a.test/',
    links: [
      ['a.test/1', 'one', '', 'before … after'],
      ['b.test/copy', 'a copy', ''],
      ['a.test/moved', 'moved', ''],
      ['gone.test/', 'gone', ''],
    ],
  },
  { url: 'a.test/1', links: [['a.test/', 'home', '']] },
  { url: 'b.test/', links: [['a.test/2', 'two', '']], same: 'twin' },
  { url: 'b.test/copy', links: [['a.test/3', 'three', '']], same: 'twin' },
  { url: 'a.test/2', links: [] },
  { url: 'a.test/3', links: [] },
]

test('a page that repeats another is that one, with its links', async () => {
  await withWorld(PAGES, {}, async (world) => {
    assert.equal(world.alive, 5)
    assert.equal(world.find(urlFor('b.test/copy')), world.find(urlFor('b.test/')))
    const { text, links } = await world.read(2)
    assert.deepEqual(
      links.map(({ to, anchor }) => [world.urls[to], anchor]),
      [['http://a.test/2', 'two']],
    )
    assert.deepEqual(text.anchors, ['two'])
    assert.deepEqual(await world.readLinks(2), links)
  })
})

test('links come with their words; those that lead out of the crawl are none', async () => {
  await withWorld(PAGES, {}, async (world) => {
    const { text, links } = await world.read(0)
    assert.deepEqual(links, [
      { to: 1, anchor: 'one', context: 'before … after' },
      { to: 2, anchor: 'a copy', context: '' },
    ])
    assert.equal(text.title, 'Title of a.test/')
    assert.deepEqual(text.anchors, ['one', 'a copy', 'moved', 'gone'])
  })
})

test('a URL that redirects is the page it led to, also over several hops', async () => {
  const redirects = [
    { from: urlFor('a.test/moved'), to: urlFor('a.test/again') },
    { from: urlFor('a.test/again'), to: urlFor('a.test/2') },
    { from: urlFor('a.test/x'), to: urlFor('a.test/y') },
    { from: urlFor('a.test/y'), to: urlFor('a.test/x') },
  ]
  await withWorld(PAGES, { redirects }, async (world) => {
    const two = world.find(urlFor('a.test/2'))
    assert.equal(world.find(urlFor('a.test/moved')), two)
    assert.equal(world.find(urlFor('a.test/x')), undefined)
    assert.deepEqual(
      (await world.readLinks(0)).map(({ to }) => to),
      [1, 2, two],
    )
  })
})

test('dead URLs are numbered behind the pages and have no rank', async () => {
  await withWorld(PAGES, { dead: [urlFor('gone.test/'), urlFor('a.test/1')] }, async (world) => {
    assert.deepEqual([world.alive, world.pages], [5, 6])
    assert.equal(world.find(urlFor('gone.test/')), 5)
    assert.equal(world.pagerank[5], 0)
    assert.ok(Math.abs(world.pagerank.reduce((sum, rank) => sum + rank, 0) - 1) < 1e-9)
    assert.deepEqual(
      (await world.readLinks(0)).map(({ to }) => to),
      [1, 2, 5],
    )
    assert.equal(reachableFrom([0], world.links)[5], 1)
  })
})

test('hosts and sites are numbered as they come, and hot is known where a topic judged', async () => {
  await withWorld(PAGES, {}, async (world) => {
    assert.deepEqual([...world.hostOf], [0, 0, 1, 0, 0])
    assert.equal(world.hot, null)
    assert.deepEqual([...reachableFrom([1], world.links)], [1, 1, 1, 1, 0])
    assert.deepEqual([...reachableFrom([3], world.links)], [0, 0, 0, 1, 0])
  })
  const judged = PAGES.map((page) => ({ ...page, relevance: 0.9 }))
  await withWorld(judged, {}, async (world) => assert.equal(world.hot?.length, 5))
})

test('a crawl without pages is an empty world', async () => {
  await withWorld([], {}, async (world) => assert.deepEqual([world.alive, world.pages], [0, 0]))
})
