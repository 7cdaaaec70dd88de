// How many URLs are in each state, and the state of a host: its health, and when it may be visited again.
import type { Refusal, UrlState } from './visit.ts'

/**
 * The number of URLs in each state. URLs refused because of scope, globs or depth count as `outside`, all
 * other refused URLs as `refused`.
 */
export type UrlCounts = Readonly<Record<UrlState | 'outside', number>>

export const NO_COUNTS: UrlCounts = {
  ...{ queued: 0, leased: 0, stored: 0, duplicate: 0, redirected: 0 },
  ...{ refused: 0, outside: 0, failed: 0 },
}

export type HostState = {
  /** `URL.host`: the name, and the port if it is not the default. */
  readonly host: string
  /** Its registrable domain. */
  readonly site: string
  readonly queued: number
  readonly inFlight: number
  readonly stored: number
  /** Since its last success. */
  readonly failures: number
  /** The last of these failures; '' if there is none. */
  readonly trouble: string
  /** Its robots.txt shuts crawlers out; missing if it was not checked. */
  readonly blocked?: boolean
  readonly delayMs: number
  readonly restsUntil: number
}

/**
 * True if its last failure came before any response: no such name, nobody listening, a timeout. Then its
 * robots.txt is unknown and not the cause.
 */
export function isOutOfReach({ trouble }: Pick<HostState, 'trouble'>): boolean {
  return trouble !== '' && !trouble.startsWith('http-')
}

/** Why robots.txt shuts the crawler out: its rules, or the host responds but does not deliver it. */
export type ShutBy = Extract<Refusal, 'robots' | 'robots-unreachable'>

/** The same host with that reason set. */
export function blockedHost(host: HostState, by: ShutBy): HostState {
  if (by === 'robots') return { ...host, blocked: true }
  const { trouble } = host
  return { ...host, blocked: true, trouble: trouble === '' ? by : `${by}: ${trouble}` }
}
