// Authentication: by the token in a header, or by a cookie that was given for it. The cookie is signed with
// the token and contains its expiry, so nothing is stored here and a restart signs nobody out; a new token
// signs everybody out.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import { Refusal } from './errors.ts'

export const SESSION_COOKIE = 'jelajah_session'
export const SESSION_MS = 30 * 86_400_000
const WINDOW_MS = 60_000
const MAX_FAILURES = 10
/** Addresses, and cookies, remembered at once; the oldest are dropped. */
const MAX_ADDRESSES = 10_000

/** `guesses`: hashes of wrong cookies, each of which counts once. */
type Failures = { readonly since: number; count: number; readonly guesses: Set<string> }

/** The credentials of a request, and its address. */
export type Shown = {
  readonly token: string | null
  readonly cookie: string | null
  readonly address: string
}

export class SignIn {
  readonly #token: string | null
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()
  /** Hashes of cookies that were valid before: these are no guesses. */
  readonly #known = new Set<string>()

  constructor(token: string | null, clock: Clock) {
    this.#token = token
    this.#clock = clock
  }

  get tokenNeeded(): boolean {
    return this.#token !== null
  }

  /** Throws a `Refusal` if the credentials are wrong, or were wrong too often. */
  check({ token, cookie, address }: Shown): void {
    if (this.#token === null) return
    if (token !== null) this.#checkToken(token, address)
    else if (cookie !== null) this.#checkSession(cookie, address)
    else throw unauthorised('a token is needed')
  }

  /** Throws only if `check` would refuse because of too many failures. */
  isSignedIn(shown: Shown): boolean {
    try {
      this.check(shown)
      return true
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return false
      throw error
    }
  }

  /** The value of a cookie that replaces the token from now on. */
  openSession(): string {
    const until = String(this.#clock.now() + SESSION_MS)
    return `${until}.${this.#signature(until)}`
  }

  /** After too many guesses, even a right one is refused. */
  #checkToken(token: string, address: string): void {
    this.#refuseGuesser(address)
    if (isEqual(token, this.#token ?? '')) return
    this.#noteFailure(address).count++
    throw unauthorised('the token is wrong')
  }

  /**
   * A cookie is signed with the token, so a wrong cookie may be a guess at it. People who signed in before
   * somebody at the same address began to guess stay signed in.
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
    // An expired cookie is no guess. A wrong one that a browser sends repeatedly counts once.
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

  /** The failures of this minute, to be added to. */
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

function unauthorised(message: string): Refusal {
  return new Refusal(401, message, { headers: { 'www-authenticate': 'Bearer realm="jelajah"' } })
}

/** Constant time: both are hashed, and the hashes are compared. */
function isEqual(given: string, right: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(right))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * What clients are counted by. With IPv6 every client has a whole network of addresses, which is counted as
 * one.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}
