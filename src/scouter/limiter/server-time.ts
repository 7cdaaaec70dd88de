// The clock of a server, as this process can know it. An answer says what time it was at some moment between
// the question and the answer; the time now is therefore known within the length of that exchange.
import { type Clock, steadyMs } from '../../lib/clock.ts'

export interface ServerTime {
  /** Epoch ms; it is not earlier than this. Nothing that is allowed from this time on happens too early. */
  earliest(): number
  /** Epoch ms; it is not later than this. Whatever happened before now happened before this. */
  latest(): number
  /** The server said that it is `now`, in an exchange that began at `sentAt` by `steadyMs`. */
  heard(now: number, sentAt: number): void
}

export class EstimatedTime implements ServerTime {
  #now = 0
  #sentAt = 0
  #gotAt = 0

  earliest(): number {
    return Math.floor(this.#now + steadyMs() - this.#gotAt)
  }

  latest(): number {
    return Math.ceil(this.#now + steadyMs() - this.#sentAt)
  }

  heard(now: number, sentAt: number): void {
    this.#now = now
    this.#sentAt = sentAt
    this.#gotAt = steadyMs()
  }
}

/** For tests, in which all have the same clock. */
export function sharedTime(clock: Clock): ServerTime {
  return { earliest: () => clock.now(), latest: () => clock.now(), heard: () => {} }
}
