// Backpressure: what waits for the parser is bounded, and never one site's alone.
import { siteOf } from '../core/url.ts'
import type { Frontier, HostFeedback, Lease } from '../frontier/frontier.ts'

const MAX_BYTES = 32 * 1024 * 1024
const MAX_PAGES = 256

type Amount = { pages: number; bytes: number }

/** Bodies that the parser has not answered, by site. */
export class ParserBacklog {
  readonly #sites = new Map<string, Amount>()
  readonly #all: Amount = { pages: 0, bytes: 0 }

  get isFull(): boolean {
    return this.#all.bytes >= MAX_BYTES || this.#all.pages >= MAX_PAGES
  }

  /** Whether a site has more than its share: as much must be left for a site that has nothing yet. */
  isBehind(site: string): boolean {
    const own = this.#sites.get(site)
    if (own === undefined) return false
    const shares = this.#sites.size + 1
    return own.pages > MAX_PAGES / shares || own.bytes > MAX_BYTES / shares
  }

  add(host: string, bytes: number): void {
    const site = siteOf(host)
    const own = this.#sites.get(site) ?? { pages: 0, bytes: 0 }
    this.#sites.set(site, own)
    change(own, 1, bytes)
    change(this.#all, 1, bytes)
  }

  remove(host: string, bytes: number): void {
    const site = siteOf(host)
    const own = this.#sites.get(site)
    if (own === undefined) return
    change(own, -1, bytes)
    change(this.#all, -1, bytes)
    if (own.pages === 0) this.#sites.delete(site)
  }
}

function change(amount: Amount, pages: 1 | -1, bytes: number): void {
  amount.pages += pages
  amount.bytes += pages * bytes
}

type EndedRequest = { readonly lease: Lease; readonly feedback: HostFeedback }

/**
 * Ends requests at the frontier: at once, unless the parser is behind with the site. The host then stays
 * busy until the parser has caught up.
 */
export class SiteBackpressure {
  readonly #frontier: Pick<Frontier, 'requestEnded'>
  readonly #backlog: ParserBacklog
  readonly #held = new Map<string, EndedRequest[]>()
  #isOff = false

  constructor(frontier: Pick<Frontier, 'requestEnded'>, backlog: ParserBacklog) {
    this.#frontier = frontier
    this.#backlog = backlog
  }

  requestEnded(lease: Lease, feedback: HostFeedback): void {
    const site = siteOf(lease.host)
    if (this.#isOff || lease.kind === 'robots' || !this.#backlog.isBehind(site)) {
      this.#frontier.requestEnded(lease, feedback)
      return
    }
    const held = this.#held.get(site)
    if (held === undefined) this.#held.set(site, [{ lease, feedback }])
    else held.push({ lease, feedback })
  }

  /** Ends the requests of sites that the parser has caught up with. */
  release(): void {
    for (const [site, held] of this.#held) {
      if (!this.#isOff && this.#backlog.isBehind(site)) continue
      this.#held.delete(site)
      for (const { lease, feedback } of held) this.#frontier.requestEnded(lease, feedback)
    }
  }

  /** Holds nothing from now on. */
  turnOff(): void {
    this.#isOff = true
    this.release()
  }
}
