// The sitemaps of the crawl's sites: named by robots.txt or another sitemap, or guessed. Each is read once,
// as far as its host's budget allows (sitemap-budget.ts).
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../../core/url.ts'
import type { SitemapSize } from '../../core/visit.ts'
import type { RobotsRecord } from '../frontier.ts'
import {
  type SitemapBudget,
  type SitemapUse,
  SPENT,
  sitemapBudget,
  spentOf,
} from '../sitemap-budget.ts'
import type { ForeignLinks } from './foreign-links.ts'
import type { Host, Origin } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { OtherPartitions } from './link-intake.ts'
import type { Retries } from './retries.ts'
import type { SitemapRow, SitemapRows } from './rows.ts'
import { DELAYED, QUEUED, REFUSED, STORED, type StateNumber, UNREACHABLE } from './states.ts'

/** Index files of index files of index files. Nobody nests deeper on purpose. */
const MAX_LEVEL = 3
/** The level of a robots.txt that is fetched for the sitemaps it names. Those are of the first level. */
const OF_ROBOTS = 0
const NOTHING: SitemapSize = { entries: 0, bytes: 0 }

/** The result of a sitemap: its size, the URLs to visit in its last part, the sitemaps it named. */
type Came = {
  readonly size?: SitemapSize | undefined
  readonly brought?: number
  readonly named?: number
}

type SitemapsOptions = {
  readonly rows: SitemapRows
  readonly job: Job
  readonly hosts: Hosts
  readonly retries: Retries
  readonly inScope: (host: string) => boolean
  /** Null if there is only one partition. */
  readonly otherPartitions: OtherPartitions | null
  /** The latest time of any next try, as of the beginning of this run. */
  readonly latestTry: number
}

const NO_LINKS: Omit<ForeignLinks, 'sitemaps'> = {
  foundOn: null,
  via: 'sitemap',
  depth: 1,
  hops: 0,
  pageHops: 0,
  again: false,
  links: [],
}

export class Sitemaps {
  readonly #wanted: boolean
  readonly #ignoreRobots: boolean
  readonly #inScope: (host: string) => boolean
  readonly #otherPartitions: OtherPartitions | null
  readonly #hosts: Hosts
  readonly #retries: Retries
  readonly #rows: SitemapRows
  readonly #budget: SitemapBudget
  /** URLs to visit in the parts read so far, for each sitemap being read. */
  readonly #brought = new Map<number, number>()
  #waiting = 0
  #lastId = 0

  constructor(options: SitemapsOptions) {
    const { rows, job, hosts, retries, inScope, latestTry, otherPartitions } = options
    const { sitemaps, maxDepth, ignoreRobots } = job.settings
    this.#ignoreRobots = ignoreRobots
    this.#wanted = sitemaps && (maxDepth === null || maxDepth >= 1)
    this.#inScope = inScope
    this.#otherPartitions = otherPartitions
    this.#hosts = hosts
    this.#retries = retries
    this.#rows = rows
    this.#budget = sitemapBudget(job)
    this.#load(latestTry)
  }

  /** Number of sitemaps to read, now or at their next try. */
  get waiting(): number {
    return this.#waiting
  }

  read(id: number): SitemapRow {
    const row = this.#rows.get(id)
    if (row === undefined) throw new CrawlerError('store-damaged', `sitemap ${id} is lost`)
    return row
  }

