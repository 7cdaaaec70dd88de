// A visit to a robots.txt: each hop goes out on the clock of the host it leads to, and the frontier keeps
// what the file says.
import { setTimeout as wait } from 'node:timers/promises'
import { type CanonicalUrl, canonicalise, originOf } from '../core/url.ts'
import type { Frontier, Lease, RobotsRecord } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import { fetchRobots, ROBOTS_FRESH_MS } from '../robots/fetch-robots.ts'
import { robotsBytesWanted } from '../robots/robots-answer.ts'
import type { RobotsKeeper } from '../robots/robots-keeper.ts'
import type { AdaptiveDelay } from './adaptive-delay.ts'
import type { PoliteFetcher } from './polite-fetcher.ts'

/** How long a redirect waits for its turn at another host before the file counts as unreachable. */
const TURN_PATIENCE_MS = 120_000
const TURN_POLL_MS = 20

const NO_TURN: Fetched = {
  ...{ outcome: 'failed', reason: 'timeout-total: no turn at the host of the redirect' },
  ...{ transient: true, hostFault: false, startedAt: null, tookMs: TURN_PATIENCE_MS },
}

export type RobotsVisitDeps = {
  readonly frontier: Frontier
  readonly fetcher: PoliteFetcher
  readonly robots: RobotsKeeper
  readonly delays: AdaptiveDelay
  readonly clock: Clock
  /** True when no new request may go out. */
  readonly isLeaving: () => boolean
}

export async function visitRobots(lease: Lease, deps: RobotsVisitDeps): Promise<void> {
  const { frontier, fetcher, robots, clock, delays, isLeaving } = deps
  const origin = originOf(lease.url)
  const before = await frontier.robots(origin)
  const answer = await fetchRobots(lease.url, async (url, hop) => {
    const fetched =
      hop === 0
        ? await fetcher.request(lease, url, { wants: robotsBytesWanted })
        : await requestHop(url, lease, deps)
    // We cut it off ourselves: it says nothing about the host.
    return fetched?.outcome === 'failed' && isLeaving() ? null : fetched
  })
  if (answer === null) {
    await frontier.settle([{ lease, outcome: 'released' }])
    return
  }
  const { rules, delayMs } = robots.save(lease.url, answer)
  const now = clock.now()
  const isLost = answer.status === 'unreachable'
  const attempts = isLost ? (before?.attempts ?? 0) + 1 : 0
  const record: RobotsRecord = {
    origin,
    ...answer,
    fetchedAt: now,
    expiresAt: now + (isLost ? delays.backoffMs(attempts, lease) : ROBOTS_FRESH_MS),
    attempts,
    sitemaps: rules.sitemaps
      .map((sitemap) => canonicalise(sitemap, lease.url))
      .filter((sitemap) => sitemap !== null),
  }
  await frontier.saveRobots(lease, record, delayMs ?? undefined)
}

/** Requests the target of a redirect when its host has a turn for it. Null: we are leaving. */
async function requestHop(
  url: CanonicalUrl,
  visit: Lease,
  { frontier, fetcher, clock, isLeaving }: RobotsVisitDeps,
): Promise<Fetched | null> {
  const until = clock.now() + TURN_PATIENCE_MS
  while (clock.now() < until && !isLeaving()) {
    const lease = await frontier.leaseFor(url)
    const fetched =
      lease && (await fetcher.request(lease, url, { wants: robotsBytesWanted, visit }))
    if (fetched !== null) return fetched
    await fetcher.withoutSlot(visit, () => wait(TURN_POLL_MS))
  }
  return isLeaving() ? null : NO_TURN
}
