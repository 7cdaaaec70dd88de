// The scouter: lease → visit → hand over, and scored links back into the frontier.
//
// One loop (`#pump`) starts as many visits as politeness, concurrency, the page limit and the
// parser's appetite allow, and is run again by whatever changes one of these: a request that
// landed, a receipt that was settled, a clock that ran out. Nothing here looks at HTML or knows
// the store.
//
// Invariants: a page counts as unsettled from its lease until its settlement is durable; leases
// never exceed what the page limit leaves; bytes handed over and not answered are bounded.
import { blockedHost, type HostState } from '../core/host.ts'
import type { Job } from '../core/job.ts'
import { createIdentity, type UrlIdentity } from '../core/url-identity.ts'
import type { Frontier, Lease, Settlement } from '../frontier/frontier.ts'
import { BodyRoom } from '../http/body-room.ts'
import type { Fetched, Fetcher } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import { createUrlHasher, type UrlHasher } from '../lib/url-hash.ts'
import { robotsRefusal } from '../robots/robots-answer.ts'
import { encodeFound } from '../wire/found-block.ts'
import { idAtParser, type Receipt } from '../wire/receipt.ts'
import { Acknowledging } from './acknowledging.ts'
import { AdaptiveDelay } from './adaptive-delay.ts'
import { type CameTo, cameTo, conditionsOf } from './conditional.ts'
import type { HostLimiter } from './host-limiter.ts'
import { HostTrouble } from './host-trouble.ts'
import { Landings } from './landings.ts'
import { NetworkWatch } from './network-watch.ts'
import { ParserLink } from './parser-link.ts'
import { PoliteFetcher } from './polite-fetcher.ts'
import { RobotsKeeper } from './robots-keeper.ts'
import { settlementOf } from './settlement.ts'
import { Slots } from './slots.ts'
import { Strikes } from './strikes.ts'
import { bytesWanted, handoverHead, judgeVisit, shareOf } from './visit.ts'

/** What is under way when it is told to stop has so long; what is not done by then is given back. */
const GRACE_MS = 2_000
/** The longest sleep: clocks may be moved by other parts than those that wake us. */
const LONGEST_NAP_MS = 1_000
/** While others work on the same crawl: what they find, or that they found the end, is heard by then. */
const NEWS_MS = 250
/** Receipts that the store keeps until they are settled; so it does those of pages that are gone. */
const SAVED: readonly Receipt['outcome'][] = ['stored', 'duplicate', 'unchanged']
/** Of a URL whose page no parser looked at. */
const NO_LINKS = { found: [], judged: null } as const

export type ScouterOptions = {
  readonly job: Job
  readonly frontier: Frontier
  readonly fetcher: Fetcher
  /** Between this crawl and others that run beside it. */
  readonly limiter: HostLimiter
  readonly clock: Clock
  readonly pagesSocket: string
  /** This machine has no room for more connections, as this code says. */
  readonly onCrowded?: (code: string) => void
}

type Response = Extract<Fetched, { outcome: 'response' }>

/** `away`: the network is gone, for longer than the crawl waits. */
export type ScouterEnd = 'empty' | 'limit' | 'drained' | 'away'

export class Scouter {
  readonly #options: ScouterOptions
  readonly #hash: UrlHasher
  readonly #identity: UrlIdentity
  readonly #delays: AdaptiveDelay
  readonly #fetcher: PoliteFetcher
  readonly #robots: RobotsKeeper
  readonly #link: ParserLink
  readonly #acknowledging: Acknowledging
  readonly #strikes = new Strikes()
  readonly #bodyRoom = new BodyRoom()
  readonly #landings: Landings
  readonly #trouble = new HostTrouble()
  readonly #network: NetworkWatch
  readonly #abort = new AbortController()
  readonly #ended = Promise.withResolvers<ScouterEnd>()
  #receipts: Receipt[] = []
  /** Of sitemaps: they may be many and large, and pages do not wait for them. */
  readonly #listed: Receipt[] = []
  #settling = false
  #pumping = false
  #pumpAgain = false
  #draining = false
  /** The store has all its pages, whatever the frontier counts. */
  #limitReached = false
  /** The supervisor wants nothing more that is new. */
  #enough = false
  readonly #slots: Slots
  #bytes = 0
  #nap: NodeJS.Timeout | null = null
  #grace: NodeJS.Timeout | null = null
  /** It is time to ask the frontier how things are, even if nothing can be leased. */
  #wantsNews = false

