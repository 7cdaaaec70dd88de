// Reports settled pages to the ordering, with what it can learn from them. This reads the page's row, so it
// is done only for orderings that ask for it.
import type { Found } from '../../core/link.ts'
import type { Candidate, Scorer, SettledPage, Signals } from '../../ordering/ordering.ts'
import type { Hosts } from './hosts.ts'
import type { UrlRow } from './rows.ts'
import type { StateCounts } from './state-counts.ts'
import { candidateOf, type UrlTable } from './url-table.ts'

/** Redirects between a page and the page that linked to it; as many as are ever followed. */
const MAX_HOPS = 10

export type LearningOptions = {
  readonly scorer: Scorer
  readonly urls: UrlTable
  readonly hosts: Hosts
  readonly tally: StateCounts
}

export class Learning {
  readonly #parts: LearningOptions
  readonly #isAsked: boolean
  #learned = 0

  constructor(options: LearningOptions) {
    this.#parts = options
    const { settled, pass } = options.scorer
    this.#isAsked = settled !== undefined || pass !== undefined
  }

  /** Grows with every page that the ordering learned from. */
  get learned(): number {
    return this.#learned
  }

  /** Records that the ordering has learned. */
  note(): void {
    this.#learned += 1
  }

  /**
   * Lets the ordering learn from a page and returns the page as the ordering sees it; null if the ordering
   * asks for none.
   */
  settled(id: number, found: readonly Found[], judged: Signals | null): SettledPage | null {
    if (!this.#isAsked) return null
    const { scorer, urls, tally } = this.#parts
    const row = urls.read(id)
    let links = 0
    for (const { nofollow } of found) if (!nofollow) links += 1
    const finder = (): Candidate | null => this.#finderOf(row)
    const page = { ...candidateOf(row), id, judged, links, waiting: tally.queued, finder }
    if (scorer.settled !== undefined) this.#learn(page, row)
    return page
  }

  #learn(page: SettledPage, row: UrlRow): void {
    const { scorer, hosts } = this.#parts
    scorer.settled?.(page)
    this.note()
    if (!scorer.drifts) return
    // The result also changes the value of the page that linked to it.
    for (const { originId } of [row, this.#finderOf(row) ?? row]) {
      const host = hosts.originWithId(originId)?.host
      if (host) hosts.learnedOf(host)
    }
    hosts.renewed(scorer.renewals ?? 0)
  }

  /** The page that first linked to it, or to a URL that was redirected to it. */
  #finderOf(row: UrlRow): UrlRow | null {
    const { urls } = this.#parts
    let target = row
    for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
      if (target.foundOn === null || target.foundOn < 1) return null
      const source = urls.read(target.foundOn)
      if (target.hops === 0) return source
      target = source
    }
    return null
  }
}
