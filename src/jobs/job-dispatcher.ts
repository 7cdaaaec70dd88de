// The dispatcher: a queue, the running jobs, and one line per job in which requests are handled one after the
// other. Everything is in the store before a client learns of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlerError } from '../core/errors.ts'
import { isFinal, type JobRecord, type JobStatus } from '../core/job.ts'
import type { LiveJob } from '../crawl/run-measures.ts'
import type { JobOrder, Ordered } from '../store/job-store.ts'
import { ActiveJob, type ActiveJobDeps, MAX_NOTICES } from './active-job.ts'
import type { CommandResult, Dispatcher, DispatchListener, Load, NewLimits } from './dispatcher.ts'
import { JobQueue } from './job-queue.ts'
import { JobRecorder } from './job-recorder.ts'
import { type JobCounts, resumeCheck } from './resume-check.ts'

/** Pause between the steps that remove a job, so that others can write. */
const SWEEP_PAUSE_MS = 5

export type DispatcherOptions = Omit<ActiveJobDeps, 'recorder' | 'onMoved'> & {
  readonly maxRunning: number
  readonly maxConnections: number
  readonly maxRssBytes: number
  /** False: jobs use no connections of this machine. Default: true. */
  readonly carries?: boolean
  /** Whether another program runs that job now. */
  readonly isElsewhere: (id: number) => Promise<boolean>
  /** The counts of a job at rest. */
  readonly countsOf: (job: JobRecord) => Promise<JobCounts>
  /** Makes the job recrawl its pages when it runs. False if it never completed. */
  readonly beginRecrawl: (job: JobRecord, due: boolean) => Promise<boolean>
  /** Removes the data that a job keeps outside the store. */
  readonly discard: (id: number) => Promise<void>
}

/** Continues the work of the last dispatcher: running jobs continue, removals are completed. */
export async function createDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const dispatcher = new JobDispatcher(options)
  await dispatcher.takeUp()
  return dispatcher
}

