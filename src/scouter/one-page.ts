// One page for one person, or some of them, without a frontier: the same fetcher, guards, robots.txt
// rules and gaps between requests as in a crawl, but redirects are followed right here and nothing is
// tried again that failed.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlSettings } from '../core/job.ts'
import { ROBOTS_TOKEN } from '../core/robots-directives.ts'
import { type CanonicalUrl, canonicalise, hostOf, originOf } from '../core/url.ts'
import type { Fetched, Fetcher, FetchRequest } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { ROBOTS_REDIRECTS } from '../robots/fetch-state.ts'
import {
  robotsAnswer,
  robotsBytesWanted,
  robotsRedirect,
  robotsRefusal,
} from '../robots/robots-answer.ts'
import { parseRobots, type RobotsRules } from '../robots/rules.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { type HostLimiter, NO_LIMITER, type RequestSlot } from './host-limiter.ts'
import { bytesWanted, handoverHead, judgeVisit } from './visit.ts'

/** As many as a crawl follows. */
const MAX_REDIRECTS = 10
/** A kept connection that the server closed says nothing; one asked for anew does. */
const MAX_STALE = 3

export type OnePageOptions = {
  readonly fetcher: Fetcher
  readonly settings: Pick<
    CrawlSettings,
    'delayMs' | 'maxBodyBytes' | 'maxLinksBytes' | 'ignoreRobots' | 'timeoutMs' | 'maxCrawlDelayMs'
  >
  /** Among crawls that run at the same time; without it nobody else is thought to ask. */
  readonly limiter?: HostLimiter
  readonly clock: Clock
  /** Called before a pause that politeness asks for. */
  readonly onWait?: (host: string, forMs: number) => void
  /** Passes the time, for tests. */
  readonly wait?: (forMs: number) => Promise<unknown>
}

/** A redirect on the way: the URL that was asked for, and the status it answered with. */
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

type End = Pick<Extract<OnePage, { reason: string }>, 'outcome' | 'reason'>
type Answered = Exclude<Fetched, { outcome: 'stale' }>

/** Fetches the page at `url`, or where its redirects lead to. */
export function fetchOnePage(url: CanonicalUrl, options: OnePageOptions): Promise<OnePage> {
  return new PageVisitor(options).fetch(url)
}

/** Several pages may be asked for at once; those of one host wait for each other. */
export class PageVisitor {
  readonly #options: OnePageOptions
  readonly #hash = createUrlHasher(0)
  /** By host: when it was last asked for something. */
  readonly #askedAt = new Map<string, number>()
  readonly #gapMs = new Map<string, number>()
  readonly #rules = new Map<string, Promise<RobotsRules | End>>()
  /** By host: the end of the last request that was put in line. */
  readonly #lines = new Map<string, Promise<unknown>>()

  constructor(options: OnePageOptions) {
    this.#options = options
  }

