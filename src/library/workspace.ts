// `openWorkspace()`: what crawls have stored, for other programs. It only reads, also while crawls run, from
// this or any other process.
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { InvalidInput, shown } from '../core/errors.ts'
import type { JobRecord, JobStatus } from '../core/job.ts'
import { PAGE_KINDS, PARTS, type PageKind, type Part } from '../core/page.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import { URL_STATES, type UrlRecord, type UrlState } from '../core/visit.ts'
import { isServerUrl } from '../core/workspace-url.ts'
import { systemClock } from '../lib/clock.ts'
import { given } from '../lib/present.ts'
import type { WorkspaceReads } from '../reads/reads.ts'
import type { WholePage } from '../store/page-reader.ts'
import type { Workspace as StoredWorkspace } from '../workspace/workspace.ts'
import {
  answerOf,
  type LinkGraph,
  type PageEdge,
  type PageNode,
  pageGraphOf,
  type SearchAnswer,
  type SiteEdge,
  type SiteNode,
  siteGraphOf,
  storyOf,
  type UrlStory,
} from './answers.ts'
import {
  type Checks,
  checkFields,
  checkValue,
  count,
  crawlChoice,
  namingOptions,
  oneOf,
  onlyTrue,
  relevance,
  someOf,
  text as someText,
  truth,
} from './check-arguments.ts'
import { type CrawledPage, withFields } from './crawled-page.ts'
import type { ExportRequest } from './export-stream.ts'
import { loadSqliteQuietly } from './quiet-sqlite.ts'

/** Which crawl, by number or name; the newest if it is left out. */
export type CrawlChoice = { readonly crawl?: number | string }

/** Every one of them must hold. Pages that repeat another are left out. */
export type PageQuery = CrawlChoice & {
  readonly host?: string
  /** A language tag: `en` finds `en-GB`. */
  readonly language?: string
  readonly kind?: PageKind
  readonly hot?: true
  readonly minRelevance?: number
  /** Only pages with a larger id: the last one that was read. */
  readonly after?: number
  /** The parts to read with each page. */
  readonly parts?: readonly Part[]
  /** Also the decoded body, where the crawl kept it. */
  readonly html?: boolean
}

export type UrlQuery = CrawlChoice & {
  readonly state?: UrlState
  /** The code of the reason, such as `robots`. */
  readonly reason?: string
}

export type SearchQuery = {
  /** All crawls if it is left out. */
  readonly crawl?: number | string
  readonly host?: string
  readonly language?: string
  readonly kind?: PageKind
  readonly hot?: boolean
  /** Default: 10. */
  readonly limit?: number
  readonly offset?: number
}

export type CrawlRecord = {
  readonly id: number
  readonly name: string
  readonly seeds: readonly string[]
  readonly status: JobStatus
  /** Epoch ms. */
  readonly startedAt: number
  readonly endedAt: number | null
  /** Why it ended, if the status alone does not say it. */
  readonly note: string
}

export type GraphQuery = CrawlChoice & {
  /** The best so many pages or hosts, by PageRank. Default: 1000. */
  readonly top?: number
}

/** The stored crawls of one workspace. Rows come one by one; a reader may stop at any time. */
export interface Workspace extends AsyncDisposable {
  /** The newest first. */
  crawls(): Promise<readonly CrawlRecord[]>
  /** Stored pages by id, with their text. Pages with noindex are left out. */
  pages(query?: PageQuery): AsyncGenerator<WholePage & CrawledPage, void, void>
  /** One page by its URL; null if the crawl has not stored it. */
  page(url: string, choice?: CrawlChoice): Promise<CrawledPage | null>
  /** Every URL that the crawl has seen, in order of discovery. */
  urls(query?: UrlQuery): AsyncGenerator<UrlRecord, void, void>
  /** What became of a URL, and why. */
  explain(url: string, choice?: CrawlChoice): Promise<UrlStory>
  /** Pages that match, the best first. Brings the search index up to date first. */
  search(text: string, query?: SearchQuery): Promise<SearchAnswer>
  /** The link graph between the best pages. */
  graph(query?: GraphQuery & { readonly host?: string }): Promise<LinkGraph<PageNode, PageEdge>>
  /** The link graph between hosts. */
  siteGraph(query?: GraphQuery): Promise<LinkGraph<SiteNode, SiteEdge>>
  /** The bytes of `jelajah export`, in a format that is one file. */
  export(request: ExportRequest): Readable
  close(): Promise<void>
}

const CHOICE: Checks = { crawl: crawlChoice }
const OF_PAGES: Checks = {
  ...{ ...CHOICE, host: someText, language: someText, kind: oneOf(PAGE_KINDS), hot: truth },
}
const PAGE_QUERY: Checks = {
  ...{ ...OF_PAGES, hot: onlyTrue, minRelevance: relevance, after: count(0) },
  ...{ parts: someOf(PARTS), html: truth },
}
const URL_QUERY: Checks = { ...CHOICE, state: oneOf(URL_STATES), reason: someText }
const SEARCH_QUERY: Checks = { ...OF_PAGES, limit: count(0), offset: count(0) }
const SITE_QUERY: Checks = { ...CHOICE, top: count(1) }
const GRAPH_QUERY: Checks = { ...SITE_QUERY, host: someText }

const URL_CHUNK = 1000
const PAGE_CHUNK = 100
const DEFAULT_TOP = 1000
const DEFAULT_HITS = 10
const NEWEST_CRAWLS = 10_000

