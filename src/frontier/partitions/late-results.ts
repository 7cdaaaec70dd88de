// Results of pages that are in the store, whose lease was lost with its partition: the owner of that partition
// has to know. A part of this program is notified directly, others get a message.
import type { CanonicalUrl } from '../../core/url.ts'
import type { RoleChange } from '../../core/visit.ts'
import type { Timers } from '../../lib/clock.ts'
import type { FrontierUpdate, LeaseRef } from '../frontier.ts'
import type { OwnedPartition } from './owned-partition.ts'
import type { OwnedPartitions } from './owned-partitions.ts'

/** How soon a program without partitions looks again whether it has one. */
const LOOK_MS = 250

type PartitionOf = (url: CanonicalUrl) => number
type Owned = Pick<OwnedPartitions, 'all' | 'get' | 'check' | 'commit' | 'isClosed'>
type Durable = FrontierUpdate & { readonly lease: LeaseRef & { url: CanonicalUrl; token: null } }

export class LateResults {
  readonly #owned: Owned
  readonly #partitionOf: PartitionOf

  readonly #timers: Pick<Timers, 'sleep'>

  constructor(owned: Owned, partitionOf: PartitionOf, timers: Pick<Timers, 'sleep'>) {
    this.#owned = owned
    this.#partitionOf = partitionOf
    this.#timers = timers
  }

  /** Other results than those of stored pages are dropped; their URLs are leased again. Returns how many were kept. */
  async forward(updates: readonly FrontierUpdate[]): Promise<number> {
    const durable = updates.flatMap(asDurable)
    let left: readonly Durable[] = durable
    while (left.length > 0) {
      const sender = await this.#anyPartition()
      // The store keeps the receipts, for the next run.
      if (sender === null) break
      const carried = left.map((one) => ({ one, by: this.#tell(sender, one) }))
      await this.#owned.commit()
      // What a partition was to carry is lost with it, unless it was written before; twice does no harm.
      left = carried.flatMap(({ one, by }) => (this.#owned.get(by.number) === by ? [] : [one]))
    }
    return durable.length - left.length
  }

  /** The partition that carries the result until it is durable. */
  #tell(sender: OwnedPartition, update: Durable): OwnedPartition {
    const to = this.#partitionOf(update.lease.url)
    const here = this.#owned.get(to)
    const by = here ?? sender
    const { own, others } = splitMoved(update, to, this.#partitionOf)
    for (const [home, moved] of others) {
      if (home === by.number) by.engine.restate(moved)
      else by.send(home, { kind: 'moved', moved })
    }
    if (here === undefined) by.send(to, { kind: 'settled', update: own })
    else by.engine.settle([own])
    return by
  }

  /** Every message has a sender, so a program without partitions waits until it has one. Null if it ends. */
  async #anyPartition(): Promise<OwnedPartition | null> {
    while (!this.#owned.isClosed) {
      this.#owned.check()
      const any = [...this.#owned.all].find(({ isLeaving }) => !isLeaving)
      if (any !== undefined) return any
      await this.#timers.sleep(LOOK_MS)
    }
    return null
  }
}

function asDurable(update: FrontierUpdate): Durable[] {
  const { kind, url, token, durable } = update.lease
  if (kind !== 'page' || url === undefined || !(token === null || durable)) return []
  return [{ ...update, lease: { ...update.lease, url, token: null } }]
}

/** Duplicates whose state changed because of a page: those of its own partition, and by partition all others. */
export function splitMoved(update: FrontierUpdate, home: number, partitionOf: PartitionOf) {
  if (!('moved' in update) || update.moved === undefined) return { own: update, others: [] }
  const byHome = Map.groupBy(update.moved, ({ url }) => partitionOf(url))
  const own: FrontierUpdate = { ...update, moved: byHome.get(home) ?? [] }
  const others: (readonly [partition: number, moved: readonly RoleChange[]])[] = [...byHome]
  return { own, others: others.filter(([partition]) => partition !== home) }
}
