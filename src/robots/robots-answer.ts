// What the answer to a request for robots.txt brings: where it leads on, or what the file says.
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { Fetched } from '../http/fetcher.ts'
import { decompress } from '../lib/decompress.ts'
import { type RobotsState, robotsStateOf } from './fetch-state.ts'
import { decodeRobots, MAX_ROBOTS_BYTES } from './lines.ts'
import type { RobotsRules } from './rules.ts'

/** `body` is '' unless the file was fetched. */
export type RobotsAnswer = { readonly status: RobotsState; readonly body: string }

export const NO_FILE: RobotsAnswer = { status: 'unavailable', body: '' }
export const UNREACHABLE: RobotsAnswer = { status: 'unreachable', body: '' }

/** How many bytes of such an answer are wanted. */
export function robotsBytesWanted(status: number): number {
  return status >= 200 && status < 300 ? MAX_ROBOTS_BYTES : 0
}

/** Where the file has moved to; null when this is the last word. */
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

/**
 * Why a page may not be asked for; null when it may. A host that asks for a longer gap than the crawl
 * keeps is left alone: a crawl of it would never end.
 */
export function robotsRefusal(
  rules: RobotsRules,
  url: CanonicalUrl,
  maxCrawlDelayMs: number,
): string | null {
  if (!rules.allows(url)) return 'robots'
  const { crawlDelayMs } = rules
  if (crawlDelayMs === null || crawlDelayMs <= maxCrawlDelayMs) return null
  return `crawl-delay: robots.txt asks for ${crawlDelayMs / 1000} s`
}
