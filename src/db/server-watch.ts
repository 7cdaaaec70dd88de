// Whether a server that owes answers is still there. A cable that was pulled breaks no connection: what
// waits on it waits for a quarter of an hour. So whoever has waited for a while asks on another
// connection; a server that answers there is only slow, and is waited for.

export type ServerWatchOptions = {
  /** Asks it on a connection of its own; rejects, or never answers, while it is away. */
  readonly ask: () => Promise<unknown>
  readonly everyMs?: number
  readonly slowMs?: number
}

type Call = {
  readonly since: number
  readonly forMs: number
  readonly reject: (error: Error) => void
}

const EVERY_MS = 250
/** Most answers come within milliseconds. */
const SLOW_MS = 1000
/** In beats of the watch: after so long it was this process that stood still, not the server. */
const OWN_SLEEP_BEATS = 4

/** The server did not answer, neither there nor elsewhere. */
export class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT'
}

export class ServerWatch {
  readonly #options: ServerWatchOptions
  readonly #everyMs: number
  readonly #slowMs: number
  readonly #calls = new Set<Call>()
  #heardAt = 0
  #lookedAt = 0
  #isAsking = false
  #timer: NodeJS.Timeout | null = null

  constructor(options: ServerWatchOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? EVERY_MS
    this.#slowMs = options.slowMs ?? SLOW_MS
  }

  /** The answer; `NoAnswer` when nothing at all was heard of the server for so long. */
  async answer<T>(answer: Promise<T>, forMs: number): Promise<T> {
    const late = Promise.withResolvers<never>()
    const call = { since: performance.now(), forMs, reject: late.reject }
    this.#calls.add(call)
    this.#lookAgain()
    try {
      const given = await Promise.race([answer, late.promise])
      this.#heardAt = performance.now()
      return given
    } finally {
      this.#calls.delete(call)
    }
  }

  #lookAgain(): void {
    if (this.#timer !== null) return
    this.#lookedAt = performance.now()
    this.#timer = setInterval(() => this.#look(), this.#everyMs).unref()
  }

  #look(): void {
    const now = performance.now()
    if (now - this.#lookedAt > OWN_SLEEP_BEATS * this.#everyMs) this.#heardAt = now
    this.#lookedAt = now
    const [oldest] = this.#calls
    if (oldest === undefined && this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    if (oldest === undefined) return
    const slowMs = Math.min(this.#slowMs, oldest.forMs / 2)
    if (this.#silentFor(oldest, now) >= slowMs) void this.#ask()
    for (const call of this.#calls) {
      const seconds = Math.ceil(call.forMs / 1000)
      const isLate = this.#silentFor(call, now) >= call.forMs
      if (isLate) call.reject(new NoAnswer(`it did not answer for ${seconds} s`))
    }
  }

  #silentFor({ since }: Call, now: number): number {
    return now - Math.max(since, this.#heardAt)
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      await this.#options.ask()
      this.#heardAt = performance.now()
    } catch {
      // Nothing was heard.
    } finally {
      this.#isAsking = false
    }
  }
}
