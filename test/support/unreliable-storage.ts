// A storage on a bad line, on simulated time: calls take their time, some take effect and are answered much later,
// some writes are sent twice because the answer to the first was lost. A program that is stopped hears nothing.
import {
  type Batch,
  FencedOut,
  type FrontierStorage,
  type Ownership,
  type RowsOfTable,
} from '../../src/frontier/storage.ts'
import type { Clock, Timers } from '../../src/lib/clock.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** The time of one program. While it is stopped, it is not called; clocks go on. */
export class StoppableTime implements Clock, Timers {
  readonly #time: SimulatedTime
  #stopped: PromiseWithResolvers<void> | null = null

  constructor(time: SimulatedTime) {
    this.#time = time
  }

  now(): number {
    return this.#time.now()
  }

  steadyMs(): number {
    return this.#time.steadyMs()
  }

  /** As by SIGSTOP, for so long. */
  stop(ms: number): void {
    if (this.#stopped !== null) return
    const stopped = Promise.withResolvers<void>()
    this.#stopped = stopped
    this.#time.after(ms, () => {
      this.#stopped = null
      stopped.resolve()
    })
  }

  get isStopped(): boolean {
    return this.#stopped !== null
  }

  /** Resolves while it is not stopped. */
  async awake(): Promise<void> {
    while (this.#stopped !== null) await this.#stopped.promise
  }

  async sleep(ms: number): Promise<void> {
    await this.#time.sleep(ms)
    await this.awake()
  }

  after(ms: number, work: () => void): () => void {
    let isOff = false
    const stop = this.#time.after(ms, () => {
      if (this.#stopped === null) return work()
      void this.awake().then(() => {
        if (!isOff) work()
      })
    })
    return () => {
      isOff = true
      stop()
    }
  }

  every(ms: number, work: () => void): () => void {
    let stop = (): void => {}
    const again = (): void => {
      stop = this.after(ms, () => {
        again()
        work()
      })
    }
    again()
    return () => stop()
  }
}

export type Line = {
  readonly random: () => number
  /** The most that a slow call takes. */
  readonly slowMs: number
  /** Calls of a hundred that are slow, and writes of a hundred that are sent twice. */
  readonly slowPercent: number
  readonly twicePercent: number
}

export function onBadLine(
  inner: FrontierStorage,
  time: StoppableTime,
  { random, slowMs, slowPercent, twicePercent }: Line,
): FrontierStorage {
  const lag = (): number => (100 * random() < slowPercent ? random() * slowMs : random() * 5)
  const isTwice = (): boolean => 100 * random() < twicePercent
  return throughLine(inner, () => time.sleep(lag()), isTwice)
}

export type LineCall = 'report' | 'claim' | 'release' | 'leave' | 'load' | 'write' | 'inbox'

/** `pause`: before a call takes effect, and again before its answer arrives. */
export function throughLine(
  inner: FrontierStorage,
  pause: (call: LineCall) => Promise<void>,
  isTwice: () => boolean = () => false,
): FrontierStorage {
  const send = async <T>(call: LineCall, work: () => Promise<T>): Promise<T> => {
    await pause(call)
    try {
      return await work()
    } finally {
      await pause(call)
    }
  }
  const write = async (batches: readonly Batch[]): Promise<void> => {
    await inner.write(batches)
    if (!isTwice()) return
    await pause('write')
    await inner.write(batches)
  }
  return {
    divide: (job, partitions) => inner.divide(job, partitions),
    partitionsOf: (crawl) => inner.partitionsOf(crawl),
    report: (crawl, owner, forMs) => send('report', () => inner.report(crawl, owner, forMs)),
    claim: (crawl, partition, owner) => send('claim', () => inner.claim(crawl, partition, owner)),
    release: (ownership) => send('release', () => inner.release(ownership)),
    leave: (crawl, owner) => send('leave', () => inner.leave(crawl, owner)),
    load: (ownership) => loaded(inner, ownership, () => pause('load')),
    write: (batches) => send('write', () => write(batches)),
    inbox: (ownership, limit) => send('inbox', () => inner.inbox(ownership, limit)),
    view: (crawl) => inner.view(crawl),
    states: (job) => inner.states(job),
    discard: (crawl) => inner.discard(crawl),
  }
}

async function* loaded(
  inner: FrontierStorage,
  ownership: Ownership,
  pause: () => Promise<void>,
): AsyncGenerator<RowsOfTable> {
  for await (const rows of inner.load(ownership)) {
    yield rows
    await pause()
  }
  const { partitions } = await inner.view(ownership.crawlId)
  if (partitions[ownership.partition]?.epoch !== ownership.epoch) throw new FencedOut(ownership)
}
