// Workers, leases and stores in the API. Names of workers and machines are chosen by others: treat them as
// hostile wherever they are shown.
import { type Static, Type } from 'typebox'
import { STORES } from '../../fleet/fleet.ts'
import { JobId } from '../../reads/shapes/job.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])

/** `working`: on a crawl. `waiting`: for one. `leaving`: finishes its work. `gone`: since `gone_at`. */
const WORKER_CONDITIONS = ['working', 'waiting', 'leaving', 'gone'] as const

const WorkerCrawl = Type.Object({
  id: JobId,
  /** Pairs of a scouter and a parser that work there. */
  pairs: Type.Integer(),
  /** Pages it stored in this run. */
  stored: Type.Integer(),
  /** Why it cannot work on this crawl; else ''. */
  trouble: Type.String(),
})

export const WorkerShown = Type.Object({
  /** Random, and different each time it starts. */
  id: Type.String(),
  name: Type.String(),
  machine: Type.String(),
  pid: Type.Integer(),
  version: Type.String(),
  since: Type.Integer(),
  condition: Type.Enum([...WORKER_CONDITIONS]),
  gone_at: nullable(Type.Integer()),
  /** The maximum number of pairs. */
  pairs: Type.Integer(),
  /** Share of one core over the last seconds, of all its processes: 1 is a fully used core. */
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
  /** When the server ends unless the store is back; null while it is up. */
  gives_up_at: nullable(Type.Integer()),
})
export type StoreShown = Static<typeof StoreShown>

/** `GET /workers`, and the event `workers`. */
export const Workers = Type.Object({
  at: Type.Integer(),
  /** False: everything is done on this machine, and there are no workers. */
  shared: Type.Boolean(),
  /** Number of all present workers; `workers` lists at most 256, and some that are gone. */
  total: Type.Integer(),
  workers: Type.Array(WorkerShown),
  stores: Type.Array(StoreShown),
})
export type Workers = Static<typeof Workers>

/** The holder: a worker, by its id; null for the program that runs the crawl. */
const holder = {
  worker: nullable(Type.String()),
  /** '' if the holder is unknown. */
  name: Type.String(),
}

/** A partition of the frontier. */
const JobShard = Type.Object({
  shard: Type.Integer(),
  /** Prefix of its keys in Redis; '' if it is in PostgreSQL. */
  keys: Type.String(),
  urls: Type.Integer(),
  hosts: Type.Integer(),
  queued: Type.Integer(),
  leased: Type.Integer(),
  stored: Type.Integer(),
  /** How many of its largest hosts may be visited now, and how many rest. */
  ready_hosts: Type.Integer(),
  resting_hosts: Type.Integer(),
})

/** `GET /crawl/:id/leases`, and the event `leases`: leases with their holders. All empty on one machine. */
export const JobLeases = Type.Object({
  at: Type.Integer(),
  /** Number of all leases; `leases` lists at most 200. */
  total: Type.Integer(),
  shards: Type.Array(JobShard),
  /** One for each scouter. */
  sessions: Type.Array(
    Type.Object({
      ...holder,
      machine: Type.String(),
      pid: Type.Integer(),
      /** It counts as alive until then, at least. */
      until: Type.Integer(),
      leases: Type.Integer(),
      hosts: Type.Integer(),
    }),
  ),
  leases: Type.Array(
    Type.Object({
      ...holder,
      kind: Type.Enum(['page', 'sitemap', 'robots']),
      /** '' for a sitemap or robots.txt. */
      url: Type.String(),
      host: Type.String(),
      /** When its request was sent; null if it was not sent yet, or just now. */
      started_at: nullable(Type.Integer()),
      tries: Type.Integer(),
    }),
  ),
  /** Hosts that a holder visits, and until when they are left to it, at least. */
  hosts: Type.Array(Type.Object({ ...holder, host: Type.String(), until: Type.Integer() })),
})
export type JobLeases = Static<typeof JobLeases>
