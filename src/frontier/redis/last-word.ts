// What the server last said of the frontier as a whole, and what this session has done since: for those
// who ask without waiting. Moments are the server's here; `outlook` gives them by our clock.
import type { Clock } from '../../lib/clock.ts'
import type { FrontierStatus, Lease } from '../frontier.ts'
import type { Answer } from './calls.ts'
import { between, type Moment, momentOf } from './moment.ts'
import type { OwnLeases } from './own-leases.ts'
import { decodeStanding, type Standing } from './reply.ts'

/** Close to its end nothing more is sent: the clock here may be a little behind. */
const SESSION_MARGIN = 0.2
/** Whether somebody who is held back still is depends on others: ask again. */
const HELD_RECHECK_MS = 200

export type LastWordOptions = {
  readonly own: OwnLeases
  readonly clock: Clock
  readonly clockIsShared: boolean
  readonly sessionMs: number
  /** The server is another one, or was restarted. */
  readonly onMoved: () => void
}

export class LastWord {
  readonly #options: LastWordOptions
  #standing: Standing
  #heardCall: number
  #epoch: number
  /** The server's clock minus ours. */
  #offset = 0
  /** When the last call that was answered went out. */
  #renewedAt: Moment

  constructor(options: LastWordOptions, first: Answer) {
    this.#options = options
    this.#standing = decodeStanding(first.reply.at(-1))
    this.#epoch = this.#standing.epoch
    this.#heardCall = first.call
    this.#renewedAt = first.sentAt
    this.hear(first)
  }

  get standing(): Standing {
    return this.#standing
  }

  /** Every answer ends with how the frontier stands. */
  hear({ call, sentAt, reply }: Answer): void {
    const { own, clock, clockIsShared } = this.#options
    own.heard(call)
    if (call < this.#heardCall) return
    const standing = decodeStanding(reply.at(-1))
    this.#heardCall = call
    this.#standing = standing
    this.#renewedAt = sentAt
    if (standing.isReborn) own.clear()
    if (standing.epoch !== this.#epoch) this.#goOn(standing.epoch)
    if (!clockIsShared) this.#offset = standing.now - clock.now()
  }

  /** What has not gone out yet does not: the server may not know of it. */
  #goOn(epoch: number): void {
    this.#epoch = epoch
    this.#options.own.dropUnstarted()
    this.#options.onMoved()
  }

  /** This moment by the server's clock. */
  get now(): number {
    return this.#options.clock.now() + this.#offset
  }

  /** A moment of ours by the server's clock. */
  serverTime(at: number): number {
    return Math.ceil(at + this.#offset)
  }

  /** Whether the request of a lease may still go out. */
  holds(lease: Lease): boolean {
    const { own, clock, clockIsShared, sessionMs } = this.#options
    const silentMs = between(this.#renewedAt, momentOf(clock, clockIsShared))
    return own.holds(lease) && silentMs < sessionMs * (1 - SESSION_MARGIN)
  }

  outlook(): FrontierStatus {
    const { unsettled, mine, revisits, revisiting, onlyUnreachable, isHeldBack } = this.#standing
    const { endedUntold: ended, readyAt: ownReadyAt } = this.#options.own
    const recheckAt = isHeldBack ? this.now + HELD_RECHECK_MS : Number.POSITIVE_INFINITY
    const readyAt = Math.min(
      ...[this.#standing.readyAt ?? Number.POSITIVE_INFINITY, ownReadyAt, recheckAt],
    )
    return {
      unsettled: Math.max(0, unsettled - ended.all),
      heldByOthers: Math.max(0, unsettled - mine),
      readyAt: readyAt === Number.POSITIVE_INFINITY ? null : readyAt - this.#offset,
      allUnreachable: onlyUnreachable,
      revisits,
      revisiting: Math.max(0, revisiting - ended.revisits),
    }
  }
}
