// The queues of hosts while no other crawl is there: in memory, so that a request costs nothing. Those of the
// last minute are written down when another crawl comes; of all others that crawl learns only that they are
// older.
import type { RequestSlot } from '../host-limiter.ts'
import { emptyLine, type HostQueue, setBack, tidy } from '../host-limiter-rules.ts'
import type { HostRow } from './storage.ts'

/** Hardly any crawl keeps a longer delay. One that does asks the rows of hosts all the same. */
export const REMEMBERED_MS = 60_000

/** A row that was used later than this from now was written before the server's clock was set back. */
export const SKEW_MS = 1000

type Lone = { readonly queue: HostQueue; usedAt: number }

export class LoneQueues {
  /** The one used last is the last. */
  #queues = new Map<string, Lone>()
  #since = 0

  /** From now on this process is alone. */
  begin(rows: readonly HostRow[], now: number): void {
    this.#since = now
    this.#queues = new Map()
    for (const row of rows) this.add(row, now)
  }

  has(host: string): boolean {
    return this.#queues.has(host)
  }

  add({ host, queue, usedAt }: HostRow, now: number): void {
    if (usedAt - now > SKEW_MS) setBack(queue, usedAt - now)
    this.#queues.set(host, { queue, usedAt: now })
  }

  of(host: string, now: number): HostQueue {
    const { queue } = this.#queues.get(host) ?? { queue: emptyLine() }
    tidy(queue, now)
    this.#queues.delete(host)
    this.#queues.set(host, { queue, usedAt: now })
    return queue
  }

  /** Forgets what is older than a minute; a host that rests or is being asked is kept. */
  prune(now: number): void {
    for (const [host, { queue, usedAt }] of this.#queues) {
      if (usedAt >= now - REMEMBERED_MS) return
      tidy(queue, now)
      this.#queues.delete(host)
      const isOver = queue.shares.length === 0 && queue.restsUntil <= now
      if (!isOver) this.#queues.set(host, { queue, usedAt: now })
    }
  }

  /** All of them, and since when hosts that are not among them were left alone. */
  end(now: number): {
    readonly queues: ReadonlyMap<string, HostQueue>
    readonly silentSince: number
  } {
    const queues = new Map([...this.#queues].map(([host, { queue }]) => [host, queue] as const))
    this.#queues = new Map()
    const remembered = now - REMEMBERED_MS
    return { queues, silentSince: remembered > this.#since ? remembered : 0 }
  }
}

type SlotListener = {
  readonly requestSent: () => void
  readonly done: (hasStarted: boolean) => void
}

/** Each is called once at most, and `requestSent` never after `done`. */
export function createSlot({ requestSent, done }: SlotListener): RequestSlot {
  let state: 'given' | 'started' | 'done' = 'given'
  return {
    requestSent: () => {
      if (state !== 'given') return
      state = 'started'
      requestSent()
    },
    done: () => {
      if (state === 'done') return
      const hasStarted = state === 'started'
      state = 'done'
      done(hasStarted)
    },
  }
}

/** Hosts at which slots were given and not given back. */
export class HeldHosts {
  readonly #slots = new Map<string, number>()

  add(host: string): void {
    this.#slots.set(host, (this.#slots.get(host) ?? 0) + 1)
  }

  remove(host: string): void {
    const left = (this.#slots.get(host) ?? 1) - 1
    if (left > 0) this.#slots.set(host, left)
    else this.#slots.delete(host)
  }

  hosts(): Iterable<string> {
    return this.#slots.keys()
  }
}
