// At most so many requests at once to one address, whatever hosts it serves. A thousand names may be one
// small machine; each of them alone is treated politely, all of them together are not.
import type { Clock } from '../lib/clock.ts'

type At = {
  inFlight: number
  /** Of the last requests; how soon a place becomes free. */
  averageMs: number
  /** When the last of those that were sent away should come again. */
  calledAt: number
}

export type AddressPlace =
  | { readonly leave: () => void }
  /** All places are taken: come again after so long. */
  | { readonly leave: null; readonly restMs: number }

const FIRST_MS = 250
const NEWEST = 0.3
const MIN_REST_MS = 50
const MAX_REST_MS = 30_000
const FREE: AddressPlace = { leave: () => {} }

export class AddressLimit {
  readonly #limit: number
  readonly #clock: Clock
  readonly #byAddress = new Map<string, At>()

  /** `limit` null: there is none. */
  constructor(limit: number | null, clock: Clock) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY
    this.#clock = clock
  }

  /** A place at each of these addresses: which of them a connection goes to is known too late. */
  take(addresses: readonly string[]): AddressPlace {
    if (!Number.isFinite(this.#limit)) return FREE
    const all = [...new Set(addresses)].map((address) => [address, this.#at(address)] as const)
    const full = all.filter(([, at]) => at.inFlight >= this.#limit)
    if (full.length > 0) {
      return { leave: null, restMs: Math.max(...full.map(([, at]) => this.#callAgain(at))) }
    }
    const since = this.#clock.now()
    for (const [address, at] of all) {
      at.inFlight += 1
      this.#byAddress.set(address, at)
    }
    return { leave: () => this.#leave(all, since) }
  }

  /** Those who wait come back one after the other, each when a place should be free. */
  #callAgain(at: At): number {
    const now = this.#clock.now()
    const next = Math.max(now, at.calledAt) + at.averageMs / this.#limit
    at.calledAt = Math.min(next, now + MAX_REST_MS)
    return Math.ceil(Math.max(MIN_REST_MS, at.calledAt - now))
  }

  #leave(all: readonly (readonly [string, At])[], since: number): void {
    const tookMs = Math.max(0, this.#clock.now() - since)
    for (const [address, at] of all) {
      at.inFlight -= 1
      at.averageMs += NEWEST * (tookMs - at.averageMs)
      const isForgotten = at.inFlight === 0 && at.calledAt <= this.#clock.now()
      if (isForgotten) this.#byAddress.delete(address)
    }
  }

  #at(address: string): At {
    return this.#byAddress.get(address) ?? { inFlight: 0, averageMs: FIRST_MS, calledAt: 0 }
  }
}
