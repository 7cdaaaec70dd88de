// Whose fault a failed request is: the URL's, or its host's. Tries count against a URL only when nothing
// says that its host is in trouble as a whole, so that a host which is down for a while costs no URL.
// That ends where the host is fine otherwise: a URL which asks for rest for ever would be asked for ever.

import { reasonCode } from '../core/visit.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'

const HOSTS_REMEMBERED = 50_000
const URLS_REMEMBERED = 10_000
/** So often a URL may fail alone, or after its host answered others, without losing a try. */
const ALONE_TIMES = 4
/** Connections that could not be made at all: no URL makes a difference to that. */
const UNCONNECTED =
  /^connect: E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL|TIMEDOUT)\b/

/** True when there was no way to the host, whatever was asked of it. */
export function isUnconnected(reason: string): boolean {
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
    // Who never answered is most likely not there: its URLs have their tries, and no more.
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