class JobDispatcher implements Dispatcher {
  readonly maxConnections: number
  readonly #options: DispatcherOptions
  readonly #recorder: JobRecorder
  readonly #waiting = new JobQueue()
  readonly #running = new Map<number, ActiveJob>()
  /** By job: its last request. */
  readonly #lines = new Map<number, Promise<unknown>>()
  readonly #sweeping = new Set<Promise<void>>()
  #closing = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.maxConnections = options.maxConnections
    this.#recorder = new JobRecorder(options)
  }

  async takeUp(): Promise<void> {
    const { jobs, journal } = this.#options
    for (const id of await jobs.unswept()) {
      const events = await journal.list({ after: 0, limit: MAX_NOTICES * 10, crawlId: id })
      const isTold = events.some(({ event }) => event.type === 'removed')
      if (!isTold) await this.#recorder.tell(id, { type: 'removed' })
      this.#sweep(id)
    }
    for (const job of await jobs.unfinished()) {
      // It was running when the last dispatcher died, and now waits like the others.
      const wasRunning = job.status === 'running'
      this.#wait(wasRunning ? await this.#recorder.setStatus(job, 'started') : job)
    }
    this.#startSome()
  }

  async submit(order: JobOrder): Promise<Ordered> {
    this.#refuseWhenClosing()
    const ordered = await this.#options.jobs.order(order)
    if (ordered.outcome === 'key-taken' || !ordered.isNew) return ordered
    const { id } = ordered.job
    await this.#inLine(id, async () => {
      await this.#recorder.tell(id, { type: 'status', status: 'started', note: '' })
    }).finally(() => {
      // The job was accepted, so it runs even if the client could not be told.
      this.#wait(ordered.job)
      this.#startSome()
    })
    return ordered
  }

  pause(id: number): Promise<CommandResult> {
    return this.#change(id, async (job) => {
      if (this.#running.has(id)) return this.#restAs(id, 'paused')
      if (this.#waiting.ahead(id) !== null) return this.#withdraw(job, 'paused')
      if (job.status === 'paused') return done(job)
      if (await this.#runsElsewhere(job)) return ELSEWHERE
      return conflict(`it is ${shown(job)}; only a job that runs or waits can be paused`)
    })
  }

  stop(id: number): Promise<CommandResult> {
    return this.#change(id, async (job) => {
      if (this.#running.has(id)) return this.#restAs(id, 'stopped')
      if (this.#waiting.ahead(id) !== null) return this.#withdraw(job, 'stopped')
      if (job.status === 'stopped') return done(job)
      if (isFinal(job.status)) return conflict(`it has ended already: it is ${job.status}`)
      if (await this.#runsElsewhere(job)) return ELSEWHERE
      return done(await this.#recorder.setStatus(job, 'stopped'))
    })
  }

  async resume(id: number, limits: NewLimits = {}): Promise<CommandResult> {
    this.#refuseWhenClosing()
    return this.#change(id, async (job) => {
      const isUnchanged = Object.keys(limits).length === 0
      const isHere = this.#running.has(id) || this.#waiting.ahead(id) !== null
      if (isHere) return isUnchanged ? done(job) : UNDER_WAY
      if (await this.#runsElsewhere(job)) return isUnchanged ? done(job) : ELSEWHERE
      const why = resumeCheck(job, limits, await this.#options.countsOf(job))
      if (why !== null) return conflict(why)
      const resumed = await this.#recorder.enqueue(id, { ...job.settings, ...limits })
      this.#wait(resumed)
      return done(resumed)
    })
  }

  async refresh(id: number, { due }: { readonly due: boolean }): Promise<CommandResult> {
    this.#refuseWhenClosing()
    return this.#change(id, async (job) => {
      if (this.#running.has(id) || this.#waiting.ahead(id) !== null) return UNFINISHED
      if (await this.#runsElsewhere(job)) return ELSEWHERE
      if (!(await this.#options.beginRecrawl(job, due))) {
        return conflict(`it is ${shown(job)}; only a job that has completed can be refreshed`)
      }
      const started = await this.#recorder.enqueue(id, job.settings)
      this.#wait(started)
      return done(started)
    })
  }

  remove(id: number): Promise<CommandResult> {
    return this.#change(id, async (job) => {
      const turn = this.#running.get(id)
      if (turn === undefined && (await this.#options.isElsewhere(id))) return ELSEWHERE
      await turn?.rest('removed')
      const waited = this.#waiting.take(id)
      const isRemoved = await this.#options.jobs.remove(id).catch((error: unknown) => {
        if (waited !== null) this.#waiting.add(waited)
        throw error
      })
      if (!isRemoved) return { outcome: 'no-job' }
      await this.#recorder.tell(id, { type: 'removed' })
      this.#sweep(id)
      return done(job)
    })
  }

  notice(id: number, text: string): Promise<void> {
    return this.#recorder.tell(id, { type: 'notice', text })
  }

  live(id: number): LiveJob | null {
    return this.#running.get(id)?.live ?? null
  }

  ahead(id: number): number | null {
    return this.#waiting.ahead(id)
  }

  load(): Load {
    const turns = [...this.#running.values()]
    return {
      running: turns.length,
      waiting: this.#waiting.length,
      connections: turns.reduce((sum, { job }) => sum + this.#connectionsOf(job), 0),
      maxConnections: this.maxConnections,
      rssBytes: this.#carries ? sumOfRss(turns) : 0,
      maxRssBytes: this.#options.maxRssBytes,
    }
  }

  subscribe(listener: DispatchListener): () => void {
    return this.#recorder.subscribe(listener)
  }

  /** Running jobs are put down and continued by the next dispatcher; nothing is lost. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true
    await Promise.all([...this.#running.values()].map((turn) => turn.rest('shutdown')))
    await Promise.allSettled([...this.#lines.values(), ...this.#sweeping])
  }

  #refuseWhenClosing(): void {
    if (this.#closing) throw new CrawlerError('store-busy', 'the server is going down')
  }

  /** One after the other, in the order of the requests. */
  #inLine<T>(id: number, work: () => Promise<T>): Promise<T> {
    const before = this.#lines.get(id) ?? Promise.resolve()
    const result = before.then(work)
    const settled = result.then(
      () => {},
      () => {},
    )
    this.#lines.set(id, settled)
    void settled.then(() => {
      if (this.#lines.get(id) === settled) this.#lines.delete(id)
    })
    return result
  }

  async #change(
    id: number,
    change: (job: JobRecord) => Promise<CommandResult>,
  ): Promise<CommandResult> {
    const told = await this.#inLine(id, async (): Promise<CommandResult> => {
      const job = await this.#options.jobs.get(id)
      return job === null ? { outcome: 'no-job' } : change(job)
    })
    // A job that blocked the others may no longer do so.
    this.#startSome()
    return told
  }

  isElsewhere(job: JobRecord): Promise<boolean> {
    const isHere = this.#running.has(job.id) || this.#waiting.ahead(job.id) !== null
    return isHere ? Promise.resolve(false) : this.#runsElsewhere(job)
  }

  async #runsElsewhere({ id, status }: JobRecord): Promise<boolean> {
    return isUnfinished(status) && (await this.#options.isElsewhere(id))
  }

  /** The job no longer waits, unless that cannot be written. */
  async #withdraw(job: JobRecord, status: JobStatus): Promise<CommandResult> {
    const waited = this.#waiting.take(job.id)
    try {
      return done(await this.#recorder.setStatus(job, status))
    } catch (error) {
      if (waited !== null) this.#waiting.add(waited)
      throw error
    }
  }

  async #restAs(id: number, why: 'paused' | 'stopped'): Promise<CommandResult> {
    await this.#running.get(id)?.rest(why)
    const job = await this.#options.jobs.get(id)
    if (job === null) return { outcome: 'no-job' }
    if (job.status === why) return done(job)
    return conflict(`it has come to rest by itself: it is ${shown(job)}`)
  }

  /** Thousands may wait, each with thousands of seeds, so the job is read again when its turn comes. */
  #wait(job: JobRecord): void {
    this.#waiting.add({ ...job, seeds: [], topic: null })
  }

  #startSome(): void {
    for (let job = this.#waiting.first; job !== null; job = this.#waiting.first) {
      if (this.#closing || !this.#fits(job)) return
      this.#waiting.take(job.id)
      this.#start(job)
    }
  }

  #start(job: JobRecord): void {
    const onMoved = () => this.#startSome()
    const turn = new ActiveJob(job, { ...this.#options, recorder: this.#recorder, onMoved })
    this.#running.set(job.id, turn)
    void turn.rested.then(() => {
      this.#running.delete(job.id)
      this.#startSome()
    })
  }

  /** If the first job in the queue does not fit, it blocks the others: otherwise it might never run. */
  #fits(job: JobRecord): boolean {
    const { running, connections, maxConnections, rssBytes, maxRssBytes } = this.load()
    if (running === 0) return true
    if (running >= this.#options.maxRunning || rssBytes >= maxRssBytes) return false
    return connections + this.#connectionsOf(job) <= maxConnections
  }

  get #carries(): boolean {
    return this.#options.carries !== false
  }

  /** Connections of this machine; workers have their own. */
  #connectionsOf({ settings }: JobRecord): number {
    return !this.#carries ? 0 : Math.min(settings.concurrency, this.maxConnections)
  }

  /** In the background. The next dispatcher does what is left. */
  #sweep(id: number): void {
    const sweeping = this.#sweepAll(id)
      .catch(() => {})
      .finally(() => this.#sweeping.delete(sweeping))
    this.#sweeping.add(sweeping)
  }

  async #sweepAll(id: number): Promise<void> {
    await this.#options.discard(id)
    while (!this.#closing && (await this.#options.jobs.sweep(id))) await sleep(SWEEP_PAUSE_MS)
  }
}

const ELSEWHERE: CommandResult = {
  outcome: 'conflict',
  note: 'it runs outside this server: stop it where it was started',
}

const UNFINISHED: CommandResult = {
  outcome: 'conflict',
  note: 'it runs or waits for its turn: it can be refreshed when it has completed',
}

const UNDER_WAY: CommandResult = {
  outcome: 'conflict',
  note: 'it runs or waits for its turn: pause it first, then resume it with other limits',
}

function sumOfRss(turns: readonly ActiveJob[]): number {
  return turns.reduce((sum, { rssBytes }) => sum + rssBytes, 0)
}

function done(job: JobRecord): CommandResult {
  return { outcome: 'done', job }
}

function conflict(note: string): CommandResult {
  return { outcome: 'conflict', note }
}

function isUnfinished(status: JobStatus): boolean {
  return status === 'running' || status === 'started'
}

/** A crawl whose status is running, but that does not run, was interrupted. */
function shown({ status }: JobRecord): string {
  return isUnfinished(status) ? 'interrupted' : status
}