/** `data`: the folder where crawls live, or the URL of a PostgreSQL. */
export async function openWorkspace(
  data: string,
  options: { readonly frontier?: string | null } = {},
): Promise<Workspace> {
  if (typeof data !== 'string' || data === '') {
    throw new InvalidInput('data', `needs a folder or postgres://…, not ${shown(data)}`)
  }
  checkFields(options, { frontier: (value) => (value === null ? null : someText(value)) })
  const { frontier = null } = options
  if (frontier !== null && !isServerUrl(data)) {
    throw new InvalidInput('frontier', 'is for crawls in a database, not in a folder')
  }
  await loadSqliteQuietly()
  const { openWorkspace: open } = await import('../workspace/open-workspace.ts')
  const { openReadsHere } = await import('../reads/reads.ts')
  const workspace = open({ data: isServerUrl(data) ? data : resolve(data), frontier })
  return new StoredCrawls(workspace, openReadsHere(workspace))
}

class StoredCrawls implements Workspace {
  readonly #workspace: StoredWorkspace
  readonly #reads: WorkspaceReads

  constructor(workspace: StoredWorkspace, reads: WorkspaceReads) {
    this.#workspace = workspace
    this.#reads = reads
  }

  async crawls(): Promise<readonly CrawlRecord[]> {
    await using jobs = await this.#workspace.jobReader()
    const all = (await jobs?.list({ limit: NEWEST_CRAWLS })) ?? []
    return all.map(({ id, name, seeds, status, startedAt, endedAt, note }) => ({
      ...{ id, name, seeds, status, startedAt, endedAt, note },
    }))
  }

  async *pages(query: PageQuery = {}): AsyncGenerator<WholePage & CrawledPage, void, void> {
    checkFields(query, PAGE_QUERY)
    const { crawl, after = 0, parts = [], html = false, ...filter } = query
    const { id } = await this.#job(crawl)
    await using store = await this.#workspace.pageReader()
    let range = { filter: { ...filter, crawlIds: [id] }, after, upTo: Number.MAX_SAFE_INTEGER }
    for (;;) {
      const needs = { parts: [...parts, 'fields' as const], html }
      const pages = await store.wholePages(range, needs, PAGE_CHUNK)
      for (const page of pages) yield withFields(page, page.parts)
      const last = pages.at(-1)
      if (last === undefined) return
      range = { ...range, after: last.id }
    }
  }

  async page(url: string, choice: CrawlChoice = {}): Promise<CrawledPage | null> {
    checkFields(choice, CHOICE)
    const { id } = await this.#job(choice.crawl)
    await using store = await this.#workspace.pageReader()
    const page = await store.findByUrl(id, urlOf(url))
    return page && withFields(page, await store.partsOf(page.id))
  }

  async *urls(query: UrlQuery = {}): AsyncGenerator<UrlRecord, void, void> {
    checkFields(query, URL_QUERY)
    const { crawl, state, reason } = query
    const job = await this.#job(crawl)
    await using urlStates = await this.#workspace.urlStates(job)
    const wanted = given({ state, code: reason })
    for (let after = 0; urlStates !== null; ) {
      const rows = await urlStates.list({ ...wanted, after, limit: URL_CHUNK })
      for (const { position, ...row } of rows) {
        after = position
        yield row
      }
      if (rows.length === 0) return
    }
  }

  async explain(url: string, choice: CrawlChoice = {}): Promise<UrlStory> {
    checkFields(choice, CHOICE)
    const { explain } = await import('../reads/explanation.ts')
    return storyOf(await explain(this.#workspace, await this.#job(choice.crawl), urlOf(url)))
  }

  async search(text: string, query: SearchQuery = {}): Promise<SearchAnswer> {
    checkValue('text', text, someText)
    checkFields(query, SEARCH_QUERY)
    const { crawl, limit = DEFAULT_HITS, offset = 0, ...rest } = query
    const crawlId = crawl === undefined ? undefined : (await this.#job(crawl)).id
    const filter = given({ ...rest, crawlId })
    return answerOf(await this.#reads.search({ text, filter, limit, offset }))
  }

  async graph(
    query: GraphQuery & { readonly host?: string } = {},
  ): Promise<LinkGraph<PageNode, PageEdge>> {
    checkFields(query, GRAPH_QUERY)
    const { crawl, top = DEFAULT_TOP, ...rest } = query
    const { id } = await this.#job(crawl)
    return pageGraphOf(await this.#reads.pageGraph(id, { top, ...rest }))
  }

  async siteGraph(query: GraphQuery = {}): Promise<LinkGraph<SiteNode, SiteEdge>> {
    checkFields(query, SITE_QUERY)
    const { crawl, top = DEFAULT_TOP } = query
    const { id } = await this.#job(crawl)
    return siteGraphOf(await this.#reads.siteGraph(id, { top }))
  }

  export(request: ExportRequest): Readable {
    const workspace = this.#workspace
    const write = async function* (): AsyncGenerator<Uint8Array, void, void> {
      const { exportStream } = await import('./export-stream.ts')
      yield* exportStream(workspace, request, systemClock)
    }
    return Readable.from(write(), { objectMode: false })
  }

  async close(): Promise<void> {
    await this.#reads[Symbol.asyncDispose]()
    await this.#workspace[Symbol.asyncDispose]()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #job(crawl: number | string | undefined): Promise<JobRecord> {
    const { chooseCrawl } = await import('../workspace/find-crawl.ts')
    return namingOptions(() =>
      chooseCrawl(this.#workspace, crawl === undefined ? null : String(crawl)),
    )
  }
}

function urlOf(written: string): CanonicalUrl {
  const url = typeof written === 'string' ? canonicalise(written) : null
  if (url !== null) return url
  throw new InvalidInput('url', `${shown(written)} is not an http or https URL`)
}
