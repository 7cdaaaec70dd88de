// The scouter: lease → visit → hand over, and scored links back into the frontier.
//
// One loop (`#pump`) starts as many visits as politeness, concurrency, the page limit and the parser's
// backlog allow. Whatever changes one of these runs it again: a request that ended, a receipt that was
// settled, a timer. Nothing here looks at HTML or knows the store.
//
// Invariants: a page counts as unsettled from its lease until its update is durable; leases never
// exceed what the page limit leaves; bytes handed over and not answered are bounded; nothing is leased
// before the parser has stored what an earlier scouter handed it and delivered all receipts that wait.
import { blockedHost, type HostState } from '../core/host.ts'
import type { Job } from '../core/job.ts'
import { createIdentity, originOf } from '../core/url.ts'
import type { Frontier, FrontierStatus, Lease } from '../frontier/frontier.ts'
import { BodyRoom } from '../http/body-reader.ts'
import type { Fetcher } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { RobotsKeeper } from '../robots/robots-keeper.ts'
import { AdaptiveDelay } from './adaptive-delay.ts'
import type { HostLimiter } from './host-limiter.ts'
import { HostTrouble, NetworkWatch } from './host-trouble.ts'
import { ParserLink, SiteBackpressure } from './parser-link.ts'
import { PoliteFetcher } from './polite-fetcher.ts'
import { ReceiptSettler } from './receipts.ts'
import { Slots } from './slots.ts'
import { type VisitDeps, visit } from './visit.ts'

/** How long running visits may take to end after `drain`; the rest is given back to the frontier. */
const GRACE_MS = 2_000
/** The longest sleep: other parts than those that wake the loop may move a clock. */
const LONGEST_NAP_MS = 1_000
/** While others work on the same crawl: how soon their links, or the end of the crawl, are noticed. */
const NEWS_MS = 250

type ScouterOptions = {
  readonly job: Job
  readonly frontier: Frontier
  readonly fetcher: Fetcher
  /** Between this crawl and others that run beside it. */
  readonly limiter: HostLimiter
  readonly clock: Clock
  readonly pagesSocket: string
  /** This machine has no room for more connections, as this code says. */
  readonly onCrowded?: (code: string) => void
  /** What plug-ins change about requests; left out: nothing. */
  readonly hooks?: VisitDeps['hooks']
}

/** `away`: the network is gone, for longer than the crawl waits. */
export type ScouterEnd = 'empty' | 'limit' | 'drained' | 'away'

export class Scouter {
  readonly #options: ScouterOptions
  readonly #visiting: VisitDeps
  readonly #link: ParserLink
  readonly #receipts: ReceiptSettler
  readonly #backpressure: SiteBackpressure
  readonly #network: NetworkWatch
  readonly #slots: Slots
  readonly #abort = new AbortController()
  readonly #ended = Promise.withResolvers<ScouterEnd>()
  #pumping = false
  #pumpAgain = false
  #draining = false
  #takesNewPages = true
  #bytes = 0
  #nap: NodeJS.Timeout | null = null
  #grace: NodeJS.Timeout | null = null
  /** It is time to ask the frontier how things are, even if nothing can be leased. */
  #wantsNews = false

