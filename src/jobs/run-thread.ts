// A thread that runs one job. Topics, graphs and summaries take long, and a server must not block on them.
import { parentPort, workerData } from 'node:worker_threads'
import { CrawlerError } from '../core/errors.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import type { PluginRecord } from '../core/plugin.ts'
import { unmaskProxies } from '../core/proxy-secrets.ts'
import { topicText } from '../core/topic-text.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { lockCrawl } from '../crawl/claim-job.ts'
import { topicFor, topicLeft } from '../crawl/crawl-topic.ts'
import { type Drain, type JobEnd, type RunWatcher, statusAfter } from '../crawl/job-run.ts'
import type { Progress } from '../crawl/progress.ts'
import { runJob } from '../crawl/run-job.ts'
import { runClock, systemClock } from '../lib/clock.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import type { JobStore } from '../store/job-store.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { endOfError } from './note-of-error.ts'

export type RunOrder = {
  readonly crawlId: number
  readonly workspace: WorkspaceUrl
  /** False: workers do the job, and this thread only watches. */
  readonly carries: boolean
  /** The connections of this machine that the job may use. */
  readonly maxConnections: number
  /** Proxies that the server was given: jobs that name one without a password use its password. */
  readonly proxies: readonly string[]
  /** Plug-ins that the server was given: jobs run the code of no other. */
  readonly plugins: readonly PluginRecord[]
}

export type FromRun =
  /** `loaded`: all modules are loaded. `crawling`: from now on there is a run that can be ended. */
  | { readonly type: 'loaded' | 'crawling' }
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'notice' | 'busy'; readonly text: string }
  | { readonly type: 'ended'; readonly end: JobEnd }

export type ToRun = { readonly type: 'drain'; readonly args: Parameters<Drain> }

if (parentPort === null) {
  throw new CrawlerError('process-died', 'this thread is started by a server')
}
const port = parentPort
// The code that starts this thread passes exactly this.
const order = workerData as RunOrder
const workspace = openWorkspace({ ...order.workspace, isKnown: true })
/** The first stop request, until there is a run to stop. */
let asked: Parameters<Drain> | null = null
let drain: Drain | null = null
/** Aborted if another process has taken the job while the database was away. */
let lost: AbortSignal | undefined

port.on('message', ({ args }: ToRun) => {
  asked ??= args
  drain?.(...args)
})

const watcher: RunWatcher = {
  onProgress: (progress) => say({ type: 'progress', progress }),
  onNotice: (text) => say({ type: 'notice', text }),
  onBusy: (text) => say({ type: 'busy', text }),
  onDrainable: (way) => {
    say({ type: 'crawling' })
    drain = way
    if (asked !== null) way(...asked)
  },
}

say({ type: 'loaded' })
const end = await run().catch(failed)
await workspace[Symbol.asyncDispose]()
say({ type: 'ended', end })
port.close()

function say(message: FromRun): void {
  port.postMessage(message)
}

async function run(): Promise<JobEnd> {
  const { crawlId } = order
  await using lock = await lockCrawl(workspace, crawlId).catch(unlessBusy)
  if (lock === null) return { outcome: 'elsewhere' }
  await using jobs = await workspace.jobStore()
  const job = await jobs.get(crawlId)
  if (job === null) return { outcome: 'elsewhere' }
  const topic = await topicOf(jobs, job)
  if (asked !== null) return { outcome: 'rested', status: statusAfter(asked[0]), note: '' }
  const proxies = unmaskProxies(job.settings.proxies, order.proxies)
  const ready = { ...job, topic, settings: { ...withinBudget(job), proxies } }
  const last = (await workspace.hasFrontier(crawlId)) ? ready : null
  const { carries, plugins } = order
  lost = lock.lost
  const held = lost === undefined ? {} : { lost }
  const ways = { workspace, clock: runClock, watcher, carries, plugins }
  const { status, note } = await runJob({ job: ready, last, jobs, ...ways, ...held })
  await workspace.emptyLogs(crawlId)
  return { outcome: 'rested', status, note }
}

/** The saved topic, or one built from the request. */
async function topicOf(jobs: JobStore, job: JobRecord): Promise<JobRecord['topic']> {
  const left = await topicLeft(job)
  if (left !== job.topic) await jobs.setTopic(job.id, left)
  if (left !== null) return left
  const request = keptRequest((await jobs.orderOf(job.id))?.topicRequest ?? null)
  if (request === null && topicText(job.settings) === '') return null
  if (request === null) {
    const message = 'its topic was not built yet: continue it with the command that began it'
    throw new CrawlerError('store-damaged', message)
  }
  const wanted = { ...job, topic: request, workspace }
  const topic = await topicFor(wanted, null, { jobs, watcher, clock: systemClock })
  await jobs.setTopic(job.id, topic)
  return topic
}

/** Workers have connections of their own. */
function withinBudget({ settings }: JobRecord): CrawlSettings {
  if (!order.carries) return settings
  return { ...settings, concurrency: Math.min(settings.concurrency, order.maxConnections) }
}

function unlessBusy(error: unknown): null {
  if (error instanceof CrawlerError && error.code === 'store-busy') return null
  throw error
}

function failed(error: unknown): JobEnd {
  const end = endOfError(order.crawlId, error, workspace.text)
  return lost?.aborted ? { outcome: 'elsewhere' } : end
}

/** A topic request as saved with an order. Null for a crawl without a topic. */
function keptRequest(json: unknown): TopicRequest | null {
  if (json === null) return null
  if (!isRequest(json)) throw new CrawlerError('store-damaged', 'the topic of this job is damaged')
  return json
}

/** Our own code wrote it, so only its outline is checked. */
function isRequest(json: unknown): json is TopicRequest {
  return (
    typeof json === 'object' &&
    json !== null &&
    ['words', 'keywords', 'examples', 'model', 'key'].every((field) => field in json)
  )
}
