// How pages and sites link to each other, and which of them matter.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { PageGraph, Ranked, SiteGraph } from '../../reads/shapes/page.ts'
import type { ApiDeps } from '../api-deps.ts'
import { findJob } from '../job-id.ts'
import { ApiError } from '../shapes/error.ts'
import { JobParams } from './jobs.ts'

const top = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  default: 1000,
  description: 'so many, the best by PageRank',
})
const PageQuery = Type.Object(
  { top, host: Type.Optional(Type.String({ maxLength: 300, description: 'only of this host' })) },
  { additionalProperties: false },
)
const SiteQuery = Type.Object({ top }, { additionalProperties: false })
const RankQuery = Type.Object(
  { limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }) },
  { additionalProperties: false },
)
const EDGES = 'At most 50,000 edges, those between the best first.'

export function graphRoutes({ jobs, reads }: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/crawl/:id/graph/pages', {
      schema: {
        summary: 'The page map: pages and the links between them',
        description: EDGES,
        tags: ['graph'],
        params: JobParams,
        querystring: PageQuery,
        response: { 200: PageGraph, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params, query: { top, host } }) => {
        const { id: crawlId } = await findJob(jobs, params.id)
        const only = host === undefined ? {} : { host: host.toLowerCase() }
        return reads.pageGraph(crawlId, { top, ...only })
      },
    })
    app.get('/crawl/:id/graph/sites', {
      schema: {
        summary: 'The site map: hosts and the links between their pages',
        description: EDGES,
        tags: ['graph'],
        params: JobParams,
        querystring: SiteQuery,
        response: { 200: SiteGraph, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params, query: { top } }) =>
        reads.siteGraph((await findJob(jobs, params.id)).id, { top }),
    })
    app.get('/crawl/:id/rank', {
      schema: {
        summary: 'The most important pages',
        description: 'As of the end of the crawl, or as of now where it has not ended.',
        tags: ['graph'],
        params: JobParams,
        querystring: RankQuery,
        response: { 200: Ranked, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params, query: { limit } }) =>
        reads.rank((await findJob(jobs, params.id)).id, limit),
    })
  }
}
