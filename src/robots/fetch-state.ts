// What the answer to a request for robots.txt means (RFC 9309, 2.3.1).

export const ROBOTS_STATES = ['fetched', 'unavailable', 'unreachable'] as const
/** `fetched`: obey it. `unavailable`: there is none, all is allowed. `unreachable`: all is forbidden. */
export type RobotsState = (typeof ROBOTS_STATES)[number]

/** A copy may be used for a day at most. */
export const ROBOTS_FRESH_MS = 24 * 60 * 60 * 1000
/** More hops than this: the file counts as unavailable. */
export const ROBOTS_REDIRECTS = 5

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
