// Applies updates: each moves one URL into its next state and adds its links. It runs inside a
// transaction; nothing here begins or ends one.
import type { Found } from '../../core/link.ts'
import { type Sight, textHash } from '../../core/template.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { NOT_AMONG_BEST, type RoleChange, reasonCode } from '../../core/visit.ts'
import type { Clock } from '../../lib/clock.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { FrontierUpdate } from '../frontier.ts'
import type { Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { ActiveLease, Leases } from './leases.ts'
import { type LinkIntake, MAX_HOPS } from './link-intake.ts'
import type { OrderingFeedback } from './ordering-feedback.ts'
import type { RedirectLoops } from './redirect-loops.ts'
import type { Retries } from './retries.ts'
import { notRefreshed, type Revisits } from './revisits.ts'
import type { UrlRow } from './rows.ts'
import type { SeenUrls } from './seen-urls.ts'
import type { Sitemaps } from './sitemaps.ts'
import type { Spending } from './spending.ts'
import type { StateCounts } from './state-counts.ts'
import * as states from './states.ts'
import type { TrapBudget } from './trap-budget.ts'
import type { UrlTable } from './url-table.ts'

type SettlingOptions = {
  readonly clock: Clock
  readonly hashUrl: UrlHasher
  readonly urls: UrlTable
  readonly seen: SeenUrls
  readonly hosts: Hosts
  readonly leases: Leases
  readonly stateCounts: StateCounts
  readonly retries: Retries
  readonly sitemaps: Sitemaps
  readonly revisits: Revisits
  readonly templates: TrapBudget
  readonly intake: LinkIntake
  readonly loops: RedirectLoops
  readonly feedback: OrderingFeedback
  readonly spending: Spending
}

/** A page taken out of the frontier, for good or for a while. */
type Leaving = {
  readonly id: number
  readonly from: states.StateNumber
  readonly origin: Origin
  readonly active: ActiveLease | undefined
  /** The tries that count, if not those of the lease. */
  readonly tries?: number
  /** It was settled before this recrawl. */
  readonly revisit: boolean
}

/** An update that ends its lease. */
type Whole = Exclude<FrontierUpdate, { outcome: 'part' }>
type Outcome<T extends FrontierUpdate['outcome']> = Extract<FrontierUpdate, { outcome: T }>

export class Settling {
  readonly #parts: SettlingOptions

  constructor(options: SettlingOptions) {
    this.#parts = options
  }

  /** False if the lease is no longer held. */
  settle(update: FrontierUpdate): boolean {
    if (update.outcome === 'part') return this.#takePart(update)
    const { kind, token } = update.lease
    if (kind === 'page' && token === null) return this.#settleDurable(update)
    const active = this.#parts.leases.claim(update.lease)
    if (active === undefined) return false
    if (kind === 'page') return this.#settlePage(update, active)
    this.#parts.leases.settle(active)
    this.#parts.hosts.touch(active.origin.host)
    this.#parts.spending.settled(active.origin.host, update, null)
    if (kind === 'sitemap') this.#settleSitemap(update, active)
    return true
  }

  /** A page that the store has reported, identified by its URL if that is given. */
  #settleDurable(update: Whole): boolean {
    const { lease } = update
    const id = lease.url === undefined ? lease.id : this.#known(lease.url, lease.depth)
    const named = { ...update, lease: { ...lease, id } }
    const isSettled = this.#settlePage(named, this.#parts.leases.claim(named.lease))
    const origin = isSettled ? this.#originOf(this.#parts.urls.read(id)) : null
    if (origin?.robots === 'unknown') this.#parts.sitemaps.askAgain(origin)
    return isSettled
  }

  /**
   * The id of a URL whose page is in the store; adds it if it is unknown. 0 if it is unknown and `depth` is
   * missing.
   */
  #known(url: CanonicalUrl, depth: number | undefined): number {
    const { seen, hashUrl, intake } = this.#parts
    const hash = hashUrl(url)
    const id = seen.find(hash)
    if (id !== 0 || depth === undefined) return id
    const self = { url, hash, nofollow: false, signals: null }
    intake.add([self], { foundOn: null, via: 'link', depth, hops: 0, page: null })
    return seen.lastId
  }

  #settlePage(update: Whole, active: ActiveLease | undefined): boolean {
    const leaving = this.#leave(update, active)
    if (leaving === null) return false
    const { site } = leaving.origin.host
    const { outcome } = update
    // A refusal before the request says nothing about the host.
    if (active?.startedAt !== null) {
      const url = active?.url ?? this.#parts.urls.read(leaving.id).url
      this.#parts.spending.settled(leaving.origin.host, update, url)
    }
    if (outcome === 'stored' || outcome === 'unchanged') site.fruitless = 0
    else if (outcome !== 'released' && outcome !== 'no-room') site.fruitless += 1
    if (!leaving.revisit || !this.#settleRevisit(leaving, update)) {
      this.#settleNew(leaving, update)
    }
    if ('moved' in update) for (const moved of update.moved ?? []) this.restate(moved)
    this.#parts.hosts.touch(leaving.origin.host)
    return true
  }

  #settleNew(leaving: Leaving, update: Whole): void {
    const { outcome } = update
    if (outcome === 'released' || outcome === 'no-room') this.#putBack(leaving)
    else if (outcome === 'failed') this.#fail(leaving, update)
    else if (outcome === 'redirected') this.#redirect(leaving, update)
    // No stored page that could be unchanged.
    else if (outcome === 'unchanged') this.#close(leaving, states.FAILED, 'http-304')
    else this.#keep(leaving, update)
  }

  /** False if it must be settled as if it were new. */
  #settleRevisit(leaving: Leaving, update: FrontierUpdate): boolean {
    const { revisits, clock } = this.#parts
    const { id, origin, active } = leaving
    if (update.outcome === 'released') {
      revisits.putBack(origin, id)
      return true
    }
    if (update.outcome === 'failed' && update.retryAt !== null) {
      const [tries, at] = [countedTries(active, update), Math.ceil(update.retryAt)]
      if (at > clock.now()) revisits.delay(origin, id, { tries, at })
      else revisits.putBack(origin, id, tries)
      return true
    }
    revisits.done(id)
    // A URL that is forbidden now was not visited: the next recrawl tries again.
    if (!states.hasPage(leaving.from)) return isForbidden(update)
    return this.#stays(leaving, update)
  }

  /** Whether the page is unchanged, or counts as unchanged because there was no answer. */
  #stays(leaving: Leaving, update: FrontierUpdate): boolean {
    const { outcome } = update
    if (outcome === 'unchanged') {
      this.#stay(leaving, '')
    } else if (outcome === 'no-room') {
      this.#stay(leaving, notRefreshed('over-limit'))
    } else if (!('gone' in update) && outcome === 'redirected') {
      this.#stay(leaving, notRefreshed(`redirect-loop: ${update.to.url}`))
    } else if (!('gone' in update) && (outcome === 'failed' || outcome === 'refused')) {
      this.#stay(leaving, notRefreshed(update.reason))
    } else {
      return false
    }
    return true
  }

  /** A duplicate keeps its reason: the URL of the original page. */
  #stay(leaving: Leaving, reason: string): void {
    const { id, from } = leaving
    if (from !== states.STORED || this.#parts.urls.read(id).reason === reason) return
    this.#move(leaving, from, reason, null)
  }

  /** Changes the state of a duplicate whose original has changed, or of a page that was dropped. */
  restate({ url, of, isDropped }: RoleChange): void {
    const { seen, urls, hosts, hashUrl, revisits } = this.#parts
    const id = seen.find(hashUrl(url))
    if (id === 0) return
    const { state, originId } = urls.read(id)
    const origin = hosts.originWithId(originId)
    if (origin === undefined || !states.hasPage(state)) return
    const leaving = { id, from: state, origin, active: undefined, revisit: true }
    if (isDropped) {
      if (revisits.has(id)) revisits.drop(origin, id)
      this.#close(leaving, states.REFUSED, NOT_AMONG_BEST)
    } else this.#move(leaving, of === null ? states.STORED : states.DUPLICATE, of ?? '', null)
    hosts.touch(origin.host)
  }

  /** A redirect that turned out to be part of a loop over several partitions. */
  breakLoop(id: number): void {
    const { urls, hosts } = this.#parts
    const { state, originId, reason } = urls.read(id)
    const origin = hosts.originWithId(originId)
    if (origin === undefined || state !== states.REDIRECTED) return
    const leaving = { id, from: state, origin, active: undefined, revisit: false }
    this.#move(leaving, states.FAILED, `redirect-loop: ${reason}`, null)
    hosts.touch(origin.host)
  }

  /** Takes the page out of its queue or lease; null if its page was already stored. */
  #leave({ lease }: FrontierUpdate, active: ActiveLease | undefined): Leaving | null {
    const { id } = lease
    if (active !== undefined) {
      this.#parts.leases.settle(active)
      const { origin, revisit } = active
      const from = revisit ? this.#parts.urls.read(id).state : states.LEASED
      return { id, from, origin, active, revisit }
    }
    // The page is already durable, so its URL may be in any state.
    if (id < 1 || id > this.#parts.seen.lastId) return null
    const row = this.#parts.urls.read(id)
    const { revisits } = this.#parts
    const revisit = revisits.has(id)
    // The result of an earlier recrawl says nothing about a URL that this one has still to visit.
    if (revisit ? lease.round !== revisits.round : hadPage(row)) return null
    const origin = this.#originOf(row)
    if (revisit) revisits.drop(origin, id)
    if (row.state === states.QUEUED) origin.queue.drop(id)
    if (row.state === states.DELAYED) this.#parts.retries.drop('page', id)
    this.#parts.seen.setDepth(id, row.depth)
    return { id, from: row.state, origin, active, revisit }
  }

  /** A URL that was refused before it had an origin gets one now. */
  #originOf(row: UrlRow): Origin {
    const { hosts, urls } = this.#parts
    const known = hosts.originWithId(row.originId)
    if (known !== undefined) return known
    const origin = hosts.originFor(row.url, hostOf(row.url))
    urls.judge({ ...row, originId: origin.id })
    return origin
  }

  #move(leaving: Leaving, to: states.StateNumber, reason: string, nextAt: number | null): void {
    const { urls, stateCounts } = this.#parts
    const { id, from, origin } = leaving
    const tries = leaving.tries ?? leaving.active?.tries ?? null
    if (from === states.REFUSED) stateCounts.refused(urls.read(id).reason, -1)
    if (to === states.REFUSED) stateCounts.refused(reason)
    urls.settle(id, to, { reason, nextAt, tries })
    stateCounts.move(from, to)
    const stored = (to === states.STORED ? 1 : 0) - (from === states.STORED ? 1 : 0)
    origin.host.stored += stored
    origin.host.site.stored += stored
  }

  #putBack(leaving: Leaving): void {
    const { urls, stateCounts, seen } = this.#parts
    const { id, from, origin, active } = leaving
    if (leaving.revisit) {
      this.#move(leaving, states.QUEUED, '', null)
      seen.setClosed(id, false)
    } else {
      if (active?.marked) urls.unmark(id)
      stateCounts.move(from, states.QUEUED)
    }
    origin.queue.add(id, urls.read(id).priority)
  }

  #fail(failed: Leaving, update: Outcome<'failed'>): void {
    const { id, origin, active } = failed
    const leaving = active ? { ...failed, tries: countedTries(active, update) } : failed
    const { reason } = update
    const retryAt = update.retryAt === null ? null : Math.ceil(update.retryAt)
    if (retryAt === null) {
      this.#close(leaving, states.FAILED, reason)
    } else if (retryAt <= this.#parts.clock.now()) {
      this.#move(leaving, states.QUEUED, reason, null)
      origin.queue.add(id, this.#parts.urls.read(id).priority)
    } else {
      this.#move(leaving, states.DELAYED, reason, retryAt)
      this.#parts.retries.add({ kind: 'page', id, origin }, retryAt)
    }
  }

  #redirect(leaving: Leaving, { to }: Outcome<'redirected'>): void {
    const { id } = leaving
    const hops = (leaving.active?.hops ?? 0) + 1
    if (this.#parts.loops.leadsBack(to.url, id)) {
      this.#close(leaving, states.FAILED, `redirect-loop: ${to.url}`)
    } else if (hops > MAX_HOPS) {
      this.#close(leaving, states.FAILED, `redirect-limit: ${to.url}`)
    } else {
      this.#close(leaving, states.REDIRECTED, to.url)
      this.#noteSight(leaving, { of: 'redirect', likeness: textHash(to.url) })
      const depth = this.#parts.seen.depthOf(id)
      const source = { foundOn: id, via: 'redirect', depth, hops, page: null } as const
      this.#parts.intake.add([this.#heirOf(id, to)], source)
    }
  }

  /** The target of a redirect inherits the signals of its source. */
  #heirOf(id: number, { url, hash, nofollow }: Outcome<'redirected'>['to']): Found {
    return { url, hash, nofollow, signals: this.#parts.urls.read(id).signals }
  }

  #keep(leaving: Leaving, update: Outcome<'stored' | 'duplicate' | 'refused' | 'read'>): void {
    const { id } = leaving
    if (update.outcome === 'refused') this.#close(leaving, states.REFUSED, update.reason)
    else if (update.outcome === 'duplicate') this.#close(leaving, states.DUPLICATE, update.of)
    else this.#close(leaving, states.STORED, '')
    const again = states.hasPage(leaving.from)
    if (!again) this.#noteRead(leaving, update)
    const depth = this.#parts.seen.depthOf(id) + 1
    const { found } = update
    const judged = update.outcome === 'read' ? null : update.judged
    const page = this.#parts.feedback.settled(id, found, judged)
    const pageHops = leaving.active?.hops ?? this.#parts.urls.read(id).hops
    const source = { foundOn: id, via: 'link', depth, hops: 0, pageHops, page, again } as const
    this.#parts.intake.add(found, source)
  }

  #noteRead(leaving: Leaving, update: Outcome<'stored' | 'duplicate' | 'refused' | 'read'>): void {
    if (update.outcome === 'duplicate') {
      this.#noteSight(leaving, { of: 'copy', likeness: 0 })
    } else if ('likeness' in update && update.likeness !== undefined) {
      this.#noteSight(leaving, { of: 'page', likeness: update.likeness })
    }
  }

  #noteSight({ id, origin, active }: Leaving, sight: Sight): void {
    const url = active?.url ?? this.#parts.urls.read(id).url
    this.#parts.templates.note(origin.host.id, url, sight)
  }

  #close(leaving: Leaving, to: states.StateNumber, reason: string): void {
    this.#move(leaving, to, reason, null)
    this.#parts.seen.setClosed(leaving.id, true)
  }

  #settleSitemap(update: FrontierUpdate, { id, tries, origin }: ActiveLease): void {
    const { sitemaps } = this.#parts
    const { level, hops } = sitemaps.read(id)
    if (update.outcome === 'released') {
      sitemaps.putBack(origin, id, { tries: tries - 1, at: null })
    } else if (update.outcome === 'failed' && update.retryAt !== null) {
      const counted = update.uncounted ? tries - 1 : tries
      sitemaps.putBack(origin, id, { tries: counted, at: Math.ceil(update.retryAt) })
    } else if (update.outcome === 'failed' || update.outcome === 'refused') {
      const state = update.outcome === 'failed' ? states.FAILED : states.REFUSED
      sitemaps.settle(id, state, { reason: update.reason, tries })
      sitemaps.charge(origin, id)
    } else if (update.outcome === 'redirected') {
      sitemaps.settle(id, states.REDIRECTED, { reason: update.to.url, tries })
      if (hops < MAX_HOPS) sitemaps.add([update.to.url], { level, hops: hops + 1 })
    } else if (update.outcome === 'read') {
      sitemaps.settle(id, states.STORED, { reason: '', tries })
      const brought = this.#takeListed(id, update.found)
      const named = sitemaps.add(update.sitemaps, { level: level + 1, hops: 0 })
      sitemaps.charge(origin, id, { size: update.size, brought, named })
    }
  }

  #takePart({ lease, found }: Outcome<'part'>): boolean {
    const active = lease.kind === 'sitemap' ? this.#parts.leases.claim(lease) : undefined
    if (active === undefined) return false
    this.#parts.sitemaps.tookPart(active.id, this.#takeListed(active.id, found))
    return true
  }

  /** Adds the URLs that a sitemap lists; returns how many of them are to be visited. */
  #takeListed(id: number, found: readonly Found[]): number {
    const { intake, stateCounts } = this.#parts
    const before = stateCounts.queued
    intake.add(found, { foundOn: -id, via: 'sitemap', depth: 1, hops: 0, page: null })
    return stateCounts.queued - before
  }
}

function isForbidden(update: FrontierUpdate): boolean {
  if (update.outcome !== 'refused') return false
  const code = reasonCode(update.reason)
  return code.startsWith('robots') || code === 'crawl-delay'
}

function countedTries(active: ActiveLease | undefined, { uncounted }: Outcome<'failed'>): number {
  return (active?.tries ?? 0) - (uncounted && active ? 1 : 0)
}

/** Also one whose page was dropped since: its receipt may come again. */
function hadPage({ state, reason }: UrlRow): boolean {
  return states.hasPage(state) || (state === states.REFUSED && reason === NOT_AMONG_BEST)
}
