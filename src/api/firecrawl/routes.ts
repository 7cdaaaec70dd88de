// The routes of Firecrawl's API v2 that we can answer, so that its own clients work with this server: scrape,
// map, search, and crawls with their status, errors and end.
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { InvalidInput, shown } from '../../core/errors.ts'
import { type JobRecord, jobId } from '../../core/job.ts'
import type { ScrapedPage } from '../../reads/shapes/scrape.ts'
import type { ApiDeps } from '../api-deps.ts'
import { decodeCrawl } from '../decode-crawl.ts'
import { answerTo, Refusal } from '../errors.ts'
import { findJob } from '../job-views.ts'
import { foundOrRefused, MAX_WEB_MS, webRequest } from '../web-request.ts'
import {
  crawlBodyOf,
  formatsOf,
  inTheirNames,
  numberIn,
  ownFormats,
  readBody,
  readPageOptions,
  SCRAPE_FIELDS,
  truthIn,
} from './requests.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const PAGES_AT_ONCE = 100
const MAX_ERRORS = 1000
const MAX_FOUND = 100
/** Crawls stay until somebody removes them; clients expect an end. */
const KEPT_MS = 365 * 86_400_000
const RATE = { max: 120, timeWindow: 60_000 }

type IdParams = { readonly Params: { readonly id: string } }
type StatusRequest = IdParams & { readonly Querystring: { readonly after?: string } }

export function firecrawlRoutes(deps: ApiDeps): FastifyPluginAsync {
  const { dispatcher, jobs, settings } = deps
  return async (app) => {
    await app.register(
      async (v2) => {
        answerTheirWay(v2, deps)
        v2.post('/scrape', { config: { rateLimit: RATE }, schema: HIDDEN }, ({ body }) =>
          scrape(body, deps),
        )
        v2.post('/map', { config: { rateLimit: RATE }, schema: HIDDEN }, ({ body }) =>
          map(body, deps),
        )
        v2.post('/search', { schema: HIDDEN }, ({ body }) => search(body, deps))
        v2.post('/crawl', { config: { rateLimit: RATE }, schema: HIDDEN }, async (request) => {
          const body = crawlBodyOf(request.body, settings.ceilings.maxPages)
          const order = decodeCrawl(body, undefined, deps)
          const { job } = await dispatcher.submit(order)
          const id = jobId(job.id)
          return { success: true, id, url: `${baseOf(request)}/v2/crawl/${id}` }
        })
        v2.get('/crawl/active', { schema: HIDDEN }, async () => {
          const running = [
            ...(await jobs.list({ status: 'running', limit: PAGES_AT_ONCE })),
            ...(await jobs.list({ status: 'started', limit: PAGES_AT_ONCE })),
          ]
          const crawls = running.map(({ id, seeds }) => ({ id: jobId(id), url: seeds[0] ?? '' }))
          return { success: true, crawls }
        })
        v2.get<StatusRequest>('/crawl/:id', { schema: HIDDEN }, async (request) =>
          status(await findJob(jobs, request.params.id), request, deps),
        )
        v2.delete<IdParams>('/crawl/:id', { schema: HIDDEN }, async ({ params }) => {
          const job = await findJob(jobs, params.id)
          const told = await dispatcher.stop(job.id)
          if (told.outcome === 'done') return { success: true, status: 'cancelled' }
          throw new Refusal(409, told.outcome === 'no-job' ? 'there is no such crawl' : told.note)
        })
        v2.get<IdParams>('/crawl/:id/errors', { schema: HIDDEN }, async ({ params }) =>
          errorsOf(await findJob(jobs, params.id), deps),
        )
        v2.all('/*', { schema: HIDDEN }, async ({ url }) => {
          const path = url.split('?', 1)[0]
          throw new Refusal(501, `${path} is not done here: see docs/FIRECRAWL.md for what is`)
        })
      },
      { prefix: '/v2' },
    )
  }
}

/** Their document describes these routes, not ours. */
const HIDDEN = { hide: true } as const

function answerTheirWay(app: FastifyInstance, { log }: ApiDeps): void {
  app.setErrorHandler((error, _request, reply) => {
    const { status, body, headers } = answerTo(error, log)
    const { code, message, problems = [] } = body.error
    const told = problems.map(({ at, message: why }) => `${inTheirNames(at)}: ${why}`).join('; ')
    return reply
      .status(status)
      .headers(headers)
      .send({ success: false, code, error: told || message })
  })
}

