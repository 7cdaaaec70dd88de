// A place: where crawls live, with everything that can be opened there. A folder with SQLite files, or a
// PostgreSQL and a Redis; who uses a place does not know which. Nothing is opened before it is asked
// for, and only then is its adapter loaded: a command pays for what it uses.
//
// What a verb gives is its caller's to dispose of; the place itself goes last, with the connections it
// keeps. A verb that only reads never makes or changes anything, and says so where the store is of
// another version.
import type { CrawlerError } from '../core/errors.ts'
import type { Job } from '../core/job.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import type { FleetSource } from '../fleet/fleet.ts'
import type { WorkerRegistry } from '../fleet/worker-registry.ts'
import type { Frontier } from '../frontier/frontier.ts'
import type { NewRecrawl } from '../frontier/recrawls.ts'
import type { FrontierOptions } from '../frontier/sqlite/engine.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { Clock } from '../lib/clock.ts'
import type { HostLimiter } from '../scouter/host-limiter.ts'
import type { PagesOf, SearchIndex, SearchReader, TopicsOf } from '../search/search-index.ts'
import type { ChangeFeed } from '../store/change-feed.ts'
import type { GraphReader } from '../store/graph-reader.ts'
import type { ImportanceReader, ImportanceStore } from '../store/importance-store.ts'
import type { JobJournal } from '../store/job-journal.ts'
import type { JobReader, JobStore } from '../store/job-store.ts'
import type { PageReader } from '../store/page-reader.ts'
import type { PageStore } from '../store/page-store.ts'
import type { RecrawlReader, RecrawlStore } from '../store/recrawl-store.ts'
import type { WebhookOutbox } from '../store/webhook-outbox.ts'

/**
 * `folder`: for a moment, by whoever looks for a crawl and makes it if there is none. `server`: by the
 * server of this place. `search`: by who writes the search index. `feed`: by who serves the feed on this
 * machine. `crawl-N`: by whoever runs that crawl. `scouter-N`, `parser-N`: by a child process that must
 * be alone, so that the next one can wait until it is gone.
 */
export type LockName =
  | 'folder'
  | 'server'
  | 'search'
  | 'feed'
  | `crawl-${number}`
  | `scouter-${number}`
  | `parser-${number}`

/** Held until it is disposed of. */
export type WorkspaceLock = AsyncDisposable & {
  /** Aborted when another process has it now, where that can happen. */
  readonly lost?: AbortSignal
}

/** Locks between processes; each goes when its holder goes, however it dies. */
export interface WorkspaceLocks {
  /** Takes the lock; null when somebody else has it. */
  lock(name: LockName): Promise<WorkspaceLock | null>
  /** Asks for the lock until it is free; after `forMs` that is the error `store-busy`. */
  waitForLock(name: LockName, forMs: number, signal?: AbortSignal): Promise<WorkspaceLock>
  /** True while somebody has it. Leaves nothing behind. */
  isLocked(name: LockName): Promise<boolean>
  /** Who has it and since when, in words; null when nobody has, or it cannot be told. */
  holderOf(name: LockName): Promise<string | null>
}

/** What a frontier is opened with, wherever it is. */
export type FrontierNeeds = Omit<FrontierOptions, 'path' | 'headSize'>

export type HostLimiterNeeds = {
  /** Who asks. What a dead one of the same name left behind ends with this, unless it is shared. */
  readonly holder: string
  readonly clock: Clock
  /** Several processes may have this name at once, where that can be. */
  readonly isShared?: boolean
}

/** How many pages a frontier was told of, and how many URLs are queued again. */
export type Reconciled = { readonly settled: number; readonly requeued: number }

export type OpenFrontier = {
  readonly frontier: Frontier
  /** By which its times are to be read: the one handed in, or one that follows the server's. */
  readonly clock: Clock
}

/** What an index reads of the store. */
export type SearchSource = { readonly pagesOf: PagesOf; readonly topicsOf?: TopicsOf }

