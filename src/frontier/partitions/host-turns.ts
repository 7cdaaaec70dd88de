// Turns at hosts of this program that others have asked for (guest-leases.ts). The host's clock is kept here, as
// for requests of this program: a turn is a lease like any other, and the host is kept free until the request
// is over. A request may begin only while no other program can own the partition, so a turn that its guest or
// its owner did not survive makes nothing impolite.
import { hostOf } from '../../core/url.ts'
import type { Clock, Timers } from '../../lib/clock.ts'
import type { HostFeedback, Lease } from '../frontier.ts'
import type { TurnMail, TurnName } from './mail.ts'
import type { OwnedPartition } from './owned-partition.ts'

/** A host with a turn to come is kept free for longer than this (engine/picking.ts). */
const LOOK_MS = 50
/** How long the guest may take to begin: it hears of its turn with its next report. */
const BEGIN_MS = 5000
/** A guest that still wants its turn has asked again by then. */
const WISH_MS = 15_000
/** What the news that a request is over takes at most, if its guest lives. */
const NEWS_MS = 10_000

type HostTurnsOptions = {
  readonly clock: Clock
  readonly timers: Timers
  /** A request takes no longer. */
  readonly timeoutMs: number
  /** For how long this program certainly owns its partitions. */
  readonly certainMs: () => number
  /** Whether this program still owns it. */
  readonly isOpen: (partition: OwnedPartition) => boolean
  /** Writes what was sent. */
  readonly commit: () => void
  readonly onError: (error: unknown) => void
}

type Wish = { readonly by: OwnedPartition; readonly mail: Wanted; readonly at: number }
type Wanted = Extract<TurnMail, { kind: 'turn-wanted' }>
type Given = { readonly by: OwnedPartition; readonly lease: Lease; readonly until: number }

export class HostTurns {
  readonly #options: HostTurnsOptions
  #wishes: Wish[] = []
  readonly #given = new Map<string, Given>()
  #stop: (() => void) | null = null

  constructor(options: HostTurnsOptions) {
    this.#options = options
  }

  want(by: OwnedPartition, mail: Wanted): void {
    const isSame = ({ mail: { turn, url } }: Wish): boolean =>
      turn.owner === mail.turn.owner && hostOf(url) === hostOf(mail.url)
    this.#wishes = this.#wishes.filter((wish) => !isSame(wish))
    this.#wishes.push({ by, mail, at: this.#options.clock.now() })
    this.#stop ??= this.#options.timers.every(LOOK_MS, () => this.#look())
  }

  over({ turn, isSent, note }: Extract<TurnMail, { kind: 'turn-over' }>): void {
    this.#end(keyOf(turn), isSent, note)
  }

  /** Resolves when nobody may begin a request of a turn any more. */
  async close(): Promise<void> {
    const { clock, timers } = this.#options
    this.#wishes = []
    for (const [key, { until }] of this.#given) {
      while (this.#given.has(key) && clock.now() < until) await timers.sleep(LOOK_MS)
      this.#end(key, true, { ok: true })
    }
    this.abandon()
  }

  abandon(): void {
    this.#stop?.()
    this.#stop = null
  }

  #look(): void {
    try {
      this.#wishes = this.#wishes.filter((wish) => !this.#isServed(wish))
      const { clock, timeoutMs } = this.#options
      for (const [key, { until }] of this.#given) {
        // Its guest is gone: what it did last is unknown.
        if (clock.now() > until + timeoutMs + NEWS_MS) this.#end(key, true, { ok: true })
      }
      if (this.#wishes.length + this.#given.size === 0) this.abandon()
    } catch (error) {
      this.abandon()
      this.#options.onError(error)
    }
  }

  /** Whether the wish needs no further look. A guest that gets no answer asks again. */
  #isServed({ by, mail: { turn, url }, at }: Wish): boolean {
    const { clock, certainMs, isOpen, commit } = this.#options
    if (!isOpen(by) || by.isLeaving || clock.now() > at + WISH_MS) return true
    const beginMs = Math.min(BEGIN_MS, certainMs())
    const lease = beginMs <= 0 ? null : by.engine.leaseFor(url)
    if (lease === null) return false
    const until = clock.now() + beginMs
    this.#given.set(keyOf(turn), { by, lease, until })
    by.send(turn.partition, { kind: 'turn', turn, lease, until })
    commit()
    return true
  }

  #end(key: string, isSent: boolean, note: HostFeedback): void {
    const given = this.#given.get(key)
    this.#given.delete(key)
    if (given === undefined || !this.#options.isOpen(given.by)) return
    const { engine } = given.by
    // It went out before now, so the gap from now on is long enough.
    if (isSent) engine.requestSent(given.lease)
    engine.requestEnded(given.lease, note)
  }
}

function keyOf({ owner, nth }: TurnName): string {
  return `${owner} ${nth}`
}
