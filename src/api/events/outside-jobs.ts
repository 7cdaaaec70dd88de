import type { JobRecord } from '../../core/job.ts'
import type { ApiDeps } from '../api-deps.ts'
import { leasesView, workersView } from '../fleet-views.ts'
import type { JobViews } from '../job-views.ts'
import type { EventChannel } from './event-channel.ts'
import { frame } from './event-reader.ts'

const EVERY_MS = 1_000
/** The number of newest jobs that are checked for clients of all jobs. */
const LOOKED_AT = 20

type OutsideJobDeps = Pick<ApiDeps, 'jobs' | 'dispatcher' | 'log'>

/**
 * Crawls of the command line run beside the server and do not notify it. While a client subscribes to one,
 * the store is checked from time to time.
 */
export class OutsideJobs {
  readonly #deps: OutsideJobDeps
  readonly #views: JobViews
  readonly #channels: () => readonly EventChannel[]
  /** The last state of a job sent to a channel. */
  readonly #told = new WeakMap<EventChannel, Map<number, string>>()
  #timer: NodeJS.Timeout | null = null
  #isLooking = false

  constructor(deps: OutsideJobDeps, views: JobViews, channels: () => readonly EventChannel[]) {
    this.#deps = deps
    this.#views = views
    this.#channels = channels
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#look(), EVERY_MS)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      for (const channel of this.#channels()) await this.#lookFor(channel)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#deps.log(`jobs outside the server could not be read: ${why}`)
    } finally {
      this.#isLooking = false
    }
  }

  async #lookFor(channel: EventChannel): Promise<void> {
    for (const job of await this.#outside(channel)) {
      if (channel.subject.pages) await channel.wake()
      const summary = await this.#views.summary(job)
      const told = JSON.stringify(summary)
      const before = this.#told.get(channel) ?? new Map<number, string>()
      this.#told.set(channel, before)
      if (before.get(job.id) === told) continue
      before.set(job.id, told)
      channel.tell(frame('job', summary, channel.cursor))
    }
  }

  async #outside({ subject }: EventChannel): Promise<readonly JobRecord[]> {
    const { jobs, dispatcher } = this.#deps
    const { crawlId } = subject
    if (crawlId !== null && dispatcher.live(crawlId) !== null) return []
    const job = crawlId === null ? null : await jobs.get(crawlId)
    const some =
      crawlId === null ? await jobs.list({ limit: LOOKED_AT }) : job === null ? [] : [job]
    return some.filter(({ id, origin }) => origin === 'cli' && dispatcher.live(id) === null)
  }
}

type FleetEventDeps = Pick<ApiDeps, 'fleet' | 'dispatcher' | 'clock'>

/**
 * Sends the state of workers and stores to all clients, and the leases of a running job to the clients of
 * that job. All of it is momentary.
 */
export class FleetNews {
  readonly #deps: FleetEventDeps
  readonly #channels: () => readonly EventChannel[]
  readonly #unsubscribe: () => void
  /** Jobs whose leases are being read. */
  readonly #reading = new Set<number>()

  constructor(deps: FleetEventDeps, channels: () => readonly EventChannel[]) {
    this.#deps = deps
    this.#channels = channels
    this.#unsubscribe = deps.fleet?.subscribe(() => this.#tell()) ?? (() => {})
  }

  close(): void {
    this.#unsubscribe()
  }

  #tell(): void {
    const channels = this.#channels()
    if (channels.length === 0) return
    const workers = workersView(this.#deps)
    for (const channel of channels) channel.tell(frame('workers', workers, channel.cursor))
    const watched = new Set(channels.flatMap(({ subject }) => subject.crawlId ?? []))
    for (const crawlId of watched) {
      if (this.#deps.dispatcher.live(crawlId) !== null) void this.#tellLeases(crawlId)
    }
  }

  async #tellLeases(crawlId: number): Promise<void> {
    if (this.#reading.has(crawlId)) return
    this.#reading.add(crawlId)
    // The state of the stores shows that Redis is away.
    const leases = (await this.#deps.fleet?.leases(crawlId).catch(() => null)) ?? null
    this.#reading.delete(crawlId)
    if (leases === null) return
    const shown = leasesView(leases)
    for (const channel of this.#channels()) {
      if (channel.subject.crawlId !== crawlId) continue
      channel.tell(frame('leases', shown, channel.cursor))
    }
  }
}
