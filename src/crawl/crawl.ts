// `jelajah crawl`: finds or creates the job, runs it under a supervisor, and returns the summary.
import { CrawlerError, firstError, InvalidInput } from '../core/errors.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import { namedAgain, type PluginRecord, shownPlugin } from '../core/plugin.ts'
import type { WorkspaceChoice } from '../core/workspace-url.ts'
import { clockWarnings } from '../fleet/clock-check.ts'
import { watchStores } from '../fleet/watch-stores.ts'
import { type Clock, runClock, systemClock } from '../lib/clock.ts'
import { againstKeepBest } from '../options/focus-checks.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import type { JobJournal } from '../store/job-journal.ts'
import type { JobStore } from '../store/job-store.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type ClaimedJob, claimFinished, claimJob, type Wanted } from './claim-job.ts'
import { topicFor, topicLeft } from './crawl-topic.ts'
import { refuseFewFiles } from './file-check.ts'
import type { CrawlWatcher } from './job-run.ts'
import type { Progress } from './progress.ts'
import { askForRecrawl } from './recrawls.ts'
import { type RunResult, runJob } from './run-job.ts'
import { RunMeasures } from './run-measures.ts'
import { typedHostsOf } from './trusted-hosts.ts'

const SAVE_MS = 3000

export type CrawlRequest = WorkspaceChoice &
  Wanted & {
    /** Null for a crawl without a topic. */
    readonly topic: TopicRequest | null
    /** Recrawls a finished crawl; null to begin or continue one. */
    readonly refresh: Refresh | null
  }

type Refresh = {
  /** Only pages that are due. */
  readonly due: boolean
  /** By number or name; null: by name or seeds, else the newest. */
  readonly crawl: string | null
  /** Settings of this run that differ from those of the crawl. */
  readonly changes: Partial<CrawlSettings>
}

export async function crawl(request: CrawlRequest, watcher: CrawlWatcher): Promise<RunResult> {
  const clock = runClock
  const { refresh } = request
  refuseFewFiles()
  await using workspace = workspaceOf(request, (text) => watcher.onNotice(text))
  // A recrawl needs an existing crawl.
  if (refresh !== null) await chooseCrawl(workspace, refresh.crawl)
  await workspace.make()
  for (const warning of await clockWarnings(workspace, systemClock))
    watcher.onNotice(`warning: ${warning}`)
  await using jobs = await workspace.jobStore()
  await using _stores = await watchStores(workspace, (text) => watcher.onNotice(text))
  await using claimed = await (refresh === null
    ? claimJob(jobs, workspace, request)
    : claimFinished(jobs, workspace, { ...request, crawl: refresh.crawl }))
  const { last } = claimed
  if (last !== null) tellChangedPlugins(last.settings, request.settings, watcher)
  const job = await (refresh === null
    ? asAsked(jobs, claimed, { ...request, workspace }, watcher)
    : asBefore(jobs, claimed.job, { refresh, workspace, plugins: request.settings.plugins }))
  watcher.onStart(job, last !== null)
  await jobs.setStatus(job.id, 'running')
  await using ran = new RanTime(jobs, job.id, clock)
  await using journal = await workspace.journal()
  const curve = await openProgressHistory({ crawlId: job.id, journal, clock })
  const onProgress = (progress: Progress): void => {
    curve.hear(progress)
    watcher.onProgress(progress)
  }
  try {
    const { lost } = claimed
    const held = lost === undefined ? {} : { lost }
    const { plugins } = request.settings
    const ways = { workspace, clock, watcher: { ...watcher, onProgress } }
    const result = await runJob({ job, last, jobs, plugins, ...ways, ...held }).finally(() =>
      curve.end(),
    )
    await ran.save()
    await jobs.setStatus(job.id, result.status, result.note)
    await workspace.emptyLogs(job.id)
    return result
  } catch (error) {
    // If another process runs the crawl now, that process sets its status.
    if (!claimed.lost?.aborted && !isAway(firstError(error)))
      await noteFailure(jobs, job.id, firstError(error))
    throw error
  }
}

/** The job with the changes of this run: settings, more seeds, a topic. */
async function asAsked(
  jobs: JobStore,
  { job, last }: ClaimedJob,
  request: CrawlRequest & { readonly workspace: Workspace },
  watcher: CrawlWatcher,
): Promise<JobRecord> {
  const { seeds, settings } = request
  try {
    const world = { jobs, watcher, clock: systemClock }
    const wanted = { ...request, origin: job.origin }
    const topic = await topicFor(wanted, last?.topic ?? null, world)
    // New seeds under the same name widen the crawl; URLs found from the old seeds stay.
    const allSeeds = union(job.seeds, seeds)
    const typedHosts = union(typedHostsOf(job), typedHostsOf({ seeds, settings }))
    const widened = { ...settings, typedHosts }
    return await jobs.resume(job.id, { settings: widened, seeds: allSeeds, topic })
  } catch (error) {
    // Nothing was crawled: remove the job, so that a corrected request starts clean.
    if (last === null) await jobs.remove(job.id)
    if (last === null) while (await jobs.sweep(job.id));
    throw error
  }
}

