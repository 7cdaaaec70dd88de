// What a crawl has stored, as far as it is measured.
import { hostOf } from '../core/url.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { rounded, type SiteRow } from './experiment.ts'

/** A stored page; times in milliseconds since the start of the crawl. */
export type CrawledPage = {
  readonly url: string
  readonly host: string
  readonly atMs: number
  readonly fetchMs: number
  readonly parseMs: number
  /** From the fetch of the page where its URL was found to its own request; null for seeds. */
  readonly queueMs: number | null
  readonly hot: boolean
  readonly judged: boolean
}

export type CrawledCell = {
  /** In the order of their fetches. */
  readonly pages: readonly CrawledPage[]
  readonly sites: readonly SiteRow[]
  readonly parserThreads: number
  readonly maxPages: number
}

type Known = {
  readonly seeds: readonly string[]
  /** True sizes of hosts; null: what the crawl knows of them. */
  readonly sizes: Readonly<Record<string, number>> | null
}

const AT_ONCE = 500

export async function readCrawl(workspace: Workspace, known: Known): Promise<CrawledCell> {
  const job = await chooseCrawl(workspace, null)
  await using urlStates = await workspace.urlStates(job)
  const urls = urlStates === null ? NO_URLS : await readUrls(urlStates)
  const pages = await readPages(workspace, job.id, { startedAt: job.startedAt, ...urls })
  const { parserThreads, maxPages } = job.settings
  return { pages, sites: sitesOf(pages, urls.waiting, known), parserThreads, maxPages }
}

type Urls = {
  /** URL → the page where it was found. */
  readonly foundOn: ReadonlyMap<string, string>
  /** Host → URLs that wait. */
  readonly waiting: ReadonlyMap<string, number>
}

const NO_URLS: Urls = { foundOn: new Map(), waiting: new Map() }

async function readUrls(urlStates: UrlStates): Promise<Urls> {
  const foundOn = new Map<string, string>()
  const waiting = new Map<string, number>()
  for (let after = 0; ; ) {
    const rows = await urlStates.list({ after, limit: AT_ONCE })
    for (const { url, host, state, foundOn: from, position } of rows) {
      after = position
      if (state === 'stored' && from !== null) foundOn.set(url, from)
      if (state === 'queued' || state === 'leased') waiting.set(host, (waiting.get(host) ?? 0) + 1)
    }
    if (rows.length === 0) return { foundOn, waiting }
  }
}

async function readPages(
  workspace: Workspace,
  crawlId: number,
  { startedAt, foundOn }: { readonly startedAt: number; readonly foundOn: Urls['foundOn'] },
): Promise<CrawledPage[]> {
  await using reader = await workspace.pageReader()
  const found: Omit<CrawledPage, 'queueMs'>[] = []
  for (let after = 0; ; ) {
    const rows = await reader.list({ crawlId, after, limit: AT_ONCE })
    for (const { id, url, fetchedAt, fetchMs, parseMs, hot, relevance, duplicateOf } of rows) {
      after = id
      if (duplicateOf !== null) continue
      const atMs = Math.max(0, fetchedAt - startedAt)
      found.push({
        ...{ url, host: hostOf(url), atMs, fetchMs, parseMs, hot, judged: relevance !== null },
      })
    }
    if (rows.length === 0) break
  }
  const fetchedAt = new Map(found.map(({ url, atMs }) => [url, atMs]))
  const inOrder = found.sort((a, b) => a.atMs - b.atMs)
  return inOrder.map((page) => {
    const from = fetchedAt.get(foundOn.get(page.url) ?? '')
    const queueMs = from === undefined ? null : Math.max(0, page.atMs - page.fetchMs - from)
    return { ...page, queueMs }
  })
}

/** Seeds first, in their order; other hosts after them, by name. */
function sitesOf(
  pages: readonly CrawledPage[],
  waiting: Urls['waiting'],
  { seeds, sizes }: Known,
): SiteRow[] {
  const byHost = Map.groupBy(pages, ({ host }) => host)
  const seedHosts = [...new Set(seeds.map((seed) => new URL(seed).host))]
  const others = [...byHost.keys()].filter((host) => !seedHosts.includes(host)).sort()
  return [...seedHosts, ...others].map((host, at) => {
    const own = byHost.get(host) ?? []
    const half = own[Math.ceil(own.length / 2) - 1]
    return {
      // The port of a sample web is another one each time.
      host: sizes === null ? host : host.replace(/:\d+$/, ''),
      seedPosition: at < seedHosts.length ? at + 1 : null,
      size: sizes?.[host] ?? own.length + (waiting.get(host) ?? 0),
      pages: own.length,
      halfAt: half === undefined ? null : rounded(half.atMs / 1000),
    }
  })
}
