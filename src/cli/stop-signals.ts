// Ctrl-C and its sisters for what runs until it is told to stop: the first asks, the second leaves.
import { EXIT } from './exit-codes.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export class StopSignals implements Disposable {
  /** Settled at the first signal. */
  readonly first: Promise<null>
  readonly #listener: () => void

  /** `onSecond` is called before the process leaves; its children notice that it is gone. */
  constructor(onSecond: () => void) {
    const { promise, resolve } = Promise.withResolvers<null>()
    let asked = false
    this.first = promise
    this.#listener = () => {
      if (asked) {
        onSecond()
        process.exit(EXIT.interrupted)
      }
      asked = true
      resolve(null)
    }
    for (const signal of SIGNALS) process.on(signal, this.#listener)
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener)
  }
}
