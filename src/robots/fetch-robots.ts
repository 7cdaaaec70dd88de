// Fetching a robots.txt: it is the only file whose redirects are followed on the spot, because nothing
// else of its origin may be requested before.
import type { CanonicalUrl } from '../core/url.ts'
import type { Fetched } from '../http/fetcher.ts'
import { NO_FILE, type RobotsAnswer, robotsAnswer, robotsRedirect } from './robots-answer.ts'

/** A copy may be used for a day at most (RFC 9309, 2.4). */
export const ROBOTS_FRESH_MS = 24 * 60 * 60 * 1000
/** After more redirects than this the file counts as unavailable (RFC 9309, 2.3.1.2). */
const MAX_REDIRECTS = 5

/**
 * Sends one request when its host may be asked. `hop`: the number of redirects before it. Null: it was
 * not sent, or its answer says nothing about the host.
 */
export type RequestRobots = (url: CanonicalUrl, hop: number) => Promise<Fetched | null>

/** Null: nothing was learned, and the file must be requested again. */
export async function fetchRobots(
  url: CanonicalUrl,
  request: RequestRobots,
): Promise<RobotsAnswer | null> {
  let at = url
  for (let hop = 0; ; hop++) {
    const fetched = await request(at, hop)
    if (fetched === null || fetched.outcome === 'stale') return null
    // The address guard refuses the host: it will refuse each page, and name the true reason there.
    if (hop === 0 && fetched.outcome === 'refused') return NO_FILE
    const target = robotsRedirect(fetched, at)
    if (target === null) return robotsAnswer(fetched)
    if (hop === MAX_REDIRECTS) return NO_FILE
    at = target
  }
}
