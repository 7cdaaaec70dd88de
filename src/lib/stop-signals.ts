// Ctrl-C and similar signals, for all our processes. The first signal asks to stop; the second exits at once.
// A process whose parent decides what Ctrl-C means ignores them.

/** Exit code of a process that was ended by a signal. */
export const INTERRUPTED = 11

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type StopOptions = {
  /** Called at the first signal. */
  readonly onFirst?: () => void
  /** Called before the process exits; its children notice that it is gone. */
  readonly onLeave?: () => void
  /** Resolves when something other than a signal asks to stop. */
  readonly stopped?: Promise<unknown> | undefined
}

export class StopSignals implements Disposable {
  readonly #controller = new AbortController()
  readonly #options: StopOptions
  readonly #listener = (): void => this.#hear()
  #asked = false

  constructor(options: StopOptions = {}) {
    this.#options = options
    for (const signal of SIGNALS) process.on(signal, this.#listener)
    void options.stopped?.then(() => this.#controller.abort())
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Resolved by the first signal. */
  get first(): Promise<null> {
    const { promise, resolve } = Promise.withResolvers<null>()
    if (this.signal.aborted) resolve(null)
    this.signal.addEventListener('abort', () => resolve(null))
    return promise
  }

  /** Ends the process now. */
  leave(): never {
    this.#options.onLeave?.()
    process.exit(INTERRUPTED)
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#listener)
  }

  #hear(): void {
    if (this.#asked) this.leave()
    this.#asked = true
    this.#options.onFirst?.()
    this.#controller.abort()
  }
}

/** The terminal sends Ctrl-C to the whole process group; only the parent decides what it means. */
export function ignoreStopSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => {})
}
