// Is it there, and can it work: for whoever watches the server.
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { ApiWorld } from '../api-world.ts'
import { ApiError } from '../shapes/error.ts'

const Health = Type.Object({ status: Type.String() }, { examples: [{ status: 'ok' }] })

export function healthRoutes(world: ApiWorld): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/healthz', {
      config: { open: true },
      schema: { summary: 'Is the server there', tags: ['server'], response: { 200: Health } },
      handler: async () => ({ status: 'ok' }),
    })
    app.get('/readyz', {
      schema: {
        summary: 'Can the server read its store',
        tags: ['server'],
        response: { 200: Health, 503: ApiError },
      },
      handler: async () => {
        await Promise.all([world.jobs.counts(), world.journal.last(), world.reads.totals([])])
        return { status: 'ok' }
      },
    })
  }
}
