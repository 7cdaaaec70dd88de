// A scouter without network and parser, on simulated time: it leases pages as a real one does, waits as long as
// their answers would take, and stores them in a store that is shared by all and keeps a crawl's limits.
import type { Found } from '../../src/core/link.ts'
import type { CanonicalUrl } from '../../src/core/url.ts'
import type { Lease, Settlement } from '../../src/frontier/frontier.ts'
import type { PartitionedFrontier } from '../../src/frontier/partitions/partitioned-frontier.ts'
import { isFull, type Limits } from '../../src/store/host-sums.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** As of a real scouter. */
const NEWS_MS = 250
const LONGEST_NAP_MS = 1000

export interface VirtualWeb {
  linksOf(lease: Lease): readonly Found[]
  isHot(url: CanonicalUrl): boolean
  /** How long its answer takes. */
  latencyOf(url: CanonicalUrl): number
}

/** The pages of a crawl. It has the last word on limits, as a real store has. */
export class VirtualStore {
  readonly limits: Limits
  readonly pages = new Set<CanonicalUrl>()
  hot = 0
  /** Called with every new page. */
  onPage: (url: CanonicalUrl) => void = () => {}

  constructor(limits: Limits) {
    this.limits = limits
  }

  get isFull(): boolean {
    return isFull(this.limits, { stored: this.pages.size, hot: this.hot })
  }

  /** False if there is no room for it. */
  save(url: CanonicalUrl, isHot: boolean): boolean {
    if (this.pages.has(url)) return true
    if (this.isFull) return false
    this.pages.add(url)
    if (isHot) this.hot += 1
    this.onPage(url)
    return true
  }
}

export type ScouterEnd = 'limit' | 'empty' | 'drained' | 'killed'

export type VirtualScouterOptions = {
  readonly frontier: PartitionedFrontier
  readonly time: SimulatedTime
  readonly store: VirtualStore
  readonly web: VirtualWeb
  readonly concurrency: number
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
    const { time, web, store } = this.#options
    this.#visits += 1
    this.frontier.requestSent(lease)
    await time.sleep(web.latencyOf(lease.url))
    if (this.#isKilled) return
    this.frontier.requestEnded(lease, { ok: true })
    const isSaved = store.save(lease.url, web.isHot(lease.url))
    this.#isStoreFull ||= !isSaved
    // The parser takes its time: a scouter may die between the store and the frontier.
    await time.sleep(5)
    if (this.#isKilled) return
    await this.frontier.settle([this.#settlementOf(lease, isSaved)])
    this.#visits -= 1
    this.#wake()
  }

  #settlementOf(lease: Lease, isSaved: boolean): Settlement {
    if (!isSaved) return { lease, outcome: 'no-room' }
    const found = this.#options.web.linksOf(lease)
    return { lease, outcome: 'stored', found, judged: null, likeness: 1 }
  }
}
