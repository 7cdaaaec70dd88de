// Jobs: create, list and control them.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { JOB_STATUSES, type JobRecord, jobId, readJobId } from '../../core/job.ts'
import type { CommandResult } from '../../jobs/dispatcher.ts'
import { given } from '../../lib/present.ts'
import {
  JobHistory,
  JobId,
  JobList,
  JobOverview,
  JobStarted,
  JobSummary,
} from '../../reads/shapes/job.ts'
import type { ApiDeps } from '../api-deps.ts'
import { decodeCrawl } from '../decode-crawl.ts'
import { decodeLimits } from '../decode-limits.ts'
import { Refusal } from '../errors.ts'
import { findJob, type JobViews, noJob } from '../job-views.ts'
import { crawlBody, limitsBody } from '../shapes/crawl-body.ts'
import { ApiError } from '../shapes/error.ts'

export const JobParams = Type.Object({ id: Type.String({ description: 'such as crawl_1' }) })
const ListQuery = Type.Object(
  {
    after: Type.Optional(JobId),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    status: Type.Optional(Type.Enum([...JOB_STATUSES])),
  },
  { additionalProperties: false },
)
const RefreshQuery = Type.Object(
  {
    due: Type.Boolean({
      default: false,
      description: 'only pages that have changed by now, going by how often they did',
    }),
  },
  { additionalProperties: false },
)
const OrderHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'the same key is the same job, however often it is asked for' }),
  ),
})
const Changed = Type.Object({ job: JobSummary })
const DEFAULT_JOBS_PER_MINUTE = 300

const ACTIONS = {
  pause: 'Finish what is under way, keep the rest for later',
  stop: 'End a job; what is stored stays',
} as const

export function jobRoutes(deps: ApiDeps, views: JobViews): FastifyPluginAsyncTypebox {
  const { dispatcher, jobs, settings } = deps
  const max = settings.jobsPerMinute ?? DEFAULT_JOBS_PER_MINUTE
  return async (app) => {
    app.post('/crawl', {
      config: { rateLimit: { max, timeWindow: 60_000 } },
      // The schema is for readers; the decoder uses the same table and gives better messages.
      validatorCompiler: () => () => true,
      schema: {
        summary: 'Start a crawl',
        tags: ['jobs'],
        headers: OrderHeaders,
        body: crawlBody(deps),
        response: { 200: JobStarted, 400: ApiError, 409: ApiError, 413: ApiError, 429: ApiError },
      },
      handler: async ({ body, headers }) => {
        const order = decodeCrawl(body, headers['idempotency-key'], deps)
        const ordered = await dispatcher.submit(order)
        const id = jobId(ordered.job.id)
        if (ordered.outcome === 'taken') return { job_id: id, status: 'started' as const }
        throw new Refusal(409, `this Idempotency-Key was used for another request: ${id}`)
      },
    })
    app.get('/crawl', {
      schema: {
        summary: 'All jobs, the newest first',
        tags: ['jobs'],
        querystring: ListQuery,
        response: { 200: JobList, 400: ApiError },
      },
      handler: async ({ query: { after, limit, status } }) => {
        const before = after === undefined ? null : readJobId(after)
        const found = await jobs.list({
          limit: limit + 1,
          ...given({ before, status }),
        })
        const shown = found.slice(0, limit)
        const last = found.length > limit ? shown.at(-1) : undefined
        return {
          jobs: await views.summaries(shown),
          next: last === undefined ? null : jobId(last.id),
        }
      },
    })
    app.get('/crawl/:id/overview', {
      schema: {
        summary: 'Everything about a job but its pages',
        tags: ['jobs'],
        params: JobParams,
        response: { 200: JobOverview, 404: ApiError },
      },
      handler: async ({ params }) => views.overview(await findJob(jobs, params.id)),
    })
    app.get('/crawl/:id/history', {
      schema: {
        summary: 'Its curves over time',
        tags: ['jobs'],
        params: JobParams,
        response: { 200: JobHistory, 404: ApiError },
      },
      handler: async ({ params }) => views.history(await findJob(jobs, params.id)),
    })
    app.post('/crawl/:id/resume', {
      validatorCompiler: () => () => true,
      schema: {
        summary: 'Go on with a job that is at rest, with larger limits where its own were reached',
        tags: ['jobs'],
        params: JobParams,
        body: limitsBody(deps),
        response: { 200: Changed, 400: ApiError, 404: ApiError, 409: ApiError },
      },
      handler: async ({ params: { id }, body }) => {
        const { id: crawlId, settings } = await findJob(jobs, id)
        const limits = decodeLimits(body, settings, deps)
        const job = jobFrom(await dispatcher.resume(crawlId, limits), id)
        return { job: await views.summary(job) }
      },
    })
    app.post('/crawl/:id/refresh', {
      schema: {
        summary: 'Look again at the pages of a job that has completed: what changed, went, came',
        tags: ['jobs'],
        params: JobParams,
        querystring: RefreshQuery,
        response: { 200: Changed, 400: ApiError, 404: ApiError, 409: ApiError },
      },
      handler: async ({ params: { id }, query: { due } }) => {
        const job = jobFrom(await dispatcher.refresh(numberOf(id), { due }), id)
        return { job: await views.summary(job) }
      },
    })
    for (const action of ['pause', 'stop'] as const) {
      app.post(`/crawl/:id/${action}`, {
        schema: {
          summary: ACTIONS[action],
          tags: ['jobs'],
          params: JobParams,
          response: { 200: Changed, 404: ApiError, 409: ApiError },
        },
        handler: async ({ params: { id } }) => {
          const job = jobFrom(await dispatcher[action](numberOf(id)), id)
          return { job: await views.summary(job) }
        },
      })
    }
    app.delete('/crawl/:id', {
      schema: {
        summary: 'Remove a job with all its pages; it is stopped first if need be',
        tags: ['jobs'],
        params: JobParams,
        response: { 200: Type.Object({ removed: JobId }), 404: ApiError, 409: ApiError },
      },
      handler: async ({ params: { id } }) => {
        jobFrom(await dispatcher.remove(numberOf(id)), id)
        return { removed: id }
      },
    })
  }
}

function numberOf(id: string): number {
  const crawlId = readJobId(id)
  if (crawlId === null) throw noJob(id)
  return crawlId
}

function jobFrom(told: CommandResult, id: string): JobRecord {
  if (told.outcome === 'done') return told.job
  throw told.outcome === 'no-job' ? noJob(id) : new Refusal(409, told.note)
}
