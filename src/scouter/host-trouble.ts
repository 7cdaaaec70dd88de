// Whose fault a failed request is: the URL's, or its host's. Tries count against a URL only when nothing
// says that its host is in trouble as a whole, so that a host which is down for a while costs no URL.

import { reasonCode } from '../core/visit.ts'
import type { Lease } from '../frontier/frontier.ts'
import type { Fetched } from './fetcher.ts'

const HOSTS_REMEMBERED = 50_000
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

export class HostTrouble {
  readonly #streaks = new Map<string, Streak>()

  /** What came of a request to a page or sitemap; true when a failure is not the URL's. */
  note({ host, url, hostAnswered }: Lease, fetched: Fetched): boolean {
    if (!isUnwell(fetched)) {
      if (fetched.outcome === 'response') this.#streaks.delete(host)
      return false
    }
    const several = this.#fails(host, url)
    // Who never answered is most likely not there: its URLs have their tries, and no more.
    return hostAnswered && (several || isOfHost(fetched))
  }

  #fails(host: string, url: string): boolean {
    const streak = this.#streaks.get(host)
    if (streak !== undefined) {
      if (streak.url !== url) streak.several = true
      return streak.several
    }
    if (this.#streaks.size >= HOSTS_REMEMBERED) this.#streaks.clear()
    this.#streaks.set(host, { url, several: false })
    return false
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

/** Nothing but the host can be meant by it. */
function isOfHost(fetched: Fetched): boolean {
  if (fetched.outcome === 'failed') return isUnconnected(fetched.reason)
  if (fetched.outcome !== 'response') return false
  return fetched.status === 429 || (fetched.status === 503 && fetched.headers.retryAfter !== null)
}
