// The gap between requests to a host, after each answer: longer when the host asks for it, struggles or
// gets slow.
import type { CrawlSettings } from '../core/job.ts'
import type { HostFeedback, Lease } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'
import { backoffMs } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import { robotsStateOf } from '../robots/robots-answer.ts'
import { isUnwellStatus } from './host-trouble.ts'

/** A host that answers slower than this is struggling, and the gap grows with its answers. */
const SLOW_MS = 1_000
const SLOW_FACTOR = 2
const MAX_DELAY_MS = 30_000
/** Weight of the newest answer in the moving average. */
const NEWEST = 0.3
const HOSTS_REMEMBERED = 50_000
/** By then some connection of ours has ended. */
const CROWDED_MS = 1_000
/** While a crawl may be waiting for a host that is down, it tries the host at least this often. */
const PROBE_MS = 60_000

type DelaySettings = Pick<CrawlSettings, 'delayMs' | 'hostPatienceMs'>

export class AdaptiveDelay {
  readonly #settings: DelaySettings
  readonly #clock: Clock
  readonly #random: () => number
  readonly #averageMs = new Map<string, number>()
  readonly #crawlDelayMs = new Map<string, number>()

  constructor(settings: DelaySettings, clock: Clock, random = Math.random) {
    this.#settings = settings
    this.#clock = clock
    this.#random = random
  }

  /** What a finished request means for its host. */
  feedbackOf(fetched: Fetched, lease: Lease): HostFeedback {
    if (fetched.outcome === 'refused') return { ok: true }
    if (fetched.outcome === 'stale') {
      return fetched.crowded === undefined ? { ok: true } : { ok: true, restMs: CROWDED_MS }
    }
    if (fetched.outcome === 'failed') {
      return fetched.hostFault ? this.#unwell(lease, fetched.reason, null) : { ok: true }
    }
    const { status, headers } = fetched
    // Nothing of a host may be fetched without its robots.txt, so there a plain 500 concerns all of it.
    const isShut = lease.kind === 'robots' && robotsStateOf(status) === 'unreachable'
    if (isUnwellStatus(status) || (isShut && status >= 500)) {
      const askedMs = retryAfterMs(headers.retryAfter, headers.date, this.#clock.now())
      return this.#unwell(lease, `http-${status}`, askedMs)
    }
    return { ok: true, ...this.#pace(lease.host, fetched.tookMs) }
  }

  /** The gap that a host's robots.txt asks for. */
  setCrawlDelay(host: string, crawlDelayMs: number): void {
    remember(this.#crawlDelayMs, host, crawlDelayMs)
  }

  /**
   * When to try a URL again: later than its host rests, so that the host's other pages come first. One
   * bad page must not look like a host that is down.
   */
  retryMs(tries: number): number {
    return this.#settings.delayMs + 2 * backoffMs(tries)
  }

  /** How long to leave a host alone that failed this many times in a row. */
  backoffMs(failures: number, lease: Pick<Lease, 'hostAnswered' | 'hostDownMs'>): number {
    const isAwaited = lease.hostAnswered && lease.hostDownMs < this.#settings.hostPatienceMs
    return backoffMs(failures, { random: this.#random, ...(isAwaited ? { capMs: PROBE_MS } : {}) })
  }

  #unwell(lease: Lease, trouble: string, askedMs: number | null): HostFeedback {
    return { ok: false, trouble, restMs: askedMs ?? this.backoffMs(lease.hostFailures + 1, lease) }
  }

  /** With `--delay 0` the user alone decides about the pace. */
  #pace(host: string, tookMs: number): Pick<HostFeedback, 'delayMs'> {
    if (this.#settings.delayMs === 0) return {}
    const before = this.#averageMs.get(host)
    const average = before === undefined ? tookMs : before + NEWEST * (tookMs - before)
    remember(this.#averageMs, host, average)
    const asked = this.#crawlDelayMs.get(host) ?? 0
    // An earlier run may have left the gap of a slow day: the first answer always sets it again.
    if (average < SLOW_MS) return before !== undefined && before < SLOW_MS ? {} : { delayMs: asked }
    return { delayMs: Math.max(asked, Math.min(SLOW_FACTOR * average, MAX_DELAY_MS)) }
  }
}

/** Forgets the host that was set longest ago when there are too many. */
function remember(of: Map<string, number>, host: string, value: number): void {
  of.delete(host)
  if (of.size >= HOSTS_REMEMBERED) {
    const [oldest] = of.keys()
    if (oldest !== undefined) of.delete(oldest)
  }
  of.set(host, value)
}

/** The longest wait that one header can demand. */
const LONGEST_MS = 24 * 60 * 60 * 1000
const SECONDS = /^\d+$/
/** The three date forms of RFC 9110 all begin with the name of a day. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i

/**
 * What `Retry-After` asks for: milliseconds to wait, between 0 and a day; null when there is no wait we can
 * make out. A date counts from the `Date` of the same answer, since a server's clock may be wrong while its
 * differences are not; from `now` (epoch milliseconds) where there is none.
 */
export function retryAfterMs(
  value: string | null,
  date: string | null,
  now: number,
): number | null {
  const text = value?.trim() ?? ''
  if (SECONDS.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS)
  const until = parseHttpDate(text)
  if (until === null) return null
  const from = (date === null ? null : parseHttpDate(date.trim())) ?? now
  return Math.min(Math.max(until - from, 0), LONGEST_MS)
}

function parseHttpDate(text: string): number | null {
  if (!HTTP_DATE.test(text)) return null
  // The oldest form (asctime) names no zone, and would be read as local time.
  const time = Date.parse(/ GMT$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(time) ? null : time
}