/** As the client reaches us. The guard checked this header, and not what a proxy may say in another. */
function baseOf({ protocol, headers }: FastifyRequest): string {
  return `${protocol === 'https' ? 'https' : 'http'}://${headers.host}`
}

async function scrape(raw: unknown, deps: ApiDeps) {
  const body = readBody(raw, SCRAPE_FIELDS)
  const formats = formatsOf(body)
  const request = { ...asked(body, deps), formats: ownFormats(formats) }
  const page = foundOrRefused(await deps.reads.scrape(request))
  return { success: true, data: documentOf(page, formats, String(body.url)) }
}

async function map(raw: unknown, deps: ApiDeps) {
  const known = ['url', 'search', 'limit', 'includeSubdomains', 'timeout', 'sitemap']
  const body = readBody(raw, known)
  const { search = '', sitemap = 'include' } = body
  if (sitemap !== 'include') throw new InvalidInput('sitemap', 'is always included here')
  if (typeof search !== 'string') throw new InvalidInput('search', 'needs a text')
  const request = {
    ...asked(body, deps),
    limit: numberIn(body, 'limit', 100_000) ?? 5_000,
    search,
    subdomains: truthIn(body, 'includeSubdomains') ?? true,
  }
  const { urls } = foundOrRefused(await deps.reads.siteUrls(request))
  return { success: true, links: urls }
}

function asked(body: Readonly<Record<string, unknown>>, deps: ApiDeps) {
  const timeout = numberIn(body, 'timeout', 1e9) ?? DEFAULT_TIMEOUT_MS
  return webRequest(body.url, Math.min(MAX_WEB_MS, Math.max(1000, timeout)), deps)
}

/** One of these domains, as a query says it. */
export function sitesOf(domains: unknown): string {
  if (domains === undefined || domains === null) return ''
  if (!Array.isArray(domains)) throw new InvalidInput('includeDomains', 'needs a list of hosts')
  return domains
    .map((domain: unknown) => {
      if (typeof domain === 'string' && /^[\w.-]+$/.test(domain)) return `site:${domain}`
      throw new InvalidInput('includeDomains', `${shown(domain)} is not the name of a host`)
    })
    .join(' OR ')
}

/** In what is stored here: the web at large is not ours to search. */
async function search(raw: unknown, { reads }: ApiDeps) {
  const known = ['query', 'limit', 'scrapeOptions', 'sources', 'timeout', 'includeDomains']
  const body = readBody(raw, known)
  const { query, includeDomains, scrapeOptions } = body
  refuseOtherSources(body.sources)
  if (typeof query !== 'string' || query.trim() === '') {
    throw new InvalidInput('query', 'needs a text')
  }
  const limit = Math.max(1, numberIn(body, 'limit', MAX_FOUND) ?? 10)
  const text = `${sitesOf(includeDomains)} ${query}`.trim()
  const { hits } = await reads.search({ text, limit: Math.floor(limit), offset: 0 })
  const wanted = scrapeOptions === undefined ? [] : formatsOf(readPageOptions(scrapeOptions))
  const web = await Promise.all(
    hits.map(async ({ id, crawl, url, title, snippet }) => {
      const found = { url, title, description: snippet }
      if (!wanted.includes('markdown')) return found
      const page = await reads.page(Number(crawl.replace(/^crawl_/, '')), id)
      return { ...found, markdown: page?.markdown || page?.content_text || '' }
    }),
  )
  return { success: true, data: { web } }
}

/** As names or as objects with a type. */
function refuseOtherSources(sources: unknown): void {
  if (sources === undefined || sources === null) return
  const listed: readonly unknown[] = Array.isArray(sources) ? sources : [sources]
  for (const one of listed) {
    const { type = one }: { readonly type?: unknown } = typeof one === 'object' ? { ...one } : {}
    if (type !== 'web') throw new InvalidInput('sources', `has web only here, not ${shown(type)}`)
  }
}

