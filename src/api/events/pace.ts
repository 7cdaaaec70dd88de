/** Does something for a key when asked, but not again within a while; what is asked meanwhile is done then. */
export class Pace<K> {
  readonly #everyMs: number
  readonly #work: (key: K) => void
  /** True when it was asked for again. */
  readonly #resting = new Map<K, boolean>()
  readonly #timers = new Map<K, NodeJS.Timeout>()

  constructor(everyMs: number, work: (key: K) => void) {
    this.#everyMs = everyMs
    this.#work = work
  }

  ask(key: K): void {
    if (this.#resting.has(key)) this.#resting.set(key, true)
    else this.#do(key)
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#resting.clear()
  }

  #do(key: K): void {
    this.#resting.set(key, false)
    this.#timers.set(
      key,
      setTimeout(() => this.#rested(key), this.#everyMs),
    )
    this.#work(key)
  }

  #rested(key: K): void {
    const wasAsked = this.#resting.get(key) === true
    this.#resting.delete(key)
    this.#timers.delete(key)
    if (wasAsked) this.#do(key)
  }
}
