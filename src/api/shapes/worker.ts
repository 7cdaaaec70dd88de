// Workers, leases and stores as the API speaks of them. Names of workers and machines are whatever
// somebody called them: treat them as hostile wherever they are shown.
import { type Static, Type } from 'typebox'
import { STORES } from '../../fleet/fleet.ts'
import { JobId } from '../../reads/shapes/job.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])

/** `working`: on a crawl. `waiting`: for one. `leaving`: finishes what it has. `gone`: since `gone_at`. */
export const WORKER_CONDITIONS = ['working', 'waiting', 'leaving', 'gone'] as const

export const WorkerCrawl = Type.Object({
  id: JobId,
  /** Pairs of a scouter and a parser that it has at work there. */
  pairs: Type.Integer(),
  /** Pages it stored in this run. */
  stored: Type.Integer(),
  /** Why it cannot work on this crawl; ''. */
  trouble: Type.String(),
})

export const WorkerShown = Type.Object({
  /** Random, another one each time it starts. */
  id: Type.String(),
  name: Type.String(),
  machine: Type.String(),
  pid: Type.Integer(),
  version: Type.String(),
  since: Type.Integer(),
  condition: Type.Enum([...WORKER_CONDITIONS]),
  gone_at: nullable(Type.Integer()),
  /** As many as it may have at work. */
  pairs: Type.Integer(),
  /** Share of one core over the last seconds, of all its processes: 1 is a core fully used. */
  cpu: Type.Number(),
  rss_bytes: Type.Integer(),
  pages_per_second: Type.Number(),
  /** Requests under way. */
  in_flight: Type.Integer(),
  /** URLs it has leased: under way, or not settled yet. */
  leases: Type.Integer(),
  crawls: Type.Array(WorkerCrawl),
  /** Crawls it does not join, and why. */
  declined: Type.Array(Type.Object({ id: JobId, why: Type.String() })),
})
export type WorkerShown = Static<typeof WorkerShown>

export const StoreShown = Type.Object({
  store: Type.Enum([...STORES]),
  up: Type.Boolean(),
  /** Since when it is up, or away. */
  since: Type.Integer(),
  /** When the server ends unless the store is back by then; null while it is up. */
  gives_up_at: nullable(Type.Integer()),
})
export type StoreShown = Static<typeof StoreShown>

/** `GET /workers`, and the event `workers`. */
export const Workers = Type.Object({
  at: Type.Integer(),
  /** False: everything is done on this machine, and there are no workers. */
  shared: Type.Boolean(),
  /** All that are there; `workers` lists at most 256, and some that are gone. */
  total: Type.Integer(),
  workers: Type.Array(WorkerShown),
  stores: Type.Array(StoreShown),
})
export type Workers = Static<typeof Workers>

/** Who holds something: a worker, by its id; or, where that is null, who runs the crawl. */
const holder = {
  worker: nullable(Type.String()),
  /** '' of one that nobody knows any more. */
  name: Type.String(),
}

export const JobShard = Type.Object({
  shard: Type.Integer(),
  /** What its keys in Redis begin with. */
  keys: Type.String(),
  urls: Type.Integer(),
  hosts: Type.Integer(),
  queued: Type.Integer(),
  leased: Type.Integer(),
  stored: Type.Integer(),
  ready_hosts: Type.Integer(),
  resting_hosts: Type.Integer(),
})

/** `GET /crawl/:id/leases`, and the event `leases`: what is in whose hands. All empty on one machine. */
export const JobLeases = Type.Object({
  at: Type.Integer(),
  /** All that are out; `leases` lists at most 200. */
  total: Type.Integer(),
  shards: Type.Array(JobShard),
  /** One for each scouter. */
  sessions: Type.Array(
    Type.Object({
      ...holder,
      machine: Type.String(),
      pid: Type.Integer(),
      /** Unless it is heard of until then, what it holds goes back. */
      until: Type.Integer(),
      leases: Type.Integer(),
      hosts: Type.Integer(),
    }),
  ),
  leases: Type.Array(
    Type.Object({
      ...holder,
      kind: Type.Enum(['page', 'sitemap', 'robots']),
      /** '' of a sitemap or robots.txt. */
      url: Type.String(),
      host: Type.String(),
      /** When its request went out; null: it has not yet. */
      started_at: nullable(Type.Integer()),
      tries: Type.Integer(),
    }),
  ),
  /** Hosts that are left to somebody, and until when. */
  hosts: Type.Array(Type.Object({ ...holder, host: Type.String(), until: Type.Integer() })),
})
export type JobLeases = Static<typeof JobLeases>
