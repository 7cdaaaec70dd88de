// What all programs of a crawl see of a partition they do not own: enough to add up counts, to keep limits
// and fairness over all partitions, and to find out that the crawl is over. It is written with every batch,
// so it is never newer or older than the rows.
import { type HostState, NO_COUNTS, type UrlCounts } from '../../core/host.ts'
import { URL_STATES } from '../../core/visit.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Scorer } from '../../ordering/ordering.ts'
import type { OwnerParts } from '../engine/owner-parts.ts'
import type { Partition } from '../engine/partition.ts'
import type { HeadScores } from '../engine/patience.ts'
import type { SeedSums } from '../policy/host-policy.ts'

export type PartitionSummary = {
  readonly counts: UrlCounts
  /** As in `FrontierStatus`. */
  readonly unsettled: number
  readonly revisits: number
  readonly revisiting: number
  /** Nothing waits and nothing is under way. */
  readonly isIdle: boolean
  /** Everything that waits is unreachable. */
  readonly allUnreachable: boolean
  /** Requests sent so far. */
  readonly requests: number
  /** New pages that its owner is about to lease, from any of its partitions; one of them shows it. */
  readonly reserved: number
  /** Sums over the seeds' domains of this partition. `least` is null if there is none. */
  readonly seeds: Omit<SeedSums, 'least'> & { readonly least: number | null }
  /** Its owner has ready hosts, but no connections left. */
  readonly isFull: boolean
  /** The best score that its owner has for the next pages, and the spread of scores; null if it has none. */
  readonly heads: HeadScores | null
  /** The gist of what the ordering has learned from its pages, in base64; '' if there is none. */
  readonly gist: string
  /** Grows with every batch. */
  readonly writes: number
  /** The epoch of the owner that wrote it. */
  readonly epoch: number
  /** Pages that have been leased for the longest: ids, and when slow requests were sent. */
  readonly leases: readonly (readonly [id: number, sentAt: number | null])[]
  /** Number of all hosts. */
  readonly hostCount: number
  /** The largest hosts, and those that fairness is computed from. */
  readonly hosts: readonly HostState[]
}

export const NO_SEEDS: PartitionSummary['seeds'] = { count: 0, least: null, sum: 0, squares: 0 }

/** Nobody has opened the partition yet, so its seeds may be missing. */
export const UNOPENED: PartitionSummary = {
  ...{ counts: NO_COUNTS, unsettled: 0, revisits: 0, revisiting: 0, isIdle: false },
  ...{
    allUnreachable: false,
    requests: 0,
    reserved: 0,
    seeds: NO_SEEDS,
    isFull: false,
    heads: null,
    gist: '',
    writes: 0,
    epoch: 0,
    leases: [],
    hostCount: 0,
    hosts: [],
  },
}

export function decodeSummary(text: string): PartitionSummary {
  return text === '' ? UNOPENED : { ...UNOPENED, ...JSON.parse(text) }
}

export function encodeSummary(summary: PartitionSummary): string {
  return JSON.stringify(summary)
}

const COUNTED = [...URL_STATES, 'outside'] as const

export function addedCounts(all: Iterable<Pick<PartitionSummary, 'counts'>>): UrlCounts {
  const sum = { ...NO_COUNTS }
  for (const { counts } of all) for (const state of COUNTED) sum[state] += counts[state]
  return sum
}

function addedSeeds(all: Iterable<Pick<PartitionSummary, 'seeds'>>): SeedSums {
  const total = { count: 0, least: Number.POSITIVE_INFINITY, sum: 0, squares: 0 }
  for (const { seeds } of all) {
    total.count += seeds.count
    total.least = Math.min(total.least, seeds.least ?? Number.POSITIVE_INFINITY)
    total.sum += seeds.sum
    total.squares += seeds.squares
  }
  return total
}

/** What the owners of other partitions have reported counts for this program, too. */
export function seeOthers(
  owner: OwnerParts,
  scorer: Pick<Scorer, 'hear'>,
  others: readonly PartitionSummary[],
): void {
  const sumOf = (of: (one: PartitionSummary) => number): number =>
    others.reduce((sum, one) => sum + of(one), 0)
  owner.seeds.others = addedSeeds(others)
  owner.schedule.areOthersFull = others.some(({ isFull }) => isFull)
  owner.requestsOfOthers = sumOf(({ requests }) => requests)
  owner.waitingElsewhere = sumOf(({ counts }) => counts.queued)
  owner.rampUp.others = {
    settled: sumOf(({ counts }) => counts.stored + counts.duplicate),
    unsettled: sumOf(({ unsettled }) => unsettled),
  }
  if (owner.heads !== null) owner.heads.others = bestHeads(others)
  if (scorer.hear === undefined) return
  const gists = others.flatMap(({ gist }) => (gist === '' ? [] : Buffer.from(gist, 'base64')))
  scorer.hear(gists)
  if (gists.length > 0) owner.learned += 1
}

function bestHeads(all: Iterable<Pick<PartitionSummary, 'heads'>>): HeadScores | null {
  const known = Array.from(all).flatMap(({ heads }) => heads ?? [])
  if (known.length === 0) return null
  return {
    best: Math.max(...known.map(({ best }) => best)),
    spread: Math.max(...known.map(({ spread }) => spread)),
    pickedAt: Math.max(...known.map(({ pickedAt }) => pickedAt)),
  }
}

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

/** Makes the summaries of partitions that this program owns. */
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
const NOTHING_TO_SERVE = { seeds: NO_SEEDS, isFull: false, heads: null }

function toServe(engine: Partition): Pick<PartitionSummary, 'seeds' | 'isFull' | 'heads'> {
  const { schedule } = engine.parts
  return {
    seeds: engine.seedSums(),
    isFull: schedule.isFull,
    heads: rounded(schedule.headScores()),
  }
}

/** A summary that changes by a hair would be one more write. */
function rounded(heads: HeadScores | null): HeadScores | null {
  if (heads === null) return null
  const { best, spread, pickedAt } = heads
  return { best: Number(best.toPrecision(3)), spread: Number(spread.toPrecision(3)), pickedAt }
}
