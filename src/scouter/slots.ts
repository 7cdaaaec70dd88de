// The slots for requests, and how many of them go to hosts that are not known to be quick. A host that
// answers byte by byte holds its slot for as long as a request may last: a few dozen such hosts would hold
// all slots, and quick hosts would wait for them.
//
// Slow hosts share half of the slots. New hosts may take most of the rest, and less as soon as some of them
// answer late: the next one may be as slow. When no host was quick for a while, no slot is kept free and
// every host may take any.
//
// A visit that waits for anything but an answer (the look-up of a name, a database that writes the result) gives up
// its slot meanwhile. When it comes back it goes before new visits. Never are more slots taken than there are.
import { type Lease, ROOM_FOR_ALL, type RoomForOthers, SLOW_MS } from '../frontier/frontier.ts'
import type { Clock } from '../lib/clock.ts'

/** The share of slots that new hosts leave free, and the share once a request is late. */
const RESERVE = 1 / 8
const RESERVE_WHEN_LATE = 1 / 4
/** A quick host is expected to be back within two of its delays, or this. */
const QUICK_LASTS_MS = 10_000

/** When a connection was one too many: how soon one more is tried again. */
const WIDEN_MS = 1_000
/** Visits that may wait without a slot; each holds a lease that nobody else gets meanwhile. */
const MAX_ASIDE = 256

type Out = { readonly since: number; readonly pace: Lease['pace'] }

type SlotsOptions = {
  readonly concurrency: number
  readonly delayMs: number
  readonly clock: Clock
  /** A slot may have become free. */
  readonly onFree?: () => void
}

export class Slots {
  readonly #most: number
  /** The number of slots now: less than `#most` when this machine had no room for more connections. */
  #concurrency: number
  #widenAt = 0
  readonly #quickLastsMs: number
  readonly #clock: Clock
  readonly #out = new Map<Lease, Out>()
  readonly #onFree: () => void
  /** Visits that are done waiting and want a slot again. */
  readonly #back: (() => void)[] = []
  #aside = 0
  #quickAt: number

  constructor({ concurrency, delayMs, clock, onFree = () => {} }: SlotsOptions) {
    this.#onFree = onFree
    this.#most = concurrency
    this.#concurrency = concurrency
    this.#quickLastsMs = Math.max(QUICK_LASTS_MS, 2 * delayMs)
    this.#clock = clock
    // No host was asked yet: one of them will be quick.
    this.#quickAt = clock.now()
  }

  /** Requests under way. */
  get taken(): number {
    return this.#out.size
  }

  /** Visits that have begun and not ended, with or without a slot. */
  get visits(): number {
    return this.taken + this.#aside + this.#back.length
  }

  /** How many new visits may begin. */
  get free(): number {
    const places = this.#concurrency - this.taken - this.#back.length
    return Math.min(places, MAX_ASIDE - this.#aside)
  }

  take(lease: Lease): void {
    this.#out.set(lease, { since: this.#clock.now(), pace: lease.pace })
  }

  /** Nothing happens if it has none any more. */
  giveBack(lease: Lease): void {
    const out = this.#out.get(lease)
    if (out === undefined) return
    const now = this.#clock.now()
    if (!isLate(out, now)) this.#quickAt = now
    this.#widen(now)
    this.#leave(lease)
  }

  /** One connection was too many for this machine: there are fewer slots for a while. */
  narrow(): void {
    this.#concurrency = Math.max(1, Math.min(this.#concurrency, Math.floor(this.taken * 0.75)))
    this.#widenAt = this.#clock.now() + WIDEN_MS
  }

  #widen(now: number): void {
    if (this.#concurrency >= this.#most || now < this.#widenAt) return
    this.#concurrency = Math.min(this.#most, Math.ceil(this.#concurrency * 1.1))
    this.#widenAt = now + WIDEN_MS
  }

  /** Does work without the slot of this visit, and takes a slot again afterwards. */
  async without<T>(visit: Lease, work: () => Promise<T>): Promise<T> {
    this.#aside++
    this.#leave(visit)
    this.#onFree()
    try {
      return await work()
    } finally {
      this.#aside--
      if (this.taken < this.#concurrency) this.take(visit)
      else await this.#comeBack(visit)
    }
  }

  /**
   * The request of this visit is over: what is left of the visit holds no slot, however long a database takes for it.
   * The work begins before the slot can be taken.
   */
  async end(visit: Lease, work: () => Promise<void>): Promise<void> {
    this.#aside++
    try {
      const ended = work()
      this.giveBack(visit)
      this.#onFree()
      await ended
    } finally {
      this.#aside--
    }
  }

  /** Whoever frees a slot hands it over, so no new visit can take it first. */
  #comeBack(visit: Lease): Promise<void> {
    return new Promise((resolve) => {
      this.#back.push(() => {
        this.take(visit)
        resolve()
      })
    })
  }

  #leave(lease: Lease): void {
    this.#out.delete(lease)
    this.#back.shift()?.()
  }

  roomForOthers(): RoomForOthers {
    const now = this.#clock.now()
    if (now - this.#quickAt > this.#quickLastsMs) return ROOM_FOR_ALL
    let [late, fresh] = [0, 0]
    for (const out of this.#out.values()) {
      if (isLate(out, now)) late += 1
      else if (out.pace === 'new') fresh += 1
    }
    const left = this.#concurrency - late
    const kept = late === 0 ? left * RESERVE : Math.max(1, left * RESERVE_WHEN_LATE)
    return {
      slow: Math.max(0, Math.max(1, Math.floor(this.#concurrency / 2)) - late),
      new: Math.max(0, left - Math.floor(kept) - fresh),
    }
  }
}

/** True for a request that is slow, or whose host was slow the last time. */
function isLate({ since, pace }: Out, now: number): boolean {
  return pace === 'slow' || now - since > SLOW_MS
}
