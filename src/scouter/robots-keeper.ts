// What each origin's robots.txt says: fetched on the host's own clock, kept by the frontier, held
// parsed in memory for the origins in use.
import { setTimeout as wait } from 'node:timers/promises'
import { type HostState, isOutOfReach, type ShutBy } from '../core/host.ts'
import { ROBOTS_TOKEN } from '../core/robots-directives.ts'
import { type CanonicalUrl, canonicalise, originOf } from '../core/url.ts'
import type { Frontier, Lease, RobotsRecord } from '../frontier/frontier.ts'
import type { Fetched } from '../http/fetcher.ts'
import type { Clock } from '../lib/clock.ts'
import { ROBOTS_FRESH_MS, ROBOTS_REDIRECTS } from '../robots/fetch-state.ts'
import {
  NO_FILE,
  type RobotsAnswer,
  robotsAnswer,
  robotsBytesWanted,
  robotsRedirect,
  UNREACHABLE,
} from '../robots/robots-answer.ts'
import { parseRobots, type RobotsRules } from '../robots/rules.ts'
import type { AdaptiveDelay } from './adaptive-delay.ts'
import type { PoliteFetcher } from './polite-fetcher.ts'

/** How long a hop waits for its turn at another host before the file counts as unreachable. */
const HOP_PATIENCE_MS = 120_000
const HOP_POLL_MS = 20
const PARSED_ORIGINS = 2_000

export type RobotsKeeperOptions = {
  readonly frontier: Frontier
  readonly fetcher: PoliteFetcher
  readonly delays: AdaptiveDelay
  readonly clock: Clock
  /** A longer gap than this is not kept: its host is left alone. */
  readonly maxCrawlDelayMs: number
  /** True when no new request may go out. */
  readonly leaving: () => boolean
}

type Kept = { readonly rules: RobotsRules; readonly status: RobotsRecord['status'] | null }

export class RobotsKeeper {
  readonly #options: RobotsKeeperOptions
  readonly #parsed = new Map<string, Kept>()

  constructor(options: RobotsKeeperOptions) {
    this.#options = options
  }

  /** The rules for a page about to be fetched; its origin's robots.txt was leased before it. */
  async rulesFor(url: CanonicalUrl): Promise<RobotsRules> {
    const origin = originOf(url)
    const known = this.#parsed.get(origin)
    if (known !== undefined) return known.rules
    const record = await this.#options.frontier.robots(origin)
    const rules = parseRobots(record?.body ?? '', ROBOTS_TOKEN)
    return this.#remember(origin, { rules, status: record?.status ?? null })
  }

  /**
   * How the files of this host that are in use keep us from its front page; null: they do not, or it
   * is the host that cannot be reached.
   */
  shutBy(host: Pick<HostState, 'host' | 'trouble'>): ShutBy | null {
    const kept = [this.#parsed.get(`http://${host.host}`), this.#parsed.get(`https://${host.host}`)]
    const known = kept.filter((one) => one !== undefined)
    const by = known.map((one) => shutBy(one, host))
    return by.includes(null) ? null : (by[0] ?? null)
  }

  /** Fetches the robots.txt of a lease and keeps what it says. */
  async fetch(lease: Lease): Promise<void> {
    const { frontier, fetcher, clock, delays } = this.#options
    const origin = originOf(lease.url)
    const before = await frontier.robots(origin)
    const first = await fetcher.ask(lease, lease.url, { wants: robotsBytesWanted })
    // What the address guard refuses is refused page by page, for the true reason.
    const answer = first?.outcome === 'refused' ? NO_FILE : await this.#follow(first, lease)
    if (answer === null) {
      await frontier.settle([{ lease, outcome: 'released' }])
      return
    }
    const parsed = parseRobots(answer.body, ROBOTS_TOKEN)
    const rules = this.#remember(origin, { rules: parsed, status: answer.status })
    const now = clock.now()
    const lost = answer.status === 'unreachable'
    const attempts = lost ? (before?.attempts ?? 0) + 1 : 0
    const record: RobotsRecord = {
      origin,
      ...answer,
      fetchedAt: now,
      expiresAt: now + (lost ? delays.backoffMs(attempts, lease) : ROBOTS_FRESH_MS),
      attempts,
      sitemaps: rules.sitemaps
        .map((sitemap) => canonicalise(sitemap, lease.url))
        .filter((sitemap) => sitemap !== null),
    }
    await frontier.saveRobots(lease, record, this.#gapOf(rules) ?? undefined)
  }

  /**
   * Follows redirects of a robots.txt, each hop in its turn on the clock of the host it goes to.
   * Null: nothing was learned, and it must be asked for anew.
   */
  async #follow(first: Fetched | null, visit: Lease): Promise<RobotsAnswer | null> {
    let fetched = first
    let at = visit.url
    for (let hop = 0; ; hop++) {
      if (fetched === null || fetched.outcome === 'stale') return null
      // Cut off by ourselves: nothing was learned of the host.
      if (fetched.outcome === 'failed' && this.#options.leaving()) return null
      const target = robotsRedirect(fetched, at)
      if (target === null) return robotsAnswer(fetched)
      // Too many hops: as if there were no file (RFC 9309).
      if (hop === ROBOTS_REDIRECTS) return NO_FILE
      fetched = await this.#askInTurn(target, visit)
      if (fetched === null && !this.#options.leaving()) return UNREACHABLE
      at = target
    }
  }

  /** Null: there was no turn in time. */
  async #askInTurn(url: CanonicalUrl, visit: Lease): Promise<Fetched | null> {
    const { frontier, fetcher, clock, leaving } = this.#options
    const until = clock.now() + HOP_PATIENCE_MS
    while (clock.now() < until && !leaving()) {
      const lease = await frontier.leaseFor(url)
      const request = { wants: robotsBytesWanted, visit }
      const fetched = lease && (await fetcher.ask(lease, url, request))
      if (fetched !== null) return fetched
      await fetcher.aside(visit, () => wait(HOP_POLL_MS))
    }
    return null
  }

  #remember(origin: string, kept: Kept): RobotsRules {
    const { rules } = kept
    if (this.#parsed.size >= PARSED_ORIGINS) {
      const oldest = this.#parsed.keys().next().value
      if (oldest !== undefined) this.#parsed.delete(oldest)
    }
    this.#parsed.set(origin, kept)
    const gapMs = this.#gapOf(rules)
    if (gapMs !== null) this.#options.delays.heed(origin.slice(origin.indexOf('//') + 2), gapMs)
    return rules
  }

  /** Null: none is asked for, or one so long that nothing of the host is fetched. */
  #gapOf({ crawlDelayMs }: RobotsRules): number | null {
    if (crawlDelayMs === null || crawlDelayMs > this.#options.maxCrawlDelayMs) return null
    return crawlDelayMs
  }
}

function shutBy({ rules, status }: Kept, host: Pick<HostState, 'trouble'>): ShutBy | null {
  if (status === 'unreachable') return isOutOfReach(host) ? null : 'robots-unreachable'
  return rules.allows('/') ? null : 'robots'
}
