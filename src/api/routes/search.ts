// Full-text search over stored pages, in all crawls or in one.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { InvalidInput, Refused } from '../../core/errors.ts'
import { searchColumns } from '../../core/search-field.ts'
import { given } from '../../lib/present.ts'
import { sinceTime, untilTime } from '../../options/values.ts'
import { JobId } from '../../reads/shapes/job.ts'
import { SearchResult, Suggestions } from '../../reads/shapes/page.ts'
import { SEARCH_PARAMETERS } from '../../reads/shapes/search-request.ts'
import type { Search } from '../../search/search-index.ts'
import type { ApiDeps } from '../api-deps.ts'
import { findJob } from '../job-views.ts'
import { ApiError } from '../shapes/error.ts'

const SearchQuery = Type.Object(
  {
    ...SEARCH_PARAMETERS,
    like: Type.Optional(
      Type.String({
        maxLength: 4000,
        description: 'pages like the one that is stored with this URL; `q` is of no effect then',
      }),
    ),
    changed_after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'new or changed since the answer that had this `cursor`',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
  },
  { additionalProperties: false },
)
type SearchQuery = Static<typeof SearchQuery>

const SuggestQuery = Type.Object(
  {
    q: Type.String({ description: 'what was typed so far; its last word may be unfinished' }),
    crawl: Type.Optional(JobId),
    limit: Type.Integer({ minimum: 1, maximum: 20, default: 8 }),
  },
  { additionalProperties: false },
)

export function searchRoutes({ jobs, reads, clock, settings }: ApiDeps): FastifyPluginAsyncTypebox {
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
        const synonyms = settings.synonyms?.for(query.q)
        return reads.search({
          ...searchFrom(query, crawlId, clock.now()),
          ...given({ synonyms, likeUrl: query.like }),
        })
      },
    })
    app.get('/suggest', {
      schema: {
        summary: 'Words and titles as you type',
        tags: ['search'],
        querystring: SuggestQuery,
        response: { 200: Suggestions, 400: ApiError, 404: ApiError },
      },
      handler: async ({ query: { q, crawl, limit } }) => {
        const crawlIds = crawl === undefined ? null : [(await findJob(jobs, crawl)).id]
        return reads.suggest({ text: q, limit, ...given({ crawlIds }) })
      },
    })
  }
}

export function searchFrom(query: SearchQuery, crawlId: number | undefined, now: number): Search {
  const { q, all, sort, exact, rank_weight: rankWeight, limit, offset } = query
  const { language, kind, hot, topic, changed_after: changedAfter } = query
  const columns = query.columns === undefined ? null : searchColumns(query.columns, 'columns')
  const times = timesFrom(query, now)
  const host = query.host?.toLowerCase()
  return {
    text: q,
    limit,
    offset,
    filter: given({ crawlId, host, language, kind, hot, topic, changedAfter, ...times }),
    scoring: given({ stems: exact === undefined ? null : !exact, rankWeight }),
    ...given({ columns, all, sort }),
  }
}

function timesFrom(query: SearchQuery, now: number) {
  const at = (name: TimeName, read: typeof sinceTime): number | null => {
    const written = query[name]
    try {
      return written === undefined ? null : read(written, now)
    } catch (error) {
      throw error instanceof Refused ? new InvalidInput(name, error.message) : error
    }
  }
  return {
    since: at('since', sinceTime),
    until: at('until', untilTime),
    publishedSince: at('published_since', sinceTime),
    publishedUntil: at('published_until', untilTime),
  }
}

type TimeName = 'since' | 'until' | 'published_since' | 'published_until'
