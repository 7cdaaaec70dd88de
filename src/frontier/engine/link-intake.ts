// How URLs are added. New ones are checked, scored and written. Known ones may have become nearer, better
// linked, or allowed.
import { type Found, VIAS, type Via } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { type Refusal, reasonCode } from '../../core/visit.ts'
import type { ChangingFact, Scorer, SettledPage, Signals } from '../../ordering/ordering.ts'
import {
  type Admission,
  isPathRefusal,
  isUnfollowed,
  OFF_FOCUS,
  type Verdict,
} from './admission.ts'
import type { ForeignLink, ForeignLinks, Nearer, RedirectWay } from './foreign-links.ts'
import type { Hosts } from './hosts.ts'
import type { BestHeads } from './patience.ts'
import type { Depths, Rescoring, ScoreFloors } from './rescoring.ts'
import { type EdgeRows, FIRST_PARTITION, type UrlRow } from './rows.ts'
import { NO_DEPTH, type SeenUrls } from './seen-urls.ts'
import type { StateCounts } from './state-counts.ts'
import { QUEUED, REFUSED } from './states.ts'
import type { UrlTable } from './url-table.ts'

/** The maximum number of redirects and refreshes that are followed in a row. */
export const MAX_HOPS = 10
const TOO_MANY_REFRESHES = `trap: more than ${MAX_HOPS} redirects and refreshes in a row`

const EXEMPT: readonly string[] = [
  'depth',
  'nofollow',
  'trap',
  'filter',
  'scope',
  'focus',
] satisfies Refusal[]

/** The source of a batch of URLs, and the values they get from it. */
export type Source = {
  /** Id of the page; negative for a sitemap; null for URLs from outside. */
  readonly foundOn: number | null
  readonly via: Via
  /** Depth of the URLs found. */
  readonly depth: number
  readonly hops: number
  /** Redirects and refreshes that led to the page itself; none if left out. */
  readonly pageHops?: number
  /** The page of the links, if the ordering reads it; else null. */
  readonly page: SettledPage | null
  /** The page was visited before: its links to known URLs have already been counted. */
  readonly again?: boolean
  /** They come from another partition: `foundOn` is a number over all partitions. */
  readonly isForeign?: boolean
}

/** Where links go that lead to other partitions. */
export interface OtherPartitions {
  /** The number of an id over all partitions; ids of sitemaps are negative, and so are their numbers. */
  numberOf(id: number): number
  /** The partition of a number, and the id there. */
  placeOf(number: number): { readonly partition: number; readonly id: number }
  /** The partition of a URL; null if it is this one. */
  partitionOf(url: CanonicalUrl): number | null
  send(to: number, links: ForeignLinks): void
  /** Asks a partition to follow a way of redirects. */
  follow(to: number, way: RedirectWay): void
  /** Tells a partition that its URLs that a page of this one links to are nearer. */
  lower(to: number, nearer: Nearer): void
}

/** Links to other partitions that were sent lately, and need not be sent again. */
const MAX_SENT = 65_536

type LinkIntakeOptions = {
  readonly scorer: Scorer
  readonly urls: UrlTable
  readonly seen: SeenUrls
  readonly hosts: Hosts
  readonly stateCounts: StateCounts
  readonly admission: Admission
  readonly depths: Depths
  readonly rescoring: Rescoring
  /** Null if nobody needs the links between pages. */
  readonly edges: EdgeRows | null
  readonly floors: ScoreFloors | null
  readonly rescoreOn: readonly ChangingFact[]
  /** With a depth limit, depths must be exact, whatever the ordering weighs. */
  readonly exactDepth: boolean
  /** Set in a patient crawl: see patience.ts. */
  readonly heads: BestHeads | null
  /** Null if there is only one partition. */
  readonly otherPartitions: OtherPartitions | null
}

