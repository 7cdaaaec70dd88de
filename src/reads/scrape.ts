// Pages of the web without a crawl: one page now, or the URLs of a site. Requests are as polite and as guarded
// as those of a crawl, and take turns with the crawls of this workspace. Nothing is stored.
import { type FieldRules, fieldsObject } from '../core/field-rules.ts'
import type { CrawlSettings } from '../core/job.ts'
import {
  aboutObject,
  type NewPage,
  PARTS,
  type PartRow,
  partRows,
  rawTitleOf,
} from '../core/page.ts'
import { type CanonicalUrl, canonicalise, hostOf, siteOf } from '../core/url.ts'
import { inWords } from '../crawl/refusal-text.ts'
import { ownListenersOf } from '../crawl/trusted-hosts.ts'
import { type Fetcher, openFetcher } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import { toUtf8 } from '../lib/decode.ts'
import { Gate } from '../lib/gate.ts'
import { createPageParser, openFields, type PageParserOptions } from '../parser/parse-page.ts'
import { streamSitemap } from '../parser/sitemap/read-sitemap.ts'
import type { HostLimiter } from '../scouter/host-limiter.ts'
import { type Hop, PageVisitor } from '../scouter/page-without-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { namedLink } from './pages.ts'
import type { ScrapedPage, ScrapeFormat, SiteUrls } from './shapes/scrape.ts'

type WebRequest = {
  readonly url: CanonicalUrl
  readonly settings: CrawlSettings
  /** The answer comes by then. */
  readonly timeoutMs: number
}
export type ScrapeRequest = WebRequest & {
  readonly formats: readonly ScrapeFormat[]
  /** Rules for fields, checked; left out or null: none. */
  readonly fields?: FieldRules | null
}
export type MapRequest = WebRequest & {
  readonly limit: number
  /** Only URLs that contain this, in any case; '': all. */
  readonly search: string
  /** Also other hosts of the registrable domain. */
  readonly subdomains: boolean
}

/** Why there is no page: a code as in `urls`, and a sentence. */
export type NotScraped = { readonly reason: string; readonly message: string }

/** How long robots.txt and the pace of hosts are remembered between requests. */
const VISITOR_MS = 10 * 60_000
/** Sitemap files that are read for one answer. */
const MAX_SITEMAPS = 200

/** Bodies that are in memory at once: up to 16 MiB each. */
const MAX_AT_ONCE = 32

type Opened = { readonly visitor: PageVisitor; readonly fetcher: Fetcher }
type Visiting = {
  readonly opened: Promise<Opened>
  readonly until: number
  /** Requests that are under way. */
  open: number
}

/** What requests to the web share: connections, robots.txt, and slots at hosts. */
export class WebReads implements AsyncDisposable {
  readonly #workspace: Workspace
  readonly #clock: Clock
  readonly #gate = new Gate(MAX_AT_ONCE)
  #limiter: Promise<HostLimiter> | null = null
  /** By settings. */
  readonly #visiting = new Map<string, Visiting>()
  /** Those that get no more requests, and are closed when they have none. */
  readonly #left = new Set<Visiting>()

  constructor(workspace: Workspace, clock: Clock) {
    this.#workspace = workspace
    this.#clock = clock
  }

  scrape(request: ScrapeRequest): Promise<ScrapedPage | NotScraped> {
    return this.#within(request, (visitor, signal) => scrapePage(visitor, request, signal))
  }

