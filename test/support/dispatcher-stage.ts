// A dispatcher on a stage: a real store, and runs that end when the test says so.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { JobStatus } from '../../src/core/job.ts'
import { type JobEnd, type RunJob, type RunListener, statusAfter } from '../../src/crawl/job-run.ts'
import type { CommandResult, Dispatcher } from '../../src/jobs/dispatcher.ts'
import { createDispatcher, type DispatcherOptions } from '../../src/jobs/job-dispatcher.ts'
import type { JobCounts } from '../../src/jobs/resume-check.ts'
import { ManualClock } from '../../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import type { KeptEvent } from '../../src/store/job-journal.ts'
import type { JobOrder } from '../../src/store/job-store.ts'
import { sampleJob } from '../contract/sample-page.ts'
import { openSqliteJobJournal, openSqliteJobStore } from './stores.ts'

/** A run that ends when it is drained, or when the test ends it. */
type FakeRun = {
  readonly listener: RunListener
  readonly end: (end: JobEnd) => void
  readonly drains: string[]
}

export function order(changes: Partial<JobOrder> = {}, concurrency = 10): JobOrder {
  const { name, seeds } = sampleJob()
  const rest = { topicRequest: null, webhook: null, key: null, fingerprint: 'f' }
  return { name, seeds, settings: { ...DEFAULT_SETTINGS, concurrency }, ...rest, ...changes }
}

export function rested(status: JobStatus, note = ''): JobEnd {
  return { outcome: 'rested', status, note }
}

export class Stage implements AsyncDisposable {
  readonly clock = new ManualClock()
  readonly runs = new Map<number, FakeRun>()
  /** In the order they were begun. */
  readonly begun: number[] = []
  readonly events: KeptEvent[] = []
  readonly discarded: number[] = []
  readonly rounds: { readonly id: number; readonly due: boolean }[] = []
  readonly elsewhere = new Set<number>()
  /** How far every job at rest has come. */
  jobCounts: JobCounts = { stored: 0, hot: 0, queued: 0 }
  /** Whether a run that is asked to end does so at once. */
  obedient = true
  readonly #folder = mkdtempSync(join(tmpdir(), 'jelajah-dispatcher-'))
  readonly #opened: AsyncDisposable[] = []

  get #path(): string {
    return join(this.#folder, 'jelajah.db')
  }

  async store() {
    const jobs = await openSqliteJobStore(this.#path, this.clock)
    const journal = await openSqliteJobJournal(this.#path, this.clock)
    this.#opened.push(jobs, journal)
    return { jobs, journal }
  }

  async open(changes: Partial<DispatcherOptions> = {}): Promise<Dispatcher> {
    const dispatcher = await createDispatcher({
      ...(await this.store()),
      runJob: this.#runJob,
      clock: this.clock,
      maxRunning: 2,
      maxConnections: 100,
      maxRssBytes: 1e12,
      isElsewhere: async (id) => this.elsewhere.has(id),
      countsOf: async () => this.jobCounts,
      beginRecrawl: async ({ id, status }, due) => {
        const isOpen = this.rounds.some((round) => round.id === id)
        if (status === 'completed') this.rounds.push({ id, due })
        return isOpen || status === 'completed'
      },
      discard: async (id) => void this.discarded.push(id),
      ...changes,
    })
    dispatcher.subscribe({
      onEvent: () => {
        throw new Error('a listener that breaks')
      },
      onProgress: () => {
        throw new Error('a listener that breaks')
      },
    })
    dispatcher.subscribe({ onEvent: (event) => this.events.push(event), onProgress: () => {} })
    return dispatcher
  }

  readonly #runJob: RunJob = ({ id }, listener) => {
    const ended = Promise.withResolvers<JobEnd>()
    const drains: string[] = []
    this.runs.set(id, { listener, end: ended.resolve, drains })
    this.begun.push(id)
    return {
      ended: ended.promise,
      drain: (why) => {
        drains.push(why)
        if (this.obedient) ended.resolve(rested(statusAfter(why)))
      },
    }
  }

  /** The run of that job, once it is begun. */
  async run(id: number): Promise<FakeRun> {
    await until(() => this.runs.has(id), `job ${id} begins`)
    return this.runs.get(id)!
  }

  statuses(id: number): string[] {
    return this.events.flatMap(({ crawlId, event }) =>
      crawlId === id ? [event.type === 'status' ? event.status : event.type] : [],
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#opened) await one[Symbol.asyncDispose]()
    rmSync(this.#folder, { recursive: true })
  }
}

export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    if (holds()) return
    await wait(2)
  }
  assert.fail(`it never came to this: ${what}`)
}

export async function submit(
  dispatcher: Dispatcher,
  changes: Partial<JobOrder> = {},
  concurrency = 10,
) {
  const ordered = await dispatcher.submit(order(changes, concurrency))
  return ordered.job.id
}

export function outcome(told: CommandResult): string {
  return told.outcome === 'done' ? told.job.status : told.outcome
}
