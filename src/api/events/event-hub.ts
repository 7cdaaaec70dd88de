import type { ServerResponse } from 'node:http'
import { type JobRecord, jobId } from '../../core/job.ts'
import type { DispatchListener } from '../../jobs/dispatcher.ts'
import type { ApiDeps } from '../api-deps.ts'
import { Refusal } from '../errors.ts'
import { workersView } from '../fleet-views.ts'
import type { JobViews } from '../job-views.ts'
import { EventChannel, EventClient } from './event-channel.ts'
import { type Cursor, EventReader, frame, frameWithoutId, type Subject } from './event-reader.ts'
import { FleetNews, OutsideJobs } from './outside-jobs.ts'

const DEFAULT_MAX_STREAMS = 2000
const HEARTBEAT_MS = 15_000
const PROGRESS_MS = 500
/** Jobs that a new client of all jobs gets at first. */
const JOBS_TOLD = 50

/** Sends events to clients. Without clients it does nothing. */
export class EventHub {
  readonly #deps: ApiDeps
  readonly #views: JobViews
  readonly #reader: EventReader
  readonly #channels = new Map<string, Promise<EventChannel>>()
  readonly #open = new Map<string, EventChannel>()
  readonly #throttle = new Throttle<number>(PROGRESS_MS, (crawlId) => this.#tellProgress(crawlId))
  /** Page counts of running jobs at the last check. */
  readonly #seen = new Map<number, number>()
  readonly #unsubscribe: () => void
  readonly #outside: OutsideJobs
  readonly #fleet: FleetNews
  readonly #maxStreams: number
  #streams = 0
  #heartbeat: NodeJS.Timeout | null = null
  #closed = false

  constructor(deps: ApiDeps, views: JobViews) {
    this.#deps = deps
    this.#views = views
    this.#reader = new EventReader(deps, views)
    this.#maxStreams = deps.settings.maxStreams ?? DEFAULT_MAX_STREAMS
    this.#outside = new OutsideJobs(deps, views, () => [...this.#open.values()])
    this.#fleet = new FleetNews(deps, () => [...this.#open.values()])
    this.#unsubscribe = deps.dispatcher.subscribe(this.#listener())
  }

  get streams(): number {
    return this.#streams
  }

  /** Throws a `Refusal` if there are too many clients. Call it before anything is written. */
  reserve(response: ServerResponse): void {
    if (this.#closed || this.#streams >= this.#maxStreams) {
      throw new Refusal(503, 'too many listen already', { headers: { 'retry-after': '10' } })
    }
    // A client that has already left emits no further event, and would be counted for ever.
    if (response.destroyed) return
    this.#streams++
    response.once('close', () => {
      this.#streams--
      if (this.#streams === 0) this.#rest()
    })
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS)
    this.#outside.start()
  }

