// Is the server up, can it work, and its figures for Prometheus. Labels of figures are our own words and names
// of workers, never a URL or a host.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { JOB_STATUSES, type JobStatus } from '../../core/job.ts'
import type { Progress } from '../../crawl/progress.ts'
import type { Load } from '../../jobs/dispatcher.ts'
import type { ApiDeps } from '../api-deps.ts'
import type { EventHub } from '../events/event-hub.ts'
import { leasesView, NO_LEASES, storeView, workersView } from '../fleet-views.ts'
import { findJob } from '../job-views.ts'
import {
  type Metric,
  PROMETHEUS_TYPE,
  prometheusText,
  type RequestCounts,
  type WorkDone,
} from '../prometheus.ts'
import { ApiError } from '../shapes/error.ts'
import { JobLeases, StoreShown, Workers } from '../shapes/worker.ts'
import { JobParams } from './jobs.ts'

type Sources = {
  readonly hub: EventHub
  readonly requests: RequestCounts
  readonly done: WorkDone
}

/** More than can run at once. */
const MAX_RUNNING = 1000

export function metricRoutes(deps: ApiDeps, sources: Sources): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/metrics', {
      config: { withoutStore: true },
      schema: {
        summary: 'Figures for Prometheus',
        tags: ['server'],
        produces: ['text/plain'],
        response: { 200: Type.String() },
      },
      handler: async (_request, reply) => {
        const workers = workersView(deps)
        const isAway = workers.stores.some(({ store, up }) => store === 'postgres' && !up)
        reply.type(PROMETHEUS_TYPE)
        return prometheusText([
          // Metrics matter most while the database is away, so the others are still reported.
          ...(isAway ? [] : await storedMetrics(deps, sources)),
          ...loadMetrics(deps.dispatcher.load()),
          ...(workers.shared ? fleetMetrics(workers) : []),
          ...serverMetrics(sources),
        ])
      },
    })
  }
}

async function storedMetrics(deps: ApiDeps, { done }: Sources): Promise<Metric[]> {
  const counts = await deps.jobs.counts()
  const running = await deps.jobs.list({ status: 'running', limit: MAX_RUNNING })
  const live = running.flatMap(({ id }) => deps.dispatcher.live(id) ?? [])
  const rate = live.reduce((sum, { pagesPerSecond }) => sum + pagesPerSecond, 0)
  const progress = live.flatMap(({ progress }) => progress ?? [])
  return [...jobMetrics(counts, deps.settings.version), ...workMetrics(done, progress, rate)]
}

/** Workers of one name are added up: only the name stays the same over restarts. */
function fleetMetrics({ workers, stores, total }: Workers): Metric[] {
  const rates = new Map<string, number>()
  for (const { name, condition, pages_per_second } of workers) {
    if (condition !== 'gone') rates.set(name, (rates.get(name) ?? 0) + pages_per_second)
  }
  const leases = workers.reduce((sum, worker) => sum + worker.leases, 0)
  return [
    gauge('jelajah_workers', 'Workers that are there.', one(total)),
    gauge(
      'jelajah_worker_pages_per_second',
      'Pages stored per second, by the name of the worker.',
      [...rates].map(([worker, value]) => ({ labels: { worker }, value })),
    ),
    gauge('jelajah_leases', 'URLs that workers have leased.', one(leases)),
    gauge(
      'jelajah_store_up',
      'Whether a store can be reached.',
      stores.map(({ store, up }) => ({ labels: { store }, value: up ? 1 : 0 })),
    ),
  ]
}

function jobMetrics(counts: Readonly<Record<JobStatus, number>>, version: string): Metric[] {
  return [
    gauge('jelajah_build_info', 'The version that runs.', [{ labels: { version }, value: 1 }]),
    gauge(
      'jelajah_jobs',
      'Jobs by status.',
      JOB_STATUSES.map((status) => ({ labels: { status }, value: counts[status] })),
    ),
  ]
}

function workMetrics(done: WorkDone, running: readonly Progress[], rate: number): Metric[] {
  const sum = (of: (progress: Progress) => number) => running.reduce((all, one) => all + of(one), 0)
  const queued = sum(({ counts }) => counts.queued + counts.leased)
  const inFlight = sum((progress) => progress.inFlight)
  return [
    counter('jelajah_pages_stored_total', 'Pages stored since the server started.', done.stored),
    counter('jelajah_received_bytes_total', 'Bytes received since the server started.', done.bytes),
    gauge('jelajah_pages_per_second', 'Pages stored per second by running jobs.', one(rate)),
    gauge('jelajah_queued_urls', 'URLs that wait in running jobs.', one(queued)),
    gauge('jelajah_requests_in_flight', 'Requests of running jobs under way.', one(inFlight)),
  ]
}

function loadMetrics(load: Load): Metric[] {
  return [
    gauge('jelajah_running_jobs', 'Jobs that run here.', one(load.running)),
    gauge('jelajah_waiting_jobs', 'Jobs that wait for their turn.', one(load.waiting)),
    gauge('jelajah_connections', 'Connections promised to running jobs.', one(load.connections)),
    gauge('jelajah_max_connections', 'Connections for all jobs.', one(load.maxConnections)),
    gauge('jelajah_jobs_rss_bytes', "Memory of running jobs' processes.", one(load.rssBytes)),
    gauge('jelajah_max_jobs_rss_bytes', 'Memory for all jobs.', one(load.maxRssBytes)),
  ]
}

function serverMetrics({ hub, requests }: Sources): Metric[] {
  const { user, system } = process.cpuUsage()
  const startedAt = Math.round(Date.now() / 1000 - process.uptime())
  return [
    gauge('jelajah_event_streams', 'Streams of events that are open.', one(hub.streams)),
    {
      name: 'jelajah_http_requests_total',
      type: 'counter',
      help: 'Requests answered, by route and kind of answer.',
      samples: requests.samples(),
    },
    gauge('process_resident_memory_bytes', 'Memory of the server.', one(process.memoryUsage.rss())),
    counter('process_cpu_seconds_total', 'CPU time of the server.', (user + system) / 1e6),
    gauge('process_start_time_seconds', 'When the server started.', one(startedAt)),
  ]
}

function one(value: number): Metric['samples'] {
  return [{ value }]
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, type: 'gauge', help, samples }
}

function counter(name: string, help: string, value: number): Metric {
  return { name, type: 'counter', help, samples: one(value) }
}

const Health = Type.Object(
  {
    status: Type.String({ description: 'ok, or store-away' }),
    /** Left out if everything is in a folder. */
    stores: Type.Optional(Type.Array(StoreShown)),
  },
  { examples: [{ status: 'ok' }] },
)

/** Health checks: is the server up, and can it work. */
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

/** Workers, and the leases of a crawl. */
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
        summary: "Who holds which of a job's URLs and hosts, and its partitions",
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