  map(request: MapRequest): Promise<SiteUrls | NotScraped> {
    const found = new SiteFinder(request)
    return this.#within(
      request,
      (visitor, signal) => found.find(visitor, signal),
      () => found.soFar(),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#visiting.values(), ...this.#left]
    this.#visiting.clear()
    await Promise.all(all.map((visiting) => this.#close(visiting)))
    await (await this.#limiter?.catch(() => null))?.[Symbol.asyncDispose]()
  }

  /** What it has by the end of the time; what is under way then is given up. */
  async #within<T>(
    { timeoutMs, settings }: WebRequest,
    work: (visitor: PageVisitor, signal: AbortSignal) => Promise<T | NotScraped>,
    soFar: () => T | null = () => null,
  ): Promise<T | NotScraped> {
    // Chosen and counted in one step: another request must not close it in between.
    const visiting = this.#visitorFor(settings)
    visiting.open++
    const late = Promise.withResolvers<T | NotScraped>()
    const end = new AbortController()
    const timer = setTimeout(() => {
      late.resolve(soFar() ?? TOO_SLOW)
      end.abort()
    }, timeoutMs)
    const done = visiting.opened
      .then(({ visitor }) => work(visitor, end.signal))
      .finally(() => {
        visiting.open--
        if (visiting.open === 0 && this.#left.has(visiting)) void this.#close(visiting)
      })
    try {
      return await Promise.race([done, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #visitorFor(settings: CrawlSettings): Visiting {
    const now = this.#clock.now()
    for (const [key, known] of this.#visiting) if (known.until <= now) this.#leave(key, known)
    const key = JSON.stringify(settings)
    const known = this.#visiting.get(key)
    if (known !== undefined) return known
    const visiting = { opened: this.#openVisitor(settings), until: now + VISITOR_MS, open: 0 }
    this.#visiting.set(key, visiting)
    // The requests that wait for it get the error; the next one tries again.
    visiting.opened.catch(() => {
      if (this.#visiting.get(key) === visiting) this.#visiting.delete(key)
    })
    return visiting
  }

  #leave(key: string, visiting: Visiting): void {
    this.#visiting.delete(key)
    this.#left.add(visiting)
    if (visiting.open === 0) void this.#close(visiting)
  }

  async #close(visiting: Visiting): Promise<void> {
    this.#left.delete(visiting)
    await visiting.opened.then(({ fetcher }) => fetcher[Symbol.asyncDispose]()).catch(() => {})
  }

  async #openVisitor(settings: CrawlSettings): Promise<Opened> {
    const clock = this.#clock
    this.#limiter ??= this.#openLimiter()
    const limiter = await this.#limiter
    const ownListeners = await ownListenersOf(this.#workspace.text)
    // These hosts were not typed on this machine: a private address is not allowed just because it was asked for.
    const fetcher = openFetcher({ ...settings, trustedHosts: new Set(), ownListeners })
    const visitor = new PageVisitor({ fetcher, limiter, settings, clock, gate: this.#gate })
    return { visitor, fetcher }
  }

  /** One that cannot be opened is tried again with the next request. */
  async #openLimiter(): Promise<HostLimiter> {
    try {
      const slots = { holder: 'scrape', clock: this.#clock, isShared: true }
      return await this.#workspace.hostLimiter(slots)
    } catch (error) {
      this.#limiter = null
      throw error
    }
  }
}

const TOO_SLOW: NotScraped = {
  reason: 'timeout-total',
  message: 'there was no page in the time that was given; hosts may ask for pauses',
}

async function scrapePage(
  visitor: PageVisitor,
  { url, settings, formats, fields: rules }: ScrapeRequest,
  signal: AbortSignal,
): Promise<ScrapedPage | NotScraped> {
  const visit = await visitor.fetch(url, { signal })
  // Nobody waits for it: it is not worth parsing.
  if (signal.aborted) return TOO_SLOW
  if (visit.outcome !== 'fetched') return notScraped(visit.url, visit.reason)
  const { maxBodyBytes, maxLinksBytes } = settings
  const fields = await openFields(rules ? { fields: rules } : {})
  const options: PageParserOptions = {
    ...{ salt: 0, maxBodyBytes, maxLinksBytes, readsNoindex: true },
    parts: formats.includes('parts') ? PARTS : formats.includes('links') ? ['links'] : [],
    markdown: formats.includes('markdown'),
    keepHtml: formats.includes('html'),
  }
  const parse = createPageParser(options, undefined, fields)
  const parsed = parse(visit.head, visit.body)
  if (parsed.outcome !== 'page') {
    return notScraped(visit.url, 'reason' in parsed ? parsed.reason : parsed.outcome)
  }
  const page = scrapedPage(parsed.page, formats, visit.redirects)
  if (fields === null) return page
  return { ...page, fields: { ...fieldsObject(parsed.page.parts.fields ?? '[]') } }
}

function scrapedPage(
  page: NewPage,
  formats: readonly ScrapeFormat[],
  redirects: readonly Hop[],
): ScrapedPage {
  const { fields } = page
  const about = aboutObject(fields.about)
  const rowsOf = (part: (typeof PARTS)[number]): PartRow[] => [
    ...partRows(part, page.parts[part] ?? '[]'),
  ]
  const has = (format: ScrapeFormat) => formats.includes(format)
  return {
    url: fields.url,
    status_code: fields.statusCode,
    content_type: fields.contentType,
    canonical_url: fields.canonicalUrl,
    title: fields.title,
    raw_title: rawTitleOf(about),
    description: fields.description,
    keywords: fields.keywords,
    author: fields.author,
    language: fields.language,
    kind: fields.kind,
    published_at: fields.publishedAt,
    published_day: typeof about.published_day === 'string' ? about.published_day : null,
    fetched_at: fields.fetchedAt,
    size_bytes: fields.sizeBytes,
    truncated: fields.truncated,
    noindex: fields.noindex,
    about: { ...about },
    redirects: [...redirects],
    ...(has('text') ? { text: fields.contentText } : {}),
    ...(has('markdown') ? { markdown: fields.markdown } : {}),
    ...(has('html') ? { html: htmlOf(page) } : {}),
    ...(has('links') || has('parts') ? { links: rowsOf('links').map(namedLink) } : {}),
    ...(has('parts')
      ? { parts: Object.fromEntries(OTHER_PARTS.map((part) => [part, rowsOf(part)])) }
      : {}),
  }
}

const OTHER_PARTS = PARTS.filter((part) => part !== 'links')

/** '' where the page asks not to be archived. */
function htmlOf({ html, fields }: NewPage): string {
  return html === null ? '' : toUtf8(html, fields.charset).utf8.toString('utf8')
}

function notScraped(at: string, reason: string): NotScraped {
  return { reason, message: `${at}: ${inWords(reason)}` }
}

/** Collects the URLs of a site: what its front page links to, and what its sitemaps list. */
class SiteFinder {
  readonly #request: MapRequest
  readonly #found = new Map<string, { readonly url: string; readonly title?: string }>()
  #sitemaps = 0
  #at: CanonicalUrl
  #hasPage = false

  constructor(request: MapRequest) {
    this.#request = request
    this.#at = request.url
  }

  async find(visitor: PageVisitor, signal: AbortSignal): Promise<SiteUrls | NotScraped> {
    const { url } = this.#request
    const page = await scrapePage(visitor, { ...this.#request, formats: ['links'] }, signal)
    const isPage = !('reason' in page)
    // A front page without a body still has a host with sitemaps, but one that is shut has not.
    if (isPage) {
      this.#hasPage = true
      this.#at = canonicalise(page.url) ?? url
      this.#add(this.#at, page.title)
      for (const link of page.links ?? []) this.#add(canonicalise(link.url), link.anchor)
    }
    const isComplete = await this.#readSitemaps(visitor, signal)
    if (!isPage && this.#found.size === 0) return page
    return { ...this.#answer(), complete: isComplete && !this.#isFull }
  }

  /** What there is before the end; null while there is nothing. */
  soFar(): SiteUrls | null {
    return this.#hasPage || this.#found.size > 0 ? { ...this.#answer(), complete: false } : null
  }

  /** True when all were read. */
  async #readSitemaps(visitor: PageVisitor, signal: AbortSignal): Promise<boolean> {
    const named = await visitor.sitemapsOf(this.#at)
    const usual = canonicalise('/sitemap.xml', this.#at)
    const waiting = new Set(named.length > 0 ? named : usual === null ? [] : [usual])
    // A set goes on with what is added while it is walked through.
    for (const sitemap of waiting) {
      if (this.#isFull) return true
      if (signal.aborted || this.#sitemaps >= MAX_SITEMAPS) return false
      if (siteOf(hostOf(sitemap)) !== siteOf(hostOf(this.#at))) continue
      const visit = await visitor.fetch(sitemap, { kind: 'sitemap', signal })
      if (visit.outcome !== 'fetched') continue
      const { contentType, contentEncoding } = visit.head
      const end = await streamSitemap(
        visit.body,
        { url: visit.url, contentType, contentEncoding },
        (entries) => {
          for (const entry of entries) this.#add(entry.url, '')
        },
      )
      this.#sitemaps++
      for (const next of end.ok ? end.sitemaps.slice(0, MAX_SITEMAPS) : []) waiting.add(next)
    }
    return true
  }

  get #isFull(): boolean {
    return this.#found.size >= this.#request.limit
  }

  #add(url: CanonicalUrl | null, title: string): void {
    const { search, subdomains } = this.#request
    if (url === null || this.#isFull || this.#found.has(url)) return
    const [host, own] = [hostOf(url), hostOf(this.#at)]
    const isHere = host === own || (subdomains && siteOf(host) === siteOf(own))
    if (!isHere || !url.toLowerCase().includes(search.toLowerCase())) return
    this.#found.set(url, title === '' ? { url } : { url, title })
  }

  #answer(): Omit<SiteUrls, 'complete'> {
    return { urls: [...this.#found.values()], sitemaps: this.#sitemaps }
  }
}
