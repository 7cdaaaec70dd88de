// Resolves names to addresses and caches them. It does not judge addresses; the route does.
//
// A lookup has a deadline and a place in a queue, so that names which never answer hold up neither requests
// nor, for long, other names. An expired answer is still used while its name is looked up again, and for some
// time if that fails.
import { isIP } from 'node:net'
import { isLoopbackName } from '../core/private-access.ts'
import { siteOf } from '../core/url.ts'
import { type Clock, steadyMs } from '../lib/clock.ts'
import { errorCode } from '../lib/present.ts'

/** At least one address, in the order to try; or the resolver's error code. */
type Resolution =
  | { readonly addresses: readonly string[] }
  | { readonly addresses: null; readonly code: string }

export type Answer = {
  readonly addresses: readonly string[]
  /** The TTL from the name server. */
  readonly ttlMs?: number
}

/** Looks up the addresses of a name; rejects with an error that has a `code`. */
export type Lookup = (name: string) => Promise<Answer>

export class LookupError extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

type ResolverOptions = {
  readonly lookup: Lookup
  /** Monotonic. */
  readonly clock?: Clock
  readonly maxEntries?: number
  /** Shorter than 10 s, for tests. */
  readonly deadlineMs?: number
}

type Known = {
  readonly answer: Resolution
  /** From this time on, the name is looked up again. */
  readonly until: number
  /** From this time on, the answer is not used any more. */
  readonly usableUntil: number
}

type PendingLookup = { readonly since: number; readonly answer: Promise<Resolution> }

const MIN_KEEP_MS = 60_000
const MAX_KEEP_MS = 600_000
/** A missing name may exist soon, and a lookup is cheap. */
const KEEP_MISSING_MS = 30_000
const KEEP_BROKEN_MS = 5_000
/** How long an expired answer is used while no newer one is available. */
const STALE_MS = 300_000
const DEADLINE_MS = 10_000
/** While others wait, a silent name has less time. */
const PRESSED_MS = 3_000
/** Local name servers commonly take 150 queries at once, or some hundreds; each name needs two. */
const LINE = { total: 256, perSite: 32, waiting: 10_000, waitingPerSite: 256 }
const LOOPBACK: Resolution = { addresses: ['127.0.0.1', '::1'] }
const SILENT: Resolution = { addresses: null, code: 'ETIMEOUT' }
/** No lookup was made: too many others wait. */
const TURNED_AWAY: Resolution = { addresses: null, code: 'EAGAIN' }
const TURNED_AWAY_MS = 5_000
/** The name does not exist, or has no address. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export class Resolver {
  readonly #lookup: Lookup
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #deadlineMs: number
  readonly #line = new LookupQueue(LINE)
  readonly #known = new Map<string, Known>()
  readonly #asking = new Map<string, PendingLookup>()

  constructor({ lookup, clock = STEADY, maxEntries = 20_000, deadlineMs }: ResolverOptions) {
    this.#lookup = lookup
    this.#clock = clock
    this.#maxEntries = maxEntries
    this.#deadlineMs = deadlineMs ?? DEADLINE_MS
  }

  /** Never rejects, and takes no longer than its deadline. Concurrent calls for a name share one lookup. */
  async resolve(name: string): Promise<Resolution> {
    return this.known(name) ?? this.#ask(name).answer
  }

  /** The answer available without waiting; null if there is none. */
  known(name: string): Resolution | null {
    if (isIP(name) !== 0) return { addresses: [name] }
    if (isLoopbackName(name)) return LOOPBACK
    const known = this.#known.get(name)
    const now = this.#clock.now()
    if (known === undefined || now >= known.usableUntil) return null
    if (now >= known.until) this.#ask(name)
    return known.answer
  }

  /**
   * Waits briefly for a name. Returns 0 if there is an answer, good or bad, else the milliseconds until a
   * retry is worthwhile. The lookup continues meanwhile.
   */
  async await(name: string, forMs: number): Promise<number> {
    if (this.known(name) !== null) return 0
    const { since, answer } = this.#ask(name)
    const leftMs = since + forMs - this.#clock.now()
    if (leftMs > 0) await orNullAfter(answer, leftMs)
    if (this.known(name) !== null) return 0
    if (!this.#asking.has(name)) return TURNED_AWAY_MS
    const ageMs = this.#clock.now() - since
    return Math.max(MIN_REST_MS, Math.min(ageMs, this.#deadlineMs - ageMs + MIN_REST_MS))
  }

  #ask(name: string): PendingLookup {
    const asked = this.#asking.get(name)
    if (asked !== undefined) return asked
    const answer = this.#answerFor(name).then((found) => {
      this.#asking.delete(name)
      return this.#keep(name, found)
    })
    const asking = { since: this.#clock.now(), answer }
    this.#asking.set(name, asking)
    return asking
  }

  async #answerFor(name: string): Promise<Answer | Resolution> {
    const site = siteOf(name)
    if (!(await this.#line.enter(site))) return TURNED_AWAY
    try {
      const asked = this.#lookup(name).then(orNone, (error) => ({
        addresses: null,
        code: codeOf(error),
      }))
      return (await this.#inTime(asked)) ?? SILENT
    } finally {
      this.#line.leave(site)
    }
  }

  /** Null if it took too long. */
  async #inTime<T>(asked: Promise<T>): Promise<T | null> {
    const soonMs = Math.min(PRESSED_MS, this.#deadlineMs)
    const soon = await orNullAfter(asked, soonMs)
    if (soon !== null || this.#line.isPressed) return soon
    return orNullAfter(asked, this.#deadlineMs - soonMs)
  }

  #keep(name: string, found: Answer | Resolution): Resolution {
    if (found === TURNED_AWAY) return TURNED_AWAY
    const now = this.#clock.now()
    const before = this.#known.get(name)
    const isBroken = found.addresses === null && !MISSING.has(found.code)
    if (isBroken && before?.answer.addresses && now < before.usableUntil) {
      this.#remember(name, { ...before, until: now + KEEP_BROKEN_MS })
      return before.answer
    }
    const answer = found.addresses === null ? found : { addresses: found.addresses }
    const until = now + keepMs(found)
    this.#remember(name, {
      answer,
      until,
      usableUntil: answer.addresses === null ? until : until + STALE_MS,
    })
    return answer
  }

  #remember(name: string, known: Known): void {
    this.#known.delete(name)
    if (this.#known.size >= this.#maxEntries) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(name, known)
  }
}