/** Pages from before were made with the plug-in as it was. */
function tellChangedPlugins(
  before: CrawlSettings,
  now: CrawlSettings,
  { onNotice }: CrawlWatcher,
): void {
  for (const plugin of now.plugins) {
    const last = before.plugins.find(({ name }) => name === plugin.name)
    if (last === undefined || last.hash === plugin.hash) continue
    onNotice(
      `the plug-in ${plugin.name} has changed since the last run: it was ${shownPlugin(last)} and ` +
        `is ${shownPlugin(plugin)}; pages that are stored already stay as they are`,
    )
  }
}

function union<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return [...new Set([...one, ...other])]
}

/** The job with its earlier settings, for a recrawl. */
async function asBefore(
  jobs: JobStore,
  job: JobRecord,
  {
    refresh,
    workspace,
    plugins,
  }: {
    readonly refresh: Refresh
    readonly workspace: Workspace
    readonly plugins: readonly PluginRecord[]
  },
): Promise<JobRecord> {
  namedAgain(job.settings.plugins, plugins)
  const { keepBest } = job.settings
  for (const [name, what] of againstKeepBest({ ...refresh.changes, keepBest })) {
    throw new InvalidInput(`--${name}`, what)
  }
  await askForRecrawl({ job, workspace }, refresh.due)
  const topic = await topicLeft(job)
  const { settings, ...resumed } = await jobs.resume(job.id, { settings: job.settings, topic })
  // For this run only. The next recrawl needs its own changes.
  return { ...resumed, settings: { ...settings, ...refresh.changes } }
}

/** Saves the running time of the crawl from time to time, for readers. */
class RanTime implements AsyncDisposable {
  readonly #jobs: JobStore
  readonly #id: number
  readonly #clock: Clock
  readonly #timer: NodeJS.Timeout
  #savedAt: number
  #saving = Promise.resolve()

  constructor(jobs: JobStore, id: number, clock: Clock) {
    this.#jobs = jobs
    this.#id = id
    this.#clock = clock
    this.#savedAt = clock.now()
    this.#timer = setInterval(() => void this.save().catch(() => {}), SAVE_MS).unref()
  }

  /** One save at a time, so that no time is counted twice. */
  save(): Promise<void> {
    const saved = this.#saving
      .catch(() => {})
      .then(async () => {
        const now = this.#clock.now()
        await this.#jobs.addRanMs(this.#id, now - this.#savedAt)
        this.#savedAt = now
      })
    this.#saving = saved
    return saved
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#saving.catch(() => {})
  }
}

/** A server that is away cannot store the status; trying would only take as long again. */
function isAway(error: unknown): boolean {
  return error instanceof CrawlerError && error.code === 'store-unreachable'
}

/** A broken store cannot save the failure. The error that broke it matters more. */
async function noteFailure(jobs: JobStore, id: number, error: unknown): Promise<void> {
  try {
    await jobs.setStatus(id, 'failed', error instanceof Error ? error.message : String(error))
  } catch {
    // The next run finds the job as running and continues it anyway.
  }
}

/** How often it is saved for readers. */
const HISTORY_SAVE_MS = 3000

type ProgressHistoryOptions = {
  readonly crawlId: number
  readonly journal: Pick<JobJournal, 'history' | 'saveHistory'>
  readonly clock: Clock
}

/**
 * The progress curve of a crawl that no server watches, saved beside it for later readers. It continues
 * that of earlier runs. If it cannot be saved, the crawl continues without it.
 */
export async function openProgressHistory(
  options: ProgressHistoryOptions,
): Promise<ProgressHistory> {
  const measures = new RunMeasures()
  try {
    measures.goOnFrom(await options.journal.history(options.crawlId))
  } catch {
    // Then the curve begins here.
  }
  return new ProgressHistory(options, measures)
}

class ProgressHistory {
  readonly #options: ProgressHistoryOptions
  readonly #measures: RunMeasures
  #savedAt: number
  #saving = Promise.resolve()

  constructor(options: ProgressHistoryOptions, measures: RunMeasures) {
    this.#options = options
    this.#measures = measures
    this.#savedAt = options.clock.now()
  }

  hear(progress: Progress): void {
    const now = this.#options.clock.now()
    this.#measures.hear(progress, now)
    if (now - this.#savedAt >= HISTORY_SAVE_MS) void this.#save(now)
  }

  /** Resolves when it is saved. Never rejects. */
  async end(): Promise<void> {
    const now = this.#options.clock.now()
    this.#measures.end(now)
    if (this.#measures.history.length > 0) await this.#save(now)
  }

  /** One save at a time, so that an older one never overwrites a newer one. */
  #save(at: number): Promise<void> {
    const { journal, crawlId } = this.#options
    this.#savedAt = at
    this.#saving = this.#saving
      .then(() => journal.saveHistory(crawlId, this.#measures.history))
      .catch(() => {})
    return this.#saving
  }
}
