// Workers and stores of a place on servers, as whoever runs it sees them: who is there, what each does and
// holds, and whether the servers that everything is kept on can be reached. Nothing is decided here but
// when a store has been away for too long.
import type { FrontierLeases } from '../frontier/leases.ts'
import type { WorkerRecord } from './worker-registry.ts'

export const STORES = ['postgres', 'redis'] as const
export type StoreName = (typeof STORES)[number]

export type StoreState = {
  readonly store: StoreName
  readonly isUp: boolean
  /** Epoch ms: since when it is as it is; while it is up, since it was away last or was first asked. */
  readonly since: number
  /** Epoch ms: when the program gives up unless it is back by then; null while it is up. */
  readonly givesUpAt: number | null
}

export type FleetWorker = {
  readonly record: WorkerRecord
  /** URLs that its scouters have leased, over all crawls. */
  readonly leases: number
  /** Epoch ms: when it was found to be gone; null: it is there. */
  readonly goneAt: number | null
}

/** Who has a session: a worker, or the program that runs the crawl itself. */
export type Holder = {
  readonly machine: string
  readonly pid: number
  readonly name: string
  /** Null: no worker, but who runs the crawl. */
  readonly worker: string | null
}

export type CrawlLeases = FrontierLeases & {
  /** By session; those of programs that nobody knows any more are left out. */
  readonly holders: ReadonlyMap<string, Holder>
}

export interface Fleet {
  /** Those that are there, by the time they came; then those that went, the last first. */
  readonly workers: readonly FleetWorker[]
  readonly stores: readonly StoreState[]
  /** Of one crawl; null when it has no frontier. Rejects when the frontier cannot be reached. */
  leases(crawlId: number): Promise<CrawlLeases | null>
  /** Called whenever all was looked at anew: about once a second. */
  subscribe(listener: () => void): () => void
}

export type FleetGlance = {
  readonly workers: readonly WorkerRecord[]
  /** By the id of the worker. */
  readonly leases: ReadonlyMap<string, number>
}

/** Where a fleet is looked at. Each call ends within some seconds, whatever became of the servers. */
export interface FleetSource extends AsyncDisposable {
  /** Asks PostgreSQL whether it is there; rejects when not. */
  askPostgres(): Promise<void>
  /** Asks Redis whether it is there; rejects when not. */
  askRedis(): Promise<void>
  /** Asks Redis who is there; rejects when it is not. */
  look(): Promise<FleetGlance>
  leases(crawlId: number): Promise<CrawlLeases | null>
}
