// What became of every URL, and why; how hosts are doing; the story of one URL.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { MAX_URL_LENGTH } from '../../core/url.ts'
import { URL_STATES } from '../../core/visit.ts'
import { JobHosts } from '../../reads/shapes/job.ts'
import { Explained, Reasons, UrlRows } from '../../reads/shapes/page.ts'
import type { ApiDeps } from '../api-deps.ts'
import { findJob, noJob } from '../job-id.ts'
import { ApiError } from '../shapes/error.ts'
import { JobParams } from './jobs.ts'

const UrlQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum([...URL_STATES])),
    code: Type.Optional(
      Type.String({
        maxLength: 60,
        description: 'only those whose reason has this code',
        examples: ['robots', 'http-404'],
      }),
    ),
    after: Type.Integer({ minimum: 0, default: 0, description: '`next` of the part before' }),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  },
  { additionalProperties: false },
)
const HostQuery = Type.Object(
  { limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }) },
  { additionalProperties: false },
)
const ExplainQuery = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: MAX_URL_LENGTH }) },
  { additionalProperties: false },
)
const NoQuery = Type.Object({}, { additionalProperties: false })

export function urlRoutes({ jobs, reads }: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/crawl/:id/urls', {
      schema: {
        summary: 'Every URL that was seen, in order of discovery',
        description:
          'Errors have the state failed, refusals the state refused; both have a reason.',
        tags: ['urls'],
        params: JobParams,
        querystring: UrlQuery,
        response: { 200: UrlRows, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params, query }) => {
        const { id: crawlId } = await findJob(jobs, params.id)
        return reads.urls({ crawlId, ...query })
      },
    })
    app.get('/crawl/:id/reasons', {
      schema: {
        summary: 'How many URLs came to what end',
        tags: ['urls'],
        params: JobParams,
        querystring: NoQuery,
        response: { 200: Reasons, 404: ApiError },
      },
      handler: async ({ params }) => reads.reasons((await findJob(jobs, params.id)).id),
    })
    app.get('/crawl/:id/hosts', {
      schema: {
        summary: 'Hosts and how they are doing, the largest first',
        tags: ['urls'],
        params: JobParams,
        querystring: HostQuery,
        response: { 200: JobHosts, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params, query: { limit } }) => {
        const { id: crawlId } = await findJob(jobs, params.id)
        return { hosts: [...(await reads.hosts(crawlId, limit))] }
      },
    })
    app.get('/crawl/:id/explain', {
      schema: {
        summary: 'The story of one URL: where it was found, why it was fetched when it was',
        tags: ['urls'],
        params: JobParams,
        querystring: ExplainQuery,
        response: { 200: Explained, 400: ApiError, 404: ApiError },
      },
      handler: async ({ params, query: { url } }) => {
        const { id: crawlId } = await findJob(jobs, params.id)
        const explained = await reads.explain(crawlId, url)
        if (explained === null) throw noJob(params.id)
        return explained
      },
    })
  }
}
