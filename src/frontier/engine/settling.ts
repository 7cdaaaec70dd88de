// Applies settlements: each moves one URL into its next state and adds its links. It runs inside a
// transaction; nothing here begins or ends one.
import type { Found } from '../../core/link.ts'
import type { Sight } from '../../core/template.ts'
import { textHash } from '../../core/text-hash.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { NOT_AMONG_BEST, reasonCode, type Standing } from '../../core/visit.ts'
import type { Clock } from '../../lib/clock.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { Settlement } from '../frontier.ts'
import type { Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { Learning } from './learning.ts'
import type { ActiveLease, Leases } from './leases.ts'
import { type LinkIntake, MAX_HOPS } from './link-intake.ts'
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
  readonly tally: StateCounts
  readonly retries: Retries
  readonly sitemaps: Sitemaps
  readonly revisits: Revisits
  readonly templates: TrapBudget
  readonly intake: LinkIntake
  readonly loops: RedirectLoops
  readonly learning: Learning
  readonly spending: Spending
}

/** A page taken out of the frontier, for good or for a while. */
type Leaving = {
  readonly id: number
  readonly from: states.StateNumber
  readonly origin: Origin
  readonly hold: ActiveLease | undefined
  /** The tries that count, if not those of the lease. */
  readonly tries?: number
  /** It was settled before this recrawl. */
  readonly revisit: boolean
}

/** A settlement that ends its lease. */
type Whole = Exclude<Settlement, { outcome: 'part' }>
type Outcome<T extends Settlement['outcome']> = Extract<Settlement, { outcome: T }>

export class Settling {
  readonly #parts: SettlingOptions

  constructor(options: SettlingOptions) {
    this.#parts = options
  }

  /** False if the lease is no longer held. */
  settle(settlement: Settlement): boolean {
    if (settlement.outcome === 'part') return this.#takePart(settlement)
    const { kind, token } = settlement.lease
    if (kind === 'page' && token === null) return this.#settleDurable(settlement)
    const hold = this.#parts.leases.claim(settlement.lease)
    if (hold === undefined) return false
    if (kind === 'page') return this.#settlePage(settlement, hold)
    this.#parts.leases.settle(hold)
    this.#parts.hosts.touch(hold.origin.host)
    this.#parts.spending.settled(hold.origin.host, settlement, null)
    if (kind === 'sitemap') this.#settleSitemap(settlement, hold)
    return true
  }

  /** A page that the store has reported, identified by its URL if that is given. */
  #settleDurable(settlement: Whole): boolean {
    const { lease } = settlement
    const id = lease.url === undefined ? lease.id : this.#known(lease.url, lease.depth)
    const named = { ...settlement, lease: { ...lease, id } }
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