export class LinkIntake {
  /** The depths of links that were sent. */
  readonly #sent = new Map<number, number>()
  readonly #parts: LinkIntakeOptions
  readonly #weighs: {
    readonly depth: boolean
    readonly inLinks: boolean
    readonly signals: boolean
  }

  constructor(options: LinkIntakeOptions) {
    this.#parts = options
    const { rescoreOn, exactDepth } = options
    this.#weighs = {
      depth: exactDepth || rescoreOn.includes('depth'),
      inLinks: rescoreOn.includes('inLinks'),
      signals: rescoreOn.includes('signals'),
    }
  }

  /** Returns how many URLs were new. */
  add(found: readonly Found[], source: Source): number {
    const { seen, edges } = this.#parts
    const foundAt = seen.lastId + 1
    const followed: number[] = []
    const away = this.#parts.otherPartitions === null ? null : new Map<number, ForeignLink[]>()
    let position = 0
    for (const link of found) {
      if (away !== null && this.#leadsAway(link, source, { position, away })) {
        if (!link.nofollow) position += 1
        continue
      }
      const known = seen.claim(link.hash)
      const isFollowed =
        known === 0
          ? this.#addNew(link, source, { foundAt, position })
          : this.#meet(known, link, source, position)
      if (isFollowed && edges !== null) followed.push(known || seen.lastId)
      if (!link.nofollow) position += 1
    }
    if (edges !== null) {
      const to = { ids: followed, partitions: [...(away?.keys() ?? [])] }
      keepEdges(edges, { from: this.#numberOf(source), via: source.via, to })
    }
    for (const [to, links] of away ?? []) this.#send(to, links, source)
    return seen.lastId + 1 - foundAt
  }

  /** Links that another partition has sent. */
  receive({ links, sitemaps: _, ...source }: ForeignLinks): void {
    this.add(links, { ...source, page: null, isForeign: true })
  }

  /** A page of another partition is nearer than when it sent its links. */
  lower({ page, depth }: Nearer): void {
    this.#parts.depths.lowerBehind(page, depth, this)
  }

  /** Whether a link leads to another partition; then it is noted for it. Known URLs are of this one. */
  #leadsAway(link: Found, source: Source, at: At): boolean {
    const { seen, otherPartitions } = this.#parts
    if (source.isForeign || seen.find(link.hash) !== 0) return false
    const key = link.hash.hi * 2 ** 21 + (link.hash.lo >>> 11)
    const isSent = (this.#sent.get(key) ?? Number.POSITIVE_INFINITY) <= source.depth
    // A redirect always goes there: it may be part of a loop.
    if (isSent && source.via !== 'redirect') return true
    const to = otherPartitions?.partitionOf(link.url) ?? null
    if (to === null) return false
    const known = at.away.get(to)
    const sent = this.#toSend(link, source, at.position)
    if (known === undefined) at.away.set(to, [sent])
    else known.push(sent)
    // A second link to the same URL says nothing more, unless it is nearer, or may become so, or the ordering
    // weighs it.
    const { inLinks, signals } = this.#weighs
    const isFollowed = !link.nofollow && !sent.isOffFocus
    const isWeighed = inLinks || signals || this.#parts.exactDepth
    if (isFollowed && !isWeighed) this.#noteSent(key, source.depth)
    return true
  }

  #noteSent(key: number, depth: number): void {
    this.#sent.set(key, depth)
    if (this.#sent.size <= MAX_SENT) return
    const [oldest] = this.#sent.keys()
    if (oldest !== undefined) this.#sent.delete(oldest)
  }

  /** A link with the signals that its page passes on. */
  #toSend(link: Found, source: Source, position: number): ForeignLink {
    const { url, hash, nofollow, refresh, barred } = link
    const isRefused = nofollow || this.#parts.admission.refusal(url, source.depth) !== null
    const passed = isRefused ? this.#noted(link, source) : this.#passed(link, source, position)
    return {
      ...{ url, hash, nofollow, signals: passed ?? null },
      ...(refresh === undefined ? {} : { refresh }),
      ...(barred === undefined ? {} : { barred }),
      ...(passed === undefined ? { isOffFocus: true } : {}),
    }
  }

  #send(to: number, links: readonly ForeignLink[], source: Source): void {
    const { via, depth, hops, pageHops = 0, again = false } = source
    const foundOn = this.#numberOf(source)
    const head = { foundOn, via, depth, hops, pageHops, again, sitemaps: [] }
    this.#parts.otherPartitions?.send(to, { ...head, links })
  }

  /** Rows name the page they were found on by its number over all partitions. */
  #numberOf({ foundOn, isForeign }: Source): number | null {
    const { otherPartitions } = this.#parts
    if (foundOn === null || otherPartitions === null || isForeign) return foundOn
    return otherPartitions.numberOf(foundOn)
  }

  /** Checks a refused URL again because a better path leads to it; queues it if nothing else forbids it. */
  reconsider(row: UrlRow, depth: number): void {
    const { urls, seen, stateCounts, admission } = this.#parts
    const verdict = admission.judge(row.url, { depth, nofollow: false })
    if (verdict.reason === row.reason && depth === row.depth) return
    const priority = verdict.reason === null ? admission.score({ ...row, depth }) : row.priority
    const state = verdict.reason === null ? QUEUED : REFUSED
    urls.judge({
      ...{ id: row.id, depth, priority, state },
      ...{ originId: verdict.origin?.id ?? row.originId, reason: verdict.reason ?? '' },
    })
    seen.setDepth(row.id, depth)
    seen.setClosed(row.id, isFinal(verdict))
    stateCounts.move(row.state, state)
    stateCounts.refused(row.reason, -1)
    if (verdict.reason !== null) stateCounts.refused(verdict.reason)
    this.#enqueue(verdict, { id: row.id, signals: row.signals, priority })
  }

  /** Returns whether the link is to be followed, regardless of the rules for its target. */
  #addNew(link: Found, source: Source, at: { foundAt: number; position: number }): boolean {
    const { urls, seen, stateCounts, admission } = this.#parts
    const { url, nofollow, barred } = link
    const { via, depth, pageHops = 0 } = source
    const foundOn = this.#numberOf(source)
    const hops = link.refresh ? pageHops + 1 : source.hops
    const { foundAt } = at
    const id = seen.lastId
    const inLinks = via === 'link' && !nofollow ? 1 : 0
    let verdict = admission.judge(url, { depth, nofollow, ...(barred && { barred }) })
    const passed = verdict.origin === null ? null : this.#passed(link, source, at.position)
    if (link.refresh && hops > MAX_HOPS) verdict = { origin: null, reason: TOO_MANY_REFRESHES }
    // It may be queued, but the ordering does not follow this link of the page.
    if (passed === undefined) verdict = { origin: null, reason: OFF_FOCUS }
    const isQueued = verdict.reason === null
    const signals = isQueued ? (passed ?? null) : this.#noted(link, source)
    const priority = isQueued ? admission.score({ url, depth, foundAt, inLinks, signals }) : 0
    const state = isQueued ? QUEUED : REFUSED
    const reason = verdict.reason ?? ''
    urls.insert({
      ...{ id, url, state, depth, hops, foundOn, foundAt, inLinks, signals, priority, reason },
      ...{ originId: verdict.origin?.id ?? 0, via: VIAS.indexOf(via) },
    })
    seen.setDepth(id, isUnfollowed(reason) ? NO_DEPTH : depth)
    if (isFinal(verdict)) seen.setClosed(id, true)
    stateCounts.move(null, state)
    if (!isQueued) stateCounts.refused(reason)
    this.#enqueue(verdict, { id, signals, priority })
    return !isUnfollowed(reason)
  }

  /** The same for a link to a known URL. */
  #meet(id: number, link: Found, source: Source, position: number): boolean {
    if (source.via === 'seed') this.#nameAsSeed(id)
    else if (!link.nofollow) return this.#addKnown(id, link, source, position)
    return false
  }

  /**
   * The user gave a URL that was already known from links. Results stay; refusals by rules that do not apply
   * to seeds are undone.
   */
  #nameAsSeed(id: number): void {
    const { depths, urls } = this.#parts
    depths.lower(id, 0, this)
    const row = urls.read(id)
    if (row.state === REFUSED && isUndoneForSeeds(row)) this.reconsider(row, 0)
  }

  #addKnown(id: number, link: Found, source: Source, position: number): boolean {
    const { seen, depths, rescoring, admission } = this.#parts
    const depth = seen.depthOf(id)
    const mayWait = !seen.isClosed(id) && !admission.isTooDeep(Math.min(depth, source.depth))
    const signals = mayWait ? this.#passed(link, source, position) : null
    if (signals === undefined) return false
    const isFirst = depth === NO_DEPTH
    if (depth > source.depth && (this.#weighs.depth || isFirst)) {
      depths.lower(id, source.depth, this)
    }
    if (!mayWait || seen.isClosed(id) || (source.again && !isFirst)) return true
    if (this.#weighs.inLinks && source.via === 'link') rescoring.addLink(id)
    if (signals !== null && (this.#weighs.signals || isFirst)) {
      rescoring.addSignals(id, link, signals)
    }
    return true
  }

  /** The signals that a URL gets from its source; undefined if the ordering does not follow the link. */
  #passed(link: ForeignLink, { page }: Source, position: number): Signals | null | undefined {
    const { scorer } = this.#parts
    if (link.isOffFocus) return undefined
    if (page === null || scorer.pass === undefined) return link.signals
    return scorer.pass(page, link.signals, new LinkTarget(link, position)) ?? undefined
  }

  /**
   * The signals kept with a refused URL. Signals that a page would pass on are not among them: the ordering
   * was not asked.
   */
  #noted({ signals }: Found, { page }: Source): Signals | null {
    return page === null || this.#parts.scorer.pass === undefined ? signals : null
  }

  #enqueue(verdict: Verdict, url: Pick<UrlRow, 'id' | 'signals' | 'priority'>): void {
    if (verdict.origin === null) return
    const { id, priority } = url
    this.#parts.floors?.set(id, url)
    this.#parts.heads?.note(priority)
    verdict.origin.queue.add(id, priority)
    this.#parts.hosts.touch(verdict.origin.host)
  }
}

