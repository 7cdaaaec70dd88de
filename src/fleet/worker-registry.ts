// Where programs that share crawls find each other: whoever runs a crawl announces it, workers on any
// machine see that, join, and report how they are doing. Both renew what they say every second or so; who
// falls silent is gone after a while, and so is what it said.
//
//   owner (crawl, serve) ──announce──▶  registry  ◀──report── worker
//        ◀── who has joined, how it goes ──┘ └── which crawls run, in which phase ──▶
//
// Invariants: a worker that is about to begin is seen by the owner, or sees that the crawl ends. Programs
// that do not understand each other never work on the same crawl. Nothing here is worth keeping: lost,
// it is there again a second later.
import type { CrawlSettings } from '../core/job.ts'
import type { Progress } from '../crawl/progress.ts'

/** Grows when programs of two versions could not share a crawl. */
export const PROTOCOL = 1
/** More than any store will ever have of versions. */
const SCHEMAS = 10_000

/** Programs of the same protocol whose stores differ cannot share a crawl either. */
export function protocolWith(schema: number): number {
  return PROTOCOL * SCHEMAS + schema
}

/** What is the same whoever looks: the crawl as its frontier has it. */
export type ProgressSnapshot = Pick<Progress, 'counts' | 'hosts' | 'fairness' | 'revisits'>
/** What belongs to the processes that it is told of. */
export type ProgressTotals = Omit<Progress, keyof ProgressSnapshot>

/** Why a crawl came to its end, as any scouter of it finds out by itself. */
export type OwnEnd = 'empty' | 'limit'

/** `running`: workers may join. `draining`: they finish what is under way. `over`: nothing is left to do. */
export type Phase = 'running' | 'draining' | 'over'

/** Which program, where. */
export type Program = {
  readonly machine: string
  readonly pid: number
  readonly version: string
  readonly protocol: number
}

/** A crawl that runs, as its owner says. */
export type Announcement = {
  readonly crawl: number
  /** One run of it: another one for whoever continues it. */
  readonly run: string
  readonly owner: Program & { readonly role: 'crawl' | 'serve' }
  readonly phase: Phase
  /** Nothing more that is new; what is to be visited again still is. */
  readonly enough: boolean
  /** Pairs that work on it now, of all workers and of the owner. */
  readonly pairs: number
  /** The owner's own among them; left out: none. */
  readonly ownPairs?: number
  /** As this run has them; without proxies, which are each machine's own and may hold passwords. */
  readonly settings: CrawlSettings
  /** The crawl was given proxies. */
  readonly isProxied: boolean
  /** The round this run is of; null: of none. */
  readonly round: number | null
}

/** What a worker does for one run of a crawl. */
export type WorkerShare = {
  readonly crawl: number
  readonly run: string
  /** Pairs at work, or about to begin; 0: not any more. */
  readonly pairs: number
  /** Epoch ms by the worker's clock: when the last of them began, also of those that ended. */
  readonly begunAt?: number
  /** Runs that those are for which leave. */
  readonly goingTo?: readonly string[]
  /** Of all its pairs, those that ended too. */
  readonly figures: ProgressTotals
  /** Its scouter found that the crawl is at its end; null: it goes on. */
  readonly end: OwnEnd | null
  /** Why it cannot work on this crawl; null: it can. */
  readonly trouble: { readonly code: string; readonly message: string } | null
}

export type WorkerRecord = Program & {
  /** Random, another one each time it starts. */
  readonly id: string
  readonly name: string
  /** As many as it may have at work. */
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
  /** It finishes what it has and leaves. */
  readonly isLeaving: boolean
}

export type Heard = {
  readonly workers: readonly WorkerRecord[]
  /** By whichever worker spoke last; null: none did. */
  readonly glance: ProgressSnapshot | null
}

export interface WorkerRegistry {
  /**
   * Says that a worker is there, and how it sees its crawls; answers which crawls there are. Refused
   * with `store-newer` when owners of another protocol are there.
   */
  report(
    record: WorkerRecord,
    glances?: ReadonlyMap<number, ProgressSnapshot>,
  ): Promise<readonly Announcement[]>
  /** A worker goes. */
  leave(id: string): Promise<void>
  /** Says that a crawl runs; answers who is there and can share it. Refused like `report`. */
  announce(announcement: Announcement): Promise<Heard>
  /** All that are there, by the time they came. */
  workers(): Promise<readonly WorkerRecord[]>
  announcements(): Promise<readonly Announcement[]>
  /** Epoch ms by the clock that everybody shares. */
  now(): Promise<number>
}
