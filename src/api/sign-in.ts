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
/** Addresses, and cookies, remembered at once: the oldest make room. */
const MAX_ADDRESSES = 10_000

/** `guesses`: hashes of wrong cookies, each of which counts once. */
type Failures = { readonly since: number; count: number; readonly guesses: Set<string> }

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
  /** Hashes of cookies that were good before: these are no guesses. */
  readonly #known = new Set<string>()

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
    if (token !== null) this.#checkToken(token, address)
    else if (cookie !== null) this.#checkSession(cookie, address)
    else throw unauthorised('a token is needed')
  }

  /** Throws only where `check` would answer that it was wrong too often. */
  isSignedIn(shown: Shown): boolean {
    try {
      this.check(shown)
      return true
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return false
      throw error
    }
  }

  /** The value of a cookie that stands for the token from now on. */
  openSession(): string {
    const until = String(this.#clock.now() + SESSION_MS)
    return `${until}.${this.#signature(until)}`
  }

  /** Whoever guessed too often is not told either when a guess is right. */
  #checkToken(token: string, address: string): void {
    this.#refuseGuesser(address)
    if (isEqual(token, this.#token ?? '')) return
    this.#noteFailure(address).count++
    throw unauthorised('the token is wrong')
  }

  /**
   * A cookie is signed with the token, so that a wrong one may be a guess at it. People who signed in
   * before somebody behind the same address began to guess stay signed in.
   */
  #checkSession(cookie: string, address: string): void {
    const name = hashOf(cookie)
    const isKnown = this.#known.delete(name)
    if (!isKnown) this.#refuseGuesser(address)
    const [, until = '', signature = ''] = /^(\d{13,16})\.([\w-]{43})$/.exec(cookie) ?? []
    const isSigned = isEqual(signature, this.#signature(until))
    if (isSigned && Number(until) > this.#clock.now()) {
      this.#remember(name)
      return
    }
    // One that has run out is no guess, and one that a browser sends again and again is one.
    if (!isSigned) {
      const failures = this.#noteFailure(address)
      if (!failures.guesses.has(name)) failures.count++
      failures.guesses.add(name)
    }
    throw unauthorised('the session has ended')
  }

  #remember(cookie: string): void {
    this.#known.add(cookie)
    const [oldest] = this.#known
    if (this.#known.size > MAX_ADDRESSES && oldest !== undefined) this.#known.delete(oldest)
  }

  #signature(until: string): string {
    return createHmac('sha256', this.#token ?? '')
      .update(`session ${until}`)
      .digest('base64url')
  }

  #refuseGuesser(address: string): void {
    const failures = this.#failures.get(networkOf(address))
    if (failures === undefined || failures.count < MAX_FAILURES) return
    const leftMs = failures.since + WINDOW_MS - this.#clock.now()
    if (leftMs <= 0) return
    const headers = { 'retry-after': String(Math.ceil(leftMs / 1000)) }
    throw new Refusal(429, 'too many wrong tokens from this address; wait a minute', { headers })
  }

  /** Those of this minute, to be added to. */
  #noteFailure(address: string): Failures {
    const now = this.#clock.now()
    const network = networkOf(address)
    const before = this.#failures.get(network)
    const isRecent = before !== undefined && before.since + WINDOW_MS > now
    const failures = isRecent ? before : { since: now, count: 0, guesses: new Set<string>() }
    this.#failures.delete(network)
    this.#failures.set(network, failures)
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest)
    return failures
  }
}

/** Of IPv6 everybody has a whole network of addresses: they are counted as one. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}

function unauthorised(message: string): Refusal {
  return new Refusal(401, message, { headers: { 'www-authenticate': 'Bearer realm="jelajah"' } })
}

/** Takes as long for a near miss as for anything else: both are hashed, and the hashes compared. */
function isEqual(given: string, right: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(right))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
