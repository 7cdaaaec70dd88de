import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import type { Job } from '../core/job.ts'
import { GraphBuilder, reversed } from '../graph/graph.ts'
import { ManualClock } from '../lib/clock.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { CrawlGraphs } from './crawl-graph.ts'
import { edgesAmong, MAX_EDGES } from './maps.ts'
import { openReadsHere } from './reads.ts'
import { WorkspaceFiles } from './workspace-files.ts'

type Web = Readonly<Record<string, readonly string[]>>

async function openFixture(web: Web) {
  const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-maps-'))
  await using jobs = await openSqliteJobStore(storePath(dataDir))
  const job = await jobs.create(sampleJob())
  await save(dataDir, job, web)
  return {
    dataDir,
    job,
    save: (more: Web) => save(dataDir, job, more),
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true }),
  }
}

async function save(dataDir: string, job: Job, web: Web): Promise<void> {
  await using store = await openSqlitePageStore({ path: storePath(dataDir), job })
  const pages = Object.entries(web).map(([url, targets], n) => {
    const links = targets.map((target) => [urlFor(target), `to ${target}`, ''])
    const changes = { hot: n === 0, relevance: n === 0 ? 0.5 : null }
    return sample(url, changes, { parts: { links: JSON.stringify(links) } })
  })
  await store.save(pages)
}

const WEB: Web = {
  'a.test/1': ['a.test/2', 'b.test/1', 'b.test/2'],
  'a.test/2': ['b.test/1'],
  'b.test/1': ['a.test/1'],
  'b.test/2': ['c.test/1', 'b.test/1'],
  'c.test/1': [],
}

test('the site map adds pages, ranks and links up by host', async () => {
  using fixture = await openFixture(WEB)
  await using reads = openReadsHere(workspaceOf({ dataDir: fixture.dataDir }))
  const { nodes, edges, ...totals } = await reads.siteGraph(fixture.job.id, { top: 9 })
  const shown = nodes
    .toSorted((a, b) => a.id - b.id)
    .map(({ host, pages, hot, relevance, in: from, out }) => [
      host,
      pages,
      hot,
      relevance,
      from,
      out,
    ])
  assert.deepEqual(shown, [
    ['a.test', 2, 1, 0.5, 1, 1],
    ['b.test', 2, 0, null, 1, 2],
    ['c.test', 1, 0, null, 1, 0],
  ])
  assert.ok(Math.abs(nodes.reduce((sum, { pagerank }) => sum + pagerank, 0) - 1) < 1e-9)
  const links = edges.map(({ source, target, links }) => `${source} → ${target}: ${links}`).sort()
  assert.deepEqual(links, ['0 → 1: 3', '1 → 0: 1', '1 → 2: 1'])
  assert.deepEqual(totals, { total_nodes: 3, total_edges: 3 })
  const best = await reads.siteGraph(fixture.job.id, { top: 1 })
  assert.deepEqual([best.nodes.length, best.edges, best.total_nodes], [1, [], 3])
})

test('the map of one host has its pages alone, and counts no others', async () => {
  using fixture = await openFixture(WEB)
  await using reads = openReadsHere(workspaceOf({ dataDir: fixture.dataDir }))
  const map = await reads.pageGraph(fixture.job.id, { top: 9, host: 'b.test' })
  assert.deepEqual(map.nodes.map(({ url }) => url).sort(), ['http://b.test/1', 'http://b.test/2'])
  assert.deepEqual([map.edges.length, map.total_nodes, map.total_edges], [1, 2, 1])
  const none = await reads.pageGraph(fixture.job.id, { top: 9, host: 'z.test' })
  assert.deepEqual(none, { nodes: [], edges: [], total_nodes: 0, total_edges: 0 })
})

test('without importance that was computed, rank is of the graph as it is now', async () => {
  using fixture = await openFixture(WEB)
  await using reads = openReadsHere(workspaceOf({ dataDir: fixture.dataDir }))
  const { pages } = await reads.rank(fixture.job.id, { limit: 2 })
  assert.deepEqual(
    pages.map(({ url }) => url),
    ['http://a.test/1', 'http://b.test/1'],
  )
})

