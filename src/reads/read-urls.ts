// Every URL a crawl has seen, what they came to, and the hosts they are on.

import { blockedHost, type HostState, isOutOfReach, type ShutBy } from '../core/host.ts'
import type { CrawlSettings } from '../core/job.ts'
import { ROBOTS_TOKEN } from '../core/robots-directives.ts'
import type { RobotsRecord } from '../frontier/frontier.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { parseRobots } from '../robots/rules.ts'
import { jobHost } from './host-condition.ts'
import type { JobHost } from './shapes/job.ts'
import type { Reasons, UrlRows } from './shapes/page.ts'
import type { WorkspaceReads } from './workspace-reads.ts'

type UrlOptions = Parameters<WorkspaceReads['urls']>[0]

export async function readUrls(
  urlStates: UrlStates,
  { crawlId: _, limit, ...wanted }: UrlOptions,
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
): Promise<readonly JobHost[]> {
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
