// Pages without a crawl: `parse URL` and the examples of a topic. There is no frontier; this waits for a
// host's turn itself and follows redirects on the spot. Requests go out as in a crawl (PoliteFetcher,
// RobotsKeeper), and nothing that failed is tried again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlSettings } from '../core/job.ts'
import { type CanonicalUrl, canonicalise, hostOf, originOf } from '../core/url.ts'
import type { HostFeedback, Lease } from '../frontier/frontier.ts'
import type { Fetched, Fetcher, FetchRequest } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import type { Gate } from '../lib/gate.ts'
import { given } from '../lib/present.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { type RobotsAnswer, robotsBytesWanted } from '../robots/robots-answer.ts'
import { fetchRobots, RobotsKeeper } from '../robots/robots-keeper.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { AdaptiveDelay } from './adaptive-delay.ts'
import { type HostLimiter, NO_LIMITER } from './host-limiter.ts'
import { PoliteFetcher } from './polite-fetcher.ts'
import { bytesWanted, classifyResponse, handoverHead } from './response.ts'

/** As many as a crawl follows. */
const MAX_REDIRECTS = 10
/** A kept connection that the server has closed brings no answer; a new one does. */
const MAX_STALE = 3
const CANCELLED = 'cancelled'

export type OnePageOptions = {
  readonly fetcher: Fetcher
  readonly settings: Pick<
    CrawlSettings,
    | 'delayMs'
    | 'hostPatienceMs'
    | 'ignoreRobots'
    | 'maxBodyBytes'
    | 'maxCrawlDelayMs'
    | 'maxLinksBytes'
    | 'perIp'
    | 'timeoutMs'
  >
  /** Between this and crawls that run at the same time; left out: there are none. */
  readonly limiter?: HostLimiter
  /** Requests that are under way at once, each with a body in memory; left out: any number. */
  readonly gate?: Gate
  readonly clock: Clock
  /** Called before a pause that politeness asks for. */
  readonly onWait?: (host: string, forMs: number) => void
  /** Passes the time, for tests. */
  readonly wait?: (forMs: number) => Promise<unknown>
}

/** A redirect on the way: the URL that was requested, and the status of its answer. */
export type Hop = { readonly url: CanonicalUrl; readonly status: number }

export type OnePage = {
  /** The last URL of the way. */
  readonly url: CanonicalUrl
  readonly redirects: readonly Hop[]
} & (
  | { readonly outcome: 'fetched'; readonly head: HandoverHead; readonly body: Uint8Array }
  /** `reason` as in `urls`: a code, then what helps a person. */
  | { readonly outcome: 'refused' | 'failed'; readonly reason: string }
)

type PageKind = 'page' | 'sitemap'
type Wanted = Pick<FetchRequest, 'wants' | 'signal'>
type NoPage = Pick<Extract<OnePage, { reason: string }>, 'outcome' | 'reason'>
type Answered = Exclude<Fetched, { outcome: 'stale' }>

/** Fetches the page at `url`, or where its redirects lead to. */
export function fetchOnePage(url: CanonicalUrl, options: OnePageOptions): Promise<OnePage> {
  return new PageVisitor(options).fetch(url)
}

type HostClock = {
  sentAt: number | null
  /** The gap beyond the usual delay: a Crawl-delay, or for a slow host. */
  delayMs: number
  /** When the last request ended, how long the host rests from then, and why. */
  endedAt: number
  restMs: number
  trouble: string
  /** The end of the last request in line. */
  line: Promise<unknown>
}

/** Several pages may be requested at once; those of one host wait for each other. */
export class PageVisitor {
  readonly #options: OnePageOptions
  readonly #hash = createUrlHasher(0)
  readonly #hosts = new Map<string, HostClock>()
  readonly #fetcher: PoliteFetcher
  readonly #robots: RobotsKeeper
  /** By origin: why it did not answer the request for its robots.txt. */
  readonly #unreachable = new Map<string, string>()

