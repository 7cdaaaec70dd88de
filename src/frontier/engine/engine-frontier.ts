// A frontier of one partition, in rows that this process alone writes: a folder's crawl, a replay.
import type { HostState, UrlCounts } from '../../core/host.ts'
import type { Found, Via } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type {
  Frontier,
  FrontierStatus,
  FrontierUpdate,
  HostFeedback,
  Lease,
  RobotsRecord,
  RoomForOthers,
} from '../frontier.ts'
import type { FrontierOptions } from './frontier-options.ts'
import { OwnerParts } from './owner-parts.ts'
import { openPartition, type Partition, pickLeases } from './partition.ts'
import type { Rows } from './rows.ts'

/** How far the rows of leases and clocks may be behind. */
const WRITE_BEHIND_MS = 100

/** Begins a run on these rows; closes them if that fails. */
export async function openEngineFrontier(
  rows: Rows,
  options: FrontierOptions,
): Promise<EngineFrontier> {
  const owner = new OwnerParts(options)
  const partition = await openPartition(rows, options, owner)
  partition.enter()
  return new EngineFrontier(rows, partition, owner)
}

class EngineFrontier implements Frontier {
  readonly #rows: Rows
  readonly #partition: Partition
  readonly #owner: OwnerParts
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(rows: Rows, partition: Partition, owner: OwnerParts) {
    this.#rows = rows
    this.#partition = partition
    this.#owner = owner
  }

  async add(found: readonly Found[], via: Via): Promise<number> {
    const added = this.#partition.add(found, via)
    await this.#rows.commit()
    return added
  }

  async lease(limit: number, newPages = limit, room?: RoomForOthers): Promise<readonly Lease[]> {
    this.#partition.check()
    const leases = pickLeases(this.#owner, [this.#partition], { limit, newPages, room })
    if (leases.length > 0) this.#writeSoon()
    return leases
  }

  async leaseFor(url: CanonicalUrl): Promise<Lease | null> {
    return this.#partition.leaseFor(url)
  }

  isValid(lease: Lease): boolean {
    return this.#partition.isValid(lease)
  }

  requestSent(lease: Lease): void {
    this.#partition.requestSent(lease)
  }

  requestEnded(lease: Lease, note: HostFeedback): void {
    this.#partition.requestEnded(lease, note)
    this.#writeSoon()
  }

  async settle(updates: readonly FrontierUpdate[]): Promise<number> {
    const taken = this.#partition.settle(updates)
    const written = this.#rows.commit()
    if (written !== undefined) await written
    const { reranking } = this.#partition.parts
    if (reranking?.isDue) await reranking.run(this.#partition)
    return taken
  }

  async flush(): Promise<void> {
    this.#partition.check()
    if (!this.#isClosed) await this.#rows.flush()
  }

  async saveRobots(lease: Lease, record: RobotsRecord, delayMs?: number): Promise<void> {
    this.#partition.saveRobots(lease, record, delayMs)
    await this.#rows.commit()
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    return this.#partition.parts.robots.read(origin)
  }

  async refuseUnreachable(): Promise<number> {
    const refused = this.#partition.refuseUnreachable()
    await this.#rows.commit()
    return refused
  }

  status(): FrontierStatus {
    const { isIdle: _, ...status } = this.#partition.status()
    const { schedule, rampUp } = this.#owner
    const retryAt = this.#partition.parts.retries.nextAt
    const readyAt = Math.min(Math.max(schedule.readyAt, rampUp.roomAt), retryAt)
    return {
      ...{ ...status, heldByOthers: 0 },
      readyAt: readyAt === Number.POSITIVE_INFINITY ? null : readyAt,
    }
  }

  counts(): UrlCounts {
    return this.#partition.parts.stateCounts.counts
  }

  hosts(limit: number): readonly HostState[] {
    return this.#partition.hosts(limit)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    try {
      if (this.#partition.isOpen) this.#partition.saveAll()
      await this.#rows.commit()
    } finally {
      this.#rows.close()
    }
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => this.#writeBehind(), WRITE_BEHIND_MS).unref()
  }

  #writeBehind(): void {
    this.#timer = null
    try {
      this.#partition.writeBehind()
    } catch {
      // The next call reports it.
    }
  }
}
