// The link graph: building it, PageRank, degrees and locations, at a hundred thousand pages and a
// million with ten links each; with a data folder also reading the graph of its newest crawl. Each
// size runs in a process of its own, so that memory is its own too. Asserts nothing.
//
// Usage: bench/graph.ts [--quick] [--data FOLDER]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CanonicalUrl, locationOf } from '../src/core/url.ts'
import { collectGraph, GraphBuilder, inDegrees } from '../src/graph/graph.ts'
import { pageRank } from '../src/graph/pagerank.ts'
import { Stream } from '../src/sample-web/random.ts'
import { openSqliteGraphReader, openSqliteJobReader } from '../test/support/stores.ts'

const LINKS = 10
const HOST_PAGES = 1000
/** Most links stay on their host, as in any web; that is what makes PageRank slow to settle. */
const LOCAL = 0.9
const LOCATIONS = 200_000
/** A crawl that grew by this share is ranked again from its earlier ranks. */
const GROWN = 0.01

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, data: { type: 'string' } },
})

if (positionals.length > 0) measure(Number(positionals[0]))
else {
  for (const pages of values.quick ? [100_000] : [100_000, 1_000_000]) {
    spawnSync(process.execPath, [import.meta.filename, String(pages)], { stdio: 'inherit' })
  }
  if (values.data !== undefined) await measureReading(values.data)
}

function measure(pages: number): void {
  const before = process.memoryUsage.rss()
  const builder = new GraphBuilder()
  const adding = timed(() => addEdges(builder, pages))
  const building = timed(() => builder.build(pages))
  const graph = building.result
  const ranking = timed(() => pageRank(graph))
  const peakMb = megabytes(process.resourceUsage().maxRSS * 1024 - before)
  for (let page = 0; page < pages * GROWN; page++) builder.add(pages + page, page)
  const grown = builder.build()
  const again = timed(() => pageRank(grown, { start: ranking.result.ranks }))
  const record = {
    pages,
    edges: graph.edges,
    add_ms: adding.ms,
    build_ms: building.ms,
    pagerank_ms: ranking.ms,
    pagerank_rounds: ranking.result.iterations,
    ns_per_edge_and_round: round((ranking.ms * 1e6) / graph.edges / ranking.result.iterations),
    pagerank_again_rounds: again.result.iterations,
    backlinks_ms: timed(() => inDegrees(graph)).ms,
    location_us: locating(),
    graph_mb: megabytes(graph.offsets.byteLength + graph.targets.byteLength),
    peak_mb: peakMb,
  }
  console.log(JSON.stringify(record))
}

function addEdges(builder: GraphBuilder, pages: number): void {
  const random = new Stream(1)
  for (let edge = 0; edge < pages * LINKS; edge++) {
    const source = random.below(pages)
    const local = random.chance(LOCAL)
    const first = local ? source - (source % HOST_PAGES) : 0
    const among = local ? Math.min(HOST_PAGES, pages - first) : pages
    builder.add(source, first + Math.floor(among * random.next() ** 3))
  }
}

/** Microseconds per URL. */
function locating(): number {
  const urls = Array.from(
    { length: LOCATIONS },
    (_, nth) => `https://www.host-${nth % 997}.co.id/news/${nth % 89}/page-${nth}.html`,
  )
  const locate = () => urls.reduce((sum, url) => sum + locationOf(url as CanonicalUrl), 0)
  locate()
  const { ms } = timed(locate)
  return round((ms * 1000) / LOCATIONS)
}

async function measureReading(dataDir: string): Promise<void> {
  const path = join(dataDir, 'jelajah.db')
  await using jobs = await openSqliteJobReader(path)
  const job = (await jobs?.list())?.[0]
  if (job === undefined) throw new Error(`there is no crawl in ${dataDir}`)
  await using reader = await openSqliteGraphReader(path)
  const start = performance.now()
  const { graph } = await collectGraph(reader.pages(job.id), reader.edges(job.id))
  const readMs = Math.round(performance.now() - start)
  const ranking = timed(() => pageRank(graph))
  console.log()
  console.log(
    JSON.stringify({
      crawl: job.id,
      pages: graph.nodes,
      edges: graph.edges,
      read_ms: readMs,
      pagerank_ms: ranking.ms,
      pagerank_rounds: ranking.result.iterations,
      peak_rss_mb: megabytes(process.resourceUsage().maxRSS * 1024),
    }),
  )
}

function timed<T>(work: () => T): { result: T; ms: number } {
  const start = performance.now()
  const result = work()
  return { result, ms: Math.round(performance.now() - start) }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
