// Full-text search over stored pages, in all crawls or in one.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { InvalidInput, Refused } from '../../core/errors.ts'
import { PAGE_KINDS } from '../../core/page.ts'
import { given } from '../../lib/present.ts'
import { COLUMN_NAMES, searchColumns, sinceTime } from '../../options/values.ts'
import { JobId } from '../../reads/shapes/job.ts'
import { SearchResult } from '../../reads/shapes/page.ts'
import { MAX_RANK_WEIGHT, type Search } from '../../search/search-index.ts'
import type { ApiDeps } from '../api-deps.ts'
import { findJob } from '../job-views.ts'
import { ApiError } from '../shapes/error.ts'

const SearchQuery = Type.Object(
  {
    q: Type.String({
      description:
        'words, "phrases", prefix*, -not, OR, title:word; whatever is typed is a query, and of a ' +
        'very long one the beginning counts',
    }),
    columns: Type.Optional(
      Type.String({
        maxLength: 200,
        description: `look only in these, by comma: ${COLUMN_NAMES.join(', ')}`,
        examples: ['title,description'],
      }),
    ),
    crawl: Type.Optional(JobId),
    host: Type.Optional(Type.String({ maxLength: 300 })),
    language: Type.Optional(Type.String({ maxLength: 40 })),
    kind: Type.Optional(Type.Enum([...PAGE_KINDS])),
    hot: Type.Optional(Type.Boolean()),
    topic: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description: 'hot pages of crawls about this; the facet `topics` has what there is',
      }),
    ),
    since: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'fetched since: a day, a time, or how long ago, such as 7d, 12h or 30m',
        examples: ['2026-11-01', '7d'],
      }),
    ),
    all: Type.Optional(
      Type.Boolean({ description: 'near-duplicates as hits of their own; otherwise the best' }),
    ),
    exact: Type.Optional(Type.Boolean({ description: 'no other forms of the words' })),
    rank_weight: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MAX_RANK_WEIGHT,
        description: 'what the links to a page weigh beside its words; 0: nothing; 0.1 if absent',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
  },
  { additionalProperties: false },
)
type SearchQuery = Static<typeof SearchQuery>

export function searchRoutes({ jobs, reads, clock }: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/search', {
      schema: {
        summary: 'Search',
        tags: ['search'],
        querystring: SearchQuery,
        response: { 200: SearchResult, 400: ApiError, 404: ApiError },
      },
      handler: async ({ query }) => {
        const { crawl } = query
        const crawlId = crawl === undefined ? undefined : (await findJob(jobs, crawl)).id
        return reads.search(searchFrom(query, crawlId, clock.now()))
      },
    })
  }
}

function searchFrom(query: SearchQuery, crawlId: number | undefined, now: number): Search {
  const { q, all, exact, rank_weight: rankWeight, limit, offset } = query
  const { language, kind, hot, topic } = query
  const columns = query.columns === undefined ? null : searchColumns(query.columns, 'columns')
  const since = query.since === undefined ? null : momentFrom(query.since, now)
  const host = query.host?.toLowerCase()
  return {
    text: q,
    limit,
    offset,
    filter: given({ crawlId, host, language, kind, hot, topic, since }),
    scoring: given({ stems: exact === undefined ? null : !exact, rankWeight }),
    ...given({ columns, all }),
  }
}

function momentFrom(since: string, now: number): number {
  try {
    return sinceTime(since, now)
  } catch (error) {
    throw error instanceof Refused ? new InvalidInput('since', error.message) : error
  }
}
