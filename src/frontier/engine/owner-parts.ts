// What all partitions of one program share: one schedule over all their hosts, one scorer, and what is
// limited or learned for the crawl as a whole.
import { hostOf, siteOf } from '../../core/url.ts'
import type { FrontierOptions } from './frontier-options.ts'
import type { Host } from './host.ts'
import type { Hosts } from './hosts.ts'
import type { Leases } from './leases.ts'
import { BestHeads, RampUp } from './patience.ts'
import type { Picking } from './picking.ts'
import type { UrlRow } from './rows.ts'
import { Schedule, type ScheduledHosts } from './schedule.ts'
import { SeedShares } from './seed-shares.ts'
import type { Spending } from './spending.ts'
import type { StateCounts } from './state-counts.ts'
import type { UrlTable } from './url-table.ts'

/** A patient crawl never waits longer than this, or than its own delay. */
const MAX_WAIT_MS = 2000

/** The parts of a partition's engine that others are weighed against. */
type Member = {
  readonly partition: number
  readonly hosts: Hosts
  readonly leases: Leases
  readonly picking: Picking
  readonly spending: Spending
  readonly stateCounts: StateCounts
  readonly urls: UrlTable
}

/** Whether a crawl waits for better pages: see patience.ts. */
export function isPatient({
  job,
  ordering,
  policy,
}: Pick<FrontierOptions, 'job' | 'ordering' | 'policy'>): boolean {
  return ordering.focused === true && policy.patient === true && !job.settings.eager
}

export class OwnerParts implements ScheduledHosts {
  readonly schedule: Schedule
  readonly seeds = new SeedShares()
  /** Registrable domains of the seeds. */
  readonly seedSites: ReadonlySet<string>
  /** Null unless the crawl is patient: see patience.ts. */
  readonly heads: BestHeads | null
  readonly rampUp: RampUp
  /** Grows with every page that the ordering learned from. */
  learned = 0
  /** URLs that were refused when their host was picked. */
  refused = 0
  /** Requests that other programs have sent. */
  requestsOfOthers = 0
  /** URLs that wait in partitions of other programs. */
  waitingElsewhere = 0
  readonly #members = new Map<number, Member>()
  readonly #delayMs: number

  constructor({ job, ordering, policy, clock }: FrontierOptions) {
    const { settings, seeds } = job
    const { perHost, delayMs, concurrency } = settings
    const waits = isPatient({ job, ordering, policy })
    const maxWaitMs = Math.max(MAX_WAIT_MS, delayMs)
    this.#delayMs = Math.ceil(delayMs)
    this.seedSites = new Set(seeds.map((seed) => siteOf(hostOf(seed))))
    this.heads = waits ? new BestHeads(maxWaitMs) : null
    this.schedule = new Schedule({
      ...{ policy, clock, maxWaitMs, perHost, delayMs },
      ...{ hosts: this, seeds: this.seeds, heads: this.heads },
    })
    this.rampUp = new RampUp({
      concurrency: waits ? concurrency : null,
      ...{ maxWaitMs, clock, schedule: this.schedule },
      unsettled: () => this.#sum(({ leases }) => leases.unsettled),
    })
  }

  /** A partition is at work from now on. */
  enter(member: Member): void {
    this.#members.set(member.partition, member)
    this.seeds.add(member.hosts.seedSites)
    this.rampUp.settled(member.stateCounts.fetched)
  }

  leave(member: Member): void {
    this.#members.delete(member.partition)
    this.seeds.remove(member.hosts.seedSites)
    this.rampUp.settled(-member.stateCounts.fetched)
  }

  partsOf({ partition }: Host): Member {
    const member = this.#members.get(partition)
    if (member === undefined) throw new RangeError(`partition ${partition} is not at work here`)
    return member
  }

  /** The row of a URL in another partition of this program; null if it is not here. */
  rowOf(partition: number, id: number): UrlRow | null {
    return this.#members.get(partition)?.urls.read(id) ?? null
  }

  hostOf(partition: number, originId: number): Host | undefined {
    return this.#members.get(partition)?.hosts.originWithId(originId)?.host
  }

  /** Requests sent for other partitions than this one, by anybody. */
  requestsBeside(partition: number): number {
    const all = this.#sum(({ spending }) => spending.requests)
    const own = this.#members.get(partition)?.spending.requests ?? 0
    return this.requestsOfOthers + all - own
  }

  /** URLs that wait in other partitions than this one, of anybody. */
  waitingBeside(partition: number): number {
    const all = this.#sum(({ stateCounts }) => stateCounts.queued)
    const own = this.#members.get(partition)?.stateCounts.queued ?? 0
    return this.waitingElsewhere + all - own
  }

  get size(): number {
    return this.#sum(({ hosts }) => hosts.size)
  }

  *all(): Generator<Host> {
    for (const { hosts } of this.#members.values()) yield* hosts.all()
  }

  delayOf(host: Host): number {
    return Math.max(this.#delayMs, host.ownDelayMs)
  }

  noteIdle(host: Host, isIdle: boolean): void {
    this.#members.get(host.partition)?.hosts.noteIdle(host, isIdle)
  }

  #sum(of: (member: Member) => number): number {
    let sum = 0
    for (const member of this.#members.values()) sum += of(member)
    return sum
  }
}