type Edges = {
  readonly from: number | null
  readonly via: Via
  readonly to: { readonly ids: readonly number[]; readonly partitions: readonly number[] }
}

function keepEdges(edges: EdgeRows, { from, via, to: { ids, partitions } }: Edges): void {
  if (from === null || from < 0 || ids.length + partitions.length === 0) return
  const toIds = Uint32Array.from([...ids, ...partitions.map((to) => FIRST_PARTITION + to)])
  edges.put({ fromId: from, step: via === 'redirect' ? 0 : 1, toIds })
}

type At = { readonly position: number; readonly away: Map<number, ForeignLink[]> }

/** A link whose URL is decoded only when the ordering reads it. */
class LinkTarget {
  readonly position: number
  readonly #link: Found

  constructor(link: Found, position: number) {
    this.#link = link
    this.position = position
  }

  get url(): CanonicalUrl {
    return this.#link.url
  }
}

/**
 * Whether the refusal was made by a rule that does not apply to seeds. A content type seen by a fetch stays.
 */
function isUndoneForSeeds({ reason, tries }: UrlRow): boolean {
  const code = reasonCode(reason)
  return EXEMPT.includes(code) || (code === 'type' && tries === 0)
}

/** True if no better path can take the verdict back. */
function isFinal({ reason }: Verdict): boolean {
  return reason !== null && !isPathRefusal(reason)
}
