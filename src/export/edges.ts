// The link graph as an edge list: one link per line, `source<TAB>target`, each once. As elsewhere
// (graph-reader.ts), a duplicate is folded onto its original, a URL that redirected to a page counts as that
// page, and links with a rel of nofollow, ugc or sponsored do not count.
import { partRows } from '../core/page.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { isAmong } from '../lib/sorted.ts'
import type { PageNames } from '../store/graph-reader.ts'
import type { WholePage } from '../store/page-reader.ts'
import type { Exporter, ExportJob, Sink } from './exporter.ts'

const UNVOUCHED = /(?:^| )(?:nofollow|ugc|sponsored)(?: |$)/

export const edges: Exporter = {
  name: 'edges',
  about: 'the link graph: a source and a target on each line, as networkx and others read it',
  ends: ['tsv'],
  whats: ['links'],
  takes: ['gzip', 'ids', 'outside'],
  steps: [],
  output: ({ ids }) => (ids ? 'folder' : 'file'),
  async write(job) {
    const list = await job.target.append('edges.tsv')
    const nodes = job.choices.ids ? await job.target.append('nodes.tsv') : null
    const graph = new ExportedGraph(job, await job.ids())
    for await (const page of job.pages({ text: false, parts: ['links'] })) {
      if (nodes !== null) await nodes.write(`${page.id}\t${page.url}\n`)
      await writeEdges(list, page, await graph.targetsOf(page), job)
      await job.settle(page.id)
    }
  },
}

async function writeEdges(
  list: Sink,
  page: WholePage,
  targets: readonly (number | string)[],
  job: ExportJob,
): Promise<void> {
  const source = job.choices.ids ? page.id : page.url
  job.count('edges', targets.length)
  if (targets.length > 0)
    await list.write(targets.map((target) => `${source}\t${target}\n`).join(''))
}

type CrawlNames = {
  readonly names: PageNames
  readonly repeats: ReadonlyMap<number, readonly number[]>
}

class ExportedGraph {
  readonly #job: ExportJob
  /** Ids of the exported pages, sorted: a set of a million would take ten times as much memory. */
  readonly #members: readonly number[]
  readonly #crawls = new Map<number, CrawlNames>()

  constructor(job: ExportJob, members: readonly number[]) {
    this.#job = job
    this.#members = members
  }

  /** Exported pages by URL or id, followed by other URLs if `outside` is chosen; in page order. */
  async targetsOf(page: WholePage): Promise<readonly (number | string)[]> {
    const { names, repeats } = await this.#namesOf(page.crawlId)
    const inside = new Set<number>()
    const outside = new Set<string>()
    for (const url of [...vouchedLinks(page), ...(await this.#linksOfRepeats(page, repeats))]) {
      const id = names.find(url)
      if (id === page.id) continue
      if (id !== undefined && isAmong(this.#members, id)) inside.add(id)
      else outside.add(url)
    }
    const { ids, outside: isWide } = this.#job.choices
    const known = ids ? [...inside] : await this.#urlsOf([...inside])
    return isWide ? [...known, ...outside] : known
  }

  async #urlsOf(ids: readonly number[]): Promise<readonly CanonicalUrl[]> {
    if (ids.length === 0) return []
    const urls = await this.#job.store.urlsOf(ids)
    return ids.map((id) => urls.get(id)).filter((url) => url !== undefined)
  }

  async #linksOfRepeats(page: WholePage, repeats: CrawlNames['repeats']): Promise<string[]> {
    const among = repeats.get(page.id)
    if (among === undefined) return []
    const links: string[] = []
    const filter = { crawlIds: [page.crawlId], duplicates: true, among }
    const needs = { text: false, parts: ['links'] as const }
    for (let after = 0; ; ) {
      const range = { filter, after, upTo: Number.MAX_SAFE_INTEGER }
      const some = await this.#job.store.wholePages(range, needs, 100)
      const last = some.at(-1)
      if (last === undefined) return links
      for (const repeat of some) links.push(...vouchedLinks(repeat))
      after = last.id
    }
  }

  async #namesOf(crawlId: number): Promise<CrawlNames> {
    const known = this.#crawls.get(crawlId)
    if (known !== undefined) return known
    const [names, repeats] = await Promise.all([
      this.#job.names(crawlId),
      this.#job.store.repeatsOf(crawlId),
    ])
    this.#crawls.set(crawlId, { names, repeats })
    return { names, repeats }
  }
}

function vouchedLinks(page: WholePage): string[] {
  return partRows('links', page.parts.links ?? '[]').flatMap(({ url, rel }) => {
    const isVouched = typeof rel !== 'string' || !UNVOUCHED.test(rel)
    return isVouched && typeof url === 'string' ? [url] : []
  })
}
