// Requests to hosts that another program owns. Only the redirect of a robots.txt to another domain needs
// them. Their gaps are kept here; between programs the host limiter keeps them (scouter/host-limiter.ts).
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Lease } from '../frontier.ts'

/** Hosts that are remembered. The oldest have rested for long. */
const MAX_HOSTS = 1000

type Guest = { restsUntil: number; isOut: boolean }

export class GuestLeases {
  readonly #clock: Clock
  readonly #delayMs: number
  readonly #hosts = new Map<string, Guest>()
  readonly #byToken = new Map<number, Guest>()
  #lastToken = 0

  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock
    this.#delayMs = Math.ceil(delayMs)
  }

  /** Null if the host may not be visited now. */
  lease(url: CanonicalUrl): Lease | null {
    const host = hostOf(url)
    const now = this.#clock.now()
    const guest = this.#hosts.get(host) ?? { restsUntil: 0, isOut: false }
    if (guest.isOut || guest.restsUntil > now) return null
    // The newest last.
    this.#hosts.delete(host)
    this.#hosts.set(host, guest)
    const [oldest] = this.#hosts.keys()
    if (this.#hosts.size > MAX_HOSTS && oldest !== undefined) this.#hosts.delete(oldest)
    guest.isOut = true
    // Tokens of engines are positive.
    this.#lastToken -= 1
    this.#byToken.set(this.#lastToken, guest)
    return {
      ...{ kind: 'robots', id: 0, token: this.#lastToken, url, host, depth: 0, hops: 0, tries: 1 },
      ...{ hostFailures: 0, hostDownMs: 0, hostAnswered: false, delayMs: this.#delayMs },
    }
  }

  has({ token }: Lease): boolean {
    return this.#byToken.has(token)
  }

  sent({ token }: Lease): void {
    const guest = this.#byToken.get(token)
    if (guest !== undefined) guest.restsUntil = this.#clock.now() + this.#delayMs
  }

  ended({ token }: Lease): void {
    const guest = this.#byToken.get(token)
    if (guest !== undefined) guest.isOut = false
    this.#byToken.delete(token)
  }
}
