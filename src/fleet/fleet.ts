// Workers and stores of a workspace on servers, for its operator: who is there, what each does and holds, and
// whether the servers can be reached. The only decision made here is when a store has been away for too long.
import type { FrontierLeases } from '../frontier/lease-views.ts'
import type { WorkerRecord } from './worker-registry.ts'

export const STORES = ['postgres', 'redis'] as const
export type StoreName = (typeof STORES)[number]

export type StoreState = {
  readonly store: StoreName
  readonly isUp: boolean
  /** Epoch ms since when it has this state; while it is up, since it was last away or first checked. */
  readonly since: number
  /** Epoch ms when the program gives up unless the store is back; null while it is up. */
  readonly givesUpAt: number | null
}

export type FleetWorker = {
  readonly record: WorkerRecord
  /** URLs that its scouters have leased, over all crawls. */
  readonly leases: number
  /** Epoch ms when it was found to be gone; null if it is there. */
  readonly goneAt: number | null
}

/** The holder of a session: a worker, or the program that runs the crawl itself. */
export type Holder = {
  readonly machine: string
  readonly pid: number
  readonly name: string
  /** Null for the program that runs the crawl. */
  readonly worker: string | null
}

export type CrawlLeases = FrontierLeases & {
  /** By session; sessions of unknown programs are left out. */
  readonly holders: ReadonlyMap<string, Holder>
}

export interface Fleet {
  /** Present workers by the time they came, then those that left, the last first. */
  readonly workers: readonly FleetWorker[]
  readonly stores: readonly StoreState[]
  /** Leases of one crawl; null if it has no frontier. Rejects if the frontier cannot be reached. */
  leases(crawlId: number): Promise<CrawlLeases | null>
  /** Called after each check: about once a second. */
  subscribe(listener: () => void): () => void
}

export type FleetSnapshot = {
  readonly workers: readonly WorkerRecord[]
  /** By the id of the worker. */
  readonly leases: ReadonlyMap<string, number>
}

/**
 * The source for checks of a fleet. Each call ends within some seconds, whatever state the servers are in.
 */
export interface FleetSource extends AsyncDisposable {
  /** The servers of this workspace. */
  readonly stores: readonly StoreName[]
  /** The server that has the registry of workers. */
  readonly registryIn: StoreName
  /** Checks that a server answers; rejects if not. */
  ask(store: StoreName): Promise<void>
  /** Reads the registry; rejects if its server does not answer. */
  look(): Promise<FleetSnapshot>
  leases(crawlId: number): Promise<CrawlLeases | null>
}
