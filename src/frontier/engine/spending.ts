// What requests, bytes and pages of each host and domain have cost, and which have used up a budget. The
// rules are in core/budget.ts. Nothing is refused here: see picking.ts.
import {
  type Budget,
  FORBIDDEN_HOST,
  folderOf,
  noteForbidden,
  nothingSpent,
  overBudget,
  overRequests,
  requestsAllowed,
  type Spent,
  shutFolders,
} from '../../core/budget.ts'
import type { CrawlSettings } from '../../core/job.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { LEAVES_OUT, reasonCode } from '../../core/visit.ts'
import type { FrontierUpdate } from '../frontier.ts'
import type { Host, Site } from './host.ts'
import { REFUSED, type StateNumber, UNREACHABLE } from './states.ts'

/** Statuses that forbid access. */
const FORBIDS: readonly string[] = ['http-401', 'http-403', 'http-451']

/** Reasons that any later run tries again: it may be let in, or have requests left. */
const FOR_NOW: readonly string[] = [FORBIDDEN_HOST, 'budget-requests']

type SpendingOptions = {
  readonly settings: Pick<CrawlSettings, 'hostBudget' | 'domainBudget' | 'maxRequests' | 'maxPages'>
  readonly hosts: Iterable<Host>
  /** Requests of the crawl that other partitions have sent. */
  readonly beside: () => number
}

export class Spending {
  readonly #host: Budget
  readonly #domain: Budget
  readonly #allowed: number
  readonly #bySite = new Map<Site, Spent>()
  readonly #beside: () => number
  #requests = 0
  #isTight = false

  constructor({ settings, hosts, beside }: SpendingOptions) {
    this.#beside = beside
    this.#host = settings.hostBudget
    this.#domain = settings.domainBudget
    this.#allowed = requestsAllowed(settings)
    for (const host of hosts) this.#load(host)
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#requests
  }

  /** Whether any host or domain has used up a budget; if not, no check is needed. */
  get isTight(): boolean {
    return this.#isTight || this.#areRequestsSpent
  }

  get #areRequestsSpent(): boolean {
    return this.#requests + this.#beside() >= this.#allowed
  }

  /** A request to a host has ended. A page that is visited again costs nothing. */
  requestEnded(
    host: Host,
    { bytes = 0, revisit }: { bytes?: number | undefined; revisit: boolean },
  ): void {
    const requests = revisit ? 0 : 1
    this.#add(host, { requests, bytes, cpu: 0 })
  }

  /** A lease of a host was settled; `url` is set for a page. */
  settled(host: Host, update: FrontierUpdate, url: CanonicalUrl | null): void {
    const { outcome } = update
    if (outcome === 'released' || outcome === 'no-room') return
    if ('cpuMs' in update) this.#add(host, { requests: 0, bytes: 0, cpu: update.cpuMs ?? 0 })
    if (url === null) return
    const isNew = outcome === 'stored' || outcome === 'unchanged'
    const isForbidden = outcome === 'failed' && FORBIDS.includes(reasonCode(update.reason))
    for (const spent of this.#spentOf(host)) {
      if (isNew) spent.barren = 0
      else if (!isNoSign(update)) spent.barren += 1
      spent.forbidden = isForbidden ? spent.forbidden + 1 : 0
    }
    if (isForbidden) this.#noteForbidden(host, folderOf(url))
    else if (host.forbidden !== null) host.forbidden.row = []
    this.#look(host)
  }

  /** Why a page of a host within its budget is not requested; null if it may be. */
  shutReason(host: Host, url: CanonicalUrl): string | null {
    const folder = host.forbidden?.shut.length ? folderOf(url) : null
    if (folder === null || !host.forbidden?.shut.includes(folder)) return null
    return `${FORBIDDEN_HOST}: ${this.#host.forbidden} answers in a row below ${folder}`
  }

  /** At a host that has returned pages, a series of forbidden responses first closes some of its folders. */
  #noteForbidden(host: Host, folder: string): void {
    host.forbidden ??= { row: [], shut: [] }
    noteForbidden(host.forbidden, folder)
    const limit = this.#host.forbidden
    if (host.spent === null || limit === 0 || host.spent.forbidden < limit) return
    if (host.stored === 0 || !shutFolders(host.forbidden)) return
    host.spent.forbidden = 0
    this.#isTight = true
  }

  /** Why a host gets no more requests, and the new state of its waiting URLs; null while it does. */
  refusal(host: Host): { readonly reason: string; readonly state: StateNumber } | null {
    const reason = this.#reason(host)
    if (reason === null) return null
    const isForNow = FOR_NOW.includes(reasonCode(reason))
    return { reason, state: isForNow ? UNREACHABLE : REFUSED }
  }

  #reason(host: Host): string | null {
    if (this.#areRequestsSpent) return overRequests(this.#allowed)
    const own = host.spent && overBudget('host', host.spent, this.#host)
    const site = this.#bySite.get(host.site)
    return own ?? (site === undefined ? null : overBudget('domain', site, this.#domain))
  }

  #load(host: Host): void {
    if (host.spent === null) return
    const { requests, bytes, cpu } = host.spent
    host.spent = null
    this.#add(host, { requests, bytes, cpu })
  }

  #add(host: Host, more: Pick<Spent, 'requests' | 'bytes' | 'cpu'>): void {
    this.#requests += more.requests
    for (const spent of this.#spentOf(host)) {
      spent.requests += more.requests
      spent.bytes += more.bytes
      spent.cpu += more.cpu
    }
    this.#look(host)
  }

  #spentOf(host: Host): readonly [Spent, Spent] {
    host.spent ??= nothingSpent()
    const site = this.#bySite.get(host.site) ?? nothingSpent()
    this.#bySite.set(host.site, site)
    return [host.spent, site]
  }

  #look(host: Host): void {
    this.#isTight ||= this.#reason(host) !== null
  }
}

/**
 * The target of a redirect is counted when it is visited, since a whole site may have moved. A page that the
 * crawl's own filters leave out is a page, too; the crawl itself limits how many of those it reads.
 */
function isNoSign(update: FrontierUpdate): boolean {
  if (update.outcome !== 'refused') return update.outcome === 'redirected'
  const code = reasonCode(update.reason)
  return LEAVES_OUT.some((refusal) => refusal === code)
}
