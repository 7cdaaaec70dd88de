// Pages of the web without a crawl: one page now, and the URLs of a site. Same manners and guards as a crawl.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { checkedFieldRules } from '../../fields/decode-rules.ts'
import { SCRAPE_FORMATS, ScrapedPage, SiteUrls } from '../../reads/shapes/scrape.ts'
import type { ApiDeps } from '../api-deps.ts'
import { fieldRulesSchema } from '../shapes/crawl-body.ts'
import { ApiError } from '../shapes/error.ts'
import { DEFAULT_WEB_MS, foundOrRefused, MAX_WEB_MS, webRequest } from '../web-request.ts'

const MAX_URLS = 100_000
const DEFAULT_URLS = 5_000
/** Per minute and address: each may cost a host several requests. */
const RATE = { max: 120, timeWindow: 60_000 }

const WEB_FIELDS = {
  url: Type.String({ minLength: 1, maxLength: 4096, examples: ['https://example.com/'] }),
  timeout: Type.Optional(
    Type.Integer({
      ...{ minimum: 1000, maximum: MAX_WEB_MS, default: DEFAULT_WEB_MS },
      description: 'milliseconds until the answer',
    }),
  ),
  ignore_robots: Type.Optional(
    Type.Boolean({ default: false, description: 'for sites of your own' }),
  ),
}
const ScrapeBody = Type.Object(
  {
    ...WEB_FIELDS,
    formats: Type.Optional(
      Type.Array(Type.Enum([...SCRAPE_FORMATS]), { default: ['text', 'markdown'] }),
    ),
    fields: Type.Optional(
      fieldRulesSchema({
        description: 'rules for values to take from the page: see docs/FIELDS.md',
      }),
    ),
  },
  { additionalProperties: false },
)
const MapBody = Type.Object(
  {
    ...WEB_FIELDS,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_URLS, default: DEFAULT_URLS })),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'a part of the URLs' })),
    subdomains: Type.Optional(
      Type.Boolean({ default: true, description: 'also other hosts of the domain' }),
    ),
  },
  { additionalProperties: false },
)

export function scrapeRoutes(deps: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/scrape', {
      config: { rateLimit: RATE },
      schema: {
        summary: 'One page now: its text, Markdown, links and parts',
        description: 'Nothing is stored. robots.txt and the pace of hosts are kept as in a crawl.',
        tags: ['web'],
        body: ScrapeBody,
        response: { 200: ScrapedPage, 400: ApiError, 422: ApiError },
      },
      handler: async ({ body }) => {
        const formats = body.formats ?? ['text', 'markdown']
        const fields = body.fields === undefined ? null : checkedFieldRules(body.fields, 'fields')
        return foundOrRefused(await deps.reads.scrape({ ...asked(body, deps), formats, fields }))
      },
    })
    app.post('/map', {
      config: { rateLimit: RATE },
      schema: {
        summary: 'The URLs of a site: links of the page, then its sitemaps',
        tags: ['web'],
        body: MapBody,
        response: { 200: SiteUrls, 400: ApiError, 422: ApiError },
      },
      handler: async ({ body }) => {
        const { limit = DEFAULT_URLS, search = '', subdomains = true } = body
        const request = { ...asked(body, deps), limit, search, subdomains }
        return foundOrRefused(await deps.reads.siteUrls(request))
      },
    })
  }
}

type Asked = {
  readonly url: string
  readonly timeout?: number
  readonly ignore_robots?: boolean
}

function asked({ url, timeout = DEFAULT_WEB_MS, ignore_robots = false }: Asked, deps: ApiDeps) {
  const request = webRequest(url, timeout, deps)
  return { ...request, settings: { ...request.settings, ignoreRobots: ignore_robots } }
}
