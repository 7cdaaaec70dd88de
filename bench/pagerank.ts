// PageRank at scale: a million pages with ten million links whose targets are as unequal as on the web
// (the n-th most linked page has about 1/n of the links of the first). Two ways to it, each in a process of
// its own so that the peak of memory is its own too: a graph that is read at once, and one that grows
// page by page, as beside a running crawl; then one per cent more pages, ranked from the last ranks.
// Asserts nothing.
//
// Usage: bench/pagerank.ts [--pages N] [--links N]
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { GraphBuilder } from '../src/graph/graph.ts'
import { GrowingGraph } from '../src/graph/growing-graph.ts'
import { type PageRanks, pageRank } from '../src/graph/pagerank.ts'
import { Stream } from '../src/sample-web/random.ts'
import { megabytes, round } from './timed.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '1000000' },
    links: { type: 'string', default: '10' },
  },
})
const pages = Number(values.pages)
const links = Number(values.links)
/** What comes later: pages that link to all others and are linked to by a few. */
const later = Math.ceil(pages * 0.01)

if (positionals[0] === 'at once') measureAtOnce()
else if (positionals[0] === 'growing') measureGrowing()
else {
  for (const way of ['at once', 'growing']) {
    const args = [import.meta.filename, way, '--pages', values.pages, '--links', values.links]
    spawnSync(process.execPath, args, { stdio: 'inherit' })
  }
}

function measureAtOnce(): void {
  const random = new Stream(1)
  const builder = new GraphBuilder()
  const adding = timed(() => {
    for (let page = 0; page < pages; page++) {
      for (let nth = 0; nth < links; nth++) builder.add(page, targetOf(random, pages))
    }
  })
  const building = timed(() => builder.build(pages))
  const ranking = timed(() => pageRank(building.result))
  const peak = peakMb()
  for (let page = pages; page < pages + later; page++) {
    for (let nth = 0; nth < links; nth++) builder.add(page, targetOf(random, pages + later))
    builder.add(random.below(pages), page)
  }
  const grown = builder.build(pages + later)
  const again = timed(() => pageRank(grown, { start: ranking.result.ranks }))
  const spent = { add_ms: adding.ms, build_ms: building.ms }
  tell('at once', building.result.edges, { spent, ranking, again, peak })
}

function measureGrowing(): void {
  const random = new Stream(1)
  const growing = new GrowingGraph()
  const adding = timed(() => addPages(growing, random, 0, pages))
  const building = timed(() => growing.graph())
  const edges = building.result.graph.edges
  const ranking = timed(() => growing.ranks())
  const peak = peakMb()
  const addingLater = timed(() => addPages(growing, random, pages, pages + later))
  const again = timed(() => growing.ranks())
  const spent = { add_ms: adding.ms, build_ms: building.ms, add_later_ms: addingLater.ms }
  tell('growing', edges, { spent, ranking, again, peak })
}

function addPages(growing: GrowingGraph, random: Stream, from: number, to: number): void {
  for (let page = from; page < to; page++) {
    const urls = Array.from({ length: links }, () => urlOf(targetOf(random, to)))
    growing.add({
      ...{ id: page + 1, url: urlOf(page), duplicateOf: null },
      links: {
        each(visit) {
          for (const url of urls) visit(url, 0, url.length)
        },
      },
    })
  }
}

function urlOf(page: number): string {
  return `https://host-${page % 997}.example/section/${page % 89}/page-${page}.html`
}

/** By Zipf's law: exponentially distributed logarithms. */
function targetOf(random: Stream, among: number): number {
  return Math.min(among - 1, Math.floor(among ** random.next()) - 1)
}

type Ranking = { readonly result: PageRanks; readonly ms: number }

type Measured = {
  readonly spent: Readonly<Record<string, number>>
  readonly ranking: Ranking
  readonly again: Ranking
  /** Until the first ranks were there. */
  readonly peak: number
}

function tell(way: string, edges: number, { spent, ranking, again, peak }: Measured): void {
  const { iterations } = ranking.result
  const record = {
    ...{ way, pages, edges, ...spent },
    pagerank_ms: ranking.ms,
    rounds: iterations,
    ns_per_edge_and_round: round((ranking.ms * 1e6) / edges / iterations),
    one_per_cent_more_ms: again.ms,
    one_per_cent_more_rounds: again.result.iterations,
    peak_rss_mb: peak,
    peak_rss_mb_at_the_end: peakMb(),
  }
  console.log(JSON.stringify(record))
}

function peakMb(): number {
  return megabytes(process.resourceUsage().maxRSS * 1024)
}

/** Processor time, so that a busy machine counts less. */
function timed<T>(work: () => T): { result: T; ms: number } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, ms: Math.round((user + system) / 1000) }
}
