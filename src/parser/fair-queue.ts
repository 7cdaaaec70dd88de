// Queue of the pages that wait for a thread. Sites take turns: the site that has cost the least
// time goes first, so a site with costly pages delays only itself. A site is a registrable domain,
// because host names below one cost nothing.
//
// Each site has a position on a common clock of work done; parsing a page advances it by the page's
// cost. A site that comes back after a pause starts at the present time: it saves nothing up.
import { hostOf, siteOf } from '../core/url.ts'
import { type Heaped, IndexedHeap } from '../lib/indexed-heap.ts'
import type { HandoverHead } from '../wire/handover.ts'

/** Assumed cost of a page before any page of its site was parsed: about the cost of most pages. */
const USUAL_MS = 2
/** Weight of the last page in the estimate for the next one. */
const RECENT = 0.3
/** Above this number, sites with nothing waiting are forgotten from time to time. */
const MANY_SITES = 1024
/**
 * A site that is further ahead than this has cost too much to be forgotten and start again at the present.
 */
const FORGIVEN_MS = 100

type QueuedTask = { readonly head: HandoverHead }

export class SiteQueue implements Heaped {
  heapAt = -1
  readonly name: string
  /** Position on the common clock. */
  due: number
  /** Estimated cost of one of its pages, from the last ones. */
  costMs = USUAL_MS

  constructor(name: string, due: number) {
    this.name = name
    this.due = due
  }
}

export class FairQueue<T extends QueuedTask> {
  readonly #sites = new Map<string, SiteQueue>()
  readonly #waiting = new Map<SiteQueue, T[]>()
  readonly #turns = new IndexedHeap<SiteQueue>()
  #now = 0
  #pushed = 0
  #size = 0
  #roomForSites = MANY_SITES

  get size(): number {
    return this.#size
  }

  get sites(): number {
    return this.#sites.size
  }

  push(task: T): void {
    const site = this.siteOf(task)
    const own = this.#waiting.get(site)
    this.#size += 1
    if (own !== undefined) {
      own.push(task)
      return
    }
    this.#waiting.set(site, [task])
    site.due = Math.max(site.due, this.#now)
    this.#place(site)
  }

  /** Takes the next page of a site that may have one now; undefined when there is none. */
  shift(mayHave: (site: SiteQueue) => boolean): T | undefined {
    const passedOver: SiteQueue[] = []
    let site = this.#turns.first
    while (site !== undefined && !mayHave(site)) {
      passedOver.push(site)
      this.#turns.remove(site)
      site = this.#turns.first
    }
    const task = site === undefined ? undefined : this.#take(site)
    for (const other of passedOver) this.#place(other)
    return task
  }

  charge(task: T, tookMs: number): void {
    const site = this.siteOf(task)
    site.due += tookMs - site.costMs
    site.costMs += RECENT * (tookMs - site.costMs)
    if (site.heapAt >= 0) this.#place(site)
  }

  /** Empties the queue and returns what was in it. */
  clear(): readonly T[] {
    const all = [...this.#waiting.values()].flat()
    for (const site of this.#waiting.keys()) this.#turns.remove(site)
    this.#waiting.clear()
    this.#size = 0
    return all
  }

  siteOf({ head }: T): SiteQueue {
    const name = siteOf(hostOf(head.url))
    const known = this.#sites.get(name)
    if (known !== undefined) return known
    if (this.#sites.size >= this.#roomForSites) this.#forgetIdle()
    const site = new SiteQueue(name, this.#now)
    this.#sites.set(name, site)
    return site
  }

  #take(site: SiteQueue): T | undefined {
    const own = this.#waiting.get(site) ?? []
    const task = own.shift()
    this.#size -= 1
    this.#now = Math.max(this.#now, site.due)
    // Charged in advance, so that the site cannot take all threads while its first pages are parsed.
    site.due += site.costMs
    if (own.length > 0) {
      this.#place(site)
    } else {
      this.#waiting.delete(site)
      this.#turns.remove(site)
    }
    return task
  }

  #place(site: SiteQueue): void {
    this.#pushed += 1
    this.#turns.put(site, site.due, this.#pushed)
  }

  #forgetIdle(): void {
    for (const [name, site] of this.#sites) {
      const isForgiven = site.due <= this.#now + FORGIVEN_MS
      if (isForgiven && !this.#waiting.has(site)) this.#sites.delete(name)
    }
    // This loop visits every site, so it runs again only when there are twice as many.
    this.#roomForSites = Math.max(MANY_SITES, 2 * this.#sites.size)
  }
}
