// Measurements of a running job, from the messages of its processes.
import { harvestRate } from '../core/importance.ts'
import type { JobRecord } from '../core/job.ts'
import { Rate } from '../lib/rate.ts'
import type { Sample } from '../store/job-journal.ts'
import { NO_PROGRESS, type Progress } from './progress.ts'

/** Pages stored and bytes received. */
export type Done = Pick<Progress, 'stored' | 'bytes'>

/** The current state of a job that runs here. */
export type LiveJob = {
  readonly job: JobRecord
  /** Null before the first message of its processes. */
  readonly progress: Progress | null
  /** Totals of earlier runs when this one began. */
  readonly before: Done
  readonly pagesPerSecond: number
  /** The current work while no page is fetched; else ''. */
  readonly busy: string
  /** Share of one core over the last seconds. */
  readonly cpu: { readonly scouter: number; readonly parser: number }
  /** The curve so far, of this run and earlier ones. */
  readonly history: readonly Sample[]
}

const WINDOW_MS = 5000
/** Memory of the two processes of a crawl right after their start. */
const FIRST_RSS_BYTES = 160 * 1024 * 1024

export class RunMeasures {
  #history = new JobHistory()
  #progress: Progress | null = null
  /** Null until the first message of this run. */
  #before: Done | null = null
  readonly #pages = new Rate(WINDOW_MS)
  readonly #scouterCpu = new Rate(WINDOW_MS)
  readonly #parserCpu = new Rate(WINDOW_MS)
  #pagesPerSecond = 0
  #cpu = { scouter: 0, parser: 0 }

  /** The curve of earlier runs. */
  goOnFrom(earlier: readonly Sample[]): void {
    this.#history = new JobHistory(earlier)
  }

  get history(): readonly Sample[] {
    return this.#history.samples
  }

  /** Until both processes have reported, at least what they will take. */
  get rssBytes(): number {
    const { scouterRssBytes, parserRssBytes } = this.#progress ?? NO_PROGRESS
    const known = scouterRssBytes + parserRssBytes
    const isHeard = scouterRssBytes > 0 && parserRssBytes > 0
    return isHeard ? known : Math.max(known, FIRST_RSS_BYTES)
  }

  get now(): Omit<LiveJob, 'job' | 'busy'> {
    const [progress, pagesPerSecond, cpu] = [this.#progress, this.#pagesPerSecond, this.#cpu]
    return {
      progress,
      before: this.#before ?? NO_PROGRESS,
      pagesPerSecond,
      cpu,
      history: this.history,
    }
  }

  /** The first message of a run contains the totals of earlier ones. */
  hear(told: Progress, at: number): void {
    const isFirst = this.#before === null
    this.#before ??= { stored: told.stored, bytes: this.history.at(-1)?.bytes ?? 0 }
    const progress = { ...told, bytes: this.#before.bytes + told.bytes }
    this.#progress = progress
    const { stored, scouterPid, parserPid, scouterCpuMs, parserCpuMs } = progress
    // Before the first message of a parser, the pages of earlier runs would seem to come all at once.
    if (parserPid !== 0) this.#pagesPerSecond = this.#pages.perSecond(stored, at)
    this.#cpu = {
      scouter: shareOf(this.#scouterCpu.perSecond(scouterCpuMs, at)),
      parser: shareOf(this.#parserCpu.perSecond(parserCpuMs, at)),
    }
    const isWhole = scouterPid !== 0 && parserPid !== 0
    if (isFirst || (isWhole && this.#history.isDue(at))) {
      this.#history.add(this.#sample(progress, at))
    }
  }

  /** The run has ended: the curve gets a last sample. */
  end(at: number): void {
    if (this.#progress !== null) this.#history.close(this.#sample(this.#progress, at))
  }

  #sample(progress: Progress, at: number): Sample {
    const { stored, counts, bytes, harvest, scouterRssBytes, parserRssBytes } = progress
    const { queued, leased, refused, outside, failed } = counts
    return {
      at,
      ...{ stored, refused, outside, failed, queued: queued + leased, bytes },
      pagesPerSecond: this.#pagesPerSecond,
      recentHarvestRate: harvestRate(harvest.recentHot, harvest.recentJudged),
      ...{ scouterRssBytes, parserRssBytes },
      cpu: this.#cpu.scouter + this.#cpu.parser,
    }
  }
}

/** Share of one core. A restarted process begins at 0; that is no negative work. */
function shareOf(cpuMsPerSecond: number): number {
  return Math.max(0, cpuMsPerSecond) / 1000
}

export const MAX_SAMPLES = 600
/** As often as processes send heartbeats, so a job of a few seconds has a curve, too. */
const FIRST_INTERVAL_MS = 250

/**
 * The curve of a job over time, in few samples however long it runs. Whenever there are too many, every
 * second one is dropped, and from then on samples are taken half as often.
 */
export class JobHistory {
  #samples: Sample[]
  #intervalMs: number

  /** Continues the curve of earlier runs of the job. */
  constructor(earlier: readonly Sample[] = []) {
    this.#samples = [...earlier]
    this.#intervalMs = intervalOf(earlier)
    this.#thin()
  }

  get samples(): readonly Sample[] {
    return this.#samples
  }

  /** Whether another sample is due. */
  isDue(at: number): boolean {
    const last = this.#samples.at(-1)
    return last === undefined || at - last.at >= this.#intervalMs
  }

  add(sample: Sample): void {
    this.#samples.push(sample)
    this.#thin()
  }

  /** The last sample of a run, due or not. */
  close(sample: Sample): void {
    if (this.#samples.at(-1)?.at === sample.at) this.#samples.pop()
    this.add(sample)
  }

  /** The number is odd here, so the last sample stays. */
  #thin(): void {
    while (this.#samples.length > MAX_SAMPLES) {
      this.#samples = this.#samples.filter((_, nth) => nth % 2 === 0)
      this.#intervalMs *= 2
    }
  }
}

/** Pauses between runs are long and few; most gaps are the interval. */
function intervalOf(samples: readonly Sample[]): number {
  const gaps = samples.slice(1).map(({ at }, nth) => at - (samples[nth]?.at ?? at))
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0
  let interval = FIRST_INTERVAL_MS
  // A sample is taken a little later than it is due, never earlier.
  while (interval * 2 <= median) interval *= 2
  return interval
}
