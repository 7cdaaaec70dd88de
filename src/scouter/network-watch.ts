// Whether it is the network that is gone, rather than hosts: when several hosts that answered not long ago
// fail at once, before any answer, and nobody answers meanwhile. Then failures say nothing about hosts and
// URLs; the scouter asks one of them now and then, and goes on with the first answer.
import type { Lease } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'
import { backoffMs } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import { isUnconnected } from './host-trouble.ts'

/** So many of them must fail; where fewer have answered, all of those, but never one alone. */
const ENOUGH_HOSTS = 3
/** Hosts that answered longer ago than this may be gone for reasons of their own. */
const RECENT_MS = 5 * 60_000
const HOSTS_REMEMBERED = 1000
const PROBE = { baseMs: 1000, capMs: 15_000 }
/** So long after it may go out, a request waits for a host that has answered: others may never answer. */
const WITNESS_MS = 30_000

export class NetworkWatch {
  readonly #clock: Clock
  /** When each answered last, the latest at the end. */
  readonly #answered = new Map<string, number>()
  /** Of those, the ones that failed since anybody answered. */
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
    if (this.#answered.size > HOSTS_REMEMBERED) {
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
