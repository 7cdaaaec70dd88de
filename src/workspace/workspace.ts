// A workspace: where crawls live, with everything that can be opened there. It is a folder with SQLite files,
// or a PostgreSQL and a Redis; its users do not know which. Nothing is opened, and no adapter loaded, before
// it is needed: a command pays only for what it uses.
//
// The caller disposes of what a method returns; the workspace is disposed of last, with its connections. A
// method that only reads never creates or changes anything, and reports a store of another version.
import type { CrawlerError } from '../core/errors.ts'
import type { Job } from '../core/job.ts'
import type { Pair } from '../core/pair.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import type { FleetSource } from '../fleet/fleet.ts'
import type { WorkerRegistry } from '../fleet/worker-registry.ts'
import type { FrontierOptions } from '../frontier/engine/frontier-options.ts'
import type { Frontier, FrontierUpdate } from '../frontier/frontier.ts'
import type { NewRecrawl } from '../frontier/recrawls.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { Clock } from '../lib/clock.ts'
import type { HostLimiter } from '../scouter/host-limiter.ts'
import type { PagesOf, SearchIndex, SearchReader, TopicsOf } from '../search/search-index.ts'
import type { ChangeFeed } from '../store/change-feed.ts'
import type { ClusterStore } from '../store/cluster-store.ts'
import type { GraphReader } from '../store/graph-reader.ts'
import type { ImportanceReader, ImportanceStore } from '../store/importance-store.ts'
import type { JobJournal } from '../store/job-journal.ts'
import type { JobReader, JobStore } from '../store/job-store.ts'
import type { PageReader } from '../store/page-reader.ts'
import type { PageStore, StoreOfThreads } from '../store/page-store.ts'
import type { RecrawlReader, RecrawlStore } from '../store/recrawl-store.ts'
import type { SavedSearches } from '../store/saved-searches.ts'
import type { WebhookOutbox } from '../store/webhook-outbox.ts'

/**
 * `folder`: held for a moment while a crawl is looked up or created. `server`: by the server of this
 * workspace. `search`: by the writer of the search index. `feed`: by the process that serves the feed on this
 * machine. `crawl-N`: by the process that runs that crawl. `scouter-N`, `parser-N`: by a child process that
 * must be alone, so that the next one can wait until it is gone; of several pairs all but the first have
 * their number behind it.
 */
export type LockName =
  | 'folder'
  | 'server'
  | 'search'
  | 'feed'
  | `crawl-${number}`
  | `cluster-${number}`
  | `scouter-${number}`
  | `parser-${number}`
  | `scouter-${number}-${number}`
  | `parser-${number}-${number}`

/** The lock of a child. */
export function childLock(role: 'scouter' | 'parser', crawlId: number, { nth }: Pair): LockName {
  return nth === 0 ? `${role}-${crawlId}` : `${role}-${crawlId}-${nth}`
}

/** Held until it is disposed of. */
export type WorkspaceLock = AsyncDisposable & {
  /** Aborted if another process has taken it, where that can happen. */
  readonly lost?: AbortSignal
}

/** Locks between processes. A lock is released when its holder dies, in whatever way. */
export interface WorkspaceLocks {
  /** Takes the lock; null if another process has it. */
  lock(name: LockName): Promise<WorkspaceLock | null>
  /** Waits until the lock is free; after `forMs` it throws `store-busy`. */
  waitForLock(name: LockName, forMs: number): Promise<WorkspaceLock>
  /** True while a process has it. Leaves nothing behind. */
  isLocked(name: LockName): Promise<boolean>
  /** Who has it and since when, in words; null if nobody has it or the holder is unknown. */
  holderOf(name: LockName): Promise<string | null>
}

/** The options of a frontier, in every kind of workspace. */
export type FrontierNeeds = Omit<FrontierOptions, 'headSize'>

export type HostLimiterNeeds = {
  /**
   * Name of the requester. Slots held by a dead requester of the same name are released, unless `isShared`.
   */
  readonly holder: string
  readonly clock: Clock
  /** Several processes may have this name at once, where that is possible. */
  readonly isShared?: boolean
  /** Its number among the scouters of its crawl, in a folder. */
  readonly pair?: Pair
}

export type BegunRun = {
  /** Notices for the user, each a sentence. */
  readonly notices: readonly string[]
  /** How many scouters work on it here, each with its parser. */
  readonly pairs: number
}

export type WaitingResults = () => Promise<readonly FrontierUpdate[]>

/** How many pages were settled in a frontier, and how many URLs were queued again. */
export type Reconciled = { readonly settled: number; readonly requeued: number }

export type OpenFrontier = {
  readonly frontier: Frontier
  /** The clock of its times: the given one, or one that follows the server's. */
  readonly clock: Clock
}

/** The parts of the store that an index reads. */
export type SearchSource = { readonly pagesOf: PagesOf; readonly topicsOf?: TopicsOf }

