// Leases of a divided frontier, for display: from what owners report of their partitions, and from rows of
// leased URLs. A lease belongs to the owner of its partition.
import type { HostState } from '../../core/host.ts'
import type { FrontierLeases, HostView, LeaseView, PartitionTotals } from '../lease-views.ts'
import type { CrawlView, PartitionView } from '../storage.ts'
import type { ListedUrl } from '../url-states.ts'
import { numberOf, partitionOfNumber } from './partition-of.ts'
import { decodeSummary, type PartitionSummary, UNOPENED } from './summary.ts'

type LeasesOptions = {
  /** Leases and hosts that are shown. */
  readonly limit: number
  /** Prefix of a partition's keys; '' if it has none. */
  readonly keysOf: (partition: number) => string
  /** Rows of URLs by their numbers over all partitions. */
  readonly urlsAt: (positions: readonly number[]) => Promise<readonly ListedUrl[]>
}

type SeenPartition = PartitionView & { readonly told: PartitionSummary }

/** How many leases each owner has. */
export function countLeases(view: CrawlView): ReadonlyMap<string, number> {
  return sumsByOwner(seenIn(view), ({ unsettled }) => unsettled)
}

export async function readLeases(
  view: CrawlView,
  { limit, keysOf, urlsAt }: LeasesOptions,
): Promise<FrontierLeases> {
  const { now, owners } = view
  const all = seenIn(view)
  const leases = sumsByOwner(all, ({ unsettled }) => unsettled)
  const hosts = sumsByOwner(all, ({ hostCount }) => hostCount)
  const sentAt = new Map(all.flatMap((one) => leasedIn(one, all.length)).slice(0, limit))
  const urls = sentAt.size === 0 ? [] : await urlsAt([...sentAt.keys()])
  return {
    now,
    total: all.reduce((sum, { told }) => sum + told.unsettled, 0),
    partitions: all.map((one) => partitionView(one, now, keysOf(one.partition))),
    sessions: owners.map((session) => ({
      ...{ session, until: now },
      ...{ leases: leases.get(session) ?? 0, hosts: hosts.get(session) ?? 0 },
    })),
    leases: urls.map(({ url, host, tries, position }): LeaseView => {
      const session = all[partitionOfNumber(position, all.length)]?.owner ?? ''
      return { session, kind: 'page', url, host, startedAt: sentAt.get(position) ?? null, tries }
    }),
    hosts: all.flatMap((one) => hostViews(one, now)).slice(0, limit),
  }
}

function seenIn({ partitions }: CrawlView): readonly SeenPartition[] {
  return partitions.map((view) => ({ ...view, told: toldBy(view) }))
}

/** What makes no sense is not shown: a server can be written by others. */
function toldBy({ summary }: PartitionView): PartitionSummary {
  try {
    return decodeSummary(summary)
  } catch {
    return UNOPENED
  }
}

/** Numbers of leased URLs, and when their requests were sent. */
function leasedIn({ partition, told }: SeenPartition, count: number): [number, number | null][] {
  return told.leases.map(([id, sentAt]) => [numberOf(id, partition, count), sentAt])
}

function sumsByOwner(
  all: readonly SeenPartition[],
  of: (told: PartitionSummary) => number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { owner, told } of all) {
    if (owner !== '') sums.set(owner, (sums.get(owner) ?? 0) + of(told))
  }
  return sums
}

function partitionView(
  { partition, told }: SeenPartition,
  now: number,
  keys: string,
): PartitionTotals {
  const { counts, hostCount } = told
  const waiting = told.hosts.filter(({ queued }) => queued > 0)
  const restingHosts = waiting.filter(({ restsUntil }) => restsUntil > now).length
  return {
    ...{ partition, keys, hosts: hostCount },
    urls: Object.values(counts).reduce((sum, urls) => sum + urls, 0),
    ...{ queued: counts.queued, leased: counts.leased, stored: counts.stored },
    ...{ readyHosts: waiting.length - restingHosts, restingHosts },
  }
}

function hostViews({ owner, told }: SeenPartition, now: number): readonly HostView[] {
  const isVisited = ({ inFlight }: HostState): boolean => owner !== '' && inFlight > 0
  return told.hosts.filter(isVisited).map(({ host }) => ({ host, session: owner, until: now }))
}
