// Opens the dispatcher of a workspace with everything it needs.
import { Worker } from 'node:worker_threads'
import { isFinal, type JobRecord } from '../core/job.ts'
import type { PluginRecord } from '../core/plugin.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import {
  type Drain,
  type JobEnd,
  type RunJob,
  type RunListener,
  type RunningJob,
  statusAfter,
} from '../crawl/job-run.ts'
import { askForRecrawl } from '../crawl/recrawls.ts'
import type { DrainReason } from '../crawl/supervisor.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { KeptEvent } from '../store/job-journal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Dispatcher } from './dispatcher.ts'
import { createDispatcher, type DispatcherOptions } from './job-dispatcher.ts'
import { isRunning } from './job-reader.ts'
import { endOfError } from './note-of-error.ts'
import type { JobCounts } from './resume-check.ts'
import type { FromRun, RunOrder, ToRun } from './run-thread.ts'

type OpenDispatcherOptions = Omit<
  DispatcherOptions,
  'runJob' | 'endOfError' | 'carries' | 'isElsewhere' | 'countsOf' | 'beginRecrawl' | 'discard'
> & {
  readonly workspace: Workspace
  /** Proxies that the server was given. */
  readonly proxies?: readonly string[]
  /** Plug-ins that the server was given. */
  readonly plugins?: readonly PluginRecord[]
  /** Where the server of these jobs listens: no job may connect there. */
  readonly listening?: () => Pick<WorkspaceUrl, 'listensOn'>
}

/** Jobs that should be running start at once. The caller closes `jobs` and `journal`. */
export async function openDispatcher({
  workspace,
  proxies = [],
  plugins = [],
  listening = () => ({}),
  ...options
}: OpenDispatcherOptions): Promise<Dispatcher> {
  const { maxConnections } = options
  // On servers, workers fetch the pages; a server that accepts and shows jobs never does.
  const carries = workspace.folder !== null
  const dispatcher = await createDispatcher({
    ...options,
    carries,
    endOfError: (id, error) => endOfError(id, error, workspace.text),
    runJob: (job, listener) => {
      const text = { ...workspace.text, ...listening() }
      return createThreadRunner({ workspace: text, maxConnections, carries, proxies, plugins })(
        job,
        listener,
      )
    },
    isElsewhere: (id) => isRunning(workspace, id),
    countsOf: (job) => countsOf(workspace, job),
    beginRecrawl: (job, due) => askForRecrawl({ job, workspace }, due),
    discard: (id) => workspace.discard(id),
  })
  const onEvent = ({ crawlId, event }: KeptEvent): void => {
    if (event.type !== 'status' || !isFinal(event.status)) return
    // Its thread has copied what it stored. While other jobs run, their threads copy later.
    if (isAlone(dispatcher, crawlId)) void workspace.emptyLogs(null)
  }
  dispatcher.subscribe({ onEvent, onProgress: () => {} })
  return dispatcher
}

function isAlone(dispatcher: Dispatcher, crawlId: number): boolean {
  return dispatcher.load().running === (dispatcher.live(crawlId) === null ? 0 : 1)
}

async function countsOf(workspace: Workspace, job: JobRecord): Promise<JobCounts> {
  await using pages = await workspace.pageReader()
  const { stored, hot } = await pages.totals(job.id)
  await using urlStates = await workspace.urlStates(job)
  // A job that was stopped before it began has no frontier yet.
  if (urlStates === null) return { stored, hot, queued: 0 }
  const { queued, leased } = await urlStates.counts()
  return { stored, hot, queued: queued + leased }
}

/** The time a thread may take beyond its deadline; then it is terminated. */
const GRACE_MS = 3_000

/** Runs jobs, each in a thread of its own. */
function createThreadRunner(options: Omit<RunOrder, 'crawlId'>): RunJob {
  return (job, listener) => new ThreadRun(job, listener, options)
}

class ThreadRun implements RunningJob {
  readonly ended: Promise<JobEnd>
  readonly #thread: Worker
  readonly #loaded = Promise.withResolvers<void>()
  #isCrawling = false
  #leaving: DrainReason | null = null
  /** The deadline of the first request. */
  #withinMs: number | undefined
  #deadline: NodeJS.Timeout | undefined

  constructor({ id }: JobRecord, listener: RunListener, options: Omit<RunOrder, 'crawlId'>) {
    const workerData: RunOrder = { ...options, crawlId: id }
    this.#thread = new Worker(moduleBeside(import.meta, 'run-thread'), { workerData })
    this.ended = this.#hearToTheEnd(listener)
  }

  readonly drain: Drain = (why, withinMs) => {
    this.#leaving ??= why
    const message: ToRun = { type: 'drain', args: [why, withinMs] }
    this.#thread.postMessage(message)
    if (this.#withinMs !== undefined || withinMs === undefined) return
    this.#withinMs = withinMs
    this.#setDeadline(withinMs)
  }

  /** A thread that still builds a topic has no work worth waiting for. */
  #setDeadline(withinMs: number): void {
    clearTimeout(this.#deadline)
    const worthMs = this.#isCrawling ? withinMs : 0
    this.#deadline = setTimeout(() => void this.#terminate(), worthMs + GRACE_MS)
  }

  #beginsToCrawl(): void {
    this.#isCrawling = true
    if (this.#withinMs !== undefined) this.#setDeadline(this.#withinMs)
  }

  /** A thread that is terminated while it loads modules can crash the whole process. */
  async #terminate(): Promise<void> {
    await this.#loaded.promise
    await this.#thread.terminate()
  }

  #hearToTheEnd(listener: RunListener): Promise<JobEnd> {
    let end: JobEnd | null = null
    let broken: Error | null = null
    this.#thread.on('message', (message: FromRun) => {
      if (message.type === 'loaded') this.#loaded.resolve()
      else if (message.type === 'crawling') this.#beginsToCrawl()
      else if (message.type === 'ended') end = message.end
      else hear(message, listener)
    })
    this.#thread.once('error', (error) => {
      broken = error
    })
    return new Promise((resolve) => {
      this.#thread.once('exit', () => {
        clearTimeout(this.#deadline)
        resolve(end ?? this.#endWithoutAWord(broken))
      })
    })
  }

  #endWithoutAWord(broken: Error | null): JobEnd {
    if (this.#leaving !== null) {
      return { outcome: 'rested', status: statusAfter(this.#leaving), note: '' }
    }
    process.stderr.write(`the thread of a job broke: ${broken?.stack ?? 'it ended'}\n`)
    const note = 'something went wrong inside; the log says more'
    return { outcome: 'rested', status: 'failed', note }
  }
}

function hear(message: FromRun, listener: RunListener): void {
  if (message.type === 'progress') listener.onProgress(message.progress)
  else if (message.type === 'notice') listener.onNotice(message.text)
  else if (message.type === 'busy') listener.onBusy(message.text)
}
