// `jelajah crawl`: finds or makes the job, runs it under a supervisor, and says how it went.

import { CrawlerError, firstError } from '../core/errors.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { WorkspaceChoice } from '../core/workspace-url.ts'
import { clockWarnings } from '../fleet/clock-check.ts'
import { watchStores } from '../fleet/watch-stores.ts'
import { type Clock, runClock, systemClock } from '../lib/clock.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import type { JobStore } from '../store/job-store.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type ClaimedJob, claimFinished, claimJob } from './claim-job.ts'
import { topicFor, topicLeft } from './crawl-topic.ts'
import { refuseFewFiles } from './file-check.ts'
import type { CrawlWatcher } from './job-run.ts'
import type { Progress } from './progress.ts'
import { openProgressHistory } from './progress-history.ts'
import { askForRecrawl } from './recrawls.ts'
import { type RunResult, runJob } from './run-job.ts'
import { typedHostsOf } from './trusted-hosts.ts'

const SAVE_MS = 3000

export type CrawlRequest = WorkspaceChoice & {
  readonly seeds: readonly CanonicalUrl[]
  readonly settings: CrawlSettings
  /** Null when the crawl is about nothing in particular. */
  readonly topic: TopicRequest | null
  /** Null: named after its seeds. */
  readonly name: string | null
  /** Start anew although there is a crawl of that name. */
  readonly fresh: boolean
  /** A finished crawl is gone over again; null: one is begun, or goes on. */
  readonly refresh: Refresh | null
}

export type Refresh = {
  /** Only pages whose time has come. */
  readonly due: boolean
  /** By number or name; null: by name or seeds, else the newest. */
  readonly crawl: string | null
  /** What this run does otherwise than the crawl did. */
  readonly changes: Partial<CrawlSettings>
}

export async function crawl(request: CrawlRequest, watcher: CrawlWatcher): Promise<RunResult> {
  const clock = runClock
  const { refresh } = request
  refuseFewFiles()
  await using workspace = workspaceOf(request)
  // Where nothing is, nothing can be gone over again.
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
  const job = await (refresh === null
    ? asAsked(jobs, claimed, { ...request, workspace }, watcher)
    : asBefore(jobs, claimed.job, { refresh, workspace }))
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
    const run = { job, last, jobs, workspace, clock, watcher: { ...watcher, onProgress }, ...held }
    const result = await runJob(run).finally(() => curve.end())
    await ran.save()
    await jobs.setStatus(job.id, result.status, result.note)
    await workspace.emptyLogs(job.id)
    return result
  } catch (error) {
    // What another process runs now is that one's to tell.
    if (!claimed.lost?.aborted && !isAway(firstError(error)))
      await noteFailure(jobs, job.id, firstError(error))
    throw error
  }
}

/** The job with what this run brings: settings, more seeds, a topic. */
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
    // New seeds under the same name widen the crawl; what was found from the old ones stays.
    const allSeeds = union(job.seeds, seeds)
    const typedHosts = union(typedHostsOf(job), typedHostsOf({ seeds, settings }))
    const widened = { ...settings, typedHosts }
    return await jobs.resume(job.id, { settings: widened, seeds: allSeeds, topic })
  } catch (error) {
    // Nothing of it was crawled: who asks again, and better, finds no trace of this.
    if (last === null) await jobs.remove(job.id)
    if (last === null) while (await jobs.sweep(job.id));
    throw error
  }
}

function union<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return [...new Set([...one, ...other])]
}

/** The job as it was, to be gone over again. */
async function asBefore(
  jobs: JobStore,
  job: JobRecord,
  { refresh, workspace }: { readonly refresh: Refresh; readonly workspace: Workspace },
): Promise<JobRecord> {
  await askForRecrawl({ job, workspace }, refresh.due)
  const topic = topicLeft(job)
  const { settings, ...resumed } = await jobs.resume(job.id, { settings: job.settings, topic })
  // For this run only: the next one is asked for anew.
  return { ...resumed, settings: { ...settings, ...refresh.changes } }
}

/** Keeps how long the crawl has been running, now and then: whoever looks meanwhile sees it. */
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

  /** One after the other: no time is counted twice. */
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

/** To tell a server so that is not there would only take as long once more. */
function isAway(error: unknown): boolean {
  return error instanceof CrawlerError && error.code === 'store-unreachable'
}

/** A store that is broken cannot be told so; the error that broke it matters more. */
async function noteFailure(jobs: JobStore, id: number, error: unknown): Promise<void> {
  try {
    await jobs.setStatus(id, 'failed', error instanceof Error ? error.message : String(error))
  } catch {
    // The next run finds the job as running and continues it all the same.
  }
}
