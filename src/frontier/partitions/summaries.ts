// Makes the summaries of partitions that this program owns.
import type { HostState } from '../../core/host.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import type { Partition } from '../engine/partition.ts'
import type { HeadScores } from '../engine/patience.ts'
import { NO_SEEDS, type PartitionSummary } from './summary.ts'

/** Hosts that a summary shows: the largest, and some of the seeds' domains. */
const LARGEST = 20
const OF_SEEDS = 200
const HOSTS_LAST_MS = 2000
const GIST_LASTS_MS = 1000
/** Larger gists are not told. */
const MAX_GIST_BYTES = 4096
/** Only of slow requests is shown when they were sent: else each would change the summary once more. */
const SLOW_MS = 1000
/** Leases that the summaries of all partitions show. */
const LEASES_SHOWN = 200

type SummariesOptions = {
  readonly clock: Clock
  /** The number of all partitions. */
  readonly partitions: number
  /** Registrable domains of the seeds. */
  readonly seedSites: ReadonlySet<string>
  readonly scorer: Pick<Scorer, 'gist'>
}

type Shown = { readonly at: number; readonly hosts: readonly HostState[] }

export class Summaries {
  readonly #options: SummariesOptions
  readonly #hosts = new WeakMap<Partition, Shown>()
  readonly #gists = new WeakMap<Partition, { readonly at: number; readonly text: string }>()

  constructor(options: SummariesOptions) {
    this.#options = options
  }

  /** `isSeeded`: the seeds were added. Before that, a partition that looks idle may not be. */
  of(
    engine: Partition,
    isSeeded: boolean,
  ): Omit<PartitionSummary, 'writes' | 'epoch' | 'reserved'> {
    const { unsettled, revisits, revisiting, allUnreachable, isIdle } = engine.status()
    return {
      ...{
        counts: engine.parts.stateCounts.counts,
        unsettled,
        revisits,
        revisiting,
        allUnreachable,
      },
      isIdle: isIdle && isSeeded,
      requests: engine.parts.spending.requests,
      ...(isIdle ? NOTHING_TO_SERVE : toServe(engine)),
      gist: this.#gistOf(engine),
      leases: this.#oldestLeases(engine),
      hostCount: engine.parts.hosts.size,
      hosts: this.#hostsOf(engine),
    }
  }

  #gistOf(engine: Partition): string {
    const { scorer, clock } = this.#options
    if (scorer.gist === undefined) return ''
    const known = this.#gists.get(engine)
    const now = clock.now()
    if (known !== undefined && now - known.at < GIST_LASTS_MS) return known.text
    const bytes = scorer.gist(engine.parts.partition)
    const text =
      bytes === null || bytes.byteLength > MAX_GIST_BYTES
        ? ''
        : Buffer.from(bytes).toString('base64')
    this.#gists.set(engine, { at: now, text })
    return text
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

/**
 * Nobody waits for a partition that has nothing to fetch. Its domains could not be served from a moment later
 * on, and by then nothing may be written here any more: others would wait for them for ever.
 */
const NOTHING_TO_SERVE = { seeds: NO_SEEDS, isFull: false, outlook: null }

function toServe(engine: Partition): Pick<PartitionSummary, 'seeds' | 'isFull' | 'outlook'> {
  const { schedule } = engine.parts
  return {
    seeds: engine.seedSums(),
    isFull: schedule.isFull,
    outlook: rounded(schedule.outlook()),
  }
}

/** A summary that changes by a hair would be one more write. */
function rounded(outlook: HeadScores | null): HeadScores | null {
  if (outlook === null) return null
  const { best, spread, pickedAt } = outlook
  return { best: Number(best.toPrecision(3)), spread: Number(spread.toPrecision(3)), pickedAt }
}
