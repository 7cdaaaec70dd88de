// Pages that wait for a thread, in turns among sites: whoever has cost the least time goes first. So a
// site whose pages are costly waits for itself, and not the others for it. By registrable domain, since
// names below one cost nothing.
//
// Each site has a moment on a common clock of work done; a page moves its site's by what it cost. A
// site that comes back after a pause starts at the present: it has saved nothing up.
import { hostOf, siteOf } from '../core/url.ts'
import { type Heaped, IndexedHeap } from '../lib/indexed-heap.ts'
import type { HandoverHead } from '../wire/handover.ts'

/** What a page is taken to cost before any of its site was read: about what most do. */
const USUAL_MS = 2
/** How much the last page says of the next. */
const RECENT = 0.3
/** Sites that wait for nothing are forgotten from time to time. */
const MANY_SITES = 1024
/** Those that are further ahead than this have cost too much to begin anew. */
const FORGIVEN_MS = 100

export type Waiting = { readonly head: HandoverHead }

export class SiteTurn implements Heaped {
  heapAt = -1
  readonly name: string
  /** Its moment on the common clock. */
  due: number
  /** What a page of it costs, going by the last ones. */
  costMs = USUAL_MS

  constructor(name: string, due: number) {
    this.name = name
    this.due = due
  }
}

export class FairQueue<T extends Waiting> {
  readonly #sites = new Map<string, SiteTurn>()
  readonly #waiting = new Map<SiteTurn, T[]>()
  readonly #turns = new IndexedHeap<SiteTurn>()
  #now = 0
  #pushed = 0
  #size = 0
  #roomForSites = MANY_SITES

  get size(): number {
    return this.#size
  }

  /** Sites that it remembers. */
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

  /** The next page, of a site that may have one now; undefined when there is none. */
  shift(mayHave: (site: SiteTurn) => boolean): T | undefined {
    const passedOver: SiteTurn[] = []
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

  /** A page of it was read, which took so long. */
  spent(task: T, tookMs: number): void {
    const site = this.siteOf(task)
    site.due += tookMs - site.costMs
    site.costMs += RECENT * (tookMs - site.costMs)
    if (site.heapAt >= 0) this.#place(site)
  }

  /** All that waits; nothing does afterwards. */
  clear(): readonly T[] {
    const all = [...this.#waiting.values()].flat()
    for (const site of this.#waiting.keys()) this.#turns.remove(site)
    this.#waiting.clear()
    this.#size = 0
    return all
  }

  siteOf({ head }: T): SiteTurn {
    const name = siteOf(hostOf(head.url))
    const known = this.#sites.get(name)
    if (known !== undefined) return known
    if (this.#sites.size >= this.#roomForSites) this.#forgetIdle()
    const site = new SiteTurn(name, this.#now)
    this.#sites.set(name, site)
    return site
  }

  #take(site: SiteTurn): T | undefined {
    const own = this.#waiting.get(site) ?? []
    const task = own.shift()
    this.#size -= 1
    this.#now = Math.max(this.#now, site.due)
    // Charged in advance: it may not have all threads while its first pages are read.
    site.due += site.costMs
    if (own.length > 0) {
      this.#place(site)
    } else {
      this.#waiting.delete(site)
      this.#turns.remove(site)
    }
    return task
  }

  #place(site: SiteTurn): void {
    this.#pushed += 1
    this.#turns.put(site, site.due, this.#pushed)
  }

  #forgetIdle(): void {
    for (const [name, site] of this.#sites) {
      const isForgiven = site.due <= this.#now + FORGIVEN_MS
      if (isForgiven && !this.#waiting.has(site)) this.#sites.delete(name)
    }
    // All of them are looked at: not again before they are twice as many.
    this.#roomForSites = Math.max(MANY_SITES, 2 * this.#sites.size)
  }
}
