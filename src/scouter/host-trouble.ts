// Whose fault a failed request is: the URL's, its host's, or that of the network of this machine.
//
// A try counts against a URL only when nothing says that its host as a whole is in trouble, so a host that
// is down for a while costs no URL. That ends where the host is fine otherwise: a URL that asks for rest for
// ever would be requested for ever.
import { reasonCode } from '../core/visit.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'
import { backoffMs } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'

const HOSTS_REMEMBERED = 50_000
const URLS_REMEMBERED = 10_000
/** So often a URL may fail alone, or after its host answered others, without losing a try. */
const ALONE_TIMES = 4
/** Connections that could not be made at all: no URL makes a difference to that. */
const UNCONNECTED =
  /^connect: E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL|TIMEDOUT)\b/

/** True when there was no way to the host, whatever was asked of it. */
function isUnconnected(reason: string): boolean {
  const code = reasonCode(reason)
  return code === 'dns' || code === 'timeout-connect' || UNCONNECTED.test(reason)
}

/** Failures in a row at one host: at which URL, or that there are several. */
type Streak = { readonly url: string; several: boolean }

/** How often a URL failed while nothing was wrong with its host. */
type Alone = { readonly streak: Streak; readonly times: number }

export class HostTrouble {
  readonly #streaks = new Map<string, Streak>()
  readonly #alone = new Map<string, Alone>()

  /** What came of a request to a page or sitemap; true when a failure is not the URL's. */
  note({ host, url, hostAnswered }: Lease, fetched: Fetched): boolean {
    if (!isUnwell(fetched)) {
      if (fetched.outcome === 'response') this.#streaks.delete(host)
      return false
    }
    const streak = this.#fails(host, url)
    // A host that never answered is most likely not there: its URLs get their usual tries and no more.
    if (!hostAnswered) return false
    if (fetched.outcome === 'failed' && isUnconnected(fetched.reason)) return true
    if (!streak.several && !asksForRest(fetched)) return false
    return this.#timesAlone(url, streak) <= ALONE_TIMES
  }

  #fails(host: string, url: string): Streak {
    const before = this.#streaks.get(host)
    if (before !== undefined) {
      if (before.url !== url) before.several = true
      return before
    }
    if (this.#streaks.size >= HOSTS_REMEMBERED) this.#streaks.clear()
    const streak = { url, several: false }
    this.#streaks.set(host, streak)
    return streak
  }

  /** Failures of one streak that several URLs share are one: while it lasts, the host is down. */
  #timesAlone(url: string, streak: Streak): number {
    const before = this.#alone.get(url)
    if (before?.streak === streak && streak.several) return before.times
    const times = (before?.times ?? 0) + 1
    this.#alone.delete(url)
    if (this.#alone.size >= URLS_REMEMBERED) {
      const [oldest] = this.#alone.keys()
      if (oldest !== undefined) this.#alone.delete(oldest)
    }
    this.#alone.set(url, { streak, times })
    return times
  }
}

/** Statuses that speak of the host; a plain 500 speaks of one page. */
const UNWELL: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function isUnwellStatus(status: number): boolean {
  return UNWELL.has(status)
}

function isUnwell(fetched: Fetched): boolean {
  if (fetched.outcome === 'response') return UNWELL.has(fetched.status)
  return fetched.outcome === 'failed' && fetched.hostFault && fetched.transient
}

/** It speaks of all requests, not of this one, by what it means. */
function asksForRest(fetched: Fetched): boolean {
  if (fetched.outcome !== 'response') return false
  return fetched.status === 429 || (fetched.status === 503 && fetched.headers.retryAfter !== null)
}

/** So many of them must fail; where fewer have answered, all of those, but never one alone. */
const ENOUGH_HOSTS = 3
/** Hosts that answered longer ago than this may be gone for reasons of their own. */
const RECENT_MS = 5 * 60_000
const WITNESSES_REMEMBERED = 1000
const PROBE = { baseMs: 1000, capMs: 15_000 }
/** How long a request that may go out waits for a host that has answered: others may never answer. */
const WITNESS_MS = 30_000

/**
 * The network is away when several hosts that answered not long ago fail at once, before any answer, and no
 * host answers meanwhile. Failures then say nothing about hosts and URLs; the scouter tries one host now
 * and then, and goes on with the first answer.
 */
export class NetworkWatch {
  readonly #clock: Clock
  /** When each answered last, the latest at the end. */
  readonly #answered = new Map<string, number>()
  /** The hosts among them that failed since any host answered. */
  readonly #failed = new Set<string>()
  #awaySince: number | null = null
  #probes = 0
  #probeAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long the network has been away; null: it is there. */
  get awayMs(): number | null {
    return this.#awaySince === null ? null : this.#clock.now() - this.#awaySince
  }

  /** While it is away: when the next request may go out. */
  get probeAt(): number {
    return this.#probeAt
  }

  /** While it is away: how long this host would tell less than another; 0: it may be asked. */
  waitMsFor(host: string): number {
    if (this.#awaySince === null || this.#answered.has(host)) return 0
    return Math.max(0, this.#probeAt + WITNESS_MS - this.#clock.now())
  }

  /**
   * What came of a request. True: the network is away, and it says nothing about its host or its URL.
   */
  note({ host }: Pick<Lease, 'host'>, fetched: Fetched): boolean {
    if (fetched.outcome === 'response') return this.#answers(host)
    if (fetched.outcome !== 'failed' || !isUnconnected(fetched.reason)) return false
    if (this.#awaySince === null) this.#fails(host)
    else this.#probeLater()
    return this.#awaySince !== null
  }

  #answers(host: string): false {
    this.#awaySince = null
    this.#probes = 0
    this.#failed.clear()
    this.#answered.delete(host)
    this.#answered.set(host, this.#clock.now())
    if (this.#answered.size > WITNESSES_REMEMBERED) {
      const oldest = this.#answered.keys().next().value
      if (oldest !== undefined) this.#answered.delete(oldest)
    }
    return false
  }

  #fails(host: string): void {
    const now = this.#clock.now()
    this.#forgetOld(now)
    if (!this.#answered.has(host)) return
    this.#failed.add(host)
    const needed = Math.max(2, Math.min(ENOUGH_HOSTS, this.#answered.size))
    if (this.#failed.size < needed) return
    this.#awaySince = now
    this.#probeLater()
  }

  #forgetOld(now: number): void {
    for (const [host, at] of this.#answered) {
      if (now - at < RECENT_MS) return
      this.#answered.delete(host)
      this.#failed.delete(host)
    }
  }

  #probeLater(): void {
    this.#probes += 1
    this.#probeAt = this.#clock.now() + backoffMs(this.#probes, PROBE)
  }
}
