// A host as people see it: how it is doing, and when it may be visited again.
import type { UrlState } from './visit.ts'

/** How many URLs are in each state. */
export type UrlCounts = Readonly<Record<UrlState, number>>

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
  /** Its robots.txt keeps us out or could not be had; left out where nobody looked. */
  readonly blocked?: boolean
  readonly delayMs: number
  readonly restsUntil: number
}