  /**
   * An origin has a page in the store, but nobody knows its robots.txt: the frontier was lost, and is made
   * again from pages. Nothing of the origin may be left to fetch, so its sitemaps are asked for.
   */
  askAgain(origin: Origin): void {
    if (this.#ignoreRobots || origin.robots !== 'unknown') return
    // An origin has no path, so this is canonical by construction.
    this.add([`${origin.name}/robots.txt` as CanonicalUrl], { level: OF_ROBOTS, hops: 0 })
  }

  /** Adds the sitemaps that a robots.txt names; the default location if it names none. */
  addFrom(origin: Origin, record: RobotsRecord): void {
    if (!this.#wanted || record.status === 'unreachable') return
    this.#noteAnswered(origin)
    const guess = canonicalise('/sitemap.xml', origin.name)
    const named = record.sitemaps.length > 0 ? record.sitemaps : guess === null ? [] : [guess]
    this.add(named, { level: 1, hops: 0 })
  }

  #noteAnswered(origin: Origin): void {
    const asked = origin.sitemaps.find((id) => this.read(id).level === OF_ROBOTS)
    if (asked === undefined) return
    origin.sitemaps.splice(origin.sitemaps.indexOf(asked), 1)
    this.settle(asked, STORED, { reason: '', tries: 1 })
  }

  /** Returns how many were new. */
  add(urls: readonly CanonicalUrl[], { level, hops }: { level: number; hops: number }): number {
    if (!this.#wanted || level > MAX_LEVEL) return 0
    let added = 0
    for (const url of urls) {
      const hostName = hostOf(url)
      if (!this.#inScope(hostName)) continue
      const to = this.#otherPartitions?.partitionOf(url) ?? null
      if (to !== null) {
        this.#otherPartitions?.send(to, { ...NO_LINKS, sitemaps: [{ url, level, hops }] })
        continue
      }
      const origin = this.#hosts.originFor(url, hostName)
      if (origin.host.sitemapsKnown >= this.#budget.files) continue
      if (this.#spent(origin.host) !== null) continue
      if (this.#rows.has(url)) continue
      this.#lastId += 1
      this.#rows.put(newSitemap({ id: this.#lastId, originId: origin.id, url, level, hops }))
      origin.host.sitemapsKnown += 1
      this.#waiting += 1
      origin.sitemaps.push(this.#lastId)
      // The host may serve another site's sitemap and have no page that would get it scheduled.
      this.#hosts.touch(origin.host)
      added += 1
    }
    return added
  }

  /** Puts a sitemap back: to be read now, or at a given time. */
  putBack(origin: Origin, id: number, options: { tries: number; at: number | null }): void {
    const { tries, at } = options
    const state = at === null ? QUEUED : DELAYED
    this.#rows.update(id, { state, reason: '', tries, nextAt: at })
    if (at === null) origin.sitemaps.unshift(id)
    else this.#retries.add({ kind: 'sitemap', id, origin }, at)
  }

  /** The time of its next try has come. */
  wake(origin: Origin, id: number): void {
    origin.sitemaps.push(id)
  }

  /** A part of it was added, with this many URLs to visit. */
  tookPart(id: number, brought: number): void {
    this.#brought.set(id, (this.#brought.get(id) ?? 0) + brought)
  }

  /** A sitemap was read to its end: charges its host, which decides whether further ones are read. */
  charge(origin: Origin, id: number, came: Came = {}): void {
    const { size = NOTHING, brought = 0, named = 0 } = came
    const all = brought + (this.#brought.get(id) ?? 0)
    this.#brought.delete(id)
    this.#rows.update(id, { ...size, brought: all + named })
    addUse(origin.host, size, all + named > 0)
    const reason = this.#spent(origin.host)
    if (reason === null) return
    for (const own of origin.host.origins) this.#end(own, REFUSED, reason)
  }

  settle(id: number, state: StateNumber, options: { reason: string; tries: number }): void {
    this.#rows.update(id, { state, ...options, nextAt: null })
    this.#waiting -= 1
  }

  /** No sitemap of an origin will be read in this run. */
  giveUp(origin: Origin, reason: string): void {
    this.#end(origin, UNREACHABLE, reason)
  }

  #end(origin: Origin, state: StateNumber, reason: string): void {
    for (const { kind, id } of this.#retries.of(origin)) {
      if (kind !== 'sitemap') continue
      this.#retries.drop(kind, id)
      origin.sitemaps.push(id)
    }
    for (const id of origin.sitemaps.splice(0)) {
      this.settle(id, state, { reason, tries: 0 })
    }
  }

  #spent({ sitemapUse }: Host): string | null {
    return sitemapUse === null ? null : spentOf(sitemapUse, this.#budget)
  }

  #load(latestTry: number): void {
    const changed: [id: number, fields: Partial<SitemapRow>][] = []
    const known: SitemapRow[] = []
    for (const row of this.#rows.all()) {
      this.#lastId = row.id
      const host = this.#hosts.originWithId(row.originId)?.host
      // The newest last, since barren files count in a row.
      if (host !== undefined && row.state === STORED) addUse(host, row, row.brought > 0)
      // A later run tries unreachable ones again.
      const again = row.state === UNREACHABLE ? { state: QUEUED, reason: '' } : {}
      const late = (row.nextAt ?? 0) > latestTry ? { nextAt: latestTry } : {}
      if (row.state === UNREACHABLE || 'nextAt' in late)
        changed.push([row.id, { ...again, ...late }])
      known.push({ ...row, ...again, ...late })
    }
    for (const [id, fields] of changed) this.#rows.update(id, fields)
    for (const row of known) this.#loadOne(row)
  }

  #loadOne({ id, originId, state, reason, nextAt }: SitemapRow): void {
    const origin = this.#hosts.originWithId(originId)
    if (origin === undefined) return
    origin.host.sitemapsKnown += 1
    const wasLeft = state === REFUSED && reason.startsWith(SPENT)
    const isQueued = state === QUEUED || (wasLeft && this.#spent(origin.host) === null)
    if (!isQueued && state !== DELAYED) return
    // Not wanted under these settings; a later run may want it.
    if (!this.#wanted || !this.#inScope(origin.host.name)) return
    this.#waiting += 1
    if (isQueued) origin.sitemaps.push(id)
    else this.#retries.add({ kind: 'sitemap', id, origin }, nextAt ?? 0)
  }
}

function newSitemap(
  fields: Pick<SitemapRow, 'id' | 'originId' | 'url' | 'level' | 'hops'>,
): SitemapRow {
  const unread = { state: QUEUED, reason: '', tries: 0, nextAt: null }
  return { ...fields, ...unread, entries: 0, bytes: 0, brought: 1 }
}

function addUse(host: Host, size: SitemapSize, isNews: boolean): void {
  const use: SitemapUse = host.sitemapUse ?? { entries: 0, bytes: 0, barren: 0 }
  use.entries += size.entries
  use.bytes += size.bytes
  use.barren = isNews ? 0 : use.barren + 1
  host.sitemapUse = use
}
