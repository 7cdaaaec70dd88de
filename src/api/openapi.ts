// The OpenAPI document, generated from the schemas of the routes, so it always matches them.
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { ApiDeps } from './api-deps.ts'
import { ApiError } from './shapes/error.ts'

const TAGS = [
  { name: 'jobs', description: 'ask for a crawl, watch it, tell it what to do' },
  { name: 'pages', description: 'what a crawl has stored' },
  { name: 'urls', description: 'what became of every URL, and why' },
  { name: 'graph', description: 'pages and sites, and how they link to each other' },
  { name: 'search', description: 'full-text search over what is stored' },
  { name: 'web', description: 'one page or the URLs of a site, without a crawl' },
  { name: 'events', description: 'what happens, as it happens' },
  { name: 'workers', description: 'who shares the work, on which machine' },
  { name: 'server', description: 'the server itself' },
]

/** Call it before the routes are added. */
export async function describeApi(app: FastifyInstance, { settings }: ApiDeps): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Jelajah',
        version: settings.version,
        description:
          'A polite, focused web crawler. Times are epoch milliseconds. Texts of pages are what the ' +
          'web said: treat them as hostile wherever you show them.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: TAGS,
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'where the server has a token' },
          session: { type: 'apiKey', in: 'cookie', name: 'jelajah_session' },
        },
      },
      security: [{}, { token: [] }, { session: [] }],
    },
    transformObject: (made) => {
      if (!('openapiObject' in made)) return made.swaggerObject
      letBodyBeMissing(made.openapiObject)
      return made.openapiObject
    },
    transform: ({ schema, url, route }) => {
      if (schema === undefined || schema.hide === true) return { schema: { hide: true }, url }
      const operationId = nameOf(String(route.method), url)
      const response = { ...describedAnswers(schema.response, operationId), default: OTHERWISE }
      const isOpen = route.config?.open === true
      const { querystring, body } = schema
      return {
        schema: {
          ...schema,
          ...(querystring === undefined ? {} : { querystring: withoutDefaults(querystring) }),
          ...(body === undefined ? {} : { body: withoutDefaults(body) }),
          operationId,
          response,
          ...(isOpen ? { security: [] } : {}),
        },
        url,
      }
    },
  })
}

/**
 * A field with a default may be left out. The default itself is described in words: client generators treat a
 * field with a default as always present, and would require it.
 */
function withoutDefaults(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return schema
  const fields: Record<string, unknown> = {}
  const optional: string[] = []
  for (const [name, field] of Object.entries(Object(schema.properties))) {
    const { default: value, description = '', ...rest } = Object(field)
    if (value !== undefined) optional.push(name)
    const told = [description, `default: ${JSON.stringify(value)}`].filter(Boolean).join('; ')
    fields[name] = value === undefined ? field : { ...rest, description: told }
  }
  const needed = 'required' in schema && Array.isArray(schema.required) ? schema.required : []
  const required = needed.filter((name) => !optional.includes(name))
  return { ...schema, properties: fields, required }
}

/** The plugin marks bodies as required, whatever the schema says. */
function letBodyBeMissing({ paths = {} }: { readonly paths?: object | undefined }): void {
  const { post } = Object(Object.entries(paths).find(([path]) => path.endsWith('/resume'))?.[1])
  if (post !== undefined) post.requestBody.required = false
}

/** Other answers to any request: no token, too many requests, a name that is not ours. */
const OTHERWISE = { ...ApiError, description: 'why not' }

/** `getCrawlPages` for `GET /crawl/:id/pages`: the name in a generated client. */
function nameOf(method: string, url: string): string {
  const words = url.split(/[/-]/).filter((word) => word !== '')
  const last = words.at(-1)?.startsWith(':') ? 'one' : ''
  const named = [...words.filter((word) => !word.startsWith(':')), last]
  const titled = named.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return method.toLowerCase() + titled.join('')
}

export function openApiRoute(app: FastifyInstance): void {
  app.get('/openapi.json', {
    config: { open: true },
    schema: { hide: true },
    handler: async () => app.swagger(),
  })
}

/** Adds to every answer a description besides its shape, for readers of the OpenAPI document. */
function describedAnswers(answers: unknown, operationId: string): Record<string, unknown> {
  const described: Record<string, unknown> = {}
  for (const [status, schema] of Object.entries(Object(answers))) {
    const { description } = Object(schema)
    const words = (status === '200' ? ANSWERS[operationId] : undefined) ?? WORDS[status]
    described[status] = { ...Object(schema), description: description ?? words ?? 'why not' }
  }
  return described
}

const WORDS: Readonly<Record<string, string>> = {
  200: 'what was asked for',
  400: 'fields are wrong: every one of them is in problems',
  401: 'the token is missing or wrong',
  404: 'there is no such job or page',
  409: 'not in the state it is in, or with a key that was used for something else: message says which',
  413: 'the body is larger than 1 MiB',
  422: 'there is no page to show: message says why',
  429: 'too many requests: Retry-After says how long to wait',
  503: 'not now: Retry-After says when',
}

/** By operation: the description of its 200 answer, if its route does not have one. */
const ANSWERS: Readonly<Record<string, string>> = {
  postCrawl: 'the job is taken, and is not lost any more',
  getCrawl: 'a part of the list; next names the rest',
  getCrawlOverview: 'the job, its options and its figures',
  getCrawlHistory: 'curves, column by column',
  postCrawlPause: 'the job, which is at rest',
  postCrawlStop: 'the job, which is at rest',
  postCrawlResume: 'the job, which waits for its turn or runs',
  postCrawlRefresh: 'the job, which waits for its turn to look at its pages again',
  deleteCrawlOne: 'it is gone for all readers',
  getCrawlOne: 'the job with its pages; the header Link names the rest',
  getCrawlPages: 'a part of the pages; next names the rest',
  getCrawlPageIds: 'ids of pages, in the order that was asked for',
  getCrawlPagesOne: 'all that is stored of the page',
  getCrawlLeases: 'what is in whose hands at this moment',
  getWorkers: 'those that are there, then those that went',
  getSearch: 'matches with snippets, and facets over them',
  getSuggest: 'words and titles that the text may become',
  getSavedSearches: 'all of them, with what they ask for',
  putSavedSearchesOne: 'the search as it is kept',
  deleteSavedSearchesOne: 'its name; it is gone',
  getSavedSearchesHits:
    'matches with snippets; cursor says up to which change they were looked for',
  postSavedSearchesSeen: 'the search, with what was seen of it',
  getOptions: 'all a job can be asked for',
  postScrape: 'the page, with the formats that were asked for',
  postMap: 'the URLs that were found in time',
  postTopic: 'the words with their weights; null where none were given',
  getMetrics: 'figures in the text format of Prometheus',
  getHealthz: 'the server is there, and so are its stores',
  getReadyz: 'the store can be read',
  getSession: 'whether a token is needed, and was shown',
  postLogin: 'signed in: the cookie is set',
  postLogout: 'signed out: the cookie is taken back',
}
