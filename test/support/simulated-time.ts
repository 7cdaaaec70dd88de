// Time that passes only when everything that can happen at a moment has happened: hours in seconds, and the same
// every time.
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock, Timers } from '../../src/lib/clock.ts'
import { ManualClock } from '../../src/lib/clock.ts'
import { type Heaped, IndexedHeap } from '../../src/lib/indexed-heap.ts'

/** What takes longer has gone wrong. */
const LONGEST_MS = 300_000

type Waiting = Heaped & { readonly work: () => void }

export class SimulatedTime implements Clock, Timers {
  readonly clock: ManualClock
  readonly #startedAt: number
  readonly #waiting = new IndexedHeap<Waiting>()
  #count = 0

  constructor(clock = new ManualClock()) {
    this.clock = clock
    this.#startedAt = clock.now()
  }

  now(): number {
    return this.clock.now()
  }

  steadyMs(): number {
    return this.clock.now() - this.#startedAt
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve)
    })
  }

  after(ms: number, work: () => void): () => void {
    // Clocks have whole milliseconds.
    return this.#at(this.now() + Math.max(0, Math.ceil(ms)), work)
  }

  every(ms: number, work: () => void): () => void {
    let stop = (): void => {}
    const again = (): void => {
      stop = this.after(ms, () => {
        again()
        work()
      })
    }
    again()
    return () => stop()
  }

  /** When somebody wants to go on; Infinity if nobody waits. */
  get nextAt(): number {
    return this.#waiting.firstKey
  }

  /** Calls everybody whose time has come, up to now. */
  async catchUp(): Promise<void> {
    await turn()
    while (this.#waiting.firstKey <= this.now()) {
      this.#waiting.pop()?.work()
      await turn()
    }
  }

  /** Lets time pass until this promise is settled; throws if that takes longer. */
  async until<T>(promise: Promise<T>, withinMs = LONGEST_MS): Promise<T> {
    const endsAt = this.now() + withinMs
    let isSettled = false
    const settle = (): void => {
      isSettled = true
    }
    promise.then(settle, settle)
    await this.catchUp()
    while (!isSettled) {
      if (this.nextAt > endsAt) throw new Error(`not done after ${withinMs} ms`)
      this.clock.advance(this.nextAt - this.now())
      await this.catchUp()
    }
    return promise
  }

  /** Lets so much time pass. */
  pass(ms: number): Promise<void> {
    return this.until(this.sleep(ms), ms)
  }

  #at(at: number, work: () => void): () => void {
    this.#count += 1
    const waiting = { heapAt: -1, work }
    this.#waiting.put(waiting, at, this.#count)
    return () => {
      if (waiting.heapAt >= 0) this.#waiting.remove(waiting)
    }
  }
}
