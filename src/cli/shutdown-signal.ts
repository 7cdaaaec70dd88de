// Ctrl-C, or whatever else says that it is enough, as a signal for what can stop at any point.
import { StopSignals } from './stop-signals.ts'

export class ShutdownSignal implements Disposable {
  readonly #controller = new AbortController()
  readonly #signals = new StopSignals(() => {})

  constructor(stopped?: Promise<unknown>) {
    const leave = (): void => this.#controller.abort()
    void this.#signals.first.then(leave)
    void stopped?.then(leave)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  [Symbol.dispose](): void {
    this.#signals[Symbol.dispose]()
  }
}
