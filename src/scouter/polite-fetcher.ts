// Requests as they go out: in turn among the crawls that ask the same host, on the clock that the
// frontier keeps for it, and with what the answer teaches told to both.
import type { CrawlSettings } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Frontier, HostFeedback, Lease } from '../frontier/frontier.ts'
import type { Fetched, Fetcher, FetchRequest } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import type { AdaptiveDelay } from './adaptive-delay.ts'
import { AddressLimit } from './address-limit.ts'
import type { HostLimiter, RequestSlot, SlotAnswer } from './host-limiter.ts'
import type { Landings } from './landings.ts'
import type { NetworkWatch } from './network-watch.ts'
import type { Slots } from './slots.ts'

/** Answers by which a host asks for rest, from whomever; other trouble may be this crawl's own. */
const ASKS_FOR_REST: readonly string[] = ['http-429', 'http-503']

/** While the network is away the next request goes to another host: this one may not be there. */
const UNASKED_MS = 5_000

type Asked = 'wants' | 'headers' | 'share'

export type PoliteFetcherOptions = {
  readonly frontier: Frontier
  readonly fetcher: Fetcher
  readonly limiter: HostLimiter
  readonly delays: AdaptiveDelay
  readonly network: NetworkWatch
  readonly clock: Clock
  readonly settings: Pick<CrawlSettings, 'delayMs' | 'perHost' | 'perIp' | 'timeoutMs'>
  readonly slots: Slots
  readonly landings: Landings
  readonly signal: AbortSignal
  /** This machine has no room for more connections, as this code says. */
  readonly onCrowded?: (code: string) => void
}

export class PoliteFetcher {
  readonly #options: PoliteFetcherOptions
  readonly #places: AddressLimit

  constructor(options: PoliteFetcherOptions) {
    this.#options = options
    const { settings, clock } = options
    const { perIp: limit, delayMs } = settings
    this.#places = new AddressLimit({ limit, delayMs, clock })
  }

  /**
   * Asks for a URL of the lease's host; the lease has landed then. Null: others are before us, its
   * name is still being looked up, or the network is away; the host rests until then, and the lease
   * is to be given back.
   * `visit`: the lease that the place was taken for, where it is another.
   */
  async ask(
    lease: Lease,
    url: CanonicalUrl,
    { visit = lease, ...request }: Pick<FetchRequest, Asked> & { visit?: Lease },
  ): Promise<Fetched | null> {
    const awayMs = this.#options.network.waitMsFor(lease.host)
    if (awayMs > 0) return this.#later(lease, awayMs)
    const restMs = await this.#lookUp(url, visit)
    if (restMs > 0) return this.#later(lease, restMs)
    const place = this.#places.take(this.#options.fetcher.addressesOf(url) ?? [])
    if (place.leave === null) return this.#later(lease, place.restMs)
    try {
      return await this.#askInTurn(lease, { url, ...request, onStart: place.started })
    } finally {
      place.leave()
    }
  }

  async #askInTurn(
    lease: Lease,
    request: Pick<FetchRequest, 'url' | 'onStart' | Asked>,
  ): Promise<Fetched | null> {
    const { limiter, settings, frontier } = this.#options
    const { perHost, timeoutMs: forMs } = settings
    const answer = await limiter.ask(lease.host, { delayMs: lease.delayMs, perHost, forMs })
    if (answer.turn !== null) return this.#fetch(lease, request, answer.turn)
    frontier.requestEnded(lease, this.#noteOf(answer))
    return null
  }

  /** Nothing is asked now: the host rests until it may be. */
  #later(lease: Lease, restMs: number): null {
    this.#options.frontier.requestEnded(lease, { ok: true, restMs })
    return null
  }

  /** Waits without a place among the requests. */
  aside<T>(visit: Lease, work: () => Promise<T>): Promise<T> {
    return this.#options.slots.outside(visit, work)
  }

  async #lookUp(url: CanonicalUrl, visit: Lease): Promise<number> {
    const { fetcher } = this.#options
    return fetcher.addressesOf(url) !== null ? 0 : this.aside(visit, () => fetcher.lookUp(url))
  }

  async #fetch(
    lease: Lease,
    request: Pick<FetchRequest, 'url' | 'onStart' | Asked>,
    turn: RequestSlot,
  ): Promise<Fetched | null> {
    const { fetcher, frontier, delays, network, landings, signal } = this.#options
    const onStart = () => {
      request.onStart()
      turn.started()
      frontier.requestSent(lease)
    }
    // Its host may be somebody else's by now, where this process stood still for a while.
    const mayStart = () => frontier.isValid(lease)
    const fetched = await fetcher.fetch({ ...request, mayStart, onStart, signal })
    turn.done()
    if (fetched.outcome === 'stale' && fetched.crowded !== undefined) {
      this.#options.slots.narrow()
      this.#options.onCrowded?.(fetched.crowded)
    }
    if (network.note(lease, fetched)) {
      frontier.requestEnded(lease, { ok: true, restMs: UNASKED_MS })
      return null
    }
    const note = delays.noteOf(fetched, lease)
    this.#share(lease.host, note)
    const bytes = fetched.outcome === 'response' ? fetched.wireBytes : 0
    landings.land(lease, { ...note, bytes })
    return fetched
  }

  #share(host: string, { restMs, trouble = '' }: HostFeedback): void {
    if (restMs === undefined || !ASKS_FOR_REST.includes(trouble)) return
    this.#options.limiter.rest(host, restMs, trouble)
  }

  /** A host that rests because another crawl was told to is as unwell as if we had been told. */
  #noteOf({ askAgainAt, trouble }: Extract<SlotAnswer, { turn: null }>): HostFeedback {
    const restMs = Math.max(0, askAgainAt - this.#options.clock.now())
    return trouble === '' ? { ok: true, restMs } : { ok: false, trouble, restMs }
  }
}