export interface StoreWorkspace {
  /** Prepares it for writing: creates the folder or migrates the schema. */
  make(): Promise<void>
  /**
   * Throws `store-damaged` if a file of this crawl is damaged, as far as a quick check can tell. Larger files
   * are left to `jelajah doctor`, and servers check themselves.
   */
  checkFiles(crawlId: number): Promise<void>
  /** Changes when another store takes its place; null while there is none. Very cheap. */
  storeMark(): string | null
  jobStore(): Promise<JobStore>
  /** Null if there is no store. */
  jobReader(): Promise<JobReader | null>
  journal(): Promise<JobJournal>
  outbox(): Promise<WebhookOutbox>
  savedSearches(): Promise<SavedSearches>
  /** `pair`: which of several pairs stores pages; by default the only one. */
  pageStore(job: Job, pair?: Pair): Promise<PageStore>
  /** How threads of a parser open the same store; null if one program is to write for all of them. */
  storeOfThreads(job: Job, pair?: Pair): StoreOfThreads | null
  /** Throws `store-unreachable` if there is no store. */
  pageReader(): Promise<PageReader>
  /** Null if there is no store. */
  changeFeed(): Promise<ChangeFeed | null>
  graphReader(): Promise<GraphReader>
  importanceStore(): Promise<ImportanceStore>
  importanceReader(): Promise<ImportanceReader>
  clusterStore(): Promise<ClusterStore>
  recrawlStore(): Promise<RecrawlStore>
  /** Null if there is no store. */
  recrawlReader(): Promise<RecrawlReader | null>
}

interface FrontierWorkspace {
  /**
   * Records the beginning and the settings of a run, before any of its processes opens the frontier. Only the
   * holder of the crawl's lock calls it. `waiting`: results of stored pages that the frontier may not know
   * yet. Where several scouters are about to share it, these are settled first: a parser delivers them to its
   * own scouter, and the owner of a page might request it before it hears of them.
   */
  beginRun(needs: FrontierNeeds, waiting?: WaitingResults): Promise<BegunRun>
  /** Only for a run that has begun. `pair`: which of the pairs opens it; by default the only one. */
  frontier(needs: FrontierNeeds, pair?: Pair): Promise<OpenFrontier>
  /**
   * Reconciles a frontier with the store if the two disagree by more than receipts explain; the caller holds
   * the lock of the crawl. Null if they agree, or if a server takes care of it.
   */
  reconcile(needs: FrontierNeeds, onBusy: (text: string) => void): Promise<Reconciled | null>
  /**
   * Rebuilds a lost frontier from the store; the caller holds the lock of the crawl. Returns the number of
   * its URLs; null if it exists and is whole.
   */
  rebuildFrontier(needs: FrontierNeeds): Promise<number | null>
  /** Whether that crawl has reached its first URL. */
  hasFrontier(crawlId: number): Promise<boolean>
  /** The error for a crawl that has pages and no frontier, with what to do about it. */
  frontierMissing(crawlId: number, stored: number): CrawlerError
  /** Null if the crawl has no frontier (yet, or any more), or if this workspace was opened without. */
  urlStates(job: Job): Promise<UrlStates | null>
  /** The copy in the store that an earlier version left of it; null if there is none. */
  copiedUrlStates(job: Job): Promise<UrlStates | null>
  /** Prepares the frontier of a finished crawl for a recrawl. */
  beginRecrawl(round: NewRecrawl): Promise<void>
  /** Shared by all crawls of this workspace. */
  hostLimiter(needs: HostLimiterNeeds): Promise<HostLimiter>
}

export interface SearchWorkspace {
  /**
   * For writing; the caller holds the lock `search`. `onRebuild` is called if an unusable index is thrown away.
   */
  searchIndex(source: SearchSource, onRebuild?: () => void): Promise<SearchIndex>
  /** Null if there is none, or none that can be used. */
  searchReader(source: SearchSource): Promise<SearchReader | null>
  /** Changes when another index takes its place. Very cheap. */
  searchMark(): string
  /** To rebuild it; the caller holds the lock `search`. */
  discardSearch(): Promise<void>
  /** Whether rebuilding the index would help. */
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
  /** Its name in messages; without a password. */
  readonly shown: string
  /** Its path if it is a folder; null if it is on servers. */
  readonly folder: string | null
  /** The socket where other programs of this machine read what happens to pages. */
  readonly feedSocket: string
  /** Where programs that share crawls find each other; null in a folder, where nobody else works. */
  workers(): Promise<WorkerRegistry | null>
  /** The source for checks of its workers and servers; null in a folder. */
  fleet(): Promise<FleetSource | null>
  /** The time of each server of this workspace, in epoch ms; none in a folder. */
  clocks(): Promise<readonly { readonly of: string; readonly now: number }[]>
  /** Notices about the configuration of its servers; none in a folder. */
  warnings(): Promise<readonly string[]>
  /** Removes everything of a removed crawl besides its rows. */
  discard(crawlId: number): Promise<void>
  /**
   * Empties the write-ahead logs, so that a copy of the files is complete; null if no particular crawl has
   * ended.
   */
  emptyLogs(crawlId: number | null): Promise<void>
}
