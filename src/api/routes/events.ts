// Live events, as a stream for a browser's EventSource.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { ApiDeps } from '../api-deps.ts'
import type { EventHub } from '../events/event-hub.ts'
import { readCursor, type Subject } from '../events/event-reader.ts'
import { findJob } from '../job-views.ts'
import { ApiError } from '../shapes/error.ts'
import { JobParams } from './jobs.ts'

const after = Type.Optional(
  Type.String({
    pattern: '^[0-9]{1,15}\\.[0-9]{1,15}$',
    examples: ['12.345'],
    description: 'the id of the last event that was had: all after it are sent',
  }),
)
const AllQuery = Type.Object({ after }, { additionalProperties: false })
const JobQuery = Type.Object(
  {
    after,
    pages: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, description: '0: no event for each page' }),
    ),
  },
  { additionalProperties: false },
)
const Headers = Type.Object({
  'last-event-id': Type.Optional(Type.String({ description: 'the same as after' })),
})
const ANSWERS = {
  200: Type.String({
    description: 'text/event-stream: job, notice, page, progress, removed, workers, leases',
  }),
  400: ApiError,
  404: ApiError,
  503: ApiError,
}

export function eventRoutes({ jobs, log }: ApiDeps, hub: EventHub): FastifyPluginAsyncTypebox {
  const stream = (reply: FastifyReply, subject: Subject, from: string | undefined) => {
    hub.reserve(reply.raw)
    reply.hijack()
    reply.raw.writeHead(200, {
      ...plain(reply.getHeaders()),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    reply.raw.flushHeaders()
    hub.listen(subject, reply.raw, readCursor(from ?? '')).catch((error: unknown) => {
      log(`a stream of events ended: ${error instanceof Error ? error.message : error}`)
      reply.raw.end()
    })
  }
  return async (app) => {
    app.get('/crawl/:id/events', {
      exposeHeadRoute: false,
      config: { rateLimit: false },
      schema: {
        summary: 'What happens to a job, as it happens',
        tags: ['events'],
        params: JobParams,
        querystring: JobQuery,
        headers: Headers,
        produces: ['text/event-stream'],
        response: ANSWERS,
      },
      handler: async ({ params, query, headers }, reply) => {
        const { id } = await findJob(jobs, params.id)
        const subject = { crawlId: id, pages: query.pages !== 0 }
        stream(reply, subject, headers['last-event-id'] ?? query.after)
      },
    })
    app.get('/events', {
      exposeHeadRoute: false,
      config: { rateLimit: false },
      schema: {
        summary: 'What happens to all jobs, but for their pages',
        tags: ['events'],
        querystring: AllQuery,
        headers: Headers,
        produces: ['text/event-stream'],
        response: ANSWERS,
      },
      handler: async ({ query, headers }, reply) => {
        stream(reply, { crawlId: null, pages: false }, headers['last-event-id'] ?? query.after)
      },
    })
  }
}

function plain(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
