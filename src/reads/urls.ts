// URLs that a crawl has seen, how many ended for which reason, and how their hosts are doing.
import { blockedHost, type HostState, isOutOfReach, type ShutBy } from '../core/host.ts'
import type { CrawlSettings } from '../core/job.ts'
import { ROBOTS_TOKEN } from '../core/robots-directives.ts'
import type { UrlState } from '../core/visit.ts'
import type { RobotsRecord } from '../frontier/frontier.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { parseRobots } from '../robots/rules.ts'
import type { HOST_CONDITIONS, JobHost } from './shapes/job.ts'
import type { Reasons, UrlRows } from './shapes/page.ts'

/** `code`: of the reason. */
export type UrlQuery = {
  readonly after: number
  readonly limit: number
  readonly state?: UrlState
  readonly code?: string
}

export async function readUrls(
  urlStates: UrlStates,
  { limit, ...wanted }: UrlQuery,
): Promise<UrlRows> {
  const found = await urlStates.list({ ...wanted, limit: limit + 1 })
  const urls = found.slice(0, limit).map((row) => ({
    position: row.position,
    url: row.url,
    host: row.host,
    state: row.state,
    reason: row.reason,
    depth: row.depth,
    found_on: row.foundOn,
    priority: row.priority,
    tries: row.tries,
    next_at: row.nextAt === null ? null : Math.round(row.nextAt),
  }))
  return { urls, next: found.length > limit ? (urls.at(-1)?.position ?? null) : null }
}

export async function readReasons(urlStates: UrlStates): Promise<Reasons> {
  return { reasons: (await urlStates.outcomes()).map((outcome) => ({ ...outcome })) }
}

export async function readHosts(
  urlStates: Pick<UrlStates, 'hosts' | 'robots'>,
  { ignoreRobots }: Pick<CrawlSettings, 'ignoreRobots'>,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<JobHost[]> {
  const hosts: JobHost[] = []
  for (const host of await urlStates.hosts(limit)) {
    const by = ignoreRobots ? null : await shutBy(urlStates, host)
    hosts.push(jobHost(by === null ? host : blockedHost(host, by), now))
  }
  return hosts
}

/**
 * How all we know of its robots.txt shuts us out; null: it does not. One that forbids the front page
 * and allows what we have stored does not.
 */
async function shutBy(
  urlStates: Pick<UrlStates, 'robots'>,
  host: HostState,
): Promise<ShutBy | null> {
  const by: (ShutBy | null)[] = []
  for (const scheme of ['http', 'https']) {
    const record = await urlStates.robots(`${scheme}://${host.host}`)
    if (record !== null) by.push(shutByRecord(record, host))
  }
  return by.includes(null) ? null : (by[0] ?? null)
}

function shutByRecord({ status, body }: RobotsRecord, host: HostState): ShutBy | null {
  if (status === 'unreachable') return isOutOfReach(host) ? null : 'robots-unreachable'
  if (status !== 'fetched' || host.stored > 0) return null
  return parseRobots(body, ROBOTS_TOKEN).allows('/') ? null : 'robots'
}

type HostCondition = (typeof HOST_CONDITIONS)[number]

export function hostCondition(host: HostState, now: number): HostCondition {
  const isTroubled = host.failures > 0
  if (host.inFlight > 0) return 'busy'
  if (host.blocked === true) return 'blocked'
  if (host.queued === 0) return isTroubled ? 'troubled' : 'done'
  if (host.restsUntil > now) return isTroubled ? 'slow' : 'waiting'
  return isTroubled ? 'troubled' : 'ready'
}

export function jobHost(host: HostState, now: number): JobHost {
  return {
    host: host.host,
    site: host.site,
    condition: hostCondition(host, now),
    queued: host.queued,
    in_flight: host.inFlight,
    stored: host.stored,
    failures: host.failures,
    trouble: host.trouble,
    // Clocks may have fractions; the shape has none.
    delay_ms: Math.round(host.delayMs),
    rests_until: Math.round(host.restsUntil),
  }
}