  constructor(options: ScouterOptions) {
    this.#options = options
    const { job, frontier, clock } = options
    this.#slots = new Slots({ ...job.settings, clock, onFree: () => this.#pump() })
    this.#network = new NetworkWatch(clock)
    this.#link = new ParserLink({
      // Once all leases are given back, the store sends what it keeps to the next run.
      onReceipt: (receipt) => this.#abort.signal.aborted || this.#receipts.add(receipt),
      isWaiting: () => this.#isWaitingForParser,
      onReady: () => this.#guard(this.#welcomeParser()),
    })
    this.#backpressure = new SiteBackpressure(frontier, this.#link.backlog)
    this.#receipts = new ReceiptSettler({
      frontier,
      acknowledge: (urls) => this.#link.acknowledge(urls),
      onSettled: () => this.#pump(),
      onError: (error) => this.#ended.reject(error),
    })
    this.#visiting = this.#createVisitDeps()
    // Reported to the caller of `run`, which may not wait for it yet.
    this.#ended.promise.catch(() => {})
  }

  #createVisitDeps(): VisitDeps {
    const { job, frontier, clock, hooks } = this.#options
    const { settings } = job
    const { signal } = this.#abort
    const delays = new AdaptiveDelay(settings, clock)
    const parts = { network: this.#network, slots: this.#slots, backpressure: this.#backpressure }
    const world = { ...this.#options, hosts: frontier, settings, delays, signal }
    return {
      ...{ frontier, settings, delays, clock, parser: this.#link },
      ...(hooks && { hooks }),
      fetcher: new PoliteFetcher({ ...world, ...parts }),
      robots: new RobotsKeeper({
        load: (url) => frontier.robots(originOf(url)),
        maxCrawlDelayMs: settings.maxCrawlDelayMs,
        onCrawlDelay: (host, delayMs) => delays.setCrawlDelay(host, delayMs),
      }),
      hash: createUrlHasher(job.salt),
      identity: createIdentity(settings.stripParams),
      bodyRoom: new BodyRoom(),
      trouble: new HostTrouble(),
      isLeaving: () => this.#draining || signal.aborted,
      isCutOff: () => signal.aborted,
      onBytes: (bytes) => {
        this.#bytes += bytes
      },
    }
  }

  /** Requests under way, wire bytes received so far, and how long the network has been away if it is. */
  get traffic(): { inFlight: number; bytes: number; awayMs?: number } {
    const { awayMs } = this.#network
    const inFlight = this.#slots.taken
    return { inFlight, bytes: this.#bytes, ...(awayMs === null ? {} : { awayMs }) }
  }

  /** How the largest hosts are doing. */
  hosts(limit: number): readonly HostState[] {
    const { frontier, job } = this.#options
    if (job.settings.ignoreRobots) return frontier.hosts(limit)
    return frontier.hosts(limit).map((host) => {
      // A host that forbids its front page and allowed what we have stored does not keep us out.
      const by = host.stored === 0 ? this.#visiting.robots.shutBy(host) : null
      return by === null ? host : blockedHost(host, by)
    })
  }

  /** Works until there is nothing left, the limit is reached, or `drain` was called. */
  async run(): Promise<ScouterEnd> {
    const { job, frontier, pagesSocket } = this.#options
    const { hash, identity } = this.#visiting
    const urls = job.seeds.map(identity)
    const seeds = urls.map((url) => ({ url, hash: hash(url), nofollow: false, signals: null }))
    await frontier.add(seeds, 'seed')
    await this.#link.listen(pagesSocket)
    try {
      const end = await this.#ended.promise
      // The caller may report the crawl as done, so everything must be durable first.
      await this.#receipts.finish()
      return end
    } finally {
      for (const timer of [this.#nap, this.#grace]) if (timer !== null) clearTimeout(timer)
      this.#abort.abort()
      this.#link.close()
    }
  }

  /** Takes no new pages from now on; pages that are to be visited again still are. */
  stopNewPages(): void {
    this.#takesNewPages = false
    this.#pump()
  }

  /** Sends no new requests; ends when all running visits are settled, or given back after a while. */
  drain(): void {
    this.#draining = true
    this.#backpressure.turnOff()
    this.#grace ??= setTimeout(() => this.#guard(this.#giveBack()), GRACE_MS)
    this.#pump()
  }

  /**
   * Cuts requests off and stops waiting for the parser: all of it is queued again. A page that the parser
   * stores all the same is reported to the next run.
   */
  async #giveBack(): Promise<void> {
    await this.#receipts.settlePages()
    this.#abort.abort()
    const leases = [...this.#link.giveBack(), ...this.#receipts.giveBackSitemaps()]
    await this.#options.frontier.settle(leases.map((lease) => ({ lease, outcome: 'released' })))
    this.#pump()
  }

  /**
   * The supervisor saw the parser die; `killed` when by SIGKILL, which may come from outside: weaker evidence
   * against the pages it was parsing (see `CrashSuspects`).
   */
  parserDied(killed: boolean): void {
    this.#link.parserDied(killed)
  }

  /** A new parser first gets what the last one did not answer. */
  async #welcomeParser(): Promise<void> {
    await this.#receipts.settlePages()
    const reason = 'parser-crash: it was being parsed each time the parser died'
    const failed = { outcome: 'failed', reason, retryAt: null } as const
    const guilty = this.#link.handOverAgain()
    await this.#options.frontier.settle(guilty.map((lease) => ({ lease, ...failed })))
    this.#pump()
  }

  #pump(): void {
    if (this.#pumping) {
      this.#pumpAgain = true
      return
    }
    this.#pumping = true
    this.#guard(
      this.#leaseAll().finally(() => {
        this.#pumping = false
        if (!this.#pumpAgain) return
        this.#pumpAgain = false
        this.#pump()
      }),
    )
  }

  async #leaseAll(): Promise<void> {
    const { frontier } = this.#options
    this.#backpressure.release()
    for (;;) {
      const pagesLeft = this.#pagesLeft()
      const room = this.#room(pagesLeft)
      const asks = room > 0 || this.#wantsNews
      this.#wantsNews = false
      const leases = asks
        ? await frontier.lease(Math.max(0, room), pagesLeft, this.#slots.roomForOthers())
        : []
      if (leases.length === 0) break
      for (const lease of leases) this.#guard(this.#visitInSlot(lease))
    }
    this.#napOrEnd()
  }

  /** How many more leases may be out now. */
  #room(pagesLeft: number): number {
    if (this.#draining || !this.#link.ready || this.#link.backlog.isFull) return 0
    if (pagesLeft <= 0 && this.#options.frontier.status().revisits === 0) return 0
    if (this.#network.awayMs === null) return this.#slots.free
    // One request at a time, to see whether the network is back.
    const isProbeDue = this.#options.clock.now() >= this.#network.probeAt
    return this.#slots.visits === 0 && isProbeDue ? 1 : 0
  }

  /** How many more new pages may be leased; one that is visited again does not count. */
  #pagesLeft(): number {
    const { frontier, job } = this.#options
    if (this.#receipts.isStoreFull || !this.#takesNewPages) return 0
    const { unsettled, revisiting } = frontier.status()
    return Math.max(0, job.settings.maxPages - frontier.counts().stored - (unsettled - revisiting))
  }

  /** Nothing can be leased before the parser answers. */
  get #isWaitingForParser(): boolean {
    if (this.#draining || this.#options.frontier.status().readyAt === null) return true
    return this.#pagesLeft() <= 0
  }

  #napOrEnd(): void {
    if (this.#nap !== null) clearTimeout(this.#nap)
    this.#nap = null
    const { frontier } = this.#options
    const status = frontier.status()
    const end = this.#end(status)
    if (end === 'unreachable') this.#guard(frontier.refuseUnreachable().then(() => this.#pump()))
    else if (end !== null) this.#ended.resolve(end)
    else this.#napUntilReady(status)
  }

  /** Why there is nothing more to do; null while there is. */
  #end({
    unsettled,
    heldByOthers,
    readyAt,
    allUnreachable,
    revisits,
  }: FrontierStatus): ScouterEnd | 'unreachable' | null {
    if (unsettled - heldByOthers > 0 || this.#slots.visits > 0) return null
    if (this.#draining) return 'drained'
    if (heldByOthers > 0 || !this.#link.ready) return null
    if (this.#pagesLeft() <= 0 && revisits === 0) return 'limit'
    if (readyAt === null) return 'empty'
    const { awayMs } = this.#network
    const { hostPatienceMs } = this.#options.job.settings
    if (awayMs !== null) return awayMs >= hostPatienceMs ? 'away' : null
    return allUnreachable ? 'unreachable' : null
  }

  #napUntilReady({ readyAt, heldByOthers }: FrontierStatus): void {
    // What it waits for may end without a visit of its own: a turn that another program was given.
    const isIdle = readyAt === null || this.#room(this.#pagesLeft()) <= 0
    const readyMs = isIdle ? LONGEST_NAP_MS : Math.max(readyAt - this.#options.clock.now(), 1)
    const ms = Math.min(readyMs, heldByOthers > 0 ? NEWS_MS : LONGEST_NAP_MS)
    this.#nap = setTimeout(() => {
      // Also whether the frontier can still be used.
      this.#wantsNews = true
      this.#pump()
    }, ms)
  }

  async #visitInSlot(lease: Lease): Promise<void> {
    this.#slots.take(lease)
    try {
      await visit(lease, this.#visiting)
    } finally {
      this.#slots.giveBack(lease)
      this.#pump()
    }
  }

  /** A broken frontier ends the run; everything durable stays. */
  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => this.#ended.reject(error))
  }
}
