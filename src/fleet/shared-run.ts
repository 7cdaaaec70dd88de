// A crawl that its owner shares with workers. It is announced, watched, and ended by the same rules as one
// that a supervisor runs alone. The owner may have a pair of processes of its own, or none: then it fetches
// no pages, and the crawl waits for workers.
//
//   running ──a scouter, here or elsewhere, finds the end──▶ over
//      │
//      └──drain──▶ draining ──nobody works on it any more──▶ over
//
// Every scouter sees the whole frontier, so the first that finds the end is right for all.
import { randomUUID } from 'node:crypto'
import { CrawlerError } from '../core/errors.ts'
import type { Job } from '../core/job.ts'
import { type KnownProgress, NO_PROGRESS, type Progress } from '../crawl/progress.ts'
import { snapshotOf, sumOf, totalsOf } from '../crawl/progress-totals.ts'
import { type StopRule, stopRuleOf } from '../crawl/stop-rules.ts'
import type { CrawlEnd, CrawlProcesses, DrainReason } from '../crawl/supervisor.ts'
import { type Clock, steadyMs } from '../lib/clock.ts'
import { RunShares } from './run-shares.ts'
import type {
  Announcement,
  Heard,
  OwnEnd,
  Phase,
  ProgressTotals,
  WorkerRegistry,
} from './worker-registry.ts'

const BEAT_MS = 500
/** For workers that do not answer; dead ones have left the registry by then. */
const LEAVE_PATIENCE_MS = 20_000
/** From the stop request. Pairs give slow work back, and report that, well before. */
const DRAIN_MS = 9_000
/** In beats: a registry that did not answer for this long was away. */
const AWAY_BEATS = 6
/** In beats: everything that was forgotten meanwhile has been reported again by then. */
const RETURN_BEATS = 10
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1
export const WAITING = 'waiting for workers'

type SharedRunOptions = {
  /** With the settings of this run. */
  readonly job: Job
  readonly owner: Announcement['owner']
  readonly registry: WorkerRegistry
  readonly clock: Clock
  /** How often it announces the crawl; half a second, except in tests. */
  readonly beatMs?: number
  /** How long this run may take; null means no limit. */
  readonly durationMs: number | null
  /** Totals of earlier runs. */
  readonly known: KnownProgress
  /** Hot pages that earlier runs stored. */
  readonly hotBefore: number
  /** Opens the owner's own pair; null if it has none. */
  readonly openPair: ((onProgress: () => void) => CrawlProcesses) | null
  readonly onProgress: (progress: Progress) => void
  readonly onNotice: (text: string) => void
  /** Aborted if another process runs the same crawl; then this run ends with `store-busy`. */
  readonly lost?: AbortSignal
  /** The current work while no page is fetched. */
  readonly onBusy: (text: string) => void
}

export class SharedRun implements CrawlProcesses {
  readonly #options: SharedRunOptions
  readonly #run = randomUUID()
  readonly #pair: CrawlProcesses | null
  readonly #ended = Promise.withResolvers<CrawlEnd>()
  readonly #shares: RunShares
  #progress: Progress
  #phase: Phase = 'running'
  #draining: DrainReason | null = null
  #enough: StopRule | null = null
  /** The end that a scouter found. */
  #found: OwnEnd | null = null
  #isPairAtWork: boolean
  /** The owner's own pair had no network for too long. */
  #isCutOff = false
  /** The last notice about waiting; '' while a pair works. */
  #waiting = ''
  #heardAt = steadyMs()
  /** When the registry came back, if it ever was away. */
  #backAt = Number.NEGATIVE_INFINITY
  #isOver = false
  #beating: Promise<void> | null = null
  #timers: NodeJS.Timeout[] = []

  constructor(options: SharedRunOptions) {
    this.#options = options
    this.#shares = new RunShares(options.job.id, this.#run)
    this.#progress = { ...NO_PROGRESS, ...options.known }
    this.#pair = options.openPair?.(() => this.#tell()) ?? null
    this.#isPairAtWork = this.#pair !== null
    // Reported to the caller of `run`.
    this.#ended.promise.catch(() => {})
  }

  get progress(): Progress {
    return this.#progress
  }