  constructor(options: ScouterOptions) {
    this.#options = options
    const { job, frontier, clock } = options
    this.#hash = createUrlHasher(job.salt)
    const slots = new Slots({ ...job.settings, clock, onFree: () => this.#pump() })
    this.#slots = slots
    this.#identity = createIdentity(job.settings.stripParams)
    this.#delays = new AdaptiveDelay(job.settings, clock)
    const signal = this.#abort.signal
    const delays = this.#delays
    const leaving = () => this.#draining || signal.aborted
    const isBehind = (site: string): boolean => this.#link.waiting.isBehind(site)
    const landings = new Landings({ frontier, isBehind })
    this.#landings = landings
    const { settings } = job
    const network = new NetworkWatch(clock)
    this.#network = network
    const fetcher = new PoliteFetcher({
      ...options,
      ...{ settings, delays, network, slots, landings, signal },
    })
    this.#fetcher = fetcher
    const { maxCrawlDelayMs } = job.settings
    this.#robots = new RobotsKeeper({ frontier, fetcher, delays, clock, maxCrawlDelayMs, leaving })
    this.#link = new ParserLink({
      onReceipt: (receipt) => this.#take(receipt),
      onReady: () => this.#guard(this.#welcomeParser()),
    })
    this.#acknowledging = new Acknowledging({
      flush: () => frontier.flush(),
      tell: (urls) => this.#link.acknowledge(urls),
      onError: (error) => this.#ended.reject(error),
    })
  }

  /** Requests under way, wire bytes received so far, and how long the network has been away if it is. */
  get traffic(): { inFlight: number; bytes: number; awayMs?: number } {
    const { awayMs } = this.#network
    const away = awayMs === null ? {} : { awayMs }
    return { inFlight: this.#slots.taken, bytes: this.#bytes, ...away }
  }

  /** How the largest hosts are doing. */
  hosts(limit: number): readonly HostState[] {
    const { frontier, job } = this.#options
    if (job.settings.ignoreRobots) return frontier.hosts(limit)
    return frontier.hosts(limit).map((host) => {
      // One that forbids the front page and allows what we have stored does not keep us out.
      const by = host.stored === 0 ? this.#robots.shutBy(host) : null
      return by === null ? host : blockedHost(host, by)
    })
  }

  /** Works until there is nothing left, the limit is reached, or it was told to drain. */
  async run(): Promise<ScouterEnd> {
    const { job, frontier, pagesSocket } = this.#options
    const seeds = job.seeds.map(this.#identity).map((url) => ({
      url,
      hash: this.#hash(url),
      nofollow: false,
      signals: null,
    }))
    await frontier.add(seeds, 'seed')
    await this.#link.listen(pagesSocket)
    try {
      const end = await this.#ended.promise
      // Whoever hears of the end may say that the crawl is done.
      await this.#acknowledging.finish()
      return end
    } finally {
      for (const timer of [this.#nap, this.#grace]) if (timer !== null) clearTimeout(timer)
      this.#abort.abort()
      this.#link.close()
    }
  }

  /** Nothing more that is new; what is to be visited again still is. */
  enough(): void {
    this.#enough = true
    this.#pump()
  }

  /** No new requests; ends when all that is under way is settled, or given back after a while. */
  drain(): void {
    this.#draining = true
    this.#landings.end()
    this.#grace ??= setTimeout(() => this.#guard(this.#giveBack()), GRACE_MS)
    this.#pump()
  }

  /**
   * Requests are cut off, and what the parser has not answered is no longer waited for: all of it is
   * queued again. A page that the parser stores all the same is told to the next run.
   */
  async #giveBack(): Promise<void> {
    await this.#settleReceipts()
    this.#abort.abort()
    const listed = this.#listed.splice(0).filter(({ outcome }) => outcome !== 'part')
    const leases = [...this.#link.giveBack(), ...listed]
    await this.#options.frontier.settle(leases.map((lease) => ({ lease, outcome: 'released' })))
    this.#pump()
  }

  /** The supervisor saw the parser die; `killed` when by SIGKILL, which may come from outside. */
  parserDied(killed: boolean): void {
    this.#strikes.parserDied(killed)
  }

  /** A new parser: what the last one did not answer is its first work. */
  async #welcomeParser(): Promise<void> {
    await this.#settleReceipts()
    const spared = (lease: Lease) => !this.#strikes.strike(idAtParser(lease))
    const reason = 'parser-crash: it was being parsed each time the parser died'
    const condemned = this.#link.handOverAgain(spared)
    await this.#options.frontier.settle(
      condemned.map((lease) => ({ lease, outcome: 'failed', reason, retryAt: null })),
    )
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
    this.#landings.look()
    for (;;) {
      const room = this.#room()
      const asks = room > 0 || this.#wantsNews
      this.#wantsNews = false
      const leases = asks ? await this.#lease(Math.max(0, room)) : []
      if (leases.length === 0) break
      for (const lease of leases) this.#guard(this.#visit(lease))
    }
    this.#napOrEnd()
  }

  #lease(limit: number): Promise<readonly Lease[]> {
    return this.#options.frontier.lease(limit, this.#pagesLeft(), this.#slots.roomForOthers())
  }

  /** How many more leases may be out now. */
  #room(): number {
    if (this.#draining || !this.#link.ready) return 0
    if (this.#link.waiting.isFull) return 0
    if (this.#pagesLeft() <= 0 && this.#options.frontier.status().revisits === 0) return 0
    if (this.#network.awayMs === null) return this.#slots.free
    // One at a time, to see whether it is back.
    return this.#slots.visits === 0 && this.#isProbeDue ? 1 : 0
  }

  get #isProbeDue(): boolean {
    return this.#options.clock.now() >= this.#network.probeAt
  }

  /** How many more pages may be new; one that is visited again needs no room. */
  #pagesLeft(): number {
    const { frontier, job } = this.#options
    if (this.#limitReached || this.#enough) return 0
    const { unsettled, revisiting } = frontier.status()
    return Math.max(0, job.settings.maxPages - frontier.counts().stored - (unsettled - revisiting))
  }

  #napOrEnd(): void {
    if (this.#nap !== null) clearTimeout(this.#nap)
    this.#nap = null
    const end = this.#end()
    if (end === 'unreachable') this.#guard(this.#giveUp())
    else if (end !== null) this.#ended.resolve(end)
    else this.#napUntilReady()
  }

  /** Why there is nothing more to do; null while there is. */
  #end(): ScouterEnd | 'unreachable' | null {
    const { frontier, job } = this.#options
    const { unsettled, heldByOthers, readyAt, allUnreachable, revisits } = frontier.status()
    if (unsettled - heldByOthers > 0 || this.#slots.visits > 0) return null
    if (this.#draining) return 'drained'
    if (heldByOthers > 0) return null
    if (!this.#link.ready) return null
    if (this.#pagesLeft() <= 0 && revisits === 0) return 'limit'
    if (readyAt === null) return 'empty'
    const { awayMs } = this.#network
    if (awayMs !== null) return awayMs >= job.settings.hostPatienceMs ? 'away' : null
    return allUnreachable ? 'unreachable' : null
  }

  #napUntilReady(): void {
    const { readyAt, heldByOthers } = this.#options.frontier.status()
    const isAway = this.#network.awayMs !== null
    const isIdle = readyAt === null || this.#room() <= 0
    if (isIdle && heldByOthers === 0 && !isAway) return
    const readyMs = isIdle ? LONGEST_NAP_MS : Math.max(readyAt - this.#options.clock.now(), 1)
    const ms = Math.min(readyMs, heldByOthers > 0 ? NEWS_MS : LONGEST_NAP_MS)
    this.#nap = setTimeout(() => {
      this.#wantsNews = heldByOthers > 0
      this.#pump()
    }, ms)
  }

  async #giveUp(): Promise<void> {
    await this.#options.frontier.refuseUnreachable()
    this.#pump()
  }

  async #visit(lease: Lease): Promise<void> {
    this.#slots.take(lease)
    try {
      if (lease.kind === 'robots') await this.#robots.fetch(lease)
      else await this.#visitPage(lease)
    } finally {
      this.#slots.giveBack(lease)
      this.#pump()
    }
  }

  async #visitPage(lease: Lease): Promise<void> {
    const { frontier, job } = this.#options
    const forbidden = job.settings.ignoreRobots ? null : await this.#forbidden(lease)
    if (forbidden !== null) {
      frontier.requestEnded(lease, { ok: true })
      await frontier.settle([{ lease, outcome: 'refused', reason: forbidden, ...NO_LINKS }])
      return
    }
    const wants = bytesWanted(lease.kind, job.settings)
    const headers = conditionsOf(lease)
    const share = shareOf(lease.kind, job.settings, this.#bodyRoom)
    const fetched = await this.#fetcher.ask(lease, lease.url, { wants, share, ...headers })
    if (fetched?.outcome === 'response') this.#bytes += fetched.wireBytes
    const settlement = this.#judge(lease, fetched)
    if (settlement !== null) await frontier.settle([settlement])
  }

  async #forbidden(lease: Lease): Promise<string | null> {
    const { maxCrawlDelayMs } = this.#options.job.settings
    return robotsRefusal(await this.#robots.rulesFor(lease.url), lease.url, maxCrawlDelayMs)
  }

  /** The settlement of a visit; null when the parser has the page now. */
  #judge(lease: Lease, fetched: Fetched | null): Settlement | null {
    if (fetched === null || fetched.outcome === 'stale') return { lease, outcome: 'released' }
    const isOfHost = this.#trouble.note(lease, fetched)
    const visit = judgeVisit(lease, fetched, { hash: this.#hash, identity: this.#identity })
    // Cut off, or too late: nobody would answer what is handed over now.
    const isToParser = visit.outcome === 'fetched' || lease.revisit?.stored
    const isLate = this.#abort.signal.aborted && (visit.outcome === 'failed' || isToParser)
    if (isLate) return { lease, outcome: 'released' }
    if (lease.revisit?.stored && fetched.outcome === 'response') {
      const came = cameTo(lease.url, fetched.status, visit)
      if (came !== null) return this.#tell(lease, fetched, came)
    }
    switch (visit.outcome) {
      case 'refused':
        return { lease, outcome: 'refused', reason: visit.reason, ...NO_LINKS }
      case 'redirected':
        return { lease, outcome: 'redirected', to: visit.to }
      case 'failed': {
        const isLast = lease.tries > this.#options.job.settings.retries
        const again = visit.transient && (isOfHost || !isLast)
        const at = this.#options.clock.now() + this.#delays.retryMs(lease.tries)
        const failed = { lease, outcome: 'failed', reason: visit.reason } as const
        if (!again) return { ...failed, retryAt: null }
        return { ...failed, retryAt: at, ...(isOfHost ? { uncounted: true } : {}) }
      }
      case 'fetched': {
        const head = handoverHead(lease, visit.response)
        this.#link.handOver(lease, head, visit.response.body)
        return null
      }
    }
  }

  /** What came of a stored page where there is nothing to parse: the store is told first. */
  #tell(lease: Lease, response: Response, { came, found }: CameTo): null {
    const { contentHash = '' } = lease.revisit ?? {}
    const head = { ...handoverHead(lease, response), again: { contentHash, came } }
    this.#link.handOver(lease, head, [encodeFound(found)])
    return null
  }

  #take(receipt: Receipt): void {
    // Its lease was given back; what is stored is told again to whoever comes next.
    if (this.#abort.signal.aborted) return
    if (receipt.kind === 'sitemap') this.#listed.push(receipt)
    else this.#receipts.push(receipt)
    this.#settleSoon()
  }

  #settleSoon(): void {
    if (this.#settling) return
    this.#settling = true
    // All receipts that arrive in this turn of the event loop share one transaction.
    setImmediate(() => {
      this.#settling = false
      this.#guard(this.#settleTurn())
    })
  }

  /** The pages that are there, and one portion of a sitemap; others have their turn before the next. */
  async #settleTurn(): Promise<void> {
    await this.#settleReceipts()
    const listed = this.#listed.shift()
    if (listed !== undefined) await this.#options.frontier.settle([settlementOf(listed)])
    if (listed !== undefined && listed.outcome !== 'part') this.#strikes.forget(idAtParser(listed))
    if (this.#listed.length > 0) this.#settleSoon()
    this.#pump()
  }

  async #settleReceipts(): Promise<void> {
    const receipts = this.#receipts
    this.#receipts = []
    if (receipts.length === 0) return
    await this.#options.frontier.settle(receipts.map(settlementOf))
    const isFull = receipts.some(({ outcome }) => outcome === 'over-limit')
    // What is gone makes room, whatever came before.
    this.#limitReached = (this.#limitReached || isFull) && !receipts.some(({ gone }) => gone)
    const saved = receipts.filter(({ outcome, gone }) => gone || SAVED.includes(outcome))
    for (const receipt of receipts) this.#strikes.forget(idAtParser(receipt))
    this.#acknowledging.add(saved.flatMap(({ url }) => url ?? []))
  }

  /** A broken frontier ends the run; everything durable stays. */
  #guard(work: Promise<void>): void {
    work.catch((error: unknown) => this.#ended.reject(error))
  }
}
