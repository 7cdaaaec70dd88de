// A job whose turn has come, until it is at rest, in the store too.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobRecord } from '../core/job.ts'
import { type JobEnd, type RunJob, type RunningJob, statusAfter } from '../crawl/job-run.ts'
import type { Progress } from '../crawl/progress.ts'
import { type LiveJob, RunMeasures } from '../crawl/run-measures.ts'
import type { DrainReason } from '../crawl/supervisor.ts'
import type { Clock } from '../lib/clock.ts'
import type { JobJournal } from '../store/job-journal.ts'
import type { JobStore } from '../store/job-store.ts'
import type { JobRecorder } from './job-recorder.ts'

/** Slow requests under way are not waited for longer: a later run fetches them again. */
const DRAIN_MS = 10_000
const SAVE_MS = 10_000
const PROGRESS_MS = 200
export const MAX_NOTICES = 200
const MAX_NOTICE_LENGTH = 2000
/** Time between tries to write what must not be lost: a full disk may have room again. */
const INSIST_MS = 2000

export type ActiveJobDeps = {
  readonly jobs: JobStore
  readonly journal: JobJournal
  readonly runJob: RunJob
  readonly clock: Clock
  readonly recorder: JobRecorder
  /** The job reported progress. */
  readonly onMoved: () => void
  /** A store was away for too long; the note says which. */
  readonly onUnreachable?: (note: string) => void
  /** The end of a job that could not be started; it has failed if left out. */
  readonly endOfError?: (id: number, error: unknown) => JobEnd
}

/** `removed`: nobody wants the job any more, and its status no longer matters. */
type Leaving = 'paused' | 'stopped' | 'shutdown' | 'removed'

export class ActiveJob {
  /** Resolves when the job is at rest. Never rejects. */
  readonly rested: Promise<void>
  readonly #deps: ActiveJobDeps
  readonly #measures = new RunMeasures()
  #job: JobRecord
  #run: RunningJob | null = null
  /** Why it was asked to end; null if it was not. */
  #leaving: Leaving | null = null
  /** The server shuts down and waits for nothing. */
  #isShutDown = false
  #busy = ''
  #notices = 0
  /** Its running time up to this moment is in the store. */
  #countedAt: number
  #movedAt = 0

  constructor(job: JobRecord, deps: ActiveJobDeps) {
    this.#job = job
    this.#deps = deps
    this.#countedAt = deps.clock.now()
    this.rested = this.#toRest()
  }

  get job(): JobRecord {
    return this.#job
  }

  get rssBytes(): number {
    return this.#measures.rssBytes
  }

  get live(): LiveJob {
    return { job: this.#job, busy: this.#busy, ...this.#measures.now }
  }

  /** The first reason counts, except that a removal overrides all others. */
  rest(why: Leaving): Promise<void> {
    if (this.#leaving === null || why === 'removed') this.#leaving = why
    if (why === 'shutdown') this.#isShutDown = true
    this.#run?.drain(drainOf(why), DRAIN_MS)
    return this.rested
  }

  async #toRest(): Promise<void> {
    const { endOfError = notStarted } = this.#deps
    const end = await this.#toItsEnd().catch((error: unknown) => endOfError(this.#job.id, error))
    for (;;) {
      try {
        return await this.#putDown(end)
      } catch {
        // The next dispatcher finds it as running and continues it.
        if (this.#isShutDown) return
        await sleep(INSIST_MS, undefined, { ref: false })
      }
    }
  }

  async #toItsEnd(): Promise<JobEnd> {
    const { jobs, journal, runJob, recorder } = this.#deps
    const { id } = this.#job
    const job = await jobs.get(id)
    if (job === null) return { outcome: 'elsewhere' }
    // A topic may be large, and the run reads it from the store anyway.
    this.#job = { ...job, topic: job.topic && { fingerprint: job.topic.fingerprint } }
    this.#measures.goOnFrom(await journal.history(id))
    const told = await journal.list({ after: 0, limit: MAX_NOTICES * 10, crawlId: id })
    this.#notices = told.filter(({ event }) => event.type === 'notice').length
    if (this.#leaving === null) this.#job = await recorder.setStatus(this.#job, 'running')
    if (this.#leaving !== null) {
      return { outcome: 'rested', status: statusAfter(drainOf(this.#leaving)), note: '' }
    }
    this.#run = runJob(this.#job, {
      onProgress: (progress) => this.#hear(progress),
      onNotice: (text) => this.#notice(text),
      onBusy: (text) => {
        this.#busy = text
        recorder.moved(id)
      },
    })
    return this.#run.ended
  }

  async #putDown(end: JobEnd): Promise<void> {
    if (end.outcome === 'unreachable') this.#deps.onUnreachable?.(end.note)
    if (end.outcome !== 'rested' || this.#leaving === 'removed') return
    this.#measures.end(this.#deps.clock.now())
    await this.#save()
    this.#job = await this.#deps.recorder.setStatus(this.#job, end.status, end.note)
  }

  #hear(progress: Progress): void {
    const now = this.#deps.clock.now()
    this.#measures.hear(progress, now)
    this.#busy = ''
    if (now - this.#countedAt >= SAVE_MS) void this.#save().catch(() => {})
    if (now - this.#movedAt < PROGRESS_MS) return
    this.#movedAt = now
    this.#deps.recorder.moved(this.#job.id)
    this.#deps.onMoved()
  }

  /** Its running time and its curve. */
  async #save(): Promise<void> {
    const { jobs, journal, clock } = this.#deps
    const { id, ranMs } = this.#job
    const before = this.#countedAt
    // A clock that was set back subtracts no time.
    const now = Math.max(before, clock.now())
    // At once, so that no other call counts the same time.
    this.#countedAt = now
    try {
      await jobs.addRanMs(id, now - before)
    } catch (error) {
      this.#countedAt = before
      throw error
    }
    this.#job = { ...this.#job, ranMs: ranMs + now - before }
    await journal.saveHistory(id, this.#measures.history)
  }

  #notice(text: string): void {
    if (this.#notices > MAX_NOTICES) return
    this.#notices++
    const isLast = this.#notices > MAX_NOTICES
    const said = isLast ? 'further notices are left out' : text.slice(0, MAX_NOTICE_LENGTH)
    void this.#deps.recorder.tell(this.#job.id, { type: 'notice', text: said }).catch(() => {})
  }
}

function drainOf(leaving: Leaving): DrainReason {
  return leaving === 'removed' ? 'shutdown' : leaving
}

function notStarted(): JobEnd {
  return { outcome: 'rested', status: 'failed', note: 'it could not be started' }
}