const BULK = [
  ...(['id', 'url', 'title', 'description', 'keywords', 'language', 'author'] as const),
  ...(['status_code', 'content_type', 'published_day', 'markdown', 'links'] as const),
]

async function status(job: JobRecord, request: FastifyRequest<StatusRequest>, deps: ApiDeps) {
  const after = Number(/^\d{1,15}$/.exec(request.query.after ?? '0')?.[0] ?? 0)
  const query = { after, limit: PAGES_AT_ONCE, fields: BULK, filter: {} }
  const { lines, last } = await deps.reads.bulkPages(job.id, query)
  const [totals] = await deps.reads.totals([job.id])
  const completed = totals?.stored ?? 0
  const queued = deps.dispatcher.live(job.id)?.progress?.counts.queued ?? 0
  const here = `${baseOf(request)}/v2/crawl/${jobId(job.id)}`
  const more = last === null ? [] : (await moreAfter(job.id, last, deps)) ? [last] : []
  return {
    success: true,
    status: STATUSES[job.status],
    total: completed + queued,
    completed,
    creditsUsed: completed,
    expiresAt: new Date(deps.clock.now() + KEPT_MS).toISOString(),
    ...(more.length === 0 ? {} : { next: `${here}?after=${more[0]}` }),
    data: lines.map((line) => storedDocument(JSON.parse(line))),
  }
}

/** What failed; first of all, why a crawl has no pages. */
async function errorsOf({ id, status, note, seeds }: JobRecord, { reads }: ApiDeps) {
  const query = { after: 0, limit: MAX_ERRORS }
  const failed = await reads.urls(id, { ...query, state: 'failed' })
  const barred = await reads.urls(id, { ...query, state: 'refused', code: 'robots' })
  const whole = { id: jobId(id), url: seeds[0] ?? '', error: note, code: 'failed' }
  const errors = failed.urls.map(({ url, reason, position }) => ({
    ...{ id: String(position), url, error: reason },
    code: /^[\w-]+/.exec(reason)?.[0] ?? '',
  }))
  return {
    errors: status === 'failed' ? [whole, ...errors] : errors,
    robotsBlocked: barred.urls.map(({ url }) => url),
  }
}

async function moreAfter(crawlId: number, after: number, { reads }: ApiDeps): Promise<boolean> {
  const query = { after, limit: 1, fields: ['id'] as const, filter: {} }
  return (await reads.bulkPages(crawlId, query)).last !== null
}

/** A crawl of ours that could not have everything has ended, too: its errors tell what is missing. */
const STATUSES: Readonly<Record<JobRecord['status'], string>> = {
  started: 'scraping',
  running: 'scraping',
  paused: 'scraping',
  completed: 'completed',
  incomplete: 'completed',
  stopped: 'cancelled',
  failed: 'failed',
}

function documentOf(page: ScrapedPage, formats: readonly string[], sourceURL: string) {
  const images = page.parts?.images ?? []
  return {
    ...(formats.includes('markdown') ? { markdown: page.markdown ?? '' } : {}),
    ...(formats.includes('html') ? { html: page.html ?? '' } : {}),
    ...(formats.includes('rawHtml') ? { rawHtml: page.html ?? '' } : {}),
    ...(formats.includes('links') ? { links: (page.links ?? []).map(({ url }) => url) } : {}),
    ...(formats.includes('images') ? { images: images.map(({ url }) => url) } : {}),
    metadata: metadataOf({ ...page, sourceURL }),
  }
}

type Row = {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly keywords: string
  readonly language: string
  readonly author: string
  readonly status_code: number
  readonly content_type: string
  readonly published_day: string | null
}
type StoredRow = Row & {
  readonly markdown: string
  readonly links: readonly { readonly url: string }[]
}

function storedDocument({ markdown, links, ...row }: StoredRow) {
  const metadata = metadataOf({ ...row, sourceURL: row.url })
  return { markdown, links: links.map(({ url }) => url), metadata }
}

function metadataOf(page: Row & { readonly sourceURL: string }) {
  const { url, sourceURL, title, description, keywords, language, author } = page
  return {
    ...{ title, description, keywords, language, author, sourceURL, url },
    statusCode: page.status_code,
    contentType: page.content_type,
    ...(page.published_day === null ? {} : { publishedTime: page.published_day }),
  }
}
