// A crawl in a folder that several pairs of a scouter and a parser work on, each under a supervisor of its own.
// The scouters share out the hosts (frontier/partitions); here the pairs are started and ended together, and
// their progress is added up.
//
//   running ──a scouter finds the end──▶ the others drain ──all have ended──▶ over
//      │
//      └──drain──▶ all drain ──▶ over
//
// Every scouter sees the whole frontier, so the first that finds the end is right for all.
import { type Pair, settingsOfPair } from '../core/pair.ts'
import { NO_PROGRESS, type Progress } from './progress.ts'
import { leftBehind, snapshotOf, sumOf, totalsOf } from './progress-totals.ts'
import { type StopRule, stopRuleOf } from './stop-rules.ts'
import {
  type CrawlEnd,
  type CrawlProcesses,
  type DrainReason,
  Supervisor,
  type SupervisorOptions,
} from './supervisor.ts'

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

type Work = { readonly processes: CrawlProcesses; isOver: boolean }

export class SeveralPairs implements CrawlProcesses {
  readonly #options: SupervisorOptions
  readonly #all: readonly Work[]
  readonly #told = new Set<string>()
  #progress: Progress
  /** Why all of them end; null while they work. */
  #ending: CrawlEnd | null = null
  #enough: StopRule | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(
    options: SupervisorOptions,
    pairs: number,
    open: (options: SupervisorOptions) => CrawlProcesses = (own) => new Supervisor(own),
  ) {
    this.#options = options
    this.#progress = { ...NO_PROGRESS, ...options.known }
    this.#all = Array.from({ length: pairs }, (_, nth) => ({
      processes: open(this.#optionsOf({ nth, of: pairs })),
      isOver: false,
    }))
  }

  get progress(): Progress {
    return this.#progress
  }

  /** Runs the crawl to its end; rejects with the first error of a pair that cannot continue. */
  async run(): Promise<CrawlEnd> {
    const { durationMs, onProgress } = this.#options
    onProgress(this.#progress)
    if (durationMs !== null) {
      const ms = Math.min(durationMs, MAX_TIMER_MS)
      this.#timer = setTimeout(() => this.drain('time'), ms)
    }
    const ends = await Promise.all(this.#all.map((one) => this.#toItsEnd(one)))
    this.#tell()
    return this.#ending ?? ends[0] ?? 'interrupted'
  }

  drain(why: DrainReason, withinMs?: number): void {
    this.#ending ??= why
    for (const { processes, isOver } of this.#all) if (!isOver) processes.drain(why, withinMs)
  }

  enough(why: StopRule): void {
    if (this.#options.job.round === undefined) {
      this.drain(why)
    } else if (this.#enough === null) {
      this.#enough = why
      for (const { processes } of this.#all) processes.enough(why)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.all(this.#all.map(({ processes }) => processes[Symbol.asyncDispose]()))
  }

  #optionsOf(pair: Pair): SupervisorOptions {
    const { job } = this.#options
    return {
      ...this.#options,
      ...{ pair, joined: true, durationMs: null },
      job: { ...job, settings: settingsOfPair(job.settings, pair) },
      onProgress: () => this.#tell(),
      onNotice: (text) => this.#notice(text),
    }
  }

  async #toItsEnd(one: Work): Promise<CrawlEnd> {
    const end = await one.processes.run()
    one.isOver = true
    // A machine without a network ends pair by pair: what one gives up, another may still reach.
    if (end !== 'away') this.#endAll(end)
    return end
  }

  /** The others have nothing left to do either, but do not know it yet. */
  #endAll(end: CrawlEnd): void {
    if (this.#ending !== null) return
    this.#ending = end
    for (const { processes, isOver } of this.#all) if (!isOver) processes.drain('stopped')
  }

  /** A message that all pairs give is shown once. */
  #notice(text: string): void {
    const isRepeated = !text.includes(' died ')
    if (isRepeated && this.#told.has(text)) return
    this.#told.add(text)
    this.#options.onNotice(text)
  }

  #tell(): void {
    const all = this.#all.map(({ processes }) => processes.progress)
    const working = this.#all.filter(({ isOver }) => !isOver)
    const shown = [...working.map(({ processes }) => processes.progress), ...all].find(
      ({ scouterPid }) => scouterPid !== 0,
    )
    const sum = sumOf(
      this.#all.map(({ processes, isOver }) => {
        const totals = totalsOf(processes.progress)
        return isOver ? leftBehind(totals) : totals
      }),
    )
    const { awayMs: _, ...before } = this.#progress
    this.#progress = {
      ...before,
      ...sum,
      ...(shown === undefined ? {} : snapshotOf(shown)),
      ...awayIn(all),
    }
    this.#options.onProgress(this.#progress)
    this.#stopWhenEnough()
  }

  #stopWhenEnough(): void {
    const { job, hotBefore } = this.#options
    const { harvest } = this.#progress
    const enough = stopRuleOf(job.settings, harvest, hotBefore + harvest.hot)
    if (enough !== null && this.#ending === null) this.enough(enough)
  }
}

/** The network is away if no pair has one. */
function awayIn(all: readonly Progress[]): Pick<Progress, 'awayMs'> {
  const times = all.flatMap(({ awayMs }) => awayMs ?? [])
  return times.length < all.length || all.length === 0 ? {} : { awayMs: Math.min(...times) }
}
