// One crawl by several programs, in one process and on simulated time: each owner has a frontier of its own over
// the rows that all of them share. To a replay they look like one frontier.
import type { HostState, UrlCounts } from '../../src/core/host.ts'
import type { Found, Via } from '../../src/core/link.ts'
import type { CanonicalUrl } from '../../src/core/url.ts'
import type {
  Frontier,
  FrontierStatus,
  FrontierUpdate,
  HostFeedback,
  Lease,
  RobotsRecord,
} from '../../src/frontier/frontier.ts'
import {
  openPartitionedFrontier,
  type PartitionedFrontier,
  type PartitionedOptions,
} from '../../src/frontier/partitions/partitioned-frontier.ts'
import { openWorkingCopy } from '../../src/frontier/sqlite/sqlite-rows.ts'
import type { FrontierStorage } from '../../src/frontier/storage.ts'
import type { Scorer } from '../../src/ordering/ordering.ts'
import { createMemoryStorage, MemoryServer } from './memory-storage.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** Owners report once a second. */
const LEASE_MS = 10_000
/** As of owners on servers. */
const BUSY_ROUND_MS = 250

export type OwnersSetup = Pick<
  PartitionedOptions,
  'job' | 'ordering' | 'policy' | 'admit' | 'templateOf'
> & {
  readonly time: SimulatedTime
  readonly partitions: number
  /** What an owner learns is its own. */
  readonly createScorer: () => Scorer
  readonly leaseMs?: number
}

/** Where owners of one crawl come and go. */
export class OwnersFixture {
  readonly #setup: OwnersSetup
  readonly storage: FrontierStorage
  #opened = 0

  constructor(setup: OwnersSetup) {
    this.#setup = setup
    this.storage = createMemoryStorage(new MemoryServer(setup.time))
  }

  /** One more owner. It has its partitions after a few reports. `own`: its line to the storage, and its time. */
  async open(own?: Pick<PartitionedOptions, 'storage' | 'timers'>): Promise<PartitionedFrontier> {
    const { time, partitions, createScorer, leaseMs = LEASE_MS, ...rest } = this.#setup
    this.#opened += 1
    return openPartitionedFrontier({
      ...{ busyRoundMs: BUSY_ROUND_MS, ...rest, storage: this.storage, clock: time, timers: time },
      ...own,
      ...{ partitions: await this.storage.divide(rest.job, partitions), scorer: createScorer() },
      ...{ owner: `owner ${String(this.#opened).padStart(4, '0')}`, leaseMs },
      openCopy: () => openWorkingCopy(),
    })
  }
}

/** Waits until every partition has an owner, and every owner its share. */
export async function openOwners(fixture: OwnersFixture, count: number, time: SimulatedTime) {
  const owners: PartitionedFrontier[] = []
  for (let at = 0; at < count; at += 1) owners.push(await time.until(fixture.open()))
  // Whoever was there first releases some at its next report; others claim them at theirs.
  await time.pass(5000)
  return owners
}

export class SeveralOwners implements Frontier {
  readonly #owners: readonly PartitionedFrontier[]
  readonly #time: SimulatedTime
  /** Requests in flight of one owner. */
  readonly #each: number
  readonly #holders = new Map<string, PartitionedFrontier>()
  readonly #held = new Map<PartitionedFrontier, number>()
  #turn = 0

  constructor(owners: readonly PartitionedFrontier[], time: SimulatedTime, each: number) {
    this.#owners = owners
    this.#time = time
    this.#each = each
  }

  async add(found: readonly Found[], via: Via): Promise<number> {
    const adding = Promise.all(this.#owners.map((owner) => owner.add(found, via)))
    const added = await this.#time.until(adding)
    return added.reduce((sum, one) => sum + one, 0)
  }

  async lease(limit: number): Promise<readonly Lease[]> {
    await this.#time.catchUp()
    const leases: Lease[] = []
    this.#turn += 1
    for (let at = 0; at < this.#owners.length; at += 1) {
      const owner = this.#owners[(this.#turn + at) % this.#owners.length]
      if (owner === undefined) continue
      const held = this.#held.get(owner) ?? 0
      const free = Math.min(limit - leases.length, this.#each - held)
      if (free <= 0) continue
      const own = await owner.lease(free)
      for (const lease of own) this.#holders.set(keyOf(lease), owner)
      this.#held.set(owner, held + own.length)
      leases.push(...own)
    }
    return leases
  }

  async leaseFor(url: CanonicalUrl): Promise<Lease | null> {
    return this.#owners[0]?.leaseFor(url) ?? null
  }

  isValid(lease: Lease): boolean {
    return this.#holderOf(lease).isValid(lease)
  }

  requestSent(lease: Lease): void {
    this.#holderOf(lease).requestSent(lease)
  }

  requestEnded(lease: Lease, note: HostFeedback): void {
    this.#holderOf(lease).requestEnded(lease, note)
  }

  /** Does not wait until it is written: time passes only when the caller goes on. */
  async settle(updates: readonly FrontierUpdate[]): Promise<number> {
    const byOwner = Map.groupBy(updates, ({ lease }) => this.#holderOf(lease))
    for (const [owner, all] of byOwner) {
      this.#held.set(owner, (this.#held.get(owner) ?? 0) - all.length)
      for (const { lease } of all) this.#holders.delete(keyOf(lease))
      void owner.settle(all)
    }
    return updates.length
  }

  async flush(): Promise<void> {
    for (const owner of this.#owners) await owner.flush()
  }

  async saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void> {
    await this.#holderOf(lease).saveRobots(lease, record, delayMs)
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    for (const owner of this.#owners) {
      const record = await owner.robots(origin)
      if (record !== null) return record
    }
    return null
  }

  async refuseUnreachable(): Promise<number> {
    return 0
  }

  status(): FrontierStatus {
    const all = this.#owners.map((owner) => owner.status())
    const [first] = all
    if (first === undefined) throw new Error('there is no owner')
    const ready = all.flatMap(({ readyAt }) => readyAt ?? [])
    const readyAt = ready.length === 0 ? null : Math.min(...ready, this.#time.nextAt)
    return { ...first, heldByOthers: 0, readyAt }
  }

  counts(): UrlCounts {
    const [first] = this.#owners
    if (first === undefined) throw new Error('there is no owner')
    return first.counts()
  }

  hosts(limit: number): readonly HostState[] {
    return this.#owners[0]?.hosts(limit) ?? []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const owner of this.#owners) await this.#time.until(owner[Symbol.asyncDispose]())
  }

  #holderOf(lease: Pick<Lease, 'kind' | 'id'>): PartitionedFrontier {
    const holder = this.#holders.get(keyOf(lease))
    if (holder === undefined) throw new Error('nobody holds this lease')
    return holder
  }
}

function keyOf({ kind, id }: Pick<Lease, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}