  #settlePage(settlement: Whole, hold: ActiveLease | undefined): boolean {
    const leaving = this.#leave(settlement, hold)
    if (leaving === null) return false
    const { site } = leaving.origin.host
    const { outcome } = settlement
    // A refusal before the request says nothing about the host.
    if (hold?.startedAt !== null) {
      const url = hold?.url ?? this.#parts.urls.read(leaving.id).url
      this.#parts.spending.settled(leaving.origin.host, settlement, url)
    }
    if (outcome === 'stored' || outcome === 'unchanged') site.fruitless = 0
    else if (outcome !== 'released' && outcome !== 'no-room') site.fruitless += 1
    if (!leaving.revisit || !this.#settleRevisit(leaving, settlement)) {
      this.#settleNew(leaving, settlement)
    }
    if ('moved' in settlement) for (const moved of settlement.moved ?? []) this.restate(moved)
    this.#parts.hosts.touch(leaving.origin.host)
    return true
  }

  #settleNew(leaving: Leaving, settlement: Whole): void {
    const { outcome } = settlement
    if (outcome === 'released' || outcome === 'no-room') this.#putBack(leaving)
    else if (outcome === 'failed') this.#fail(leaving, settlement)
    else if (outcome === 'redirected') this.#redirect(leaving, settlement)
    // No stored page that could be unchanged.
    else if (outcome === 'unchanged') this.#close(leaving, states.FAILED, 'http-304')
    else this.#keep(leaving, settlement)
  }

  /** False if it must be settled as if it were new. */
  #settleRevisit(leaving: Leaving, settlement: Settlement): boolean {
    const { revisits, clock } = this.#parts
    const { id, origin, hold } = leaving
    if (settlement.outcome === 'released') {
      revisits.putBack(origin, id)
      return true
    }
    if (settlement.outcome === 'failed' && settlement.retryAt !== null) {
      const [tries, at] = [countedTries(hold, settlement), Math.ceil(settlement.retryAt)]
      if (at > clock.now()) revisits.delay(origin, id, { tries, at })
      else revisits.putBack(origin, id, tries)
      return true
    }
    revisits.done(id)
    // A URL that is forbidden now was not visited: the next recrawl tries again.
    if (!states.hasPage(leaving.from)) return isForbidden(settlement)
    return this.#stays(leaving, settlement)
  }

  /** Whether the page is unchanged, or counts as unchanged because there was no answer. */
  #stays(leaving: Leaving, settlement: Settlement): boolean {
    const { outcome } = settlement
    if (outcome === 'unchanged') {
      this.#stay(leaving, '')
    } else if (outcome === 'no-room') {
      this.#stay(leaving, notRefreshed('over-limit'))
    } else if (!('gone' in settlement) && outcome === 'redirected') {
      this.#stay(leaving, notRefreshed(`redirect-loop: ${settlement.to.url}`))
    } else if (!('gone' in settlement) && (outcome === 'failed' || outcome === 'refused')) {
      this.#stay(leaving, notRefreshed(settlement.reason))
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
  restate({ url, of, isDropped }: Standing): void {
    const { seen, urls, hosts, hashUrl, revisits } = this.#parts
    const id = seen.find(hashUrl(url))
    if (id === 0) return
    const { state, originId } = urls.read(id)
    const origin = hosts.originWithId(originId)
    if (origin === undefined || !states.hasPage(state)) return
    const leaving = { id, from: state, origin, hold: undefined, revisit: true }
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
    const leaving = { id, from: state, origin, hold: undefined, revisit: false }
    this.#move(leaving, states.FAILED, `redirect-loop: ${reason}`, null)
    hosts.touch(origin.host)
  }

  /** Takes the page out of its queue or lease; null if its page was already stored. */
  #leave({ lease }: Settlement, hold: ActiveLease | undefined): Leaving | null {
    const { id } = lease
    if (hold !== undefined) {
      this.#parts.leases.settle(hold)
      const { origin, revisit } = hold
      const from = revisit ? this.#parts.urls.read(id).state : states.LEASED
      return { id, from, origin, hold, revisit }
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
    return { id, from: row.state, origin, hold, revisit }
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
    const { urls, tally } = this.#parts
    const { id, from, origin } = leaving
    const tries = leaving.tries ?? leaving.hold?.tries ?? null
    if (from === states.REFUSED) tally.refused(urls.read(id).reason, -1)
    if (to === states.REFUSED) tally.refused(reason)
    urls.settle(id, to, { reason, nextAt, tries })
    tally.move(from, to)
    const stored = (to === states.STORED ? 1 : 0) - (from === states.STORED ? 1 : 0)
    origin.host.stored += stored
    origin.host.site.stored += stored
  }

  #putBack(leaving: Leaving): void {
    const { urls, tally, seen } = this.#parts
    const { id, from, origin, hold } = leaving
    if (leaving.revisit) {
      this.#move(leaving, states.QUEUED, '', null)
      seen.setClosed(id, false)
    } else {
      if (hold?.marked) urls.unmark(id)
      tally.move(from, states.QUEUED)
    }
    origin.queue.add(id, urls.read(id).priority)
  }

  #fail(failed: Leaving, settlement: Outcome<'failed'>): void {
    const { id, origin, hold } = failed
    const leaving = hold ? { ...failed, tries: countedTries(hold, settlement) } : failed
    const { reason } = settlement
    const retryAt = settlement.retryAt === null ? null : Math.ceil(settlement.retryAt)
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
    const hops = (leaving.hold?.hops ?? 0) + 1
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

  #keep(leaving: Leaving, settlement: Outcome<'stored' | 'duplicate' | 'refused' | 'read'>): void {
    const { id } = leaving
    if (settlement.outcome === 'refused') this.#close(leaving, states.REFUSED, settlement.reason)
    else if (settlement.outcome === 'duplicate')
      this.#close(leaving, states.DUPLICATE, settlement.of)
    else this.#close(leaving, states.STORED, '')
    const again = states.hasPage(leaving.from)
    if (!again) this.#noteRead(leaving, settlement)
    const depth = this.#parts.seen.depthOf(id) + 1
    const { found } = settlement
    const judged = settlement.outcome === 'read' ? null : settlement.judged
    const page = this.#parts.learning.settled(id, found, judged)
    const pageHops = leaving.hold?.hops ?? this.#parts.urls.read(id).hops
    const source = { foundOn: id, via: 'link', depth, hops: 0, pageHops, page, again } as const
    this.#parts.intake.add(found, source)
  }

  #noteRead(
    leaving: Leaving,
    settlement: Outcome<'stored' | 'duplicate' | 'refused' | 'read'>,
  ): void {
    if (settlement.outcome === 'duplicate') {
      this.#noteSight(leaving, { of: 'copy', likeness: 0 })
    } else if ('likeness' in settlement && settlement.likeness !== undefined) {
      this.#noteSight(leaving, { of: 'page', likeness: settlement.likeness })
    }
  }

  #noteSight({ id, origin, hold }: Leaving, sight: Sight): void {
    const url = hold?.url ?? this.#parts.urls.read(id).url
    this.#parts.templates.note(origin.host.id, url, sight)
  }

  #close(leaving: Leaving, to: states.StateNumber, reason: string): void {
    this.#move(leaving, to, reason, null)
    this.#parts.seen.setClosed(leaving.id, true)
  }

  #settleSitemap(settlement: Settlement, { id, tries, origin }: ActiveLease): void {
    const { sitemaps } = this.#parts
    const { level, hops } = sitemaps.read(id)
    if (settlement.outcome === 'released') {
      sitemaps.putBack(origin, id, { tries: tries - 1, at: null })
    } else if (settlement.outcome === 'failed' && settlement.retryAt !== null) {
      const counted = settlement.uncounted ? tries - 1 : tries
      sitemaps.putBack(origin, id, { tries: counted, at: Math.ceil(settlement.retryAt) })
    } else if (settlement.outcome === 'failed' || settlement.outcome === 'refused') {
      const state = settlement.outcome === 'failed' ? states.FAILED : states.REFUSED
      sitemaps.settle(id, state, { reason: settlement.reason, tries })
      sitemaps.charge(origin, id)
    } else if (settlement.outcome === 'redirected') {
      sitemaps.settle(id, states.REDIRECTED, { reason: settlement.to.url, tries })
      if (hops < MAX_HOPS) sitemaps.add([settlement.to.url], { level, hops: hops + 1 })
    } else if (settlement.outcome === 'read') {
      sitemaps.settle(id, states.STORED, { reason: '', tries })
      const brought = this.#takeListed(id, settlement.found)
      const named = sitemaps.add(settlement.sitemaps, { level: level + 1, hops: 0 })
      sitemaps.charge(origin, id, { size: settlement.size, brought, named })
    }
  }

  #takePart({ lease, found }: Outcome<'part'>): boolean {
    const hold = lease.kind === 'sitemap' ? this.#parts.leases.claim(lease) : undefined
    if (hold === undefined) return false
    this.#parts.sitemaps.tookPart(hold.id, this.#takeListed(hold.id, found))
    return true
  }

  /** Adds the URLs that a sitemap lists; returns how many of them are to be visited. */
  #takeListed(id: number, found: readonly Found[]): number {
    const { intake, tally } = this.#parts
    const before = tally.queued
    intake.add(found, { foundOn: -id, via: 'sitemap', depth: 1, hops: 0, page: null })
    return tally.queued - before
  }
}

function isForbidden(settlement: Settlement): boolean {
  if (settlement.outcome !== 'refused') return false
  const code = reasonCode(settlement.reason)
  return code.startsWith('robots') || code === 'crawl-delay'
}

function countedTries(hold: ActiveLease | undefined, { uncounted }: Outcome<'failed'>): number {
  return (hold?.tries ?? 0) - (uncounted && hold ? 1 : 0)
}

/** Also one whose page was dropped since: its receipt may come again. */
function hadPage({ state, reason }: UrlRow): boolean {
  return states.hasPage(state) || (state === states.REFUSED && reason === NOT_AMONG_BEST)
}