  constructor(options: OnePageOptions) {
    this.#options = options
    const { clock, settings, limiter = NO_LIMITER } = options
    const delays = new AdaptiveDelay(settings, clock)
    this.#fetcher = new PoliteFetcher({
      ...{ ...options, limiter, delays, settings: { ...settings, perHost: 1 } },
      hosts: {
        isValid: () => true,
        requestSent: ({ host }) => {
          this.#host(host).sentAt = clock.now()
        },
        requestEnded: ({ host }, feedback) => this.#note(host, feedback),
      },
    })
    this.#robots = new RobotsKeeper({
      load: (url) => this.#loadRobots(url),
      maxCrawlDelayMs: settings.maxCrawlDelayMs,
      onCrawlDelay: (host, delayMs) => {
        delays.setCrawlDelay(host, delayMs)
        this.#host(host).delayMs = delayMs
      },
    })
  }

  /** `signal`: nobody waits for the page any more. What is under way ends, and nothing more goes out for it. */
  async fetch(
    url: CanonicalUrl,
    { kind = 'page', signal }: { readonly kind?: PageKind; readonly signal?: AbortSignal } = {},
  ): Promise<OnePage> {
    const redirects: Hop[] = []
    for (let at = url; ; ) {
      if (signal?.aborted) return { url: at, redirects, outcome: 'failed', reason: CANCELLED }
      const refusal = await this.#refusalOf(at)
      if (refusal !== null) return { url: at, redirects, ...refusal }
      const { status, ...visit } = await this.#visit(at, kind, signal)
      if (visit.outcome !== 'redirected') return { url: at, redirects, ...visit }
      const to = visit.to.url
      redirects.push({ url: at, status })
      const isLoop = redirects.some((hop) => hop.url === to)
      if (isLoop || redirects.length > MAX_REDIRECTS) {
        const reason = `${isLoop ? 'redirect-loop' : 'redirect-limit'}: ${to}`
        return { url: at, redirects, outcome: 'failed', reason }
      }
      at = to
    }
  }

  /** The sitemaps that the robots.txt of this URL's origin names. */
  async sitemapsOf(url: CanonicalUrl): Promise<readonly CanonicalUrl[]> {
    const { rules } = await this.#robots.rulesFor(url)
    return rules.sitemaps.map((href) => canonicalise(href, url)).filter((found) => found !== null)
  }

  /** Resolves when a crawl may request something of every host that was asked. */
  async rested(): Promise<void> {
    for (const host of this.#hosts.keys()) await this.#pause(host, this.#gapLeft(host))
  }

  async #visit(url: CanonicalUrl, kind: PageKind, signal: AbortSignal | undefined) {
    const wants = bytesWanted(kind, this.#options.settings)
    const fetched = await this.#request(url, { wants, ...given({ signal }) })
    const status = fetched.outcome === 'response' ? fetched.status : 0
    const result = classifyResponse({ kind, url }, fetched, { hash: this.#hash })
    if (result.outcome === 'redirected') return { ...result, status }
    if (result.outcome !== 'fetched') {
      return { outcome: result.outcome, reason: result.reason, status }
    }
    const head = handoverHead(this.#leaseOf(url), result.response)
    return { outcome: result.outcome, head, body: Buffer.concat(result.response.body), status }
  }

  /** Why robots.txt does not allow this request; null when it does. */
  async #refusalOf(url: CanonicalUrl): Promise<NoPage | null> {
    if (this.#options.settings.ignoreRobots) return null
    const { status } = await this.#robots.rulesFor(url)
    if (status === 'unreachable') {
      const reason = this.#unreachable.get(originOf(url))
      // A host that does not answer at all is reported as such.
      if (reason !== undefined) return { outcome: 'failed', reason }
      return { outcome: 'refused', reason: `robots-unreachable: ${robotsUrl(url)}` }
    }
    const reason = await this.#robots.refusalOf(url)
    return reason === null ? null : { outcome: 'refused', reason }
  }

  #loadRobots(page: CanonicalUrl): Promise<RobotsAnswer | null> {
    return fetchRobots(robotsUrl(page), async (url, hop) => {
      const fetched = await this.#request(url, { wants: robotsBytesWanted })
      const isHostFault = fetched.outcome === 'failed' && fetched.hostFault
      if (hop === 0 && isHostFault) this.#unreachable.set(originOf(url), fetched.reason)
      return fetched
    })
  }

  /** Sends a request after those of the same host that are in line. */
  #request(url: CanonicalUrl, wanted: Wanted): Promise<Answered> {
    const host = this.#host(hostOf(url))
    const answered = host.line.then(() => this.#requestInTurn(url, wanted))
    // Its own caller hears of an error; the next in line only waits for the end.
    host.line = answered.catch(() => {})
    return answered
  }

  async #requestInTurn(url: CanonicalUrl, wanted: Wanted): Promise<Answered> {
    const name = hostOf(url)
    const host = this.#host(name)
    for (let stale = 0; stale < MAX_STALE; ) {
      if (wanted.signal?.aborted) return UNWANTED
      const restMs = this.#left(host.endedAt, host.restMs)
      if (restMs > this.#options.settings.hostPatienceMs) {
        const seconds = Math.ceil(restMs / 1000)
        return failure(`${host.trouble}: it asked for a rest of ${seconds} s`)
      }
      await this.#pause(name, Math.max(restMs, this.#gapLeft(name)))
      const fetched = await this.#send(url, wanted)
      if (fetched === null) host.restMs = Math.max(host.restMs, 1)
      else if (fetched.outcome !== 'stale') return fetched
      else stale++
    }
    return failure('connect: closed before any answer')
  }

  #send(url: CanonicalUrl, wanted: Wanted): Promise<Fetched | null> {
    const send = async () =>
      wanted.signal?.aborted ? UNWANTED : this.#fetcher.request(this.#leaseOf(url), url, wanted)
    return this.#options.gate?.run(send) ?? send()
  }

  #note(name: string, { delayMs, restMs = 0, trouble = '' }: HostFeedback): void {
    const host = this.#host(name)
    if (delayMs !== undefined) host.delayMs = delayMs
    host.endedAt = this.#options.clock.now()
    host.restMs = restMs
    host.trouble = trouble
  }

  /** How long the host must be left alone after the last request. */
  #gapLeft(name: string): number {
    const { sentAt } = this.#host(name)
    return sentAt === null ? 0 : this.#left(sentAt, this.#gapOf(name))
  }

  /** A clock that was set back must not make a pause longer than it was. */
  #left(since: number, ms: number): number {
    return Math.min(ms, since + ms - this.#options.clock.now())
  }

  #gapOf(name: string): number {
    return Math.max(this.#options.settings.delayMs, this.#host(name).delayMs)
  }

  async #pause(host: string, forMs: number): Promise<void> {
    if (forMs <= 0) return
    const { wait = sleep, onWait } = this.#options
    onWait?.(host, forMs)
    // A timer may end a little early.
    await wait(Math.ceil(forMs) + 1)
  }

  #host(name: string): HostClock {
    const known = this.#hosts.get(name)
    if (known !== undefined) return known
    const line = Promise.resolve()
    const host = { sentAt: null, delayMs: 0, endedAt: 0, restMs: 0, trouble: '', line }
    this.#hosts.set(name, host)
    return host
  }

  #leaseOf(url: CanonicalUrl): Lease {
    const host = hostOf(url)
    return {
      ...{ kind: 'page', id: 0, token: 0, url, host, depth: 0, hops: 0, tries: 1 },
      ...{ hostFailures: 0, hostDownMs: 0, hostAnswered: false, delayMs: this.#gapOf(host) },
    }
  }
}

function robotsUrl(page: CanonicalUrl): CanonicalUrl {
  return canonicalise('/robots.txt', page) ?? page
}

function failure(reason: string, hostFault = true): Answered {
  return {
    ...{ outcome: 'failed', reason, transient: true, hostFault },
    ...{ startedAt: null, tookMs: 0 },
  }
}

const UNWANTED = failure(CANCELLED, false)
