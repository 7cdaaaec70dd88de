// A scouter without network and parser, on simulated time: it leases pages as a real one does, waits as long as
// their answers would take, and stores them in a store that is shared by all and keeps a crawl's limits. The store
// keeps the receipt of a page until it is settled; receipts of scouters that are gone are delivered by others.
import type { Found } from '../../src/core/link.ts'
import type { CanonicalUrl } from '../../src/core/url.ts'
import type { FrontierUpdate, Lease } from '../../src/frontier/frontier.ts'
import type { PartitionedFrontier } from '../../src/frontier/partitions/partitioned-frontier.ts'
import type { Clock, Timers } from '../../src/lib/clock.ts'
import { isFull, type Limits } from '../../src/store/host-sums.ts'

/** As of a real scouter. */
const NEWS_MS = 250
const LONGEST_NAP_MS = 1000
/** As of a real parser and its store. */
const SIGN_MS = 10_000
const DEAD_AFTER_MS = 30_000
const PARSE_MS = 5

export interface VirtualWeb {
  linksOf(lease: Lease): readonly Found[]
  isHot(url: CanonicalUrl): boolean
  /** How long its answer takes. */
  latencyOf(url: CanonicalUrl): number
}

type VirtualReceipt = { by: object; readonly lease: Lease }

/** The pages of a crawl. It has the last word on limits, as a real store has. */
export class VirtualStore {
  readonly limits: Limits
  readonly pages = new Set<CanonicalUrl>()
  hot = 0
  /** Pages that were requested and not stored, for lack of room. */
  refused = 0
  readonly #receipts = new Map<CanonicalUrl, VirtualReceipt>()
  readonly #seenAt = new Map<object, number>()
  /** Called with every new page. */
  onPage: (url: CanonicalUrl) => void = () => {}

  constructor(limits: Limits) {
    this.limits = limits
  }

  get isFull(): boolean {
    return isFull(this.limits, { stored: this.pages.size, hot: this.hot })
  }

  /** False if there is no room for it. */
  save(lease: Lease, isHot: boolean, by: object): boolean {
    const { url } = lease
    if (this.pages.has(url)) return true
    if (this.isFull) {
      this.refused += 1
      return false
    }
    this.pages.add(url)
    this.#receipts.set(url, { by, lease })
    if (isHot) this.hot += 1
    this.onPage(url)
    return true
  }

  /** The writer lives. */
  sign(by: object, now: number): void {
    this.#seenAt.set(by, now)
  }

