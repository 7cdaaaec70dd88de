// Workers, and the leases of a crawl.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { ApiDeps } from '../api-deps.ts'
import { leasesView, NO_LEASES, workersView } from '../fleet-views.ts'
import { findJob } from '../job-views.ts'
import { ApiError } from '../shapes/error.ts'
import { JobLeases, Workers } from '../shapes/worker.ts'
import { JobParams } from './jobs.ts'

export function workerRoutes(deps: ApiDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/workers', {
      config: { withoutStore: true },
      schema: {
        summary: 'Workers on all machines, and whether the stores can be reached',
        tags: ['workers'],
        response: { 200: Workers },
      },
      handler: async () => workersView(deps),
    })
    app.get('/crawl/:id/leases', {
      schema: {
        summary: "Who holds which of a job's URLs and hosts, and its shards",
        tags: ['workers'],
        params: JobParams,
        response: { 200: JobLeases, 404: ApiError, 503: ApiError },
      },
      handler: async ({ params }) => {
        const { id } = await findJob(deps.jobs, params.id)
        const leases = (await deps.fleet?.leases(id)) ?? null
        return leases === null ? { at: deps.clock.now(), ...NO_LEASES } : leasesView(leases)
      },
    })
  }
}
