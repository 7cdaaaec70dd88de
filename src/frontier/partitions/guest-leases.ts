// Requests to hosts of partitions that another program owns. Only the redirect of a robots.txt to another domain
// needs them. The owner is asked for a turn at the host (host-turns.ts), and notified when the request is over.
//
//   lease ─▶ asked ──the owner grants──▶ granted ─lease─▶ out ──ended──▶ (over: the owner is notified)
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { Clock } from '../../lib/clock.ts'
import type { HostFeedback, Lease } from '../frontier.ts'
import type { TurnMail, TurnName } from './mail.ts'

/** An owner that was asked may be gone, and with it the question. */
const ASK_AGAIN_MS = 5000
/** Hosts that are remembered. */
const MAX_HOSTS = 1000

type GuestLeasesOptions = {
  readonly clock: Clock
  /** The name of this program. */
  readonly owner: string
  /** A partition of this program that can send messages; null if there is none. */
  readonly sender: () => { readonly number: number } | null
  /** Tells the owner of a URL's host. */
  readonly tell: (url: CanonicalUrl, mail: TurnMail) => void
}

type Guest = {
  readonly turn: TurnName
  readonly askedAt: number
  readonly url: CanonicalUrl
  granted: { readonly lease: Lease; readonly until: number } | null
  isOut: boolean
  isSent: boolean
}

export class GuestLeases {
  readonly #options: GuestLeasesOptions
  readonly #hosts = new Map<string, Guest>()
  readonly #byToken = new Map<number, Guest>()
  #count = 0

  constructor(options: GuestLeasesOptions) {
    this.#options = options
  }

  /** Null if the host may not be visited now. */
  lease(url: CanonicalUrl): Lease | null {
    const host = hostOf(url)
    const now = this.#options.clock.now()
    const guest = this.#hosts.get(host)
    const isAsked = guest !== undefined && (guest.granted || now - guest.askedAt < ASK_AGAIN_MS)
    if (!isAsked) this.#ask(url, host)
    if (!guest?.granted || guest.isOut) return null
    if (guest.granted.until <= now) {
      this.#end(guest, { ok: true })
      return null
    }
    guest.isOut = true
    // Tokens of engines are positive.
    const token = -guest.turn.nth
    this.#byToken.set(token, guest)
    return { ...guest.granted.lease, id: 0, token, url }
  }

  /** The owner of the host keeps it free for a request that begins before `until`. */
  grant({ turn, lease, until }: Extract<TurnMail, { kind: 'turn' }>): void {
    const guest = this.#hosts.get(lease.host)
    const isWanted = turn.owner === this.#options.owner && guest?.turn.nth === turn.nth
    if (isWanted) guest.granted = { lease, until }
    else this.#over(lease.url, turn, { isSent: false, note: { ok: true } })
  }

  has({ token }: Lease): boolean {
    return this.#byToken.has(token)
  }

  /** Whether its request may begin, or has begun. */
  isValid({ token }: Lease): boolean {
    const guest = this.#byToken.get(token)
    if (!guest?.granted) return false
    return guest.isSent || this.#options.clock.now() < guest.granted.until
  }

  sent({ token }: Lease): void {
    const guest = this.#byToken.get(token)
    if (guest !== undefined) guest.isSent = true
  }

  ended({ token }: Lease, note: HostFeedback): void {
    const guest = this.#byToken.get(token)
    this.#byToken.delete(token)
    if (guest !== undefined) this.#end(guest, note)
  }

  #ask(url: CanonicalUrl, host: string): void {
    const { clock, owner, sender, tell } = this.#options
    const by = sender()
    if (by === null) return
    this.#count += 1
    const turn = { owner, nth: this.#count, partition: by.number }
    // The newest last.
    this.#hosts.delete(host)
    this.#hosts.set(host, {
      ...{ turn, url, askedAt: clock.now(), granted: null, isOut: false, isSent: false },
    })
    const [oldest] = this.#hosts.keys()
    if (this.#hosts.size > MAX_HOSTS && oldest !== undefined) this.#hosts.delete(oldest)
    tell(url, { kind: 'turn-wanted', turn, url })
  }

  #end(guest: Guest, note: HostFeedback): void {
    const host = hostOf(guest.url)
    if (this.#hosts.get(host) === guest) this.#hosts.delete(host)
    this.#over(guest.url, guest.turn, { isSent: guest.isSent, note })
  }

  #over(url: CanonicalUrl, turn: TurnName, how: { isSent: boolean; note: HostFeedback }): void {
    this.#options.tell(url, { kind: 'turn-over', turn, ...how })
  }
}
