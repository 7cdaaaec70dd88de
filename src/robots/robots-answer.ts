// What the answer to a request for robots.txt means (RFC 9309, 2.3.1): where the file moved to, or what
// it says.
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { Fetched } from '../http/fetcher.ts'
import { decompress } from '../lib/decompress.ts'
import { decodeRobots, MAX_ROBOTS_BYTES } from './lines.ts'

/** `fetched`: obey it. `unavailable`: there is none, all is allowed. `unreachable`: all is forbidden. */
export type RobotsState = 'fetched' | 'unavailable' | 'unreachable'

/** `body` is '' unless the file was fetched. */
export type RobotsAnswer = { readonly status: RobotsState; readonly body: string }

export const NO_FILE: RobotsAnswer = { status: 'unavailable', body: '' }
const UNREACHABLE: RobotsAnswer = { status: 'unreachable', body: '' }

/**
 * The state for an HTTP status, or for null: no answer at all (DNS, connection, time-out, TLS, a
 * body cut short). A host that says "too many requests" is in distress like one that says 5xx. A
 * redirect that could not be followed says nothing about the rules, so nothing is allowed by it.
 */
export function robotsStateOf(status: number | null): RobotsState {
  if (status === null || status === 429) return 'unreachable'
  if (status >= 200 && status < 300) return 'fetched'
  return status >= 400 && status < 500 ? 'unavailable' : 'unreachable'
}

/** How many bytes of such an answer are wanted. */
export function robotsBytesWanted(status: number): number {
  return status >= 200 && status < 300 ? MAX_ROBOTS_BYTES : 0
}

/** Where the file has moved to; null when it has not. */
export function robotsRedirect(fetched: Fetched, base: CanonicalUrl): CanonicalUrl | null {
  if (fetched.outcome !== 'response' || fetched.status < 300 || fetched.status > 399) return null
  const { location } = fetched.headers
  return location === null ? null : canonicalise(location, base)
}

export function robotsAnswer(fetched: Fetched): RobotsAnswer {
  if (fetched.outcome !== 'response') return UNREACHABLE
  const status = robotsStateOf(fetched.status)
  if (status !== 'fetched') return { status, body: '' }
  const { headers, body } = fetched
  const decoded = decompress(Buffer.concat(body), headers.contentEncoding, MAX_ROBOTS_BYTES)
  return decoded.ok ? { status, body: decodeRobots(decoded.bytes) } : UNREACHABLE
}