  async fetch(url: CanonicalUrl): Promise<OnePage> {
    const redirects: Hop[] = []
    for (let at = url; ; ) {
      const forbidden = await this.#forbids(at)
      if (forbidden !== null) return { url: at, redirects, ...forbidden }
      const { status, ...visit } = await this.#visit(at)
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

  /** Resolves when every host that was asked may be asked again by somebody else. */
  async rested(): Promise<void> {
    for (const host of this.#askedAt.keys()) await this.#rest(host)
  }

  async #visit(url: CanonicalUrl) {
    const fetched = await this.#fetch(url, bytesWanted('page', this.#options.settings))
    const status = fetched.outcome === 'response' ? fetched.status : 0
    const visit = judgeVisit({ kind: 'page', url }, fetched, { hash: this.#hash })
    if (visit.outcome === 'redirected') return { ...visit, status }
    if (visit.outcome !== 'fetched') return { outcome: visit.outcome, reason: visit.reason, status }
    const lease = { kind: 'page', id: 0, token: 0, url, depth: 0 } as const
    const head = handoverHead(lease, visit.response)
    return { outcome: visit.outcome, head, body: Buffer.concat(visit.response.body), status }
  }

  /** Why robots.txt does not let us ask for this; null when it does. */
  async #forbids(url: CanonicalUrl): Promise<End | null> {
    const { settings } = this.#options
    if (settings.ignoreRobots) return null
    const origin = originOf(url)
    const known = this.#rules.get(origin) ?? this.#askRules(url)
    this.#rules.set(origin, known)
    const rules = await known
    if ('outcome' in rules) return rules
    const reason = robotsRefusal(rules, url, settings.maxCrawlDelayMs)
    return reason === null ? null : { outcome: 'refused', reason }
  }

  async #askRules(page: CanonicalUrl): Promise<RobotsRules | End> {
    const at = canonicalise('/robots.txt', page) ?? page
    const first = await this.#fetch(at, robotsBytesWanted)
    // A host that is not there is better said so; what a guard refuses is refused at the page.
    if (first.outcome === 'failed' && first.hostFault) {
      return { outcome: 'failed', reason: first.reason }
    }
    const text = first.outcome === 'refused' ? '' : await this.#follow(first, at)
    if (text === null) return { outcome: 'refused', reason: `robots-unreachable: ${at}` }
    const rules = parseRobots(text, ROBOTS_TOKEN)
    this.#gapMs.set(hostOf(page), rules.crawlDelayMs ?? 0)
    return rules
  }

  /** The file behind its redirects, '' when there is none; null when it cannot be had. */
  async #follow(first: Answered, from: CanonicalUrl): Promise<string | null> {
    let fetched = first
    let at = from
    for (let hop = 0; hop <= ROBOTS_REDIRECTS; hop++) {
      const target = robotsRedirect(fetched, at)
      if (target === null) {
        const { status, body } = robotsAnswer(fetched)
        return status === 'unreachable' ? null : body
      }
      if (hop === ROBOTS_REDIRECTS) break
      fetched = await this.#fetch(target, robotsBytesWanted)
      at = target
    }
    return ''
  }

  #fetch(url: CanonicalUrl, wants: FetchRequest['wants']): Promise<Answered> {
    const host = hostOf(url)
    const before = this.#lines.get(host) ?? Promise.resolve()
    const answered = before.then(() => this.#fetchNow(url, wants))
    // What went wrong is its own caller's to hear; the next in line only waits for the end of it.
    this.#lines.set(
      host,
      answered.catch(() => {}),
    )
    return answered
  }

  async #fetchNow(url: CanonicalUrl, wants: FetchRequest['wants']): Promise<Answered> {
    const { fetcher, clock } = this.#options
    const host = hostOf(url)
    for (let tries = 0; tries < MAX_STALE; tries++) {
      const turn = await this.#takeTurn(host)
      const onStart = () => {
        turn.started()
        this.#askedAt.set(host, clock.now())
      }
      const fetched = await fetcher.fetch({ url, wants, onStart })
      turn.done()
      if (fetched.outcome !== 'stale') return fetched
    }
    const reason = 'connect: closed before any answer'
    return {
      outcome: 'failed',
      reason,
      transient: true,
      hostFault: true,
      startedAt: null,
      tookMs: 0,
    }
  }

  async #takeTurn(host: string): Promise<RequestSlot> {
    const { clock, settings, limiter = NO_LIMITER } = this.#options
    await this.#rest(host)
    for (;;) {
      const wanted = { delayMs: this.#gapOf(host), perHost: 1, forMs: settings.timeoutMs }
      const answer = await limiter.ask(host, wanted)
      if (answer.turn !== null) return answer.turn
      await this.#pause(host, answer.askAgainAt - clock.now())
    }
  }

  async #rest(host: string): Promise<void> {
    const { clock } = this.#options
    const askedAt = this.#askedAt.get(host)
    if (askedAt === undefined) return
    const gapMs = this.#gapOf(host)
    // A clock that was set back must not make the pause longer than the gap.
    const leftMs = Math.min(gapMs, askedAt + gapMs - clock.now())
    if (leftMs > 0) await this.#pause(host, leftMs)
  }

  #gapOf(host: string): number {
    return Math.max(this.#options.settings.delayMs, this.#gapMs.get(host) ?? 0)
  }

  async #pause(host: string, leftMs: number): Promise<void> {
    const { wait = sleep, onWait } = this.#options
    onWait?.(host, leftMs)
    // A timer may end a little early.
    await wait(Math.ceil(leftMs) + 1)
  }
}
