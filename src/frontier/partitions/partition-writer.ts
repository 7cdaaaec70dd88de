// Writes what changed in the partitions of this program, in rounds. While one round is on its way, changes
// collect for the next: a row that changes ten times is written once, and the more a crawl does, the larger
// the batches. Rounds begin some time apart, since every round costs the server a transaction.
//
// A message to a partition that this program owns as well is delivered as soon as it is durable, without
// being read back; the batch that takes it deletes it.
//
// Where the storage lost rows, all rows of that partition are written again, with what has changed meanwhile.
//
// After a write has failed for good, memory and storage differ, and every later round fails as well.
import { systemTimers, type Timers } from '../../lib/clock.ts'
import {
  type Batch,
  FencedOut,
  type FrontierStorage,
  type Ownership,
  RowsLost,
  type RowsOfTable,
} from '../storage.ts'

/** Between the beginnings of two rounds, unless somebody is in a hurry. */
const ROUND_MS = 100
/** A crawl that has nothing else to do any more waits for the next round no longer than this. */
const LOOK_MS = 100
/** See `maxRoundMs`. */
const PAUSES_PER_ROUND = 10

export interface WrittenPartition {
  readonly ownership?: Ownership
  /** All changes since the last call; null if there are none. */
  takeBatch(): Batch | null
  /** All rows as they are, for a storage that has lost them. They may change while they are read. */
  allRows?(): AsyncIterable<RowsOfTable>
}

type PartitionWriterOptions = {
  readonly storage: Pick<FrontierStorage, 'write' | 'restore'>
  readonly partitions: () => Iterable<WrittenPartition>
  /** Another program owns the partition of this batch. */
  readonly onLost: (batch: Batch) => void
  /** These are durable, with their messages. */
  readonly onWritten: (batches: readonly Batch[]) => void
  /** Between the beginnings of two rounds. */
  readonly roundMs?: number
  /** The same while the crawl has other work. Whoever waits for a round then holds a request slot for longer. */
  readonly busyRoundMs?: number
  readonly isBusy?: () => boolean
  /**
   * For a storage that this program writes itself: a round that takes long is followed by a longer pause, so
   * that rounds take a tenth of the time at most; up to this.
   */
  readonly maxRoundMs?: number
  /** Set in tests and simulations. */
  readonly timers?: Timers | undefined
}

export class PartitionWriter {
  readonly #options: PartitionWriterOptions
  readonly #timers: Timers
  #beganAt = Number.NEGATIVE_INFINITY
  /** How long the last round took. */
  #tookMs = 0
  #running: Promise<void> = Promise.resolve()
  /** The round that has not taken its changes yet. */
  #waiting: Promise<void> | null = null
  /** Somebody waits for that round in a hurry. */
  #isUrgent = false
  #endPause: () => void = () => {}
  #failed: { readonly error: unknown } | null = null
  readonly #rowsLost = new Set<Ownership>()

  constructor(options: PartitionWriterOptions) {
    this.#options = options
    this.#timers = options.timers ?? systemTimers
  }

  /** A report shows that the storage has lost rows of this partition: they are written with the next round. */
  restore(ownership: Ownership): void {
    this.#rowsLost.add(ownership)
  }

  /** Resolves when everything that was changed before this call is durable, or its partition is lost. */
  commit({ isUrgent = false } = {}): Promise<void> {
    if (isUrgent) {
      this.#isUrgent = true
      this.#endPause()
    }
    this.#waiting ??= this.#begin()
    return this.#waiting
  }

  async #begin(): Promise<void> {
    // Callers that wait for that round get its error.
    await this.#running.catch(() => {})
    await this.#pause()
    this.#waiting = null
    this.#isUrgent = false
    this.#running = this.#failed === null ? this.#run() : Promise.reject(this.#failed.error)
    await this.#running
  }

  async #pause(): Promise<void> {
    while (!this.#isUrgent) {
      const ms = this.#beganAt + this.#everyMs - this.#timers.steadyMs()
      if (ms <= 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = this.#timers.after(Math.min(ms, LOOK_MS), resolve)
      this.#endPause = resolve
      await promise
      stop()
    }
  }

  get #everyMs(): number {
    const { roundMs = ROUND_MS, maxRoundMs = roundMs, busyRoundMs, isBusy } = this.#options
    if (busyRoundMs !== undefined && isBusy?.()) return busyRoundMs
    return Math.max(roundMs, Math.min(maxRoundMs, PAUSES_PER_ROUND * this.#tookMs))
  }

  async #run(): Promise<void> {
    this.#beganAt = this.#timers.steadyMs()
    const batches: Batch[] = []
    for (const partition of this.#options.partitions()) {
      const batch = partition.takeBatch()
      if (batch !== null) batches.push(batch)
    }
    await this.#write(batches)
    this.#tookMs = this.#timers.steadyMs() - this.#beganAt
  }

  async #write(batches: readonly Batch[]): Promise<void> {
    for (const ownership of this.#rowsLost) {
      const batch = batches.find((each) => each.ownership === ownership)
      await this.#restore(ownership, batch === undefined ? [] : [batch])
      return this.#write(batches.filter((each) => each !== batch))
    }
    if (batches.length === 0) return
    const { storage, onLost, onWritten } = this.#options
    try {
      await storage.write(batches)
    } catch (error) {
      const isOne = error instanceof FencedOut || error instanceof RowsLost
      const { partition } = isOne ? error.ownership : { partition: -1 }
      const refused = batches.find(({ ownership }) => ownership.partition === partition)
      if (refused === undefined) throw this.#fail(error)
      if (error instanceof RowsLost) {
        this.#rowsLost.add(refused.ownership)
        return this.#write(batches)
      }
      onLost(refused)
      return this.#write(batches.filter((batch) => batch !== refused))
    }
    onWritten(batches)
  }

  /** Writes all rows of a partition, and these batches with what has changed by then. */
  async #restore(ownership: Ownership, batches: Batch[]): Promise<void> {
    const { storage, partitions, onLost, onWritten } = this.#options
    const owned = [...partitions()].find((each) => each.ownership === ownership)
    const rows = owned?.allRows?.()
    this.#rowsLost.delete(ownership)
    if (owned === undefined) return
    if (rows === undefined || storage.restore === undefined)
      throw this.#fail(new RowsLost(ownership))
    const last = (): readonly Batch[] => {
      const batch = owned.takeBatch()
      if (batch !== null) batches.push(batch)
      return batches
    }
    try {
      await storage.restore(ownership, rows, last)
    } catch (error) {
      // It was lost while its rows were read, which closed them; whoever found out has told everybody.
      if (![...partitions()].some((each) => each.ownership === ownership)) return
      // The storage may lose rows while they are written.
      if (error instanceof RowsLost) return this.#restore(ownership, batches)
      if (!(error instanceof FencedOut)) throw this.#fail(error)
      const none = { changes: [], messages: [], taken: new Map(), summary: null }
      onLost(batches[0] ?? { ownership, ...none })
      return
    }
    onWritten(batches)
  }

  #fail(error: unknown): unknown {
    this.#failed = { error }
    return error
  }
}
