// The part of one worker in one run of a crawl: its pairs, their totals, and how they ended.
import type { Job } from '../core/job.ts'
import { leftBehind, NO_TOTALS, snapshotOf, sumOf, totalsOf } from '../crawl/progress-totals.ts'
import type { CrawlEnd, CrawlProcesses } from '../crawl/supervisor.ts'
import { steadyMs } from '../lib/clock.ts'
import type { AtWork } from './assign-workers.ts'
import type {
  Announcement,
  OwnEnd,
  ProgressSnapshot,
  ProgressTotals,
  WorkerShare,
} from './worker-registry.ts'

export type WorkerEvent =
  | { readonly type: 'joined'; readonly crawl: number; readonly owner: Announcement['owner'] }
  | { readonly type: 'left'; readonly crawl: number; readonly why: string; readonly saved: number }
  | {
      readonly type: 'declined' | 'trouble' | 'notice'
      readonly crawl: number
      readonly text: string
    }

export type RunDeps = {
  readonly openPair: (job: Job, onNotice: (text: string) => void) => CrawlProcesses
  readonly onEvent: (event: WorkerEvent) => void
  readonly onPairEnded: () => void
}

type Slot = {
  /** Null if it is promised but has not begun. */
  pair: CrawlProcesses | null
  readonly since: number
  isLeaving: boolean
  /** The run it moves to; null if it moves to none. */
  goingTo: string | null
}

export class WorkerRun implements AsyncDisposable {
  readonly #options: RunDeps
  #announcement: Announcement
  readonly #slots = new Set<Slot>()
  /** Totals of pairs that ended. */
  #done: ProgressTotals = NO_TOTALS
  /** Epoch ms. */
  #begunAt = 0
  #end: OwnEnd | null = null
  #trouble: WorkerShare['trouble'] = null
  #troubledAt = Number.NEGATIVE_INFINITY

  constructor(announcement: Announcement, options: RunDeps) {
    this.#announcement = announcement
    this.#options = options
  }

  get id(): string {
    return this.#announcement.run
  }

  get crawl(): number {
    return this.#announcement.crawl
  }

  get announcement(): Announcement {
    return this.#announcement
  }

  get pairs(): number {
    return this.#slots.size
  }

  /** All pairs except those that leave. */
  get atWork(): readonly AtWork[] {
    const staying = [...this.#slots].filter(({ isLeaving }) => !isLeaving)
    return staying.map(({ since }) => ({ run: this.id, since }))
  }

  get share(): WorkerShare {
    const { crawl, run } = this.#announcement
    const figures = sumOf([this.#done, ...this.#pairs.map(({ progress }) => totalsOf(progress))])
    const [pairs, begunAt, end, trouble] = [this.pairs, this.#begunAt, this.#end, this.#trouble]
    const goingTo = [...this.#slots].flatMap((slot) => slot.goingTo ?? [])
    return { crawl, run, pairs, begunAt, goingTo, figures, end, trouble }
  }

  /** Null before the first report of a scouter of this worker. */
  get snapshot(): ProgressSnapshot | null {
    const heard = this.#pairs.find(({ progress }) => progress.scouterPid !== 0)
    return heard === undefined ? null : snapshotOf(heard.progress)
  }

  /** Not if the end was found, nor soon after an error. */
  mayBegin(troubledBefore: number): boolean {
    return this.#end === null && this.#troubledAt < troubledBefore
  }

  /** Whether its pairs can continue under that announcement, by an owner that continues the crawl. */
  canBe({ settings, round, phase }: Announcement): boolean {
    const before = this.#announcement
    const isSame =
      JSON.stringify([before.settings, before.round]) === JSON.stringify([settings, round])
    return isSame && phase === 'running' && this.#end === null && this.pairs > 0
  }

  continueAs(announcement: Announcement): void {
    this.#announcement = announcement
  }

  /** `at`: epoch ms. */
  promise(at: number): void {
    this.#begunAt = at
    this.#slots.add({ pair: null, since: steadyMs(), isLeaving: false, goingTo: null })
  }

  breakPromise(): void {
    const slot = this.#promised
    if (slot !== undefined) this.#slots.delete(slot)
  }

  begin(job: Job, onError: (error: unknown) => void): void {
    const slot = this.#promised
    if (slot?.isLeaving) this.#slots.delete(slot)
    if (slot === undefined || slot.isLeaving) return
    const { openPair, onEvent } = this.#options
    const { crawl, owner } = this.#announcement
    const pair = openPair(job, (text) => onEvent({ type: 'notice', crawl, text }))
    slot.pair = pair
    onEvent({ type: 'joined', crawl, owner })
    void this.#toItsEnd(slot, pair).catch(onError)
  }

  drain(withinMs?: number): void {
    for (const slot of this.#slots) leave(slot, withinMs)
  }

  /** Drains the pair that has worked longest, for another run. */
  drainOne(goingTo: string, withinMs: number): void {
    const slot = [...this.#slots].find(({ isLeaving }) => !isLeaving)
    if (slot === undefined) return
    slot.goingTo = goingTo
    leave(slot, withinMs)
  }

  enough(): void {
    // Only the owner knows which limit it was.
    for (const pair of this.#pairs) pair.enough('hot')
  }

  note(trouble: NonNullable<WorkerShare['trouble']>, at: number): void {
    this.#trouble = trouble
    this.#troubledAt = at
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#pairs.map((pair) => pair[Symbol.asyncDispose]()))
  }

  get #pairs(): readonly CrawlProcesses[] {
    return [...this.#slots].flatMap(({ pair }) => (pair === null ? [] : [pair]))
  }

  get #promised(): Slot | undefined {
    return [...this.#slots].find(({ pair }) => pair === null)
  }

  async #toItsEnd(slot: Slot, pair: CrawlProcesses): Promise<void> {
    try {
      const end = await pair.run()
      if (end === 'empty' || end === 'limit') this.#end = end
      this.#trouble = null
      this.#options.onEvent({
        type: 'left',
        crawl: this.crawl,
        why: wordsFor(end),
        saved: pair.progress.saved,
      })
    } finally {
      this.#done = sumOf([this.#done, leftBehind(totalsOf(pair.progress))])
      await pair[Symbol.asyncDispose]()
      this.#slots.delete(slot)
      this.#options.onPairEnded()
    }
  }
}

function leave(slot: Slot, withinMs?: number): void {
  if (slot.isLeaving) return
  slot.isLeaving = true
  slot.pair?.drain('interrupted', withinMs)
}

function wordsFor(end: CrawlEnd): string {
  if (end === 'empty') return 'nothing is left to fetch'
  return end === 'limit' ? 'it has its pages' : 'told to leave'
}
