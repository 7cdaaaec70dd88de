// Names to addresses, remembered for a while. Judges nothing: that is the route's business.
//
// A look-up has a deadline and a place in a line of its own, so that names which never answer hold up
// neither requests nor, for long, other names. An answer that has become old still serves while its
// name is asked for again, and for some time when that fails.
import { isIP } from 'node:net'
import { isLoopbackName } from '../core/private-access.ts'
import { siteOf } from '../core/url.ts'
import { type Clock, steadyMs } from '../lib/clock.ts'
import { LookupQueue } from './lookup-queue.ts'

/** Addresses in the order to try them, at least one; or the resolver's error code. */
export type Resolution =
  | { readonly addresses: readonly string[] }
  | { readonly addresses: null; readonly code: string }

export type Answer = {
  readonly addresses: readonly string[]
  /** How long it holds, as its name server says. */
  readonly ttlMs?: number
}

/** Asks for the addresses of a name; rejects with an error that has a `code`. */
export type Lookup = (name: string) => Promise<Answer>

export class LookupError extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

export type ResolverOptions = {
  readonly lookup: Lookup
  /** Monotonic. */
  readonly clock?: Clock
  readonly maxEntries?: number
  /** Shorter than 10 s, for tests. */
  readonly deadlineMs?: number
}

type Known = {
  readonly answer: Resolution
  /** From then on it is asked for again. */
  readonly until: number
  /** From then on it is no answer any more. */
  readonly usableUntil: number
}

type Asking = { readonly since: number; readonly answer: Promise<Resolution> }

const MIN_KEEP_MS = 60_000
const MAX_KEEP_MS = 600_000
/** A name that does not exist now may in a moment, and asking again is cheap. */
const KEEP_MISSING_MS = 30_000
const KEEP_BROKEN_MS = 5_000
/** How long an old answer serves while no newer one can be had. */
const STALE_MS = 300_000
const DEADLINE_MS = 10_000
/** While others wait, a name that gives no answer has less time. */
const PRESSED_MS = 3_000
/** Local name servers commonly take 150 questions at once, or some hundreds; there are two for each name. */
const LINE = { total: 256, perSite: 32, waiting: 10_000, waitingPerSite: 256 }
const LOOPBACK: Resolution = { addresses: ['127.0.0.1', '::1'] }
const SILENT: Resolution = { addresses: null, code: 'ETIMEOUT' }
/** Nobody was asked: too many others wait. */
const TURNED_AWAY: Resolution = { addresses: null, code: 'EAGAIN' }
const TURNED_AWAY_MS = 5_000
/** A name that there is not, or that has no address. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export class Resolver {
  readonly #lookup: Lookup
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #deadlineMs: number
  readonly #line = new LookupQueue(LINE)
  readonly #known = new Map<string, Known>()
  readonly #asking = new Map<string, Asking>()

  constructor({ lookup, clock = STEADY, maxEntries = 20_000, deadlineMs }: ResolverOptions) {
    this.#lookup = lookup
    this.#clock = clock
    this.#maxEntries = maxEntries
    this.#deadlineMs = deadlineMs ?? DEADLINE_MS
  }

  /** Never rejects, and takes no longer than its deadline. A name asked for twice is looked up once. */
  async resolve(name: string): Promise<Resolution> {
    return this.known(name) ?? this.#ask(name).answer
  }

  /** The answer that is there without waiting; null when there is none. */
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
   * Waits for a name, but only for a moment: 0 when there is an answer, good or bad, else milliseconds
   * until it is worth looking again. Its look-up goes on meanwhile.
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

  #ask(name: string): Asking {
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

  /** Null when it took too long. */
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
/** Who comes back sooner would mostly find nothing new. */
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
  return error instanceof Error && 'code' in error ? String(error.code) : 'EFAIL'
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
