// Reports settled pages to the ordering, with what it can learn from them. This reads the page's row, so it
// is done only for orderings that ask for it.
import type { Found } from '../../core/link.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Candidate, Scorer, SettledPage, Signals } from '../../ordering/ordering.ts'
import type { Hosts } from './hosts.ts'
import type { OtherPartitions } from './link-intake.ts'
import type { OwnerParts } from './owner-parts.ts'
import type { Rows, UrlRow } from './rows.ts'
import type { StateCounts } from './state-counts.ts'
import { candidateOf, type UrlTable } from './url-table.ts'

/** Redirects between a page and the page that linked to it; as many as are ever followed. */
const MAX_HOPS = 10

type OrderingFeedbackOptions = {
  readonly scorer: Scorer
  readonly urls: UrlTable
  readonly hosts: Hosts
  readonly stateCounts: StateCounts
  readonly owner: Pick<OwnerParts, 'learned' | 'rowOf' | 'hostOf' | 'waitingBeside'>
  readonly otherPartitions: Pick<OtherPartitions, 'placeOf' | 'numberOf'> | null
  readonly partition: number
}

export class OrderingFeedback {
  readonly #parts: OrderingFeedbackOptions
  readonly #isAsked: boolean

  constructor(options: OrderingFeedbackOptions) {
    this.#parts = options
    const { settled, pass } = options.scorer
    this.#isAsked = settled !== undefined || pass !== undefined
  }

  /** Records that the ordering has learned. */
  note(): void {
    this.#parts.owner.learned += 1
  }

  /**
   * Lets the ordering learn from a page and returns the page as the ordering sees it; null if the ordering
   * asks for none.
   */
  settled(id: number, found: readonly Found[], judged: Signals | null): SettledPage | null {
    if (!this.#isAsked) return null
    const { scorer, urls, stateCounts, otherPartitions, owner, partition } = this.#parts
    const row = urls.read(id)
    let links = 0
    for (const { nofollow } of found) if (!nofollow) links += 1
    const finder = (): Candidate | null => this.#finderOf(row)?.row ?? null
    const page = {
      ...{ ...candidateOf(row), judged, links, finder },
      id: otherPartitions?.numberOf(id) ?? id,
      waiting: stateCounts.queued + owner.waitingBeside(partition),
      part: otherPartitions === null ? undefined : partition,
    }
    if (scorer.settled !== undefined) this.#learn(page, row)
    return page
  }

  #learn(page: SettledPage, row: UrlRow): void {
    const { scorer, hosts, owner } = this.#parts
    scorer.settled?.(page)
    this.note()
    if (!scorer.drifts) return
    // The result also changes the value of the page that linked to it.
    const finder = this.#finderOf(row)
    const own = { row, partition: this.#parts.partition }
    for (const place of finder === null ? [own] : [own, finder]) {
      const host = owner.hostOf(place.partition, place.row.originId)
      if (host) hosts.learnedOf(host)
    }
    hosts.renewed(scorer.renewals ?? 0)
  }

  /** The page that first linked to it, or to a URL that was redirected to it. */
  #finderOf(row: UrlRow): Known | null {
    let target = row
    for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
      if (target.foundOn === null || target.foundOn < 1) return null
      const source = this.#known(target.foundOn)
      if (source === null || target.hops === 0) return source
      target = source.row
    }
    return null
  }

  /** A page of a partition that another program owns is not known here. */
  #known(number: number): Known | null {
    const { urls, otherPartitions, owner, partition } = this.#parts
    if (otherPartitions === null) return { partition, row: urls.read(number) }
    const place = otherPartitions.placeOf(number)
    const row = owner.rowOf(place.partition, place.id)
    return row === null ? null : { partition: place.partition, row }
  }
}

type Known = { readonly partition: number; readonly row: UrlRow }

const LITTLE_BYTES = 4096
const SAVE_EVERY_MS = 5000

type OrderingStateOptions = {
  readonly rows: Pick<Rows, 'ordering'>
  readonly clock: Clock
  readonly name: string
  readonly scorer: Scorer
  /** The number of the partition; undefined if there is only one. */
  readonly part: number | undefined
}

/**
 * Keeps the state of an ordering over a restart. A small state is written with every step of the crawl, a
 * large one every few seconds and when the file is closed.
 */
export class OrderingState {
  readonly #options: OrderingStateOptions
  #savedBytes = 0
  #savedAt = Number.NEGATIVE_INFINITY
  #savedLearned = 0

  constructor(options: OrderingStateOptions) {
    this.#options = options
  }

  /** Restores what earlier runs have learned. */
  load(): void {
    const { rows, name, scorer, part } = this.#options
    const saved = rows.ordering.get(name)
    if (saved !== undefined) scorer.load?.(saved.state, part)
  }

  /** Deletes what was learned; it no longer applies. */
  forget(): void {
    this.#options.rows.ordering.clear()
  }

  /** Saves the current state if it is small, or if the last save was a while ago. */
  write(learned: number): void {
    if (learned === this.#savedLearned) return
    const elapsed = Math.abs(this.#options.clock.now() - this.#savedAt)
    if (this.#savedBytes <= LITTLE_BYTES || elapsed >= SAVE_EVERY_MS) this.writeNow(learned)
  }

  writeNow(learned: number): void {
    const { rows, clock, name, scorer, part } = this.#options
    const bytes = scorer.save?.(part) ?? null
    this.#savedLearned = learned
    this.#savedAt = clock.now()
    this.#savedBytes = bytes?.byteLength ?? 0
    if (bytes === null) return
    rows.ordering.put({ name, state: bytes, savedAt: Math.floor(this.#savedAt) })
  }
}
