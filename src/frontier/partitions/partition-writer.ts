// Writes what changed in the partitions of this program, in rounds. While one round is on its way, changes
// collect for the next: a row that changes ten times is written once, and the more a crawl does, the larger
// the batches. Rounds begin some time apart, since every round costs the server a transaction.
//
// A message to a partition that this program owns as well is delivered as soon as it is durable, without
// being read back; the batch that takes it deletes it.
//
// After a write has failed for good, memory and storage differ, and every later round fails as well.
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyMs } from '../../lib/clock.ts'
import { type Batch, FencedOut, type FrontierStorage, type Message } from '../storage.ts'

/** Between the beginnings of two rounds, unless somebody is in a hurry. */
const ROUND_MS = 50

export interface WrittenPartition {
  /** All changes since the last call; null if there are none. */
  takeBatch(): Batch | null
}

export type PartitionWriterOptions = {
  readonly storage: Pick<FrontierStorage, 'write'>
  readonly partitions: () => Iterable<WrittenPartition>
  /** Another program owns the partition of this batch. */
  readonly onLost: (batch: Batch) => void
  /** These are durable. */
  readonly onWritten: (messages: readonly Message[]) => void
  readonly roundMs?: number
}

export class PartitionWriter {
  readonly #options: PartitionWriterOptions
  #beganAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> = Promise.resolve()
  /** The round that has not taken its changes yet. */
  #waiting: Promise<void> | null = null
  #failed: { readonly error: unknown } | null = null

  constructor(options: PartitionWriterOptions) {
    this.#options = options
  }

  /** Resolves when everything that was changed before this call is durable, or its partition is lost. */
  commit(): Promise<void> {
    this.#waiting ??= this.#begin()
    return this.#waiting
  }

  async #begin(): Promise<void> {
    // Whoever waits for that round is told of its error.
    await this.#running.catch(() => {})
    await this.#pause()
    this.#waiting = null
    this.#running = this.#failed === null ? this.#run() : Promise.reject(this.#failed.error)
    await this.#running
  }

  async #pause(): Promise<void> {
    const { roundMs = ROUND_MS } = this.#options
    const ms = this.#beganAt + roundMs - steadyMs()
    if (ms > 0) await sleep(ms)
  }

  async #run(): Promise<void> {
    this.#beganAt = steadyMs()
    const batches: Batch[] = []
    for (const partition of this.#options.partitions()) {
      const batch = partition.takeBatch()
      if (batch !== null) batches.push(batch)
    }
    await this.#write(batches)
  }

  async #write(batches: readonly Batch[]): Promise<void> {
    if (batches.length === 0) return
    const { storage, onLost, onWritten } = this.#options
    try {
      await storage.write(batches)
    } catch (error) {
      const fenced = error instanceof FencedOut ? error.ownership.partition : -1
      const lost = batches.find(({ ownership }) => ownership.partition === fenced)
      if (lost === undefined) {
        this.#failed = { error }
        throw error
      }
      onLost(lost)
      return this.#write(batches.filter((batch) => batch !== lost))
    }
    const messages = batches.flatMap((batch) => batch.messages)
    if (messages.length > 0) onWritten(messages)
  }
}
