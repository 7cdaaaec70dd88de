// A worker lends pairs of processes to crawls that others own, as many as it has, and stores nothing.
//
// Once a second it reports its state and reads which crawls run. It joins those it can, divides its pairs
// between them, and leaves a crawl when its owner says so, when the crawl has ended, or when nobody has
// announced it for a while. It reports that it joins before it begins, so the owner knows of every pair, or
// the pair never begins.
import { randomUUID } from 'node:crypto'
import { CrawlerError, firstError } from '../core/errors.ts'
import type { Job, OwnNetwork } from '../core/job.ts'
import { isGranted } from '../core/private-access.ts'
import { type Clock, steadyMs } from '../lib/clock.ts'
import { Rate } from '../lib/rate.ts'
import { type Assignment, assignWorkers, type Member } from './assign-workers.ts'
import type {
  Announcement,
  Program,
  ProgressSnapshot,
  WorkerRecord,
  WorkerRegistry,
} from './worker-registry.ts'
import { type RunDeps, WorkerRun } from './worker-run.ts'

const BEAT_MS = 1000
/** A restarted owner, or a registry that was lost, is back by then. */
const SILENCE_MS = 10_000
/** Slow requests under way are not waited for longer: another worker fetches them again. */
const DRAIN_MS = 8_000
/** When a crawl is tried again after an error of this worker. */
const TROUBLE_MS = 30_000
const WINDOW_MS = 5000
/** With more workers than this, the pause between two reads grows with their number. */
const FEW_WORKERS = 100
const LOOK_MS_PER_WORKER = 4

export type WorkerOptions = Omit<RunDeps, 'onPairEnded'> & {
  readonly program: Program
  readonly name: string
  readonly pairs: number
  /** Threads of the parser of one pair. */
  readonly parserThreads: number
  readonly network: OwnNetwork
  readonly registry: WorkerRegistry
  /** For its reports. Durations are measured by a clock that cannot be set. */
  readonly clock: Clock
  /** How often it reports; a second, except in tests. */
  readonly beatMs?: number
  /** Null if it was removed meanwhile. */
  readonly jobOf: (crawl: number) => Promise<Job | null>
}

