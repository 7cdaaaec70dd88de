// How many new pages this program may lease before it asks again, so that all programs together keep the page
// limit. Others are known by their reports, which are up to a second old.
//
// While many pages are left, each program takes an equal share of them. When few are left, a program first
// writes how many it is about to lease, then reads what the others have leased and written: of two that want
// the same pages at least one sees the other. What it does not lease it gives back. The last pages go round,
// since not every program has a page to fetch, and what a dead one had written counts only while its
// partitions have no other owner.
import type { CrawlView } from '../storage.ts'

/** Longer than the time between two reports. */
const TURN_MS = 1500
/** Pages for each program. */
const FEW = 32
/** Reports after which every lease of before is known to all. */
const REPORTS = 3

export type PagesSeen = Pick<CrawlView, 'owners' | 'now'> & {
  /** New pages that are neither stored nor under way, as far as is known. */
  readonly left: number
  /** What other programs are about to lease. */
  readonly reservedByOthers: number
}

export class PageShares {
  readonly #owner: string
  /** New pages that may still be leased. */
  #grant = Number.POSITIVE_INFINITY
  #areFew = false
  /** What others see, or are about to: never less than the grant while few are left. */
  #shown = 0
  #isReserving = false
  #seen: PagesSeen = { owners: [], now: 0, left: 0, reservedByOthers: 0 }
  /** By report, the newest last. */
  #leased: number[] = [0]

  constructor(owner: string) {
    this.#owner = owner
  }

  get grant(): number {
    return this.#grant
  }

  get areFew(): boolean {
    return this.#areFew
  }

  /** Pages that it is about to lease, for others to know. Those that it has leased since may still be among them. */
  get reserved(): number {
    return this.#shown
  }

  /** Others see more than it needs: pages that it has leased, or that it gives back. */
  get showsTooMany(): boolean {
    return !this.#isReserving && this.#shown > this.#needed
  }

  /** What it has leased is about to be shown, too. */
  show(): void {
    if (!this.#isReserving) this.#shown = this.#needed
  }

  get #needed(): number {
    return this.#areFew ? Math.max(0, this.#grant) : 0
  }

  /** Nothing may be leased before something is reserved, and there may be something. */
  get mustReserve(): boolean {
    return this.#areFew && this.#grant <= 0 && this.#share > 0
  }

  /** `tell` writes what is reserved, then reports. */
  async reserve(tell: () => Promise<PagesSeen>): Promise<void> {
    this.#isReserving = true
    this.#shown = this.#share
    try {
      this.#take(await tell())
    } finally {
      this.#isReserving = false
    }
  }

  /** Every lease counts: a robots.txt or a sitemap may be needed for the page that the share was for. */
  leased(leases: number): void {
    this.#leased[this.#leased.length - 1] = (this.#leased.at(-1) ?? 0) + leases
    this.#grant -= leases
    if (!this.#areFew) return
    this.#seen = { ...this.#seen, left: this.#seen.left - leases }
    // Others may have ready URLs for the last pages.
    if (leases === 0 && this.#seen.left < this.#seen.owners.length) this.#grant = 0
  }

  /** Others have reported, or a partition has come or gone. */
  see(seen: PagesSeen, isReport: boolean): void {
    this.#seen = seen
    const count = seen.owners.length
    if (isReport) this.#leased = [...this.#leased.slice(1 - REPORTS), 0]
    const lately = this.#leased.reduce((sum, leases) => sum + leases, 0)
    const wereFew = this.#areFew
    this.#areFew = count > 1 && seen.left <= count * Math.max(FEW, lately)
    if (count <= 1) this.#grant = Number.POSITIVE_INFINITY
    else if (!this.#areFew) this.#grant = this.#share
    // Only what was reserved.
    else this.#grant = wereFew ? Math.min(Math.max(0, this.#grant), this.#share) : 0
  }

  /** What it has reserved was written before this was seen. */
  #take(seen: PagesSeen): void {
    this.#seen = seen
    if (!this.#areFew) return
    const free = Math.max(0, seen.left - seen.reservedByOthers)
    this.#grant = Math.min(this.#shown, free)
    // A program that gets nothing asks again after the next report.
    if (this.#grant === 0) this.#seen = { ...seen, left: 0 }
  }

  /** The share of this program in the pages that are left. */
  get #share(): number {
    const { owners, now } = this.#seen
    const left = Math.max(0, this.#seen.left)
    const turn = (owners.indexOf(this.#owner) + Math.floor(now / TURN_MS)) % owners.length
    return Math.floor(left / owners.length) + (turn < left % owners.length ? 1 : 0)
  }
}
