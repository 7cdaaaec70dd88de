// Sums over all partitions of a crawl: those of this program as they are now, the others as their owners have
// reported. A scouter asks for them several times per page, so what others have reported is added up once.
import { NO_COUNTS, type UrlCounts } from '../../core/host.ts'
import type { Partition } from '../engine/partition.ts'
import type { FrontierStatus } from '../frontier.ts'
import { addedCounts, type PartitionSummary } from './summary.ts'

export class CrawlSums {
  readonly #own: () => Iterable<{ readonly engine: Partition }>
  #others = sumOf([])

  constructor(own: () => Iterable<{ readonly engine: Partition }>) {
    this.#own = own
  }

  /** Others have reported, or a partition has come or gone. */
  see(others: readonly PartitionSummary[]): void {
    this.#others = sumOf(others)
  }

  status(): Omit<FrontierStatus, 'readyAt'> {
    const { unsettled: heldByOthers, areOver } = this.#others
    let { unsettled, revisits, revisiting } = this.#others
    for (const { engine } of this.#own()) {
      unsettled += engine.parts.leases.unsettled
      revisits += engine.parts.revisits.waiting
      revisiting += engine.parts.leases.revisiting
    }
    const allUnreachable = unsettled === heldByOthers && areOver && this.#areUnreachable()
    return { heldByOthers, unsettled, allUnreachable, revisits, revisiting }
  }

  counts(): UrlCounts {
    const sum = { ...this.#others.counts }
    for (const { engine } of this.#own()) engine.parts.stateCounts.addTo(sum)
    return sum
  }

  /** Everything that waits here is unreachable, and there is something. */
  #areUnreachable(): boolean {
    let isAny = false
    for (const { engine } of this.#own()) {
      const status = engine.status()
      if (!isOver(status)) return false
      isAny ||= status.allUnreachable
    }
    return isAny
  }
}

function sumOf(others: readonly PartitionSummary[]) {
  const sum = { unsettled: 0, revisits: 0, revisiting: 0, areOver: true, counts: NO_COUNTS }
  sum.counts = addedCounts(others)
  for (const other of others) {
    sum.unsettled += other.unsettled
    sum.revisits += other.revisits
    sum.revisiting += other.revisiting
    sum.areOver &&= isOver(other)
  }
  return sum
}

function isOver({
  allUnreachable,
  isIdle,
}: Pick<PartitionSummary, 'allUnreachable' | 'isIdle'>): boolean {
  return allUnreachable || isIdle
}
