// Receipts of the parser: what each means for the frontier, and when the parser may forget it.
import type { CanonicalUrl } from '../core/url.ts'
import type { Frontier, FrontierUpdate, LeaseRef } from '../frontier/frontier.ts'
import type { Receipt } from '../wire/receipt.ts'

/** Between two flushes: so much of a crawl is sent again after a power cut. */
const FLUSH_EVERY_MS = 500
/** The store keeps these receipts until they are settled, and those of pages that are gone. */
const KEPT_BY_STORE: readonly Receipt['outcome'][] = ['stored', 'duplicate', 'unchanged']

export type ReceiptSettlerOptions = {
  readonly frontier: Pick<Frontier, 'settle' | 'flush'>
  /** The frontier has settled these pages and will still know after a power cut. */
  readonly acknowledge: (urls: readonly CanonicalUrl[]) => void
  /** Receipts were settled. */
  readonly onSettled: () => void
  readonly onError: (error: unknown) => void
}

/** Settles receipts in batches: all that arrive in one turn of the event loop share a transaction. */
export class ReceiptSettler {
  readonly #options: ReceiptSettlerOptions
  readonly #acknowledger: Acknowledger
  #pages: Receipt[] = []
  /** Sitemaps may be many and large, and pages do not wait for them. */
  readonly #sitemaps: Receipt[] = []
  #isScheduled = false
  #isStoreFull = false

  constructor(options: ReceiptSettlerOptions) {
    this.#options = options
    const { frontier, acknowledge: send, onError } = options
    this.#acknowledger = new Acknowledger({ flush: () => frontier.flush(), send, onError })
  }

  /** The store has all its pages, whatever the frontier counts. */
  get isStoreFull(): boolean {
    return this.#isStoreFull
  }

  add(receipt: Receipt): void {
    if (receipt.kind === 'sitemap') this.#sitemaps.push(receipt)
    else this.#pages.push(receipt)
    this.#schedule()
  }

  async settlePages(): Promise<void> {
    const receipts = this.#pages
    this.#pages = []
    if (receipts.length === 0) return
    await this.#options.frontier.settle(receipts.map(updateFrom))
    const isFull = receipts.some(({ outcome }) => outcome === 'over-limit')
    // A page that is gone makes room, whatever came before.
    this.#isStoreFull = (this.#isStoreFull || isFull) && !receipts.some(({ gone }) => gone)
    const kept = receipts.filter(({ outcome, gone }) => gone || KEPT_BY_STORE.includes(outcome))
    this.#acknowledger.add(kept.flatMap(({ url }) => url ?? []))
  }

  /** Drops the sitemaps that were read and not settled, and returns their leases. */
  giveBackSitemaps(): readonly LeaseRef[] {
    return this.#sitemaps.splice(0).filter(({ outcome }) => outcome !== 'part')
  }

  /** Resolves when the parser knows of all that was settled. */
  finish(): Promise<void> {
    return this.#acknowledger.finish()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#settle().catch(this.#options.onError)
    })
  }

  /** All pages, and one portion of a sitemap: pages that arrive meanwhile go before the next portion. */
  async #settle(): Promise<void> {
    await this.settlePages()
    const sitemap = this.#sitemaps.shift()
    if (sitemap !== undefined) await this.#options.frontier.settle([updateFrom(sitemap)])
    if (this.#sitemaps.length > 0) this.#schedule()
    this.#options.onSettled()
  }
}

export type AcknowledgerOptions = {
  /** Resolves when all that was settled before survives a power cut. */
  readonly flush: () => Promise<void>
  readonly send: (urls: readonly CanonicalUrl[]) => void
  readonly onError: (error: unknown) => void
}

/**
 * Tells the parser which receipts it can forget: those that the frontier would still know to be settled
 * after a power cut. A flush waits for the disk, so all that was settled since the last one shares it.
 */
export class Acknowledger {
  readonly #options: AcknowledgerOptions
  #settled: CanonicalUrl[] = []
  #timer: NodeJS.Timeout | null = null
  #flushing: Promise<void> = Promise.resolve()

  constructor(options: AcknowledgerOptions) {
    this.#options = options
  }

  /** These are settled. */
  add(urls: readonly CanonicalUrl[]): void {
    if (urls.length === 0) return
    this.#settled.push(...urls)
    this.#timer ??= setTimeout(() => {
      this.finish().catch(this.#options.onError)
    }, FLUSH_EVERY_MS)
  }

  /** Resolves when everything up to here is sent. */
  finish(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#flushing = this.#flushing.then(() => this.#flush())
    return this.#flushing
  }

  async #flush(): Promise<void> {
    const urls = this.#settled
    this.#settled = []
    await this.#options.flush()
    if (urls.length > 0) this.#options.send(urls)
  }
}

/** What a receipt of the parser means for the frontier. */
export function updateFrom(receipt: Receipt): FrontierUpdate {
  const { kind, id, token, round = 0, outcome, reason } = receipt
  const { found, likeness, judged, sitemaps, gone, moved, read: size } = receipt
  const { url, depth } = receipt
  const named = {
    ...(url === undefined ? {} : { url }),
    ...(depth === undefined ? {} : { depth }),
  }
  const isDurable = outcome === 'stored' || outcome === 'duplicate' || outcome === 'unchanged'
  const lease = {
    kind,
    id,
    token,
    round,
    ...named,
    ...(isDurable ? { durable: true as const } : {}),
  }
  const { cpuMs } = receipt
  const moves = {
    ...(moved === undefined ? {} : { moved }),
    ...(cpuMs === undefined ? {} : { cpuMs }),
  }
  const ends = gone === undefined ? moves : { gone, ...moves }
  switch (outcome) {
    case 'stored':
      return { lease, outcome, found, judged, likeness, ...moves }
    case 'duplicate':
      return { lease, outcome, of: reason, found, judged, ...moves }
    case 'refused':
      return { lease, outcome, reason, found, judged, likeness, ...ends }
    case 'failed':
      return { lease, outcome, reason, retryAt: null, ...ends }
    case 'redirected': {
      const [to] = found
      if (to !== undefined) return { lease, outcome, to, ...ends }
      return { lease, outcome: 'failed', reason: 'redirect-target', retryAt: null, ...ends }
    }
    case 'unchanged':
      return { lease, outcome }
    case 'part':
      return { lease, outcome, found }
    case 'read':
      return { lease, outcome, found, sitemaps, ...(size === undefined ? {} : { size }) }
    case 'over-limit':
      return { lease, outcome: 'no-room' }
    case 'lost':
      return { lease, outcome: 'released' }
  }
}