const STEADY: Clock = { now: steadyMs }
/** An earlier retry would mostly find nothing new. */
const MIN_REST_MS = 500

function orNone(answer: Answer): Answer | Resolution {
  return answer.addresses.length > 0 ? answer : { addresses: null, code: 'ENODATA' }
}

function keepMs(found: Answer | Resolution): number {
  if (found.addresses === null) return MISSING.has(found.code) ? KEEP_MISSING_MS : KEEP_BROKEN_MS
  const ttlMs = 'ttlMs' in found ? (found.ttlMs ?? 0) : 0
  return Math.min(MAX_KEEP_MS, Math.max(MIN_KEEP_MS, ttlMs))
}

export function codeOf(error: unknown): string {
  return errorCode(error) || 'EFAIL'
}

function orNullAfter<T>(asked: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms)
    void asked.then((found) => {
      clearTimeout(timer)
      resolve(found)
    })
  })
}

type LookupQueueOptions = {
  readonly total: number
  /** The share of `total` for names under one registrable domain. */
  readonly perSite: number
  /** Lookups are rejected if this many wait already, in total or for their own site. */
  readonly waiting: number
  readonly waitingPerSite: number
}

/**
 * Limits concurrent DNS lookups. Names under one domain share its name servers, so a domain with silent
 * servers can occupy only some of the slots. Waiting domains are served in turns.
 */
class LookupQueue {
  readonly #options: LookupQueueOptions
  readonly #busy = new Map<string, number>()
  readonly #waiting = new Map<string, (() => void)[]>()
  #total = 0
  #length = 0

  constructor(options: LookupQueueOptions) {
    this.#options = options
  }

  /** True while lookups wait. */
  get isPressed(): boolean {
    return this.#length > 0
  }

  /** Resolves with true when a slot is free, which `leave` releases; with false if too many wait. */
  async enter(site: string): Promise<boolean> {
    if (this.#mayGo(site)) {
      this.#take(site)
      return true
    }
    const line = this.#waiting.get(site) ?? []
    const { waiting, waitingPerSite } = this.#options
    if (this.#length >= waiting || line.length >= waitingPerSite) return false
    this.#length++
    this.#waiting.set(site, line)
    await new Promise<void>((resolve) => line.push(resolve))
    return true
  }

  leave(site: string): void {
    const busy = (this.#busy.get(site) ?? 1) - 1
    if (busy === 0) this.#busy.delete(site)
    else this.#busy.set(site, busy)
    this.#total--
    this.#callNext()
  }

  /** At most `total / perSite` sites are at their limit, so a few steps find one that is not. */
  #callNext(): void {
    for (const [site, line] of this.#waiting) {
      if (!this.#mayGo(site)) continue
      const next = line.shift()
      // Moves the site to the end, so that each site has its turn.
      this.#waiting.delete(site)
      if (line.length > 0) this.#waiting.set(site, line)
      if (next === undefined) continue
      this.#length--
      this.#take(site)
      next()
      return
    }
  }

  #mayGo(site: string): boolean {
    const { total, perSite } = this.#options
    return this.#total < total && (this.#busy.get(site) ?? 0) < perSite
  }

  #take(site: string): void {
    this.#total++
    this.#busy.set(site, (this.#busy.get(site) ?? 0) + 1)
  }
}
