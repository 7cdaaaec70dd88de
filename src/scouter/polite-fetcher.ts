// The only way a request goes out to a web host: for a page, a sitemap or a robots.txt of a crawl, for
// `parse URL`, and for the examples of a topic. A request waits for its name, its address, the crawls
// beside this one and the network; what its answer teaches about the host is noted on the clocks of hosts.
// Nothing waits in here: a request that may not go out now comes back later.
import type { CrawlSettings } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Frontier, HostFeedback, Lease } from '../frontier/frontier.ts'
import type { Fetched, Fetcher, FetchRequest } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import type { AdaptiveDelay } from './adaptive-delay.ts'
import { AddressLimit } from './address-limit.ts'
import type { HostLimiter, RequestSlot, SlotAnswer } from './host-limiter.ts'
import type { NetworkWatch } from './host-trouble.ts'
import type { SiteBackpressure } from './parser-link.ts'
import type { Slots } from './slots.ts'

/** Answers by which a host asks every client for rest; other trouble may be this crawl's own. */
const ASKS_FOR_REST: readonly string[] = ['http-429', 'http-503']

/** While the network is away the next request goes to another host: this one may not exist. */
const UNASKED_MS = 5_000

/** When each host may be asked: the frontier in a crawl. */
type HostClocks = Pick<Frontier, 'isValid' | 'requestSent' | 'requestEnded'>

export type PoliteFetcherOptions = {
  readonly hosts: HostClocks
  readonly fetcher: Fetcher
  readonly limiter: HostLimiter
  readonly delays: AdaptiveDelay
  readonly clock: Clock
  readonly settings: Pick<CrawlSettings, 'delayMs' | 'perHost' | 'perIp' | 'timeoutMs'>
  /** Left out: every failure is the host's, never the network's. */
  readonly network?: NetworkWatch
  /** Left out: there is no limit on all requests together, so a look-up of a name holds up nobody. */
  readonly slots?: Slots
  /** Left out: no parser can fall behind. */
  readonly backpressure?: SiteBackpressure
  readonly signal?: AbortSignal
  /** This machine has no room for more connections, as this code says. */
  readonly onCrowded?: (code: string) => void
}

type Wanted = Pick<FetchRequest, 'wants' | 'headers' | 'share' | 'signal'>
type Outgoing = Wanted & Pick<FetchRequest, 'url' | 'onStart'>

export class PoliteFetcher {
  readonly #options: PoliteFetcherOptions
  readonly #addresses: AddressLimit

  constructor(options: PoliteFetcherOptions) {
    this.#options = options
    const { settings, clock } = options
    const { perIp: limit, delayMs } = settings
    this.#addresses = new AddressLimit({ limit, delayMs, clock })
  }

  /**
   * Sends one request to the host of the lease, and ends the lease's slot at that host. Null: it may not
   * go out now, or the network is away. The host then rests until it may, and the lease is given back.
   * `visit`: the lease that holds the slot, where it is another one.
   */
  async request(
    lease: Lease,
    url: CanonicalUrl,
    { visit = lease, ...wanted }: Wanted & { visit?: Lease },
  ): Promise<Fetched | null> {
    const { network, fetcher, limiter, settings, hosts } = this.#options
    const awayMs = network?.waitMsFor(lease.host) ?? 0
    if (awayMs > 0) return this.#later(lease, awayMs)
    const lookUpMs = await this.#lookUp(url, visit)
    if (lookUpMs > 0) return this.#later(lease, lookUpMs)
    const place = this.#addresses.take(fetcher.addressesOf(url) ?? [])
    if (place.leave === null) return this.#later(lease, place.restMs)
    try {
      const { perHost, timeoutMs: forMs } = settings
      const answer = await limiter.ask(lease.host, { delayMs: lease.delayMs, perHost, forMs })
      if (answer.slot !== null) {
        return await this.#send(lease, { url, ...wanted, onStart: place.started }, answer.slot)
      }
      hosts.requestEnded(lease, this.#feedbackOf(answer))
      return null
    } finally {
      place.leave()
    }
  }

  /** Waits for something else than an answer, without the slot of this visit. */
  withoutSlot<T>(visit: Lease, work: () => Promise<T>): Promise<T> {
    const { slots } = this.#options
    return slots === undefined ? work() : slots.without(visit, work)
  }

  /** Does what is left of a visit that sends no further request, without its slot. */
  async endVisit(visit: Lease, work: () => Promise<void>): Promise<void> {
    const { slots } = this.#options
    await (slots === undefined ? work() : slots.end(visit, work))
  }

  /** Nothing is sent now: the host rests until something may be. */
  #later(lease: Lease, restMs: number): null {
    this.#options.hosts.requestEnded(lease, { ok: true, restMs })
    return null
  }

  async #lookUp(url: CanonicalUrl, visit: Lease): Promise<number> {
    const { fetcher, slots } = this.#options
    if (slots === undefined || fetcher.addressesOf(url) !== null) return 0
    return slots.without(visit, () => fetcher.lookUp(url))
  }

  async #send(lease: Lease, outgoing: Outgoing, slot: RequestSlot): Promise<Fetched | null> {
    const { fetcher, hosts, delays, network, backpressure, signal, slots } = this.#options
    const onStart = () => {
      outgoing.onStart()
      slot.requestSent()
      hosts.requestSent(lease)
    }
    // If this process was suspended, another one may own the host now.
    const mayStart = () => hosts.isValid(lease)
    const ends = signal === undefined ? {} : { signal }
    const fetched = await fetcher.fetch({ ...outgoing, mayStart, onStart, ...ends })
    slot.done()
    if (fetched.outcome === 'stale' && fetched.crowded !== undefined) {
      slots?.narrow()
      this.#options.onCrowded?.(fetched.crowded)
    }
    if (network?.note(lease, fetched)) {
      hosts.requestEnded(lease, { ok: true, restMs: UNASKED_MS })
      return null
    }
    const feedback = delays.feedbackOf(fetched, lease)
    this.#share(lease.host, feedback)
    const bytes = fetched.outcome === 'response' ? fetched.wireBytes : 0
    const ended = backpressure ?? hosts
    ended.requestEnded(lease, { ...feedback, bytes })
    return fetched
  }

  #share(host: string, { restMs, trouble = '' }: HostFeedback): void {
    if (restMs === undefined || !ASKS_FOR_REST.includes(trouble)) return
    this.#options.limiter.rest(host, restMs, trouble)
  }

  /** A host that asked another crawl for rest is as unwell as if it had asked this one. */
  #feedbackOf({ askAgainAt, trouble }: Extract<SlotAnswer, { slot: null }>): HostFeedback {
    const restMs = Math.max(0, askAgainAt - this.#options.clock.now())
    return trouble === '' ? { ok: true, restMs } : { ok: false, trouble, restMs }
  }
}
