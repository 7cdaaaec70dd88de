// Full-text search over what is stored: in all crawls, or in one.
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { PAGE_KINDS } from '../../core/page.ts'
import type { ApiWorld } from '../api-world.ts'
import { findJob } from '../job-id.ts'
import { ApiError } from '../shapes/error.ts'
import { JobId } from '../shapes/job.ts'
import { SearchResult } from '../shapes/page.ts'

const SearchQuery = Type.Object(
  {
    q: Type.String({
      maxLength: 2000,
      description: 'words, "phrases", prefix*, -not, OR; whatever is typed is a query',
    }),
    crawl: Type.Optional(JobId),
    host: Type.Optional(Type.String({ maxLength: 300 })),
    language: Type.Optional(Type.String({ maxLength: 40 })),
    kind: Type.Optional(Type.Enum([...PAGE_KINDS])),
    hot: Type.Optional(Type.Boolean()),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
  },
  { additionalProperties: false },
)

export function searchRoutes({ jobs, reads }: ApiWorld): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/search', {
      schema: {
        summary: 'Search',
        tags: ['search'],
        querystring: SearchQuery,
        response: { 200: SearchResult, 400: ApiError, 404: ApiError },
      },
      handler: async ({ query: { q, crawl, host, ...rest } }) => {
        const crawlId = crawl === undefined ? null : (await findJob(jobs, crawl)).id
        return reads.search({
          query: q,
          ...rest,
          ...(host === undefined ? {} : { host: host.toLowerCase() }),
          ...(crawlId === null ? {} : { crawlId }),
        })
      },
    })
  }
}