  /** Leases of pages whose receipts were a dead writer's; they are this one's from now on. */
  takeOver(by: object, now: number): readonly Lease[] {
    const isDead = (writer: object): boolean => {
      const seenAt = this.#seenAt.get(writer) ?? Number.NEGATIVE_INFINITY
      return writer !== by && seenAt < now - DEAD_AFTER_MS
    }
    const taken = [...this.#receipts.values()].filter((receipt) => isDead(receipt.by))
    for (const receipt of taken) receipt.by = by
    return taken.map(({ lease }) => lease)
  }

  acknowledge(url: CanonicalUrl, by: object): void {
    if (this.#receipts.get(url)?.by === by) this.#receipts.delete(url)
  }
}

export type ScouterEnd = 'limit' | 'empty' | 'drained' | 'killed'

export type VirtualScouterOptions = {
  readonly frontier: PartitionedFrontier
  readonly time: Clock & Timers
  readonly store: VirtualStore
  readonly web: VirtualWeb
  readonly concurrency: number
  /** Called when a request goes out. */
  readonly onRequest?: (url: CanonicalUrl) => void
  /** How long the parser takes for a page, after it was stored. */
  readonly parseMs?: () => number
  /** Whether a receipt is delivered twice. */
  readonly isTwice?: () => boolean
}

export class VirtualScouter {
  readonly frontier: PartitionedFrontier
  readonly #options: VirtualScouterOptions
  #visits = 0
  #isStoreFull = false
  #isDraining = false
  #isKilled = false
  #wake: () => void = () => {}

  constructor(options: VirtualScouterOptions) {
    this.#options = options
    this.frontier = options.frontier
  }

  /** Works until there is nothing more to do. */
  async run(): Promise<ScouterEnd> {
    const { time } = this.#options
    this.#sign()
    const stop = time.every(SIGN_MS, () => this.#sign())
    try {
      return await this.#loop()
    } catch (error) {
      // Its rows are gone with it.
      if (this.#isKilled) return 'killed'
      throw error
    } finally {
      stop()
    }
  }

  async #loop(): Promise<ScouterEnd> {
    const { concurrency } = this.#options
    for (;;) {
      if (this.#isKilled) return 'killed'
      const room = this.#isDraining ? 0 : concurrency - this.#visits
      const leases = await this.frontier.lease(Math.max(0, room), this.#pagesLeft())
      for (const lease of leases) void this.#visit(lease)
      if (leases.length > 0) continue
      const end = this.#end()
      if (end !== null) return end
      await this.#nap()
    }
  }

  /** Takes nothing new; what is under way ends. */
  drain(): void {
    this.#isDraining = true
    this.#wake()
  }

  /** Ends as a killed program does, whatever is under way. */
  kill(): void {
    this.#isKilled = true
    this.frontier.abandon()
    this.#wake()
  }

  #pagesLeft(): number {
    const { maxPages } = this.#options.store.limits
    if (this.#isStoreFull) return 0
    const { unsettled, revisiting } = this.frontier.status()
    return Math.max(0, maxPages - this.frontier.counts().stored - (unsettled - revisiting))
  }

  #end(): ScouterEnd | null {
    const { unsettled, heldByOthers, readyAt } = this.frontier.status()
    if (unsettled - heldByOthers > 0 || this.#visits > 0) return null
    if (this.#isDraining) return 'drained'
    if (heldByOthers > 0) return null
    if (this.#pagesLeft() <= 0) return 'limit'
    return readyAt === null ? 'empty' : null
  }

  async #nap(): Promise<void> {
    const { time } = this.#options
    const { readyAt, heldByOthers } = this.frontier.status()
    const readyMs = readyAt === null ? LONGEST_NAP_MS : Math.max(1, readyAt - time.now())
    const ms = Math.min(readyMs, heldByOthers > 0 ? NEWS_MS : LONGEST_NAP_MS)
    await new Promise<void>((resolve) => {
      const stop = time.after(ms, resolve)
      this.#wake = () => {
        stop()
        resolve()
      }
    })
  }

  async #visit(lease: Lease): Promise<void> {
    const { time, web, store, onRequest } = this.#options
    this.#visits += 1
    if (!this.frontier.isValid(lease)) return this.#giveBack(lease)
    this.frontier.requestSent(lease)
    onRequest?.(lease.url)
    await time.sleep(web.latencyOf(lease.url))
    if (this.#isKilled) return
    this.frontier.requestEnded(lease, { ok: true })
    const isSaved = store.save(lease, web.isHot(lease.url), this)
    this.#isStoreFull ||= !isSaved
    await this.#report(lease, isSaved)
    this.#visits -= 1
    this.#wake()
  }

  /** The parser takes its time: a scouter may die between the store and the frontier. */
  async #report(lease: Lease, isSaved: boolean): Promise<void> {
    const { time, store, parseMs, isTwice } = this.#options
    await time.sleep(parseMs?.() ?? PARSE_MS)
    if (this.#isKilled) return
    const update = this.#updateFrom(lease, isSaved)
    await this.frontier.settle([update])
    if (this.#isKilled) return
    if (isTwice?.()) await this.frontier.settle([update])
    store.acknowledge(lease.url, this)
  }

  /** Its partition was lost before the request went out. */
  async #giveBack(lease: Lease): Promise<void> {
    this.frontier.requestEnded(lease, { ok: true })
    await this.frontier.settle([{ lease, outcome: 'released' }])
    this.#visits -= 1
    this.#wake()
  }

  /** Gives a sign of life, and delivers what others could not. */
  #sign(): void {
    const { store, time } = this.#options
    store.sign(this, time.now())
    for (const lease of store.takeOver(this, time.now())) void this.#deliver(lease)
  }

  async #deliver({ kind, id, url, depth, ...lease }: Lease): Promise<void> {
    const known = { kind, id, url, depth, token: null }
    const found = this.#options.web.linksOf({ ...lease, ...known, token: 0 })
    const stored = { outcome: 'stored', found, judged: null, likeness: 1 } as const
    await this.frontier.settle([{ lease: known, ...stored }])
    if (!this.#isKilled) this.#options.store.acknowledge(url, this)
    this.#wake()
  }

  #updateFrom(lease: Lease, isSaved: boolean): FrontierUpdate {
    if (!isSaved) return { lease, outcome: 'no-room' }
    const found = this.#options.web.linksOf(lease)
    const durable = { ...lease, durable: true as const }
    return { lease: durable, outcome: 'stored', found, judged: null, likeness: 1 }
  }
}
