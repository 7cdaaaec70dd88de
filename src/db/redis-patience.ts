// What a server says that cannot do something for the moment: it was not done, and may be asked again.
import { setTimeout as pause } from 'node:timers/promises'

const PASSING =
  /^(?:BUSY|NOREPLICAS|MASTERDOWN|TRYAGAIN|LOADING|OOM|MISCONF|READONLY|CLUSTERDOWN)\b/
const SHORTEST_MS = 20
const LONGEST_MS = 1000

export function isPassing(error: unknown): boolean {
  return error instanceof Error && PASSING.test(error.message)
}

/** It is alive, and will answer when it has read its files: however long that takes. */
export function isLoading(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('LOADING')
}

/**
 * A pause for everybody, longer each time nothing was answered since the last: who waits goes on in the
 * order of coming, so that what was asked first is asked first again.
 */
export class SharedPause {
  #current: Promise<void> | null = null
  #times = 0

  get current(): Promise<void> | null {
    return this.#current
  }

  begin(): Promise<void> {
    this.#current ??= this.#wait()
    return this.#current
  }

  /** The server does what it is asked. */
  answered(): void {
    this.#times = 0
  }

  async #wait(): Promise<void> {
    const forMs = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** this.#times)
    this.#times = Math.min(this.#times + 1, 10)
    await pause(forMs)
    this.#current = null
  }
}
