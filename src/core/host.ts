// A host as people see it: how it is doing, and when it may be visited again.
import type { Refusal, UrlState } from './visit.ts'

/**
 * How many URLs are in each state. Those refused because scope, globs or depth leave them out are
 * counted as `outside`, all other refused ones as `refused`.
 */
export type UrlCounts = Readonly<Record<UrlState | 'outside', number>>

export const NO_COUNTS: UrlCounts = {
  ...{ queued: 0, leased: 0, stored: 0, duplicate: 0, redirected: 0 },
  ...{ refused: 0, outside: 0, failed: 0 },
}

export type HostState = {
  /** `URL.host`: the name, and the port where it is not the scheme's own. */
  readonly host: string
  /** Its registrable domain. */
  readonly site: string
  readonly queued: number
  readonly inFlight: number
  readonly stored: number
  /** Since its last success. */
  readonly failures: number
  /** What the last of these failures was; '' when there is none. */
  readonly trouble: string
  /** Its robots.txt keeps us out; left out where nobody looked. */
  readonly blocked?: boolean
  readonly delayMs: number
  readonly restsUntil: number
}

/**
 * True when its last failure came before any answer: no such name, nobody listening, no word in time.
 * What its robots.txt says is not known then, and not what keeps us out.
 */
export function isOutOfReach({ trouble }: Pick<HostState, 'trouble'>): boolean {
  return trouble !== '' && !trouble.startsWith('http-')
}

/** What of a robots.txt keeps us out: what it says, or that the host answers and does not give it out. */
export type ShutBy = Extract<Refusal, 'robots' | 'robots-unreachable'>

/** The same host with that said of it. */
export function blockedHost(host: HostState, by: ShutBy): HostState {
  if (by === 'robots') return { ...host, blocked: true }
  const { trouble } = host
  return { ...host, blocked: true, trouble: trouble === '' ? by : `${by}: ${trouble}` }
}