export class Worker implements AsyncDisposable {
  readonly id = randomUUID()
  readonly #options: WorkerOptions
  readonly #since: number
  readonly #runs = new Map<string, WorkerRun>()
  readonly #announced = new Map<string, { announcement: Announcement; heardAt: number }>()
  #declined: readonly Declined[] = []
  readonly #cpu = new Rate(WINDOW_MS)
  readonly #pages = new Rate(WINDOW_MS)
  readonly #broken = Promise.withResolvers<never>()
  #isLeaving = false
  #nextLookAt = 0
  #wake: (() => void) | null = null

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#since = options.clock.now()
    // Reported to the caller of `run`.
    this.#broken.promise.catch(() => {})
  }

  get isAtWork(): boolean {
    return this.#allRuns.some(({ pairs }) => pairs > 0)
  }

  /** Works until it was drained; rejects with a CrawlerError if a store is away for too long. */
  async run(): Promise<void> {
    const { registry } = this.#options
    while (!this.#isLeaving || this.isAtWork) {
      await Promise.race([this.#beat(), this.#broken.promise])
      await this.#nap()
    }
    await registry.leave(this.id)
  }

  /** Takes no new work; finishes work under way, but for no longer than `withinMs`. */
  drain(withinMs?: number): void {
    this.#isLeaving = true
    for (const run of this.#allRuns) run.drain(withinMs)
    this.#wake?.()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isLeaving = true
    this.#wake?.()
    await Promise.all(this.#allRuns.map((run) => run[Symbol.asyncDispose]()))
  }

  get #allRuns(): readonly WorkerRun[] {
    return [...this.#runs.values()]
  }

  async #nap(): Promise<void> {
    await new Promise<void>((resolve) => {
      // Random, so that workers that were started together do not report together for ever.
      const beatMs = (this.#options.beatMs ?? BEAT_MS) * (0.8 + 0.4 * Math.random())
      const timer = setTimeout(resolve, beatMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = null
  }

  async #beat(): Promise<void> {
    this.#hear(await this.#report())
    if (this.#isLeaving) return
    const joining = await this.#share()
    if (joining.length === 0) return
    // Reported before it begins; the answer says whether it is still wanted.
    this.#hear(await this.#report())
    await Promise.all(joining.map((run) => this.#begin(run)))
  }

  #report(): Promise<readonly Announcement[]> {
    const snapshots = new Map<number, ProgressSnapshot>()
    for (const run of this.#allRuns) {
      const snapshot = run.snapshot
      if (snapshot !== null) snapshots.set(run.crawl, snapshot)
    }
    return this.#options.registry.report(this.#record(), snapshots)
  }

  #record(): WorkerRecord {
    const { program, name, pairs } = this.#options
    const now = steadyMs()
    const shares = this.#allRuns.map((run) => run.share)
    const figures = shares.map((share) => share.figures)
    const sum = (count: (one: (typeof figures)[number]) => number): number =>
      figures.reduce((total, one) => total + count(one), 0)
    const own = process.cpuUsage()
    const cpuMs = (own.user + own.system) / 1000 + sum((one) => one.scouterCpuMs + one.parserCpuMs)
    const pairsRss = sum((one) => one.scouterRssBytes + one.parserRssBytes)
    return {
      ...program,
      ...{ id: this.id, name, pairs, since: this.#since },
      cpu: Math.max(0, this.#cpu.perSecond(cpuMs, now)) / 1000,
      rssBytes: process.memoryUsage.rss() + pairsRss,
      pagesPerSecond: Math.max(
        0,
        this.#pages.perSecond(
          sum((one) => one.saved),
          now,
        ),
      ),
      inFlight: sum((one) => one.inFlight),
      shares,
      declined: this.#declined.map(({ crawl, why }) => ({ crawl, why })),
      isLeaving: this.#isLeaving,
    }
  }

  #hear(announcements: readonly Announcement[]): void {
    const now = steadyMs()
    for (const announcement of announcements) {
      this.#announced.set(announcement.run, { announcement, heardAt: now })
    }
    for (const [id, { heardAt }] of this.#announced) {
      if (now - heardAt >= SILENCE_MS) this.#announced.delete(id)
    }
    for (const run of this.#allRuns) this.#follow(run, announcements)
    this.#decline(announcements)
  }

  /** Follows its owner, or the owner that continues its crawl. */
  #follow(run: WorkerRun, announcements: readonly Announcement[]): void {
    const heard = announcements.find(({ crawl }) => crawl === run.crawl)
    if (heard !== undefined && heard.run !== run.id && run.canBe(heard)) {
      this.#runs.delete(run.id)
      run.continueAs(heard)
      this.#runs.set(run.id, run)
    }
    const told = this.#announced.get(run.id)?.announcement
    const isReplaced = heard !== undefined && heard.run !== run.id
    if (told === undefined || isReplaced || told.phase !== 'running') run.drain(DRAIN_MS)
    else if (told.enough) run.enough()
    if ((told === undefined || isReplaced) && run.pairs === 0) this.#runs.delete(run.id)
  }

  #decline(announcements: readonly Announcement[]): void {
    const before = this.#declined
    this.#declined = announcements.flatMap((heard) => {
      const why = whyNotJoin(heard, this.#options.network)
      return why === null ? [] : [{ crawl: heard.crawl, run: heard.run, why }]
    })
    for (const { crawl, run, why } of this.#declined) {
      if (before.some((known) => known.run === run)) continue
      this.#options.onEvent({ type: 'declined', crawl, text: why })
    }
  }

  /** The runs that a pair was promised to. */
  async #share(): Promise<readonly WorkerRun[]> {
    const running = [...this.#announced.values()]
      .map(({ announcement }) => announcement)
      .filter(({ phase }) => phase === 'running')
    const { begin, end } = await this.#plan(running)
    if (this.#isLeaving) return []
    for (const { from, to } of end) this.#runs.get(from)?.drainOne(to, DRAIN_MS)
    return begin.flatMap((id) => {
      const heard = running.find(({ run }) => run === id)
      return heard === undefined ? [] : [this.#promise(heard)]
    })
  }

  /** The other workers matter only if there is a choice. */
  async #plan(running: readonly Announcement[]): Promise<Assignment> {
    const now = steadyMs()
    const { pairs, registry } = this.#options
    const mine = this.#allRuns.flatMap((run) => run.atWork)
    const open = running.filter((heard) => this.#mayJoin(heard, now))
    const free = pairs - this.#allRuns.reduce((sum, run) => sum + run.pairs, 0)
    const isIdle = free > 0 && open.length > 0
    const [only] = open
    if (isIdle && open.length === 1 && only !== undefined) {
      return { begin: new Array<string>(free).fill(only.run), end: [] }
    }
    const isWanted = mine.length > 0 && open.some((heard) => heard.pairs === 0)
    if ((!isIdle && !isWanted) || now < this.#nextLookAt) return { begin: [], end: [] }
    const workers = (await registry.workers()).filter(({ isLeaving }) => !isLeaving)
    this.#nextLookAt =
      now + (workers.length > FEW_WORKERS ? workers.length * LOOK_MS_PER_WORKER : 0)
    const others = workers.filter(({ id }) => id !== this.id)
    const cannot = running.filter((heard) => !open.includes(heard)).map(({ run }) => run)
    const self = { ...memberOf(this.#record(), running), cannot: new Set(cannot) }
    const fleet = [...others.map((record) => memberOf(record, running)), self]
    const demands = running.map(({ run, ownPairs = 0 }) => ({ run, ownPairs }))
    return assignWorkers(demands, fleet, { id: this.id, mine, now })
  }

  #mayJoin({ run, ...heard }: Announcement, now: number): boolean {
    const known = this.#runs.get(run)
    if (known !== undefined && !known.mayBegin(now - TROUBLE_MS)) return false
    return whyNotJoin(heard, this.#options.network) === null
  }

  #promise(heard: Announcement): WorkerRun {
    const onPairEnded = (): void => this.#wake?.()
    const run = this.#runs.get(heard.run) ?? new WorkerRun(heard, { ...this.#options, onPairEnded })
    this.#runs.set(heard.run, run)
    run.promise(this.#options.clock.now())
    return run
  }

  async #begin(run: WorkerRun): Promise<void> {
    const told = this.#announced.get(run.id)?.announcement
    const isWanted = !this.#isLeaving && told?.phase === 'running'
    const job = isWanted ? await this.#jobFor(run) : null
    // A second signal may have arrived while the job was read.
    if (job === null || this.#isLeaving) run.breakPromise()
    else run.begin(job, (error) => this.#failed(run, error))
  }

  async #jobFor(run: WorkerRun): Promise<Job | null> {
    const { jobOf, network, parserThreads } = this.#options
    const job = await jobOf(run.crawl)
    if (job === null) return null
    const { settings, round } = run.announcement
    const { round: _, ...stored } = job
    const own = { ...settings, ...network, parserThreads }
    return { ...stored, settings: own, ...(round === null ? {} : { round }) }
  }

  /** A store that is away affects all crawls; any other error affects one. */
  #failed(run: WorkerRun, thrown: unknown): void {
    const error = firstError(thrown)
    const code = error instanceof CrawlerError ? error.code : 'process-died'
    if (code === 'store-unreachable') this.#broken.reject(error)
    const text = error instanceof Error ? error.message : String(error)
    run.note({ code, message: text }, steadyMs())
    this.#options.onEvent({ type: 'trouble', crawl: run.crawl, text })
  }
}

/** A worker in the form that the assignment uses. */
export function memberOf(
  { id, pairs, shares, declined }: WorkerRecord,
  running: readonly Announcement[],
): Member {
  const troubled = shares.filter(({ trouble, end }) => trouble !== null || end !== null)
  const refused = running.filter(({ crawl }) => declined.some((one) => one.crawl === crawl))
  const cannot = new Set([...troubled, ...refused].map(({ run }) => run))
  const seen = shares.map(({ run, pairs: there, begunAt = 0, goingTo = [] }) => {
    return { run, pairs: there, begunAt, goingTo }
  })
  return { id, pairs, cannot, shares: seen }
}

type Declined = { readonly crawl: number; readonly run: string; readonly why: string }

function allowing({ allowPrivate }: Pick<OwnNetwork, 'allowPrivate'>): string {
  if (typeof allowPrivate === 'boolean') return '--allow-private'
  return allowPrivate.map((entry) => `--allow-private=${entry}`).join(' ')
}

/** Null if the worker can join. */
/**
 * Every worker has its own network settings: those of the machine that started the crawl may be wrong here.
 * A worker without the settings that a crawl needs does not join.
 */
function whyNotJoin(
  { settings, isProxied }: Pick<Announcement, 'settings' | 'isProxied'>,
  own: OwnNetwork,
): string | null {
  const missing = [
    ...(isGranted(settings.allowPrivate, own.allowPrivate) ? [] : [allowing(settings)]),
    ...(settings.connectTo.length > 0 && own.connectTo.length === 0 ? ['--connect-to'] : []),
    ...(isProxied && own.proxies.length === 0 ? ['--proxy'] : []),
  ]
  if (missing.length === 0) return null
  return `it was started with ${missing.join(' and ')}: this worker needs its own to join`
}
