// For work that would keep a process from hearing anything: now and then it stands aside for a moment,
// and ends where it is when it was told to.
import { setImmediate } from 'node:timers/promises'

/** Between two of them. */
const WORK_MS = 50

export class Pauses {
  readonly #signal: AbortSignal | undefined
  #last = performance.now()

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Stands aside if it is time to; throws the signal's reason when it was aborted. */
  async take(): Promise<void> {
    if (performance.now() - this.#last < WORK_MS) return
    await setImmediate()
    this.#signal?.throwIfAborted()
    this.#last = performance.now()
  }

  /** The same list, with a pause between two of its members where it is time for one. */
  async *between<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
    this.#signal?.throwIfAborted()
    for await (const each of list) {
      await this.take()
      yield each
    }
  }
}
