// The turns that this process has been given.
import type { RequestSlot } from '../host-limiter.ts'

export type SlotListener = {
  readonly started: () => void
  readonly done: (hasStarted: boolean) => void
}

/** Each is called once at most, and `started` never after `done`. */
export function createSlot({ started, done }: SlotListener): RequestSlot {
  let state: 'given' | 'started' | 'done' = 'given'
  return {
    started: () => {
      if (state !== 'given') return
      state = 'started'
      started()
    },
    done: () => {
      if (state === 'done') return
      const hasStarted = state === 'started'
      state = 'done'
      done(hasStarted)
    },
  }
}

/** Hosts at which turns were given and not given back. */
export class HeldHosts {
  readonly #turns = new Map<string, number>()

  add(host: string): void {
    this.#turns.set(host, (this.#turns.get(host) ?? 0) + 1)
  }

  remove(host: string): void {
    const left = (this.#turns.get(host) ?? 1) - 1
    if (left > 0) this.#turns.set(host, left)
    else this.#turns.delete(host)
  }

  hosts(): Iterable<string> {
    return this.#turns.keys()
  }
}