  /** Sends the client all events after `from`; null: from now on. The headers are already written. */
  async listen(subject: Subject, response: ServerResponse, from: Cursor | null): Promise<void> {
    // While the store is away, other events wait; the state of the stores does not.
    if (this.#deps.fleet !== undefined) {
      response.write(frameWithoutId('workers', workersView(this.#deps)))
    }
    const channel = await this.#channel(subject)
    if (from !== null && isBeyond(from, channel.cursor)) await channel.wake()
    const start = from === null ? channel.cursor : atMost(from, channel.cursor)
    const client = new EventClient(response, start)
    const goesOn = from !== null && !isBeyond(from, channel.cursor)
    const greeting = await this.#greeting(subject, start, goesOn).catch((error: unknown) => {
      this.#leave(channel, client)
      throw error
    })
    const joined = this.#current(channel)
    if (client.closed || this.#closed) return this.#leave(joined, client)
    response.once('close', () => this.#leave(joined, client))
    client.send(`retry: 2000\n\n${greeting}`)
    joined.add(client)
  }

  /** The last client may have left meanwhile, and with it the channel; then it is opened again. */
  #current(channel: EventChannel): EventChannel {
    const key = keyOf(channel.subject)
    const open = this.#open.get(key)
    if (open !== undefined) return open
    this.#open.set(key, channel)
    this.#channels.set(key, Promise.resolve(channel))
    void channel.wake()
    return channel
  }

  close(): void {
    this.#closed = true
    this.#unsubscribe()
    this.#fleet.close()
    this.#rest()
    for (const channel of this.#open.values()) channel.end()
  }

  #leave(channel: EventChannel, client: EventClient): void {
    channel.remove(client)
    client.end()
    const key = keyOf(channel.subject)
    if (channel.size > 0 || this.#open.get(key) !== channel) return
    this.#open.delete(key)
    this.#channels.delete(key)
  }

  async #channel(subject: Subject): Promise<EventChannel> {
    const key = keyOf(subject)
    const opening = this.#channels.get(key) ?? this.#openChannel(subject, key)
    this.#channels.set(key, opening)
    return opening
  }

  async #openChannel(subject: Subject, key: string): Promise<EventChannel> {
    try {
      const cursor = await this.#reader.now(subject)
      const { log } = this.#deps
      const channel = new EventChannel({ subject, cursor, reader: this.#reader, log })
      this.#open.set(key, channel)
      // Events while it was opened woke nobody.
      void channel.wake()
      return channel
    } catch (error) {
      this.#channels.delete(key)
      throw error
    }
  }

  /**
   * The current state of the jobs. A client that continues from a cursor gets all events in order instead: if
   * it got the end first, it would leave before the pages it came back for.
   */
  async #greeting({ crawlId }: Subject, cursor: Cursor, goesOn: boolean): Promise<string> {
    const jobs = await this.#jobsToTell(crawlId)
    // The journal has no events of a crawl that runs elsewhere.
    const told = goesOn && crawlId !== null ? jobs.filter(({ origin }) => origin === 'cli') : jobs
    const summaries = await this.#views.summaries(told)
    return summaries.map((summary) => frame('job', summary, cursor)).join('')
  }

  async #jobsToTell(crawlId: number | null): Promise<readonly JobRecord[]> {
    const { jobs } = this.#deps
    if (crawlId === null) return jobs.list({ limit: JOBS_TOLD, status: 'running' })
    const job = await jobs.get(crawlId)
    return job === null ? [] : [job]
  }

  #listener(): DispatchListener {
    return {
      onEvent: ({ crawlId, event }) => {
        if (event.type === 'removed') this.#seen.delete(crawlId)
        for (const channel of this.#about(crawlId)) void channel.wake()
      },
      onProgress: (crawlId) => {
        if (this.#open.size === 0) return
        if (this.#hasGrown(crawlId)) {
          for (const channel of this.#about(crawlId)) if (channel.subject.pages) void channel.wake()
        }
        this.#throttle.ask(crawlId)
      },
    }
  }

  #hasGrown(crawlId: number): boolean {
    const stored = this.#deps.dispatcher.live(crawlId)?.progress?.stored ?? 0
    const before = this.#seen.get(crawlId)
    this.#seen.set(crawlId, stored)
    return before === undefined || stored !== before
  }

  #about(crawlId: number): readonly EventChannel[] {
    const channels = [...this.#open.values()]
    return channels.filter(({ subject }) => (subject.crawlId ?? crawlId) === crawlId)
  }

  #tellProgress(crawlId: number): void {
    const channels = this.#about(crawlId)
    const progress = channels.length === 0 ? null : this.#views.progress(crawlId)
    if (progress === null) return
    for (const channel of channels) {
      const isOne = channel.subject.crawlId !== null
      // A client of all jobs does not want all their hosts.
      const told = isOne ? progress : { id: jobId(crawlId), ...progress, hosts: [] }
      channel.tell(frame('progress', told, channel.cursor))
    }
  }

  #beat(): void {
    for (const channel of this.#open.values()) channel.tell(': \n\n')
  }

  #rest(): void {
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat)
    this.#heartbeat = null
    this.#outside.stop()
    this.#throttle.stop()
    this.#seen.clear()
  }
}

function keyOf({ crawlId, pages }: Subject): string {
  return `${crawlId ?? 'all'} ${pages}`
}

function isBeyond(a: Cursor, b: Cursor): boolean {
  return a.event > b.event || a.page > b.page
}

/** A cursor of another workspace, or an invented one, is limited to the current position. */
function atMost(a: Cursor, b: Cursor): Cursor {
  return { event: Math.min(a.event, b.event), page: Math.min(a.page, b.page) }
}

/** Calls a function for a key, at most once per interval; calls in between are made up for at its end. */
class Throttle<K> {
  readonly #everyMs: number
  readonly #work: (key: K) => void
  /** True if it was called again. */
  readonly #resting = new Map<K, boolean>()
  readonly #timers = new Map<K, NodeJS.Timeout>()

  constructor(everyMs: number, work: (key: K) => void) {
    this.#everyMs = everyMs
    this.#work = work
  }

  ask(key: K): void {
    if (this.#resting.has(key)) this.#resting.set(key, true)
    else this.#do(key)
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#resting.clear()
  }

  #do(key: K): void {
    this.#resting.set(key, false)
    this.#timers.set(
      key,
      setTimeout(() => this.#rested(key), this.#everyMs),
    )
    this.#work(key)
  }

  #rested(key: K): void {
    const wasAsked = this.#resting.get(key) === true
    this.#resting.delete(key)
    this.#timers.delete(key)
    if (wasAsked) this.#do(key)
  }
}
