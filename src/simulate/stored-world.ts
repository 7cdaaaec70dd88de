// A stored crawl as a world to crawl again. The graph is read once and kept as numbers; texts and anchors
// stay in the store and are read page by page, so that memory grows only with the number of links.
import { CrawlerError } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { type Graph, GraphBuilder } from '../graph/graph.ts'
import type { GraphReader, Redirect } from '../store/graph-reader.ts'
import type { PageReader } from '../store/page-reader.ts'
import {
  type ContentLink,
  measureWorld,
  type PageContent,
  type ReplayWorld,
} from './replay-world.ts'

export type StoredCrawl = {
  readonly crawlId: number
  readonly pages: PageReader
  readonly graph: GraphReader
  /** The targets of redirected URLs. */
  readonly redirects: readonly Redirect[]
  /** URLs that cost a fetch but have no page. */
  readonly dead: readonly CanonicalUrl[]
}

export async function loadStoredWorld(crawl: StoredCrawl): Promise<ReplayWorld> {
  const rows = await readRows(crawl.pages, crawl.crawlId)
  const alive = rows.urls.length
  addRedirects(rows.byUrl, crawl.redirects)
  for (const url of crawl.dead) {
    if (rows.byUrl.has(url)) continue
    rows.byUrl.set(url, rows.urls.length)
    rows.urls.push(url)
  }
  const links = await readLinks(crawl, rows, rows.urls.length)
  const content = new StoredContent(crawl.pages, rows, links)
  return {
    ...measureWorld(rows.urls, links, alive),
    fetchMs: Float32Array.from(rows.urls, (_, page) => rows.fetchMs[page] ?? 0),
    hot: rows.judged ? Uint8Array.from(rows.urls, (_, page) => rows.hot[page] ?? 0) : null,
    find: (url) => rows.byUrl.get(url),
    read: (page) => content.read(page),
    readLinks: (page) => content.readLinks(page),
  }
}

async function readLinks(crawl: StoredCrawl, rows: Rows, nodes: number): Promise<Graph> {
  const builder = new GraphBuilder()
  const outside = crawl.dead.length > 0
  const redirects = iterated(crawl.redirects)
  for await (const edges of crawl.graph.edges(crawl.crawlId, { redirects, outside })) {
    const source = rows.byId.get(edges.from)
    if (source === undefined) continue
    for (const id of edges.to) add(builder, source, rows.byId.get(id))
    for (const url of edges.outside) add(builder, source, rows.byUrl.get(url))
  }
  return builder.build(nodes)
}

function add(builder: GraphBuilder, source: number, target: number | undefined): void {
  if (target !== undefined) builder.add(source, target)
}

async function* iterated<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

/** The content of the pages, read from the store on each call. */
class StoredContent {
  readonly #pages: PageReader
  readonly #rows: Rows
  readonly #links: Graph

  constructor(pages: PageReader, rows: Rows, links: Graph) {
    this.#pages = pages
    this.#rows = rows
    this.#links = links
  }

  async read(page: number): Promise<PageContent> {
    const [id = 0] = this.#rows.ids[page] ?? []
    const stored = await this.#pages.get(id)
    if (stored === null) throw new CrawlerError('store-damaged', `the store has lost page ${id}`)
    const { url, title, description, contentText } = stored
    const own = await this.#linksOf(id)
    const anchors = own.map(({ anchor }) => anchor)
    const text = { url, title, description, text: contentText, anchors }
    return { text, links: this.#followed(page, [...own, ...(await this.#repeated(page))]) }
  }

  async readLinks(page: number): Promise<readonly ContentLink[]> {
    const own = await this.#linksOf(this.#rows.ids[page]?.[0] ?? 0)
    return this.#followed(page, [...own, ...(await this.#repeated(page))])
  }

  /** The links of the duplicates of this page. */
  async #repeated(page: number): Promise<StoredLink[]> {
    const found: StoredLink[] = []
    for (const id of this.#rows.ids[page]?.slice(1) ?? []) found.push(...(await this.#linksOf(id)))
    return found
  }

  async #linksOf(id: number): Promise<StoredLink[]> {
    return storedLinks((await this.#pages.partsOf(id)).links)
  }

  /** The links that are edges of the graph. */
  #followed(page: number, found: readonly StoredLink[]): ContentLink[] {
    const { offsets, targets } = this.#links
    const wanted = new Set(targets.subarray(offsets[page], offsets[page + 1]))
    const taken: ContentLink[] = []
    for (const { url, anchor, context } of found) {
      const to = this.#rows.byUrl.get(url)
      if (to !== undefined && wanted.delete(to)) taken.push({ to, anchor, context })
    }
    return taken
  }
}

/** A link as the parser stored it; see `partColumns` of export/columns.ts. */
type StoredLink = {
  readonly url: string
  readonly anchor: string
  readonly context: string
}

/** The links part of a page, from its JSON; empty if the crawl stored none. */
function storedLinks(json: string | undefined): StoredLink[] {
  const rows: unknown = json === undefined ? [] : JSON.parse(json)
  return Array.isArray(rows) ? rows.flatMap(linkOf) : []
}

function linkOf(row: unknown): StoredLink | [] {
  if (!Array.isArray(row)) return []
  const [url, anchor, , context] = row.map(textOrNothing)
  return { url: url ?? '', anchor: anchor ?? '', context: context ?? '' }
}

function textOrNothing(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const PAGES_AT_ONCE = 500
const MAX_HOPS = 10

/** The data of page rows, by number. */
type Rows = {
  readonly urls: CanonicalUrl[]
  /** Store ids: of the page first, then of its duplicates. */
  readonly ids: number[][]
  readonly byId: Map<number, number>
  readonly byUrl: Map<string, number>
  readonly fetchMs: number[]
  readonly hot: number[]
  judged: boolean
}

/** The numbered rows of a stored crawl's pages: duplicates and redirects have the number of their page. */
async function readRows(pages: PageReader, crawlId: number): Promise<Rows> {
  const rows: Rows = {
    urls: [],
    ids: [],
    byId: new Map(),
    byUrl: new Map(),
    fetchMs: [],
    hot: [],
    judged: false,
  }
  for (let after = 0; ; ) {
    const batch = await pages.list({ crawlId, after, limit: PAGES_AT_ONCE })
    for (const page of batch) addRow(rows, page)
    const last = batch.at(-1)
    if (last === undefined) return rows
    after = last.id
  }
}

type Row = Awaited<ReturnType<PageReader['list']>>[number]

function addRow(rows: Rows, { id, url, duplicateOf, hot, relevance, fetchMs }: Row): void {
  const original = duplicateOf === null ? undefined : rows.byId.get(duplicateOf)
  const page = original ?? rows.urls.length
  rows.byUrl.set(url, page)
  rows.byId.set(id, page)
  if (original !== undefined) {
    rows.ids[original]?.push(id)
    return
  }
  rows.urls.push(url)
  rows.ids.push([id])
  rows.fetchMs.push(fetchMs)
  rows.hot.push(hot ? 1 : 0)
  rows.judged ||= relevance !== null
}

function addRedirects(byUrl: Map<string, number>, redirects: readonly Redirect[]): void {
  const next = new Map<string, string>(redirects.map(({ from, to }) => [from, to]))
  for (const { from, to } of redirects) {
    let url: string | undefined = to
    for (let hop = 0; hop < MAX_HOPS && url !== undefined && !byUrl.has(url); hop++) {
      url = next.get(url)
    }
    const page = url === undefined ? undefined : byUrl.get(url)
    if (page !== undefined && !byUrl.has(from)) byUrl.set(from, page)
  }
}