test('links in are reported with the words of the links, of a duplicate those of its original', async () => {
  using fixture = await openFixture(WEB)
  await using store = await openSqlitePageStore({
    path: storePath(fixture.dataDir),
    job: fixture.job,
  })
  const contentHash = 'hash of b.test/1'
  const [twin] = await store.save([sample('d.test/twin', { contentHash })])
  assert.ok(twin?.outcome === 'duplicate')
  await using reads = openReadsHere(workspaceOf({ dataDir: fixture.dataDir }))
  const { total, pages } = await reads.linksIn(fixture.job.id, twin.id)
  assert.equal(total, 3)
  assert.ok(pages.every(({ anchor }) => anchor === 'to b.test/1'))
})

test('of too many edges every node keeps its share, and never more come than can be drawn', () => {
  const builder = new GraphBuilder()
  const nodes = 400
  for (let from = 0; from < nodes; from++) {
    for (let to = 0; to < nodes; to++) builder.add(from, to)
  }
  const graph = builder.build(nodes)
  const back = reversed(graph)
  const best = Uint32Array.from({ length: nodes }, (_, n) => nodes - 1 - n)
  const edges = [...edgesAmong({ graph, back }, best)]
  assert.equal(edges.length, MAX_EDGES)
  assert.equal(new Set(edges.map(String)).size, MAX_EDGES, 'each once')
  assert.deepEqual(edges.slice(0, 2).map(String).sort(), [
    `${nodes - 2},${nodes - 1}`,
    `${nodes - 1},${nodes - 2}`,
  ])
  assert.equal(new Set(edges.flat()).size, nodes)
  const few = [...edgesAmong({ graph, back }, best, 3)]
  assert.equal(few.length, 3)
})

test('of many edges a node keeps those that tell it from others', () => {
  const builder = new GraphBuilder()
  // Node 0 is linked from all, and each other node from the one after it.
  const nodes = 50
  for (let from = 1; from < nodes; from++) {
    builder.add(from, 0)
    if (from > 1) builder.add(from, from - 1)
  }
  const graph = builder.build(nodes)
  const back = reversed(graph)
  const best = Uint32Array.from({ length: nodes }, (_, n) => n)
  const edges = [...edgesAmong({ graph, back }, best, nodes)]
  const chained = edges.filter(([from, to]) => to === from - 1)
  assert.ok(chained.length >= nodes - 2, `${chained.length}`)
})

test('a graph is kept while nothing is stored, and read again when something was', async () => {
  using fixture = await openFixture(WEB)
  await using files = new WorkspaceFiles(workspaceOf({ dataDir: fixture.dataDir }))
  const clock = new ManualClock()
  const graphs = new CrawlGraphs(files, clock)
  const first = await graphs.of(fixture.job.id)
  assert.equal(await graphs.of(fixture.job.id), first)
  await fixture.save({ 'd.test/1': ['a.test/1'] })
  const second = await graphs.of(fixture.job.id)
  assert.deepEqual([first?.pages, second?.pages], [5, 6])
  assert.equal(await graphs.of(999), null)
})

test('a graph that took long to read is not read again at once', async () => {
  using fixture = await openFixture(WEB)
  await using files = new WorkspaceFiles(workspaceOf({ dataDir: fixture.dataDir }))
  // Each look at the clock is a second later: reading seems to take one.
  const clock = new ManualClock()
  const slow = {
    now: () => {
      clock.advance(1000)
      return clock.now()
    },
  }
  const graphs = new CrawlGraphs(files, slow)
  const first = await graphs.of(fixture.job.id)
  await fixture.save({ 'd.test/1': ['a.test/1'] })
  assert.equal(await graphs.of(fixture.job.id), first)
  clock.advance(10_000)
  assert.equal((await graphs.of(fixture.job.id))?.pages, 6)
})
