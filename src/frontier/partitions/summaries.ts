// Makes the summaries of partitions that this program owns.
import type { HostState } from '../../core/host.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Partition } from '../engine/partition.ts'
import type { PartitionSummary } from './summary.ts'

/** Hosts that a summary shows: the largest, and some of the seeds' domains. */
const LARGEST = 20
const OF_SEEDS = 200
const HOSTS_LAST_MS = 2000
/** Only of slow requests is shown when they were sent: else each would change the summary once more. */
const SLOW_MS = 1000
/** Leases that the summaries of all partitions show. */
const LEASES_SHOWN = 200

export type SummariesOptions = {
  readonly clock: Clock
  /** The number of all partitions. */
  readonly partitions: number
  /** Registrable domains of the seeds. */
  readonly seedSites: ReadonlySet<string>
}

type Shown = { readonly at: number; readonly hosts: readonly HostState[] }

export class Summaries {
  readonly #options: SummariesOptions
  readonly #hosts = new WeakMap<Partition, Shown>()

  constructor(options: SummariesOptions) {
    this.#options = options
  }

  /** `isSeeded`: the seeds were added. Before that, a partition that looks idle may not be. */
  of(engine: Partition, isSeeded: boolean): Omit<PartitionSummary, 'writes' | 'epoch'> {
    const { unsettled, revisits, revisiting, allUnreachable, isIdle } = engine.status()
    return {
      ...{ counts: engine.parts.tally.counts, unsettled, revisits, revisiting, allUnreachable },
      isIdle: isIdle && isSeeded,
      requests: engine.parts.spending.requests,
      seeds: engine.seedSums(),
      leases: this.#oldestLeases(engine),
      hostCount: engine.parts.hosts.size,
      hosts: this.#hostsOf(engine),
    }
  }

  #hostsOf(engine: Partition): readonly HostState[] {
    const known = this.#hosts.get(engine)
    const now = this.#options.clock.now()
    if (known !== undefined && now - known.at < HOSTS_LAST_MS) return known.hosts
    const largest = engine.hosts(LARGEST)
    const names = new Set(largest.map(({ host }) => host))
    const ofSeeds = engine.hosts(OF_SEEDS + LARGEST).filter(({ host, site, stored }) => {
      return stored > 0 && !names.has(host) && this.#options.seedSites.has(site)
    })
    const hosts = [...largest, ...ofSeeds.slice(0, OF_SEEDS)]
    this.#hosts.set(engine, { at: now, hosts })
    return hosts
  }

  #oldestLeases(engine: Partition): PartitionSummary['leases'] {
    const slowBefore = this.#options.clock.now() - SLOW_MS
    const limit = Math.ceil(LEASES_SHOWN / this.#options.partitions)
    const oldest: [number, number | null][] = []
    for (const { id, startedAt } of engine.parts.leases.pages()) {
      if (oldest.length === limit) break
      oldest.push([id, startedAt !== null && startedAt < slowBefore ? startedAt : null])
    }
    return oldest
  }
}
