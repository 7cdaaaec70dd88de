// The importance of a crawl's pages, computed from its link graph when the crawl ends.
import { setImmediate } from 'node:timers/promises'
import { InvalidInput } from '../core/errors.ts'
import type { ImportanceWeights } from '../core/importance.ts'
import { canonicalise, locationOf } from '../core/url.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { collectGraph, type Graph, inDegrees } from '../graph/graph.ts'
import { importanceOf, type PageMetrics } from '../graph/importance.ts'
import { pageRankInTurns } from '../graph/pagerank.ts'
import { showNumber } from '../lib/format.ts'
import { given } from '../lib/present.ts'
import type {
  GraphEdges,
  GraphPage,
  GraphReader,
  PageNames,
  Redirect,
} from '../store/graph-reader.ts'
import type { PageImportance } from '../store/importance-store.ts'
import type { Workspace } from '../workspace/workspace.ts'

const CHUNK = 1000

type Refreshed = {
  readonly pages: number
  /** Links between stored pages, each pair of pages once. */
  readonly edges: number
  /** Iterations of PageRank. */
  readonly iterations: number
}

/** The link graph of a crawl, with the results for each page, by node. */
export type Measured = Refreshed & {
  readonly graph: Graph
  readonly ids: readonly number[]
  readonly metrics: PageMetrics
  readonly names: PageNames
}

export type MeasureOptions = {
  /** Resolves redirects of URLs that are no pages; null if there is no frontier. */
  readonly urlStates: UrlStates | null
  /** As in `RefreshOptions`. */
  readonly maxLinks?: number
  /** Reads at most this many links, those of the first pages; all if left out. */
  readonly firstLinks?: number
  /** Stops the work. */
  readonly signal?: AbortSignal
  /** Called for each page with its node. */
  readonly note?: (page: GraphPage, node: number) => void
}

type RefreshOptions = {
  /** Pages at or above this are marked as hot; if left out, the marks do not change. */
  readonly hotThreshold?: number
  /** Throws RangeError if there are more; without it the graph may be of any size. */
  readonly maxLinks?: number
  /** Stops the work; then nothing has changed. */
  readonly signal?: AbortSignal
}

export async function refreshImportance(
  workspace: Workspace,
  crawlId: number,
  weights: ImportanceWeights,
  { maxLinks, signal, ...options }: RefreshOptions = {},
): Promise<Refreshed> {
  await using urlStates = await urlStatesOf(workspace, crawlId)
  await using reader = await workspace.graphReader()
  const limits = given({ maxLinks, signal })
  const measured = await measure(reader, crawlId, { urlStates, ...limits })
  const { ids, metrics, pages, edges, iterations } = measured
  await using store = await workspace.importanceStore()
  const rows = rowsOf(ids, metrics, importanceOf(metrics, weights))
  await store.replace(crawlId, rows, options)
  return { pages, edges, iterations }
}

/** The number of pages at or above the threshold. Reads only. */
export async function countHot(
  workspace: Workspace,
  crawlId: number,
  { weights, threshold }: { readonly weights: ImportanceWeights; readonly threshold: number },
): Promise<number> {
  await using urlStates = await urlStatesOf(workspace, crawlId)
  await using reader = await workspace.graphReader()
  const { metrics } = await measure(reader, crawlId, { urlStates })
  return importanceOf(metrics, weights).filter((importance) => importance >= threshold).length
}

async function urlStatesOf(workspace: Workspace, crawlId: number): Promise<UrlStates | null> {
  await using jobs = await workspace.jobReader()
  const job = (await jobs?.get(crawlId)) ?? null
  if (job === null)
    throw new InvalidInput('--crawl', `there is no crawl ${crawlId} in ${workspace.shown}`)
  return workspace.urlStates(job)
}

export async function measure(
  reader: GraphReader,
  crawlId: number,
  { urlStates, maxLinks = Infinity, firstLinks = Infinity, signal, note }: MeasureOptions,
): Promise<Measured> {
  const pauses = new Pauses(signal)
  const similarity: number[] = []
  const location: number[] = []
  const names = await reader.names(crawlId, redirectsOf(urlStates))
  const read = pauses.between(reader.edges(crawlId, { names }))
  const edges = upTo(
    firstLinks,
    upTo(maxLinks, read, () => {
      throw tooLarge(maxLinks, 'link')
    }),
  )
  const pages = pauses.between(reader.pages(crawlId))
  const { graph, ids } = await collectGraph(pages, edges, (page, node) => {
    similarity.push(page.relevance ?? Number.NaN)
    location.push(locationOf(page.url))
    note?.(page, node)
  })
  const { ranks, iterations } = await pageRankInTurns(graph, () => pauses.take())
  const metrics = {
    similarity: Float64Array.from(similarity),
    backlinks: inDegrees(graph),
    pagerank: ranks,
    location: Float64Array.from(location),
  }
  return { graph, ids, metrics, names, pages: graph.nodes, edges: graph.edges, iterations }
}

/** The first so many links; `onMore` is called if there are more. */
async function* upTo(
  maxLinks: number,
  edges: AsyncIterable<GraphEdges>,
  onMore?: () => never,
): AsyncGenerator<GraphEdges> {
  let links = 0
  for await (const some of edges) {
    links += some.to.length
    if (links > maxLinks) return onMore?.()
    yield some
  }
}

export function tooLarge(most: number, what: string): RangeError {
  const crawl = `this crawl has more than ${showNumber(most, what)}`
  return new RangeError(`${crawl}; continue it with --importance to have it all the same`)
}

/** Without redirects, a site that moved to https or adds a slash would have no links at all. */
export async function* redirectsOf(urlStates: UrlStates | null): AsyncGenerator<Redirect> {
  if (urlStates === null || (await urlStates.counts()).redirected === 0) return
  for (let after = 0; ; ) {
    const found = await urlStates.list({ after, limit: CHUNK, state: 'redirected' })
    for (const { url, reason } of found) {
      const to = canonicalise(reason)
      if (to !== null) yield { from: url, to }
    }
    const last = found.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

function* rowsOf(
  ids: readonly number[],
  { similarity, backlinks, pagerank, location }: PageMetrics,
  importance: Float64Array,
): Generator<PageImportance> {
  for (const [node, pageId] of ids.entries()) {
    const known = similarity[node] ?? Number.NaN
    yield {
      pageId,
      similarity: Number.isNaN(known) ? null : known,
      backlinks: backlinks[node] ?? 0,
      pagerank: pagerank[node] ?? 0,
      location: location[node] ?? 0,
      importance: importance[node] ?? 0,
    }
  }
}

/** Time between two pauses. */
const WORK_MS = 50

/** For long work that would block a process: it yields from time to time, and stops when asked to. */
class Pauses {
  readonly #signal: AbortSignal | undefined
  #last = performance.now()

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Yields if it is time to; throws the signal's reason if it was aborted. */
  async take(): Promise<void> {
    if (performance.now() - this.#last < WORK_MS) return
    await setImmediate()
    this.#signal?.throwIfAborted()
    this.#last = performance.now()
  }

  /** The same list, with a pause between two members if it is time for one. */
  async *between<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
    this.#signal?.throwIfAborted()
    for await (const each of list) {
      await this.take()
      yield each
    }
  }
}
