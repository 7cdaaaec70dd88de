// The rules of each origin, parsed once and kept in memory while they are in use.
import { type HostState, isOutOfReach, type ShutBy } from '../core/host.ts'
import { ROBOTS_TOKEN } from '../core/robots-directives.ts'
import { type CanonicalUrl, hostOf, originOf } from '../core/url.ts'
import type { Fetched } from '../http/fetcher.ts'
import {
  NO_FILE,
  type RobotsAnswer,
  type RobotsState,
  robotsAnswer,
  robotsRedirect,
} from './robots-answer.ts'
import { parseRobots, type RobotsRules } from './rules.ts'

const MAX_ORIGINS = 2_000

type RobotsKeeperOptions = {
  /** The robots.txt of this URL's origin; null: nothing is known of it, and all is allowed. */
  readonly load: (url: CanonicalUrl) => Promise<RobotsAnswer | null>
  /** A host that asks for a longer gap is left alone: a crawl of it would never end. */
  readonly maxCrawlDelayMs: number
  /** The robots.txt of this host asks for this gap, and it is kept. */
  readonly onCrawlDelay: (host: string, delayMs: number) => void
}

type KnownRobots = { readonly rules: RobotsRules; readonly status: RobotsState | null }

export class RobotsKeeper {
  readonly #options: RobotsKeeperOptions
  readonly #known = new Map<string, KnownRobots>()
  readonly #loading = new Map<string, Promise<KnownRobots>>()

  constructor(options: RobotsKeeperOptions) {
    this.#options = options
  }

  /** The rules for a URL. Callers that ask for the same origin at once share one load. */
  async rulesFor(url: CanonicalUrl): Promise<KnownRobots> {
    const origin = originOf(url)
    const known = this.#known.get(origin)
    if (known !== undefined) return known
    const loading = this.#loading.get(origin) ?? this.#load(url)
    this.#loading.set(origin, loading)
    return loading.finally(() => this.#loading.delete(origin))
  }

  /** Why a page may not be requested; null when it may. */
  async refusalOf(url: CanonicalUrl): Promise<string | null> {
    const { rules } = await this.rulesFor(url)
    if (!rules.allows(url)) return 'robots'
    const { crawlDelayMs } = rules
    if (crawlDelayMs === null || crawlDelayMs <= this.#options.maxCrawlDelayMs) return null
    return `crawl-delay: robots.txt asks for ${crawlDelayMs / 1000} s`
  }

  /** Takes a new answer in place of the one before. Returns its rules, and the gap to keep if any. */
  save(
    url: CanonicalUrl,
    answer: RobotsAnswer | null,
  ): KnownRobots & { readonly delayMs: number | null } {
    const rules = parseRobots(answer?.body ?? '', ROBOTS_TOKEN)
    const known = { rules, status: answer?.status ?? null }
    if (this.#known.size >= MAX_ORIGINS) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(originOf(url), known)
    const { crawlDelayMs } = rules
    const isKept = crawlDelayMs !== null && crawlDelayMs <= this.#options.maxCrawlDelayMs
    if (isKept) this.#options.onCrawlDelay(hostOf(url), crawlDelayMs)
    return { ...known, delayMs: isKept ? crawlDelayMs : null }
  }

  /**
   * How the robots.txt files of this host that are in use keep us from its front page. Null: they do
   * not, or the host itself cannot be reached.
   */
  shutBy(host: Pick<HostState, 'host' | 'trouble'>): ShutBy | null {
    const both = [this.#known.get(`http://${host.host}`), this.#known.get(`https://${host.host}`)]
    const known = both.filter((one) => one !== undefined)
    const by = known.map((one) => shutBy(one, host))
    return by.includes(null) ? null : (by[0] ?? null)
  }

  async #load(url: CanonicalUrl): Promise<KnownRobots> {
    const answer = await this.#options.load(url)
    // A newer answer may have been saved meanwhile.
    return this.#known.get(originOf(url)) ?? this.save(url, answer)
  }
}

function shutBy({ rules, status }: KnownRobots, host: Pick<HostState, 'trouble'>): ShutBy | null {
  if (status === 'unreachable') return isOutOfReach(host) ? null : 'robots-unreachable'
  return rules.allows('/') ? null : 'robots'
}

/** A copy may be used for a day at most (RFC 9309, 2.4). */
export const ROBOTS_FRESH_MS = 24 * 60 * 60 * 1000
/** After more redirects than this the file counts as unavailable (RFC 9309, 2.3.1.2). */
const MAX_REDIRECTS = 5

/**
 * Sends one request when its host may be asked. `hop`: the number of redirects before it. Null: it was
 * not sent, or its answer says nothing about the host.
 */
type RequestRobots = (url: CanonicalUrl, hop: number) => Promise<Fetched | null>

/**
 * Fetches a robots.txt, the only file whose redirects are followed on the spot, because nothing else of its
 * origin may be requested before. Null: nothing was learned, and the file must be requested again.
 */
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
