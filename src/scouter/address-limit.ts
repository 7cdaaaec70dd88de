// A limit on the requests that one IP address gets at once, and within one delay, whatever hosts it serves.
// A thousand names may be one small machine: polite to each name alone is not polite to the machine.
import type { Clock } from '../lib/clock.ts'

type At = {
  inFlight: number
  /** Requests that have not gone out yet. */
  unstarted: number
  /** No request goes out before. */
  restsUntil: number
  /** Average time of the last requests: how soon a place becomes free. */
  averageMs: number
  /** When the last request that was refused should come again. */
  calledAt: number
}

export type AddressSlot =
  | {
      /** The request goes out at this moment. */
      readonly started: () => void
      readonly leave: () => void
    }
  /** All places are taken: come again after so long. */
  | { readonly leave: null; readonly restMs: number }

type AddressLimitOptions = {
  /** Null: there is none. */
  readonly limit: number | null
  /** In this time, as many requests go out to an address as may be in flight there. */
  readonly delayMs: number
  readonly clock: Clock
}

const FIRST_MS = 250
const NEWEST = 0.3
const MIN_REST_MS = 50
const MAX_REST_MS = 30_000
/** From this number on, idle addresses are forgotten. */
const MAX_ADDRESSES = 10_000
const FREE: AddressSlot = { started: () => {}, leave: () => {} }

export class AddressLimit {
  readonly #limit: number
  readonly #gapMs: number
  readonly #clock: Clock
  readonly #byAddress = new Map<string, At>()

  constructor({ limit, delayMs, clock }: AddressLimitOptions) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY
    this.#gapMs = delayMs / this.#limit
    this.#clock = clock
  }

  /** Takes a place at each of these addresses: it is not known yet which of them will be connected to. */
  take(addresses: readonly string[]): AddressSlot {
    if (!Number.isFinite(this.#limit)) return FREE
    const now = this.#clock.now()
    const all = [...new Set(addresses)].map((address) => this.#at(address, now))
    const full = all.filter((at) => this.#isFull(at, now))
    if (full.length > 0) {
      return { leave: null, restMs: Math.max(...full.map((at) => this.#callAgain(at, now))) }
    }
    for (const at of all) {
      at.inFlight += 1
      at.unstarted += 1
    }
    return this.#placeAt(all, now)
  }

  #isFull({ inFlight, unstarted, restsUntil }: At, now: number): boolean {
    if (inFlight >= this.#limit) return true
    return this.#gapMs > 0 && (unstarted > 0 || now < restsUntil)
  }

  /** Callers that wait come back one after the other, each when a place should be free. */
  #callAgain(at: At, now: number): number {
    const stepMs = Math.max(at.averageMs / this.#limit, this.#gapMs)
    const next = Math.max(now + MIN_REST_MS, at.restsUntil, at.calledAt + stepMs)
    at.calledAt = Math.min(next, now + MAX_REST_MS)
    return Math.ceil(at.calledAt - now)
  }

  #placeAt(all: readonly At[], since: number): AddressSlot {
    let isStarted = false
    const started = (): void => {
      if (isStarted) return
      isStarted = true
      for (const at of all) {
        at.unstarted -= 1
        at.restsUntil = this.#clock.now() + this.#gapMs
      }
    }
    const leave = (): void => {
      const tookMs = Math.max(0, this.#clock.now() - since)
      for (const at of all) {
        at.inFlight -= 1
        if (!isStarted) at.unstarted -= 1
        at.averageMs += NEWEST * (tookMs - at.averageMs)
      }
      isStarted = true
    }
    return { started, leave }
  }

  #at(address: string, now: number): At {
    const known = this.#byAddress.get(address)
    if (known !== undefined) return known
    if (this.#byAddress.size >= MAX_ADDRESSES) this.#forget(now)
    const at = { inFlight: 0, unstarted: 0, restsUntil: 0, averageMs: FIRST_MS, calledAt: 0 }
    this.#byAddress.set(address, at)
    return at
  }

  /** Forgets addresses without requests. */
  #forget(now: number): void {
    for (const [address, at] of this.#byAddress) {
      if (at.inFlight === 0 && at.restsUntil <= now && at.calledAt <= now) {
        this.#byAddress.delete(address)
      }
    }
  }
}
