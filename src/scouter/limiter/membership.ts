// This process among those that send requests: which others there are, and whether they know of it.
//
// A member that reports sees everybody whose report came before. So of two newcomers at least one sees the
// other; it waits until the other has seen it, too, and says so (`shares`). A member alone writes no rows of
// hosts, and may send requests only for a part of the time for which its report counts: when others take it
// for dead, it has stopped.
import { steadyMs } from '../../lib/clock.ts'
import type { KnownMember, LimiterStorage, Reported } from './storage.ts'

/** Share of the time after which others take it for dead. */
const VALID_SHARE = 2 / 3
/** A report from further in the future was written before the server's clock was set back. */
const SKEW_MS = 1000

type MembershipOptions = {
  readonly storage: LimiterStorage
  readonly time: ServerTime
  readonly name: string
  readonly crawl: string
  readonly leaseMs: number
}

type Sight = {
  /** By `steadyMs`. */
  readonly liveUntil: number
  readonly shares: boolean
}

export class Membership {
  readonly #options: MembershipOptions
  readonly #live = new Map<string, Sight>()
  #dead: ReadonlySet<string> = new Set()
  #floor = 0
  #silentSince = 0
  #reports = 0
  #reportedShares = true
  #sentAt = Number.NEGATIVE_INFINITY
  #sentAtByDay = 0

  constructor(options: MembershipOptions) {
    this.#options = options
  }

  /** Members of other crawls are there. */
  get hasOthers(): boolean {
    return this.#live.size > 0
  }

  /** How many processes of other crawls there are. */
  get others(): number {
    return this.#live.size
  }

  /** Others that count as dead. */
  get dead(): ReadonlySet<string> {
    return this.#dead
  }

  /** Others may have sent a request to any host before this, of which no row says anything. */
  get floor(): number {
    return this.#floor
  }

  /** Others that are there know of this process, and it of them. */
  get isReady(): boolean {
    if (!this.#isHeard) return false
    if (!this.hasOthers) return true
    return this.#reportedShares && [...this.#live.values()].every(({ shares }) => shares)
  }

  /** Requests to hosts without a row went out before this only. */
  wasSilentSince(at: number): void {
    this.#silentSince = Math.max(this.#silentSince, at)
  }

  async report(shares: boolean, isGone = false): Promise<void> {
    const { storage, name, crawl, leaseMs, time } = this.#options
    const [sentAt, sentAtByDay] = [steadyMs(), Date.now()]
    const member = { name, crawl, shares, isGone, silentSince: this.#silentSince }
    const answer = await storage.report(member, isGone ? 0 : leaseMs)
    time.heard(answer.now, sentAt)
    this.#sentAt = sentAt
    this.#sentAtByDay = sentAtByDay
    this.#reportedShares = shares
    // The server has lost its rows: what they said of hosts is unknown.
    if (!answer.wasKnown && this.#reports > 0) this.#raise(time.latest())
    this.#reports++
    this.#see(answer)
  }

  /** The report still counts. The time of day goes on while a machine sleeps, the steady clock does not. */
  get #isHeard(): boolean {
    const validMs = this.#options.leaseMs * VALID_SHARE
    return steadyMs() - this.#sentAt < validMs && Date.now() - this.#sentAtByDay < validMs
  }

  #see({ now, others }: Reported): void {
    const named = new Map(others.map((other) => [other.name, other]))
    for (const [name, { liveUntil }] of this.#live) {
      const isUnknown = !named.has(name) || isFromFuture(named.get(name), now)
      if (!isUnknown || liveUntil <= steadyMs()) this.#live.delete(name)
    }
    const dead = new Set<string>()
    for (const other of others) {
      if (isFromFuture(other, now)) continue
      const isLive = !other.isGone && other.until > now
      if (isLive) this.#live.set(other.name, sightOf(other, now))
      else dead.add(other.name)
      const isUnsaid = !isLive && !other.isGone && !other.shares
      this.#raise(isUnsaid ? other.until : other.silentSince)
    }
    this.#dead = dead
  }

  #raise(floor: number): void {
    this.#floor = Math.max(this.#floor, floor)
  }
}

function sightOf({ until, shares }: KnownMember, now: number): Sight {
  return { liveUntil: steadyMs() + until - now, shares }
}

function isFromFuture(member: KnownMember | undefined, now: number): boolean {
  return member !== undefined && member.at > now + SKEW_MS
}

export interface ServerTime {
  /** Epoch ms; it is not earlier than this. Nothing that is allowed from this time on happens too early. */
  earliest(): number
  /** Epoch ms; it is not later than this. Whatever happened before now happened before this. */
  latest(): number
  /** The server said that it is `now`, in an exchange that began at `sentAt` by `steadyMs`. */
  heard(now: number, sentAt: number): void
}

/**
 * The clock of a server, as this process can know it. An answer says what time it was at some moment
 * between the question and the answer; the time now is therefore known within the length of that exchange.
 */
export class EstimatedTime implements ServerTime {
  #now = 0
  #sentAt = 0
  #gotAt = 0

  earliest(): number {
    return Math.floor(this.#now + steadyMs() - this.#gotAt)
  }

  latest(): number {
    return Math.ceil(this.#now + steadyMs() - this.#sentAt)
  }

  heard(now: number, sentAt: number): void {
    this.#now = now
    this.#sentAt = sentAt
    this.#gotAt = steadyMs()
  }
}
