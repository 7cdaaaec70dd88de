// Where programs that share crawls find each other. The owner of a crawl announces it; workers on any machine
// see that, join, and report their state. Both renew their records every second or so; a program that falls
// silent is removed after a while, with its records.
//
//   owner (crawl, serve) ──announce──▶  registry  ◀──report── worker
//        ◀── who has joined, how it goes ──┘ └── which crawls run, in which phase ──▶
//
// Invariants: the owner sees a worker that is about to begin, or the worker sees that the crawl ends.
// Programs of different protocols never work on the same crawl. Nothing here needs to be durable: if lost, it
// is restored a second later.
import type { CrawlSettings } from '../core/job.ts'
import type { Progress } from '../crawl/progress.ts'

/** Increased when programs of two versions cannot share a crawl. */
export const PROTOCOL = 1
/** More than a store will ever have versions. */
const SCHEMAS = 10_000

/** Programs of the same protocol whose schemas differ cannot share a crawl either. */
export function protocolWith(schema: number): number {
  return PROTOCOL * SCHEMAS + schema
}

/** Facts that are the same for all programs: the crawl as its frontier has it. */
export type ProgressSnapshot = Pick<Progress, 'counts' | 'hosts' | 'fairness' | 'revisits'>
/** Facts about the reporting processes. */
export type ProgressTotals = Omit<Progress, keyof ProgressSnapshot>

/** Why a crawl ended, as any scouter of it finds out by itself. */
export type OwnEnd = 'empty' | 'limit'

/** `running`: workers may join. `draining`: they finish work under way. `over`: nothing is left to do. */
export type Phase = 'running' | 'draining' | 'over'

/** Identifies a program and its machine. */
export type Program = {
  readonly machine: string
  readonly pid: number
  readonly version: string
  readonly protocol: number
}

/** A running crawl, as its owner announces it. */
export type Announcement = {
  readonly crawl: number
  /** Id of one run; a run that continues the crawl has another one. */
  readonly run: string
  readonly owner: Program & { readonly role: 'crawl' | 'serve' }
  readonly phase: Phase
  /** Fetch no new URLs; URLs of a recrawl are still visited. */
  readonly enough: boolean
  /** Pairs that work on it now, of all workers and of the owner. */
  readonly pairs: number
  /** The owner's own pairs among them; none if left out. */
  readonly ownPairs?: number
  /**
   * The settings of this run, without proxies, which every machine has its own of and which may hold
   * passwords.
   */
  readonly settings: CrawlSettings
  /** The crawl was given proxies. */
  readonly isProxied: boolean
  /** The recrawl of this run; null if it is none. */
  readonly round: number | null
}

/** The work of one worker for one run of a crawl. */
export type WorkerShare = {
  readonly crawl: number
  readonly run: string
  /** Pairs at work, or about to begin; 0: no longer at work. */
  readonly pairs: number
  /** Epoch ms by the worker's clock: when the last of them began, also if it has ended. */
  readonly begunAt?: number
  /** The runs that the leaving pairs move to. */
  readonly goingTo?: readonly string[]
  /** The totals of all its pairs, including those that ended. */
  readonly figures: ProgressTotals
  /** The end that its scouter found; null while the crawl continues. */
  readonly end: OwnEnd | null
  /** Why it cannot work on this crawl; null if it can. */
  readonly trouble: { readonly code: string; readonly message: string } | null
}

export type WorkerRecord = Program & {
  /** Random, and different each time it starts. */
  readonly id: string
  readonly name: string
  /** The maximum number of pairs. */
  readonly pairs: number
  /** Epoch ms. */
  readonly since: number
  /** Share of one core over the last seconds, of all its processes. */
  readonly cpu: number
  readonly rssBytes: number
  readonly pagesPerSecond: number
  /** Requests under way. */
  readonly inFlight: number
  readonly shares: readonly WorkerShare[]
  /** Crawls it does not join, and why. */
  readonly declined: readonly { readonly crawl: number; readonly why: string }[]
  /** It finishes its work and leaves. */
  readonly isLeaving: boolean
}

export type Heard = {
  readonly workers: readonly WorkerRecord[]
  /** The view of the worker that reported last; null if none did. */
  readonly snapshot: ProgressSnapshot | null
}

export interface WorkerRegistry {
  /**
   * Reports a worker and its view of its crawls; returns the running crawls. Refused with `store-newer` if
   * owners of another protocol are present.
   */
  report(
    record: WorkerRecord,
    snapshots?: ReadonlyMap<number, ProgressSnapshot>,
  ): Promise<readonly Announcement[]>
  /** A worker leaves. */
  leave(id: string): Promise<void>
  /** Announces a crawl; returns the workers that can share it. Refused like `report`. */
  announce(announcement: Announcement): Promise<Heard>
  /** All present workers, by the time they came. */
  workers(): Promise<readonly WorkerRecord[]>
  announcements(): Promise<readonly Announcement[]>
  /** Epoch ms of the shared clock. */
  now(): Promise<number>
}
