// One visit, in the order in which it happens: robots.txt, the request, what the answer means, and the
// update, which the parser's receipt brings where there is something to parse.
import { setTimeout as wait } from 'node:timers/promises'
import type { CrawlSettings } from '../core/job.ts'
import { type CanonicalUrl, canonicalise, originOf, type UrlIdentity } from '../core/url.ts'
import type { Frontier, FrontierUpdate, Lease, RobotsRecord } from '../frontier/frontier.ts'
import type { BodyRoom } from '../http/body-reader.ts'
import type { Fetched } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import type { UrlHasher } from '../lib/url-hash.ts'
import type { PluginRequest } from '../plugin/plugin.ts'
import type { RequestHooks } from '../plugin/request-hooks.ts'
import { robotsBytesWanted } from '../robots/robots-answer.ts'
import { fetchRobots, ROBOTS_FRESH_MS, type RobotsKeeper } from '../robots/robots-keeper.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { encodeFound } from '../wire/receipt.ts'
import type { AdaptiveDelay } from './adaptive-delay.ts'
import type { HostTrouble } from './host-trouble.ts'
import type { ParserLink } from './parser-link.ts'
import type { PoliteFetcher } from './polite-fetcher.ts'
import {
  bytesWanted,
  classifyResponse,
  conditionsOf,
  handoverHead,
  revisitResult,
  shareOf,
  type VisitResult,
} from './response.ts'

export type VisitDeps = RobotsVisitDeps & {
  readonly settings: CrawlSettings
  readonly hash: UrlHasher
  readonly identity: UrlIdentity
  readonly bodyRoom: BodyRoom
  readonly trouble: HostTrouble
  readonly parser: Pick<ParserLink, 'handOver'>
  /** All requests were cut off, and the parser's receipts are not waited for any more. */
  readonly isCutOff: () => boolean
  readonly onBytes: (bytes: number) => void
  /** What plug-ins change about requests; left out: nothing. */
  readonly hooks?: Pick<RequestHooks, 'changes'>
}

function asRequest({ url, kind, depth, tries }: Lease): PluginRequest {
  return { url, kind: kind === 'sitemap' ? kind : 'page', depth, tries }
}

/** Nothing was parsed, so nothing was found. */
const NO_LINKS = { found: [], judged: null } as const

export async function visit(lease: Lease, deps: VisitDeps): Promise<void> {
  const { frontier, robots, fetcher, settings, parser } = deps
  if (lease.kind === 'robots') return visitRobots(lease, deps)
  const settle = (update: FrontierUpdate): Promise<void> => settleVisit(lease, update, deps)

  // The robots.txt of the origin had a lease of its own before this one.
  const refusal = settings.ignoreRobots ? null : await robots.refusalOf(lease.url)
  if (refusal !== null) {
    frontier.requestEnded(lease, { ok: true })
    return settle({ lease, outcome: 'refused', reason: refusal, ...NO_LINKS })
  }

  const asked = deps.hooks ? await deps.hooks.changes(asRequest(lease)) : null
  if (asked !== null && 'failed' in asked) {
    frontier.requestEnded(lease, { ok: true })
    return settle({ lease, outcome: 'failed', reason: asked.failed, retryAt: null })
  }
  const conditions = conditionsOf(lease)
  const headers = asked && { headers: { ...asked.headers, ...conditions.headers } }

  const fetched = await fetcher.request(lease, lease.url, {
    wants: bytesWanted(lease.kind, settings),
    share: shareOf(lease.kind, settings, deps.bodyRoom),
    ...(headers ?? conditions),
  })
  if (fetched === null || fetched.outcome === 'stale') return settle({ lease, outcome: 'released' })
  if (fetched.outcome === 'response') deps.onBytes(fetched.wireBytes)

  const isHostFault = deps.trouble.note(lease, fetched)
  const result = classifyResponse(lease, fetched, deps)
  const isForParser = result.outcome === 'fetched' || lease.revisit?.stored === true
  // Cut off, or too late: the parser would not be heard any more.
  if (deps.isCutOff() && (result.outcome === 'failed' || isForParser)) {
    return settle({ lease, outcome: 'released' })
  }

  // The store hears of a stored page first, also where there is nothing to parse.
  const news = newsOfStored(lease, fetched, result)
  if (news !== null) return parser.handOver(lease, news.head, news.body)
  if (result.outcome !== 'fetched') {
    return settle(updateFrom(lease, result, { isHostFault, ...deps }))
  }
  const { response } = result
  parser.handOver(lease, handoverHead(lease, response), response.body)
}

function settleVisit(
  lease: Lease,
  update: FrontierUpdate,
  { frontier, fetcher }: Pick<VisitDeps, 'frontier' | 'fetcher'>,
): Promise<void> {
  return fetcher.endVisit(lease, async () => void (await frontier.settle([update])))
}

type Handover = { readonly head: HandoverHead; readonly body: readonly Uint8Array[] }

/** Null: the page is not stored, or it must be parsed first, or its answer says nothing certain. */
function newsOfStored(
  { revisit, ...lease }: Lease,
  fetched: Fetched,
  result: VisitResult,
): Handover | null {
  if (!revisit?.stored || fetched.outcome !== 'response') return null
  const news = revisitResult(lease.url, fetched.status, result)
  if (news === null) return null
  const { contentHash } = revisit
  const head = { ...handoverHead(lease, fetched), again: { contentHash, came: news.came } }
  return { head, body: [encodeFound(news.found)] }
}

function updateFrom(
  lease: Lease,
  result: Exclude<VisitResult, { outcome: 'fetched' }>,
  deps: Pick<VisitDeps, 'settings' | 'clock' | 'delays'> & { readonly isHostFault: boolean },
): FrontierUpdate {
  switch (result.outcome) {
    case 'refused':
      return { lease, outcome: 'refused', reason: result.reason, ...NO_LINKS }
    case 'redirected':
      return { lease, outcome: 'redirected', to: result.to }
    case 'failed': {
      const { settings, clock, delays, isHostFault } = deps
      const failed = { lease, outcome: 'failed', reason: result.reason } as const
      const isTriedAgain = result.transient && (isHostFault || lease.tries <= settings.retries)
      if (!isTriedAgain) return { ...failed, retryAt: null }
      const retryAt = clock.now() + delays.retryMs(lease.tries)
      return { ...failed, retryAt, ...(isHostFault ? { uncounted: true } : {}) }
    }
  }
}

/** How long a redirect waits for its turn at another host before the file counts as unreachable. */
const TURN_PATIENCE_MS = 120_000
const TURN_POLL_MS = 20

const NO_TURN: Fetched = {
  ...{ outcome: 'failed', reason: 'timeout-total: no turn at the host of the redirect' },
  ...{ transient: true, hostFault: false, startedAt: null, tookMs: TURN_PATIENCE_MS },
}

type RobotsVisitDeps = {
  readonly frontier: Frontier
  readonly fetcher: PoliteFetcher
  readonly robots: RobotsKeeper
  readonly delays: AdaptiveDelay
  readonly clock: Clock
  /** True when no new request may go out. */
  readonly isLeaving: () => boolean
}

/**
 * A visit to a robots.txt: each hop goes out on the clock of the host it leads to, and the frontier keeps
 * what the file says.
 */
async function visitRobots(lease: Lease, deps: RobotsVisitDeps): Promise<void> {
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
  if (answer === null) return settleVisit(lease, { lease, outcome: 'released' }, deps)
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
  await fetcher.endVisit(lease, () => frontier.saveRobots(lease, record, delayMs ?? undefined))
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
