// Runs jobs, each in a thread of its own.
import { Worker } from 'node:worker_threads'
import type { JobRecord } from '../core/job.ts'
import {
  type Drain,
  type JobEnd,
  type RunJob,
  type RunListener,
  type RunningJob,
  statusAfter,
} from '../crawl/job-run.ts'
import type { DrainReason } from '../crawl/supervisor.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { FromRun, RunOrder, ToRun } from './run-thread.ts'

/** The time a thread may take beyond its deadline; then it is terminated. */
const GRACE_MS = 3_000

export function createThreadRunner(options: Omit<RunOrder, 'crawlId'>): RunJob {
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