export interface StoreWorkspace {
  /** Makes it ready for writing: a folder is made, a schema brought up to date. */
  make(): Promise<void>
  /**
   * Throws `store-damaged` when a file of this crawl is, as far as that can be told in a moment: larger
   * ones are left to `jelajah doctor`, and servers look after themselves.
   */
  checkFiles(crawlId: number): Promise<void>
  /** Another one for another store that came in its place; null while there is none. Costs next to nothing. */
  storeMark(): string | null
  jobStore(): Promise<JobStore>
  /** Null when there is no store here. */
  jobReader(): Promise<JobReader | null>
  journal(): Promise<JobJournal>
  outbox(): Promise<WebhookOutbox>
  pageStore(job: Job): Promise<PageStore>
  /** Throws `store-unreachable` when there is no store here. */
  pageReader(): Promise<PageReader>
  /** Null when there is no store here. */
  changeFeed(): Promise<ChangeFeed | null>
  graphReader(): Promise<GraphReader>
  importanceStore(): Promise<ImportanceStore>
  importanceReader(): Promise<ImportanceReader>
  roundStore(): Promise<RecrawlStore>
  /** Null when there is no store here. */
  roundReader(): Promise<RecrawlReader | null>
}

export interface FrontierWorkspace {
  /**
   * Says that a run begins, and how it is to be, before anybody opens its frontier: for those who may
   * be many. Only who holds the lock of the crawl does that. A folder's frontier is told when it is opened.
   * What people should know of it, each a sentence.
   */
  beginRun(needs: FrontierNeeds): Promise<readonly string[]>
  /** Of a run that has begun. */
  frontier(needs: FrontierNeeds): Promise<OpenFrontier>
  /**
   * Keeps what others may read of the frontier up to date until it is disposed of, that included.
   * `onError` hears then why it is not, when it is not.
   */
  copying(job: Job, onError?: (error: unknown) => void): Promise<AsyncDisposable>
  /**
   * Puts a frontier right with the store, where the two disagree by more than receipts will tell; the
   * caller holds the lock of the crawl. Null when they agree, or a server sees to it.
   */
  reconcile(needs: FrontierNeeds, onBusy: (text: string) => void): Promise<Reconciled | null>
  /**
   * Makes a frontier that was lost anew, from what the store has; the caller holds the lock of the crawl.
   * How many URLs it has then; null when it is there and whole.
   */
  rebuildFrontier(needs: FrontierNeeds, onProgress?: (urls: number) => void): Promise<number | null>
  /** Whether that crawl has come to its first URL. */
  hasFrontier(crawlId: number): Promise<boolean>
  /** What is said of a crawl that has pages and no frontier, and what to do about it. */
  frontierMissing(crawlId: number, stored: number): CrawlerError
  /** Null when the crawl has no frontier, yet or any more, or this place was opened without. */
  ledger(job: Job): Promise<UrlStates | null>
  /** Its copy in the store, which is a moment old; null where there is none. */
  copiedLedger(job: Job): Promise<UrlStates | null>
  /** Sets the frontier of a finished crawl to the beginning of a round. */
  beginRound(round: NewRecrawl): Promise<void>
  /** Shared by all crawls of this place. */
  hostTurns(needs: HostLimiterNeeds): Promise<HostLimiter>
}

export interface SearchWorkspace {
  /** For writing; the caller holds the lock `search`. `onAnew`: one that does not fit is thrown away. */
  searchIndex(source: SearchSource, onAnew?: () => void): Promise<SearchIndex>
  /** Null when there is none, or none that fits. */
  searchReader(source: SearchSource): Promise<SearchReader | null>
  /** Another one for another index that came in its place. Costs next to nothing. */
  searchMark(): string
  /** To make it anew; the caller holds the lock `search`. */
  discardSearch(): Promise<void>
  /** Whether making the index anew would help. */
  isUnfitSearch(error: unknown): Promise<boolean>
}

export interface Workspace
  extends WorkspaceLocks,
    StoreWorkspace,
    FrontierWorkspace,
    SearchWorkspace,
    AsyncDisposable {
  /** To open it again in a thread or another process. */
  readonly text: WorkspaceUrl
  /** How it is called in messages; without a password. */
  readonly shown: string
  /** Its path, where it is a folder; null: it is on servers. */
  readonly folder: string | null
  /** Where other programs of this machine hear what becomes of pages. */
  readonly feedSocket: string
  /** Where programs that share crawls find each other; null in a folder, where nobody else works. */
  workers(): Promise<WorkerRegistry | null>
  /** Where its workers and servers are looked at; null in a folder. */
  fleet(): Promise<FleetSource | null>
  /** The time by each server of this place, in epoch ms; none in a folder. */
  clocks(): Promise<readonly { readonly of: string; readonly now: number }[]>
  /** What people should know of how its servers are set up; none in a folder. */
  warnings(): Promise<readonly string[]>
  /** What a crawl that is removed leaves besides its rows. */
  discard(crawlId: number): Promise<void>
  /** Who copies what is there after this has it whole; null: no crawl in particular has ended. */
  emptyLogs(crawlId: number | null): Promise<void>
}
