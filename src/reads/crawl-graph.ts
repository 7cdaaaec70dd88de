// The link graph of a crawl as maps need it: ranks, hosts, both directions. A crawl of a million links
// takes seconds to read, so graphs are kept, as many as a limit of links allows. While a crawl grows its
// graph is read again only after ten times as long as that takes: readers cost a tenth at most.
import { CrawlerError } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import { hostOf } from '../core/url.ts'
import { type Measured, type MeasureOptions, measure } from '../crawl/importance.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { type Graph, reversed } from '../graph/graph.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { CrawlHere, WorkspaceFiles } from './workspace-files.ts'

export type CrawlGraph = Measured & {
  /** The same links backwards: the nodes that link to a node. */
  readonly back: Graph
  /** Nodes by PageRank, best first, equal ones by id. */
  readonly ranked: Uint32Array
  /** Names of hosts, in the order their first pages came; a node's host as a place in them. */
  readonly hosts: readonly string[]
  readonly hostAt: Uint32Array
  /** The node of a page; undefined when it has none. */
  readonly nodeOf: (id: number) => number | undefined
}

type Kept = {
  readonly graph: CrawlGraph
  /** What it was made from: equal as long as nothing was stored since. */
  readonly state: string
  readonly madeAt: number
  readonly tookMs: number
}

/** Limit for all graphs that are kept, and for one: 8 bytes a link for both directions, 16 while it is read. */
const MAX_LINKS = 20_000_000
const REST_FACTOR = 10

export class CrawlGraphs {
  readonly #files: WorkspaceFiles
  readonly #clock: Clock
  /** The one used last stands last. */
  readonly #kept = new Map<number, Kept>()

  constructor(files: WorkspaceFiles, clock: Clock = systemClock) {
    this.#files = files
    this.#clock = clock
  }

  /** Null when there is no such crawl. */
  async of(crawlId: number): Promise<CrawlGraph | null> {
    const crawl = await this.#files.crawl(crawlId)
    const known = this.#kept.get(crawlId)
    this.#kept.delete(crawlId)
    if (crawl === null) return null
    const kept = known !== undefined && (await this.#lasts(crawl, known)) ? known : null
    const now = kept ?? (await this.#make(crawl))
    this.#kept.set(crawlId, now)
    this.#forgetOldest()
    return now.graph
  }

  async #lasts(crawl: CrawlHere, { state, madeAt, tookMs }: Kept): Promise<boolean> {
    // A clock that was set back must not make it last for ever.
    if (Math.abs(this.#clock.now() - madeAt) < REST_FACTOR * tookMs) return true
    return state === (await stateOf(crawl))
  }

  async #make(crawl: CrawlHere): Promise<Kept> {
    const startedAt = this.#clock.now()
    const state = await stateOf(crawl)
    const graph = await readGraph(this.#files, crawl, { firstLinks: MAX_LINKS })
    const madeAt = this.#clock.now()
    return { graph, state, madeAt, tookMs: madeAt - startedAt }
  }

  #forgetOldest(): void {
    let links = 0
    for (const { graph } of this.#kept.values()) links += graph.edges
    for (const [crawlId, { graph }] of this.#kept) {
      if (links <= MAX_LINKS || this.#kept.size === 1) return
      this.#kept.delete(crawlId)
      links -= graph.edges
    }
  }
}

async function stateOf({ job, store }: CrawlHere): Promise<string> {
  const { stored, duplicates } = await store.pages.totals(job.id)
  // A recrawl may change pages without changing a count; its end moves then.
  return `${stored} ${duplicates} ${await store.pages.lastIdOf(job.id)} ${job.endedAt}`
}

/** The graph as it is now. */
export async function readGraph(
  files: WorkspaceFiles,
  { job, store }: CrawlHere,
  options: Pick<MeasureOptions, 'firstLinks'> = {},
): Promise<CrawlGraph> {
  const places = new Map<string, number>()
  const hostAt: number[] = []
  await using urlStates = await readableUrlStates(files, job)
  const measured = await measure(store.graph, job.id, {
    ...options,
    urlStates,
    note: ({ url }) => {
      const host = hostOf(url)
      const place = places.get(host) ?? places.size
      places.set(host, place)
      hostAt.push(place)
    },
  })
  return {
    ...measured,
    back: reversed(measured.graph),
    ranked: rankedNodes(measured.metrics.pagerank),
    hosts: [...places.keys()],
    hostAt: Uint32Array.from(hostAt),
    nodeOf: (id) => nodeOf(measured.ids, id),
  }
}

/** Nodes are numbered by id, so that equal ranks stay in the order of their ids. */
function rankedNodes(ranks: Float64Array): Uint32Array {
  const nodes = Uint32Array.from(ranks.keys())
  return nodes.sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b)
}

/** Ids grow from node to node: a binary search spares a map of them all. */
function nodeOf(ids: readonly number[], id: number): number | undefined {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id ? low : undefined
}

/** Null also when the frontier is damaged or of another version: the graph can do without. */
async function readableUrlStates(files: WorkspaceFiles, job: JobRecord): Promise<UrlStates | null> {
  try {
    return await files.urlStates(job)
  } catch (error) {
    if (error instanceof CrawlerError) return null
    throw error
  }
}
