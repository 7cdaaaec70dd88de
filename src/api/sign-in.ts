// Who may ask: whoever has the token, in a header or by a cookie that was given for it. The cookie is
// signed with the token and says until when it holds, so nothing is kept here and a restart signs
// nobody out; a new token signs everybody out.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import { Refusal } from './errors.ts'

export const SESSION_COOKIE = 'jelajah_session'
export const SESSION_MS = 30 * 86_400_000
const WINDOW_MS = 60_000
const MAX_FAILURES = 10
/** Addresses remembered at once: the oldest make room. */
const MAX_ADDRESSES = 10_000

type Failures = { readonly since: number; readonly count: number }

/** What a request shows, and where it is from. */
export type Shown = {
  readonly token: string | null
  readonly cookie: string | null
  readonly address: string
}

export class SignIn {
  readonly #token: string | null
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()

  constructor(token: string | null, clock: Clock) {
    this.#token = token
    this.#clock = clock
  }

  get tokenNeeded(): boolean {
    return this.#token !== null
  }

  /** Throws a `Refusal` when what is shown does not open the door, or was wrong too often. */
  check({ token, cookie, address }: Shown): void {
    if (this.#token === null) return
    if (token === null && cookie === null) throw unauthorised('a token is needed')
    // First: behind a proxy all have one address, and a guesser must not lock out the others.
    if (token !== null ? this.#isToken(token) : this.#isSession(cookie ?? '')) return
    this.#refuseGuesser(address)
    // A cookie that has run out is no guess.
    if (token !== null) this.#noteFailure(address)
    throw unauthorised(token !== null ? 'the token is wrong' : 'the session has ended')
  }

  isSignedIn({ token, cookie }: Shown): boolean {
    if (this.#token === null) return true
    return (token !== null && this.#isToken(token)) || this.#isSession(cookie ?? '')
  }

  /** The value of a cookie that stands for the token from now on. */
  openSession(): string {
    const until = String(this.#clock.now() + SESSION_MS)
    return `${until}.${this.#signature(until)}`
  }

  #isToken(given: string): boolean {
    return isEqual(given, this.#token ?? '')
  }

  #isSession(cookie: string): boolean {
    const [, until, signature] = /^(\d{13,16})\.([\w-]{43})$/.exec(cookie) ?? []
    if (until === undefined || signature === undefined) return false
    return isEqual(signature, this.#signature(until)) && Number(until) > this.#clock.now()
  }

  #signature(until: string): string {
    return createHmac('sha256', this.#token ?? '')
      .update(`session ${until}`)
      .digest('base64url')
  }

  #refuseGuesser(address: string): void {
    const failures = this.#failures.get(address)
    if (failures === undefined || failures.count < MAX_FAILURES) return
    const leftMs = failures.since + WINDOW_MS - this.#clock.now()
    if (leftMs <= 0) {
      this.#failures.delete(address)
      return
    }
    const headers = { 'retry-after': String(Math.ceil(leftMs / 1000)) }
    throw new Refusal(429, 'too many wrong tokens from this address; wait a minute', { headers })
  }

  #noteFailure(address: string): void {
    const now = this.#clock.now()
    const before = this.#failures.get(address)
    const isRecent = before !== undefined && before.since + WINDOW_MS > now
    this.#failures.delete(address)
    this.#failures.set(
      address,
      isRecent ? { ...before, count: before.count + 1 } : { since: now, count: 1 },
    )
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest)
  }
}

function unauthorised(message: string): Refusal {
  return new Refusal(401, message, { headers: { 'www-authenticate': 'Bearer realm="jelajah"' } })
}

/** Takes as long for a near miss as for anything else: both are hashed, and the hashes compared. */
function isEqual(given: string, right: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(right))
}
