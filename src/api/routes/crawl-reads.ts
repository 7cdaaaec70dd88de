// Reads of one crawl, as the API offers them: path, query and shape of the answer. reads/reads.ts declares
// what is read.
import {
  type FastifyPluginAsyncTypebox,
  type Static,
  type TObject,
  type TSchema,
  Type,
} from '@fastify/type-provider-typebox'
import { MAX_URL_LENGTH } from '../../core/url.ts'
import { URL_STATES } from '../../core/visit.ts'
import type { WorkspaceReads } from '../../reads/reads.ts'
import { JobHosts } from '../../reads/shapes/job.ts'
import {
  Beyond,
  Explained,
  PageGraph,
  Ranked,
  Reasons,
  SiteGraph,
  UrlRows,
} from '../../reads/shapes/page.ts'
import type { ApiDeps } from '../api-deps.ts'
import { findJob, noJob } from '../job-views.ts'
import { ApiError } from '../shapes/error.ts'
import { JobParams } from './jobs.ts'

type CrawlRoute<Query extends TObject, Result extends TSchema> = {
  /** After `/crawl/:id/`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly query: Query
  readonly result: Result
  /** The result in words. */
  readonly answer: string
  /** Null if the crawl no longer exists. */
  readonly ask: (
    reads: WorkspaceReads,
    crawlId: number,
    query: Static<Query>,
  ) => Promise<Static<Result> | null>
}

const limit = Type.Integer({ minimum: 1, maximum: 1000, default: 100 })
const top = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  default: 1000,
  description: 'so many, the best by PageRank',
})
const EDGES = 'At most 50,000 edges: each node has its share, the best have more.'

const ROUTES = [
  crawlRoute({
    path: 'urls',
    summary: 'Every URL that was seen, in order of discovery',
    description: 'Errors have the state failed, refusals the state refused; both have a reason.',
    tag: 'urls',
    query: query({
      state: Type.Optional(Type.Enum([...URL_STATES])),
      code: Type.Optional(
        Type.String({
          maxLength: 60,
          description: 'only those whose reason has this code',
          examples: ['robots', 'http-404'],
        }),
      ),
      after: Type.Integer({ minimum: 0, default: 0, description: '`next` of the part before' }),
      limit,
    }),
    result: UrlRows,
    answer: 'a part of the URLs; next names the rest',
    ask: (reads, crawlId, asked) => reads.urls(crawlId, asked),
  }),
  crawlRoute({
    path: 'reasons',
    summary: 'How many URLs came to what end',
    tag: 'urls',
    query: query({}),
    result: Reasons,
    answer: 'how many URLs came to which end',
    ask: (reads, crawlId) => reads.reasons(crawlId),
  }),
  crawlRoute({
    path: 'hosts',
    summary: 'Hosts and how they are doing, the largest first',
    tag: 'urls',
    query: query({ limit }),
    result: JobHosts,
    answer: 'hosts, the largest first',
    ask: (reads, crawlId, asked) => reads.hosts(crawlId, asked),
  }),
  crawlRoute({
    path: 'explain',
    summary: 'The story of one URL: where it was found, why it was fetched when it was',
    tag: 'urls',
    query: query({ url: Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH }) }),
    result: Explained,
    answer: 'the story of the URL',
    ask: (reads, crawlId, asked) => reads.explain(crawlId, asked),
  }),
  crawlRoute({
    path: 'graph/pages',
    summary: 'The page map: pages and the links between them',
    description: EDGES,
    tag: 'graph',
    query: query({
      top,
      host: Type.Optional(Type.String({ maxLength: 300, description: 'only of this host' })),
    }),
    result: PageGraph,
    answer: 'the best pages, and the links between them',
    ask: (reads, crawlId, { top, host }) => {
      const only = host === undefined ? {} : { host: host.toLowerCase() }
      return reads.pageGraph(crawlId, { top, ...only })
    },
  }),
  crawlRoute({
    path: 'graph/sites',
    summary: 'The site map: hosts and the links between their pages',
    description: EDGES,
    tag: 'graph',
    query: query({ top }),
    result: SiteGraph,
    answer: 'hosts, and the links between them',
    ask: (reads, crawlId, asked) => reads.siteGraph(crawlId, asked),
  }),
  crawlRoute({
    path: 'seeds',
    summary: 'Hosts beyond the border, as seeds of a next crawl',
    description:
      'Hosts that stored pages link to and the crawl does not enter: outside of its scope, or, where it may roam, without a stored page. Those that the most hosts link to come first.',
    tag: 'graph',
    query: query({ limit }),
    result: Beyond,
    answer: 'hosts beyond the border, the most linked first',
    ask: (reads, crawlId, asked) => reads.beyond(crawlId, asked),
  }),
  crawlRoute({
    path: 'rank',
    summary: 'The most important pages',
    description: 'As of the end of the crawl, or as of now where it has not ended.',
    tag: 'graph',
    query: query({ limit }),
    result: Ranked,
    answer: 'the most important pages, the best first',
    ask: (reads, crawlId, asked) => reads.rank(crawlId, asked),
  }),
]

export function crawlReadRoutes(deps: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const route of ROUTES) await app.register(route(deps))
  }
}

function query<Fields extends Readonly<Record<string, TSchema>>>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false })
}

function crawlRoute<Query extends TObject, Result extends TSchema>(
  route: CrawlRoute<Query, Result>,
): (deps: ApiDeps) => FastifyPluginAsyncTypebox {
  const { path, summary, description, tag, query: asked, result, answer, ask } = route
  const refusals = { ...(Object.keys(asked.properties).length === 0 ? {} : { 400: ApiError }) }
  return ({ jobs, reads }) =>
    async (app) => {
      app.get(`/crawl/:id/${path}`, {
        schema: {
          summary,
          ...(description === undefined ? {} : { description }),
          tags: [tag],
          params: JobParams,
          querystring: asked,
          response: { 200: { ...result, description: answer }, ...refusals, 404: ApiError },
        },
        handler: async ({ params, query }) => {
          const { id: crawlId } = await findJob(jobs, params.id)
          // The query was checked against this very schema.
          const found = await ask(reads, crawlId, query as Static<Query>)
          if (found === null) throw noJob(params.id)
          return found
        },
      })
    }
}
