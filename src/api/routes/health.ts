// Health checks: is the server up, and can it work.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { ApiDeps } from '../api-deps.ts'
import { storeView } from '../fleet-views.ts'
import { ApiError } from '../shapes/error.ts'
import { StoreShown } from '../shapes/worker.ts'

const Health = Type.Object(
  {
    status: Type.String({ description: 'ok, or store-away' }),
    /** Left out if everything is in a folder. */
    stores: Type.Optional(Type.Array(StoreShown)),
  },
  { examples: [{ status: 'ok' }] },
)

export function healthRoutes(deps: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/healthz', {
      config: { open: true },
      schema: {
        summary: 'Is the server there, and are its stores',
        tags: ['server'],
        response: { 200: Health, 503: Health },
      },
      handler: async (_request, reply) => {
        if (deps.fleet === undefined) return { status: 'ok' }
        const stores = deps.fleet.stores.map(storeView)
        const isWhole = stores.every(({ up }) => up)
        reply.status(isWhole ? 200 : 503)
        return { status: isWhole ? 'ok' : 'store-away', stores }
      },
    })
    app.get('/readyz', {
      schema: {
        summary: 'Can the server read its store',
        tags: ['server'],
        response: { 200: Health, 503: ApiError },
      },
      handler: async () => {
        await Promise.all([deps.jobs.counts(), deps.journal.last(), deps.reads.totals([])])
        return { status: 'ok' }
      },
    })
  }
}