  get #beatMs(): number {
    return this.#options.beatMs ?? BEAT_MS
  }

  /** Runs the crawl to its end; rejects with a CrawlerError if it cannot continue. */
  async run(): Promise<CrawlEnd> {
    const { durationMs, onProgress, lost } = this.#options
    onProgress(this.#progress)
    lost?.addEventListener('abort', () => this.#ended.reject(this.#taken()), { once: true })
    await this.#beat()
    this.#timers.push(setInterval(() => this.#beatOrFail(), this.#beatMs))
    if (durationMs !== null) this.#after(durationMs, () => this.drain('time'))
    this.#pair?.run().then(
      (end) => this.#pairEnded(end),
      (error: unknown) => this.#ended.reject(error),
    )
    try {
      return await this.#ended.promise
    } finally {
      await this.#close()
    }
  }

  drain(why: DrainReason, withinMs = DRAIN_MS): void {
    this.#after(withinMs, () => this.#ended.resolve(why))
    this.#pair?.drain(why, withinMs)
    if (this.#draining !== null) return
    this.#draining = why
    if (this.#phase === 'running') this.#phase = 'draining'
    this.#beatOrFail()
  }

  enough(why: StopRule): void {
    if (this.#options.job.round === undefined) {
      this.drain(why)
    } else if (this.#enough === null) {
      this.#enough = why
      this.#pair?.enough(why)
      this.#beatOrFail()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#pair?.[Symbol.asyncDispose]()
  }

  /**
   * The last announcement, so that no worker continues or waits. Workers that miss it find out by themselves.
   */
  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#isOver = true
    this.#phase = 'over'
    await this.#beating?.catch(() => {})
    // Another owner announces the crawl now.
    if (this.#options.lost?.aborted) return
    await this.#options.registry.announce(this.#announcement()).catch(() => {})
  }

  #taken(): CrawlerError {
    const message = `crawl ${this.#options.job.id} is run by another process now`
    return new CrawlerError('store-busy', `${message}, which took it while the database was away`)
  }

  #after(ms: number, work: () => void): void {
    this.#timers.push(setTimeout(work, Math.min(ms, MAX_TIMER_MS)))
  }

  #beatOrFail(): void {
    if (!this.#isOver) this.#beat().catch((error: unknown) => this.#ended.reject(error))
  }

  /** One at a time; changes in between are announced right after. */
  async #beat(): Promise<void> {
    if (this.#beating !== null) await this.#beating.catch(() => {})
    if (this.#isOver || this.#beating !== null) return
    const { registry } = this.#options
    this.#beating = registry.announce(this.#announcement()).then((heard) => this.#hear(heard))
    await this.#beating.finally(() => {
      this.#beating = null
    })
  }

  #announcement(): Announcement {
    const { job, owner } = this.#options
    const { proxies, ...settings } = job.settings
    return {
      crawl: job.id,
      run: this.#run,
      owner,
      phase: this.#phase,
      enough: this.#enough !== null,
      pairs: this.#pairsAtWork,
      ownPairs: this.#isPairAtWork ? 1 : 0,
      settings: { ...settings, proxies: [] },
      isProxied: proxies.length > 0,
      round: job.round ?? null,
    }
  }

  get #pairsAtWork(): number {
    return this.#shares.pairs + (this.#isPairAtWork ? 1 : 0)
  }

  #hear(heard: Heard): void {
    const now = steadyMs()
    if (now - this.#heardAt > AWAY_BEATS * this.#beatMs) this.#backAt = now
    this.#heardAt = now
    for (const text of this.#shares.hear(heard)) this.#options.onNotice(text)
    this.#tell()
    this.#judge()
  }

  #tell(): void {
    if (this.#isOver) return
    const isAtWork = this.#pairsAtWork > 0
    if (isAtWork) {
      this.#waiting = ''
      this.#progress = this.#merged()
      this.#options.onProgress(this.#progress)
      this.#stopWhenEnough()
    } else if (this.#phase === 'running' && !this.#isJustBack) this.#wait()
  }

  /** Workers that continued while the registry was away may not have reported yet. */
  get #isJustBack(): boolean {
    return steadyMs() - this.#backAt < RETURN_BEATS * this.#beatMs
  }

  #wait(): void {
    const { declined } = this.#shares
    const text = declined === '' ? WAITING : `${WAITING}: ${declined}`
    if (text === this.#waiting) return
    this.#waiting = text
    this.#options.onBusy(text)
  }

  #merged(): Progress {
    const own = this.#pair?.progress ?? null
    const others = this.#shares.figures
    const all = own === null ? others : [totalsOf(own), ...others]
    const seen = own === null || own.scouterPid === 0 ? this.#shares.snapshot : snapshotOf(own)
    const sum = sumOf(all)
    return { ...this.#progress, ...sum, ...seen, stored: this.#storedOf(sum) }
  }

  /** Until a parser has reported, the earlier count; a recrawl may lower it, since pages may be gone. */
  #storedOf({ stored, parserPid }: ProgressTotals): number {
    const { known, job } = this.#options
    if (parserPid === 0) return Math.max(this.#progress.stored, stored)
    return job.round === undefined ? Math.max(known.stored, stored) : stored
  }

  #stopWhenEnough(): void {
    const { job, hotBefore } = this.#options
    const { harvest } = this.#progress
    const enough = stopRuleOf(job.settings, harvest, hotBefore + harvest.hot)
    if (enough !== null && this.#phase === 'running') this.enough(enough)
  }

  #judge(): void {
    const { end, troubles } = this.#shares
    // A damaged store affects all machines; another error may affect one only.
    const broken = troubles.find(({ code }) => code === 'store-damaged')
    if (broken !== undefined && this.#pair === null) {
      this.#ended.reject(new CrawlerError('store-damaged', broken.message))
    }
    if (end !== null) this.#atItsEnd(end)
    if (this.#phase !== 'running' && this.#pairsAtWork === 0) this.#ended.resolve(this.#endOf())
    // Workers elsewhere may have a network, so this is the end only if no pair is at work.
    if (this.#isCutOff && this.#pairsAtWork === 0) this.#ended.resolve(this.#draining ?? 'away')
  }

  #pairEnded(end: CrawlEnd): void {
    this.#isPairAtWork = false
    if (end === 'empty' || end === 'limit') this.#atItsEnd(end)
    if (end === 'away') this.#isCutOff = true
    this.#beatOrFail()
  }

  #atItsEnd(end: OwnEnd): void {
    if (this.#found !== null) return
    this.#found = end
    this.#phase = 'over'
    // Its scouter has reached the end, too, but does not know it yet.
    this.#after(LEAVE_PATIENCE_MS, () => this.#ended.resolve(this.#endOf()))
  }

  #endOf(): CrawlEnd {
    if (this.#draining !== null) return this.#draining
    if (this.#found === 'limit') return this.#enough ?? 'limit'
    return this.#found ?? 'interrupted'
  }
}
