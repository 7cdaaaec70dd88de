// The partitions that this program owns, and what it knows of the others: claims and releases partitions as
// programs come and go, takes messages out of inboxes, and finds out that the crawl is over.
//
// More than 400 lines: claiming, releasing, reading and losing a partition all change the same few fields, and each
// has to know what the others are doing at that moment.
import { CrawlerError } from '../../core/errors.ts'
import { systemTimers, type Timers } from '../../lib/clock.ts'
import {
  type Batch,
  type CrawlView,
  FencedOut,
  type FrontierStorage,
  type Message,
  type Ownership,
  type PartitionView,
  RowsLost,
} from '../storage.ts'
import { Membership, stepsOf } from './membership.ts'
import type { OwnedPartition } from './owned-partition.ts'
import { PartitionWriter } from './partition-writer.ts'
import { decodeSummary, type PartitionSummary } from './summary.ts'

/** Messages read from an inbox at once. */
const MESSAGES_AT_ONCE = 64
/** Requests under way may delay a release for so long. Then the next owner has to assume a crash. */
const RELEASE_MS = 60_000
const RELEASE_POLL_MS = 50
/** The owner of rows that a server lost writes them again within seconds, if it lives. */
const GONE_MS = 20_000

/** What no owner is about to do. */
const NOBODYS = { heads: null, isFull: false, reserved: 0 }

type OwnedPartitionsOptions = {
  readonly storage: FrontierStorage
  readonly crawlId: number
  readonly owner: string
  readonly leaseMs: number
  /** Loads the rows of a partition that was claimed. */
  readonly open: (ownership: Ownership) => Promise<OwnedPartition>
  /** It is at work from now on. */
  readonly onOpened: (partition: OwnedPartition) => void
  /** Nothing may be leased from it any more. */
  readonly onLeaving: (partition: OwnedPartition) => void
  /** It is gone, with all its leases. */
  readonly onClosed: (partition: OwnedPartition) => void
  /** What is known of other partitions has changed. */
  readonly onOthers: (isReport: boolean) => void
  /** As in `PartitionWriterOptions`. */
  readonly isBusy?: () => boolean
  readonly busyRoundMs?: number | undefined
  readonly roundMs?: number | undefined
  readonly maxRoundMs?: number | undefined
  /** As in `MembershipOptions`. */
  readonly reportMs?: number | undefined
  /** Set in tests and simulations. */
  readonly timers?: Timers | undefined
}

export class OwnedPartitions implements AsyncDisposable {
  readonly #options: OwnedPartitionsOptions
  readonly #timers: Timers
  readonly #open = new Map<number, OwnedPartition>()
  readonly #writer: PartitionWriter
  readonly membership: Membership
  #others = new Map<number, PartitionSummary>()
  /** What the last view showed if nothing was to be done in it; null if something was. */
  #lastQuiet: string | null = null
  #isOver = false
  /** Nothing that former owners have sent is left unread. */
  #areInboxesRead = false
  /** Claims and releases, one after the other. */
  #moving: Promise<void> = Promise.resolve()
  #reading: Promise<void> | null = null
  #goneSince: number | null = null
  /** Partitions that were claimed so far. */
  #claims = 0
  /** One at a time. */
  #releasing: number | null = null
  #isClosed = false
  #failed: { readonly error: unknown } | null = null

  constructor(options: OwnedPartitionsOptions) {
    this.#options = options
    const { storage, crawlId, owner, leaseMs, roundMs, maxRoundMs, reportMs, timers } = options
    const { isBusy, busyRoundMs } = options
    this.#timers = timers ?? systemTimers
    this.#writer = new PartitionWriter({
      ...{ storage, timers },
      partitions: () => this.#open.values(),
      onLost: (batch) => this.#lose(batch),
      onWritten: (batches) => this.#deliver(batches),
      ...(roundMs === undefined ? {} : { roundMs }),
      ...(maxRoundMs === undefined ? {} : { maxRoundMs }),
      ...(isBusy === undefined || busyRoundMs === undefined ? {} : { isBusy, busyRoundMs }),
    })
    this.membership = new Membership({
      ...{ storage, crawlId, owner, leaseMs, reportMs, timers },
      onView: async (view) => this.#see(view),
      onError: (error) => this.fail(error),
    })
  }

  /** Resolves when the first partitions are at work. */
  async start(): Promise<void> {
    await this.membership.start()
    await this.#moving
    this.check()
    const claimed = this.#claims
    const areRead = await this.#readAll([...this.#open.values()])
    this.#areInboxesRead ||= areRead && claimed === this.#claims
  }

  get all(): Iterable<OwnedPartition> {
    return this.#open.values()
  }

  get size(): number {
    return this.#open.size
  }

  get(partition: number): OwnedPartition | undefined {
    return this.#open.get(partition)
  }

  /** Summaries of partitions that others own, as of the last report. */
  get others(): Iterable<PartitionSummary> {
    return this.#others.values()
  }

  /** All partitions are this program's and stay at work, and nothing that others have sent is left unread. */
  get isAlone(): boolean {
    if (!this.#areInboxesRead) return false
    if (this.#open.size < this.membership.view.partitions.length) return false
    for (const { hasMail, isAtWork, isLeaving } of this.#open.values()) {
      if (hasMail || !isAtWork || isLeaving) return false
    }
    return true
  }

  /** Nothing is left to do, here or elsewhere, as the last two reports show. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** It was closed or abandoned: nothing is written any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Throws if this program can no longer work on the crawl. */
  check(): void {
    if (this.#failed !== null) throw this.#failed.error
  }

  /** The first error counts: later ones are its consequences. */
  fail(error: unknown): void {
    this.#failed ??= { error }
  }

  async commit(how?: { readonly isUrgent: boolean }): Promise<void> {
    this.#isOver = false
    try {
      await this.#writer.commit(how)
    } catch (error) {
      this.fail(error)
      throw error
    }
  }

  /** Ends as a program that is killed does. */
  abandon(): void {
    this.#isClosed = true
    this.membership.abandon()
    for (const partition of this.#open.values()) partition.close()
    this.#open.clear()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#moving.catch(() => {})
    await this.#reading?.catch(() => {})
    try {
      if (this.#failed === null) await this.#releaseAll()
    } finally {
      for (const partition of this.#open.values()) partition.close()
      this.#open.clear()
      if (this.#failed === null) await this.membership[Symbol.asyncDispose]()
      else this.membership.abandon()
    }
  }

  async #releaseAll(): Promise<void> {
    for (const partition of this.#open.values()) partition.saveAll()
    await this.#writer.commit()
    for (const { ownership } of this.#open.values()) await this.#options.storage.release(ownership)
  }

  #see(view: CrawlView): void {
    const { owner } = this.#options
    for (const seen of view.partitions) {
      const own = this.#open.get(seen.partition)
      if (own !== undefined && isTaken(own.ownership, seen)) this.#drop(own)
    }
    const others = view.partitions.filter(({ partition }) => !this.#open.has(partition))
    this.#others = new Map(
      others.map(({ partition, owner: by, summary }) => {
        const decoded = decodeSummary(summary)
        // Nobody fetches what its last owner was about to fetch.
        return [partition, by === '' ? { ...decoded, ...NOBODYS } : decoded]
      }),
    )
    this.#noteQuiet(view)
    this.#restoreLost(view)
    this.#options.onOthers(true)
    this.#failIfGone(view)
    const { claim, release } = stepsOf(this.#withOwn(view), owner)
    for (const partition of [...this.#notOpen(view), ...claim]) {
      this.#move(() => this.#claim(partition))
    }
    for (const partition of release) this.#beginRelease(partition)
    this.#readInboxes(view)
    if (this.#open.values().some(({ isBehind }) => isBehind)) void this.commit().catch(() => {})
  }

  /** One that was claimed since the view was made is its own. */
  #withOwn(view: CrawlView): CrawlView {
    const { owner } = this.#options
    const partitions = view.partitions.map((one) =>
      this.#open.has(one.partition) ? { ...one, owner } : one,
    )
    return { ...view, partitions }
  }

  /**
   * Partitions in the name of this program that it has not open: it lost them, or had that name before it was
   * started again. Nobody else can claim them. Those beyond its quota are released like any other.
   */
  #notOpen({ partitions }: CrawlView): readonly number[] {
    const { owner } = this.#options
    return partitions
      .filter((one) => one.owner === owner && !this.#open.has(one.partition))
      .map(({ partition }) => partition)
      .filter((partition) => partition !== this.#releasing)
  }

  /** Rows that were lost together with their owner come back only from the pages of the store. */
  #failIfGone({ partitions }: CrawlView): void {
    const owners = ['', this.#options.owner]
    const isGone = partitions.some(
      ({ lost, owner, partition }) =>
        lost === true && owners.includes(owner) && !this.#open.has(partition),
    )
    if (!isGone) this.#goneSince = null
    else this.#goneSince ??= this.#timers.steadyMs()
    if (this.#goneSince === null || this.#timers.steadyMs() - this.#goneSince < GONE_MS) return
    const message = `the frontier of crawl ${this.#options.crawlId} has lost rows`
    const hint = "'jelajah doctor --rebuild-frontier' makes it again; or use --fresh."
    this.fail(new CrawlerError('store-damaged', `${message}. ${hint}`))
  }

  #restoreLost({ partitions }: CrawlView): void {
    for (const { partition, lost } of partitions) {
      const owned = this.#open.get(partition)
      if (!lost || owned === undefined) continue
      this.#writer.restore(owned.ownership)
      void this.commit().catch(() => {})
    }
  }

  /** The crawl is over if nothing is to be done in this view, and nothing has changed since the last. */
  #noteQuiet(view: CrawlView): void {
    const isQuiet = view.partitions.every((one) => {
      const { isIdle, writes, epoch } = decodeSummary(one.summary)
      const own = this.#open.get(one.partition)
      const isWritten = own === undefined || (own.isIdle && own.writes === writes)
      // What its last owner wrote says nothing of this run.
      const isCurrent = one.owner !== '' && epoch === one.epoch && one.lost !== true
      return one.messages === 0 && isIdle && isCurrent && isWritten
    })
    const shown = view.partitions.map(({ epoch, summary }) => `${epoch} ${summary}`)
    const quiet = isQuiet ? shown.join() : null
    this.#isOver = quiet !== null && quiet === this.#lastQuiet
    this.#lastQuiet = quiet
  }

  #move(step: () => Promise<void>): void {
    this.#moving = this.#moving.then(async () => {
      if (this.#isClosed || this.#failed !== null) return
      try {
        await step()
      } catch (error) {
        this.fail(error)
      }
    })
  }

  async #claim(partition: number): Promise<void> {
    const { storage, crawlId, owner, onOpened } = this.#options
    if (this.#open.has(partition)) return
    const ownership = await storage.claim(crawlId, partition, owner)
    if (ownership === null) return
    const owned = await this.#opened(ownership)
    if (owned === null) return
    if (this.#isClosed) return owned.close()
    this.#open.set(partition, owned)
    this.#others.delete(partition)
    this.#options.onOthers(false)
    this.#areInboxesRead = false
    this.#claims += 1
    // That it is open must be known before its first request: else a crash would leave it as if closed.
    await this.#writer.commit({ isUrgent: true })
    // Results that were sent to it come before its first request: they may be of pages that wait here.
    await this.#readAll([owned])
    if (this.#open.get(partition) !== owned) return
    owned.begin()
    onOpened(owned)
    await this.#writer.commit({ isUrgent: true })
  }

  /** Null if somebody else claimed it meanwhile, or if the storage forgot the claim: the next report tells. */
  async #opened(ownership: Ownership): Promise<OwnedPartition | null> {
    try {
      return await this.#options.open(ownership)
    } catch (error) {
      if (error instanceof FencedOut || error instanceof RowsLost) return null
      throw error
    }
  }

  #beginRelease(partition: number): void {
    const owned = this.#open.get(partition)
    if (owned === undefined || owned.isLeaving) return
    owned.isLeaving = true
    this.#options.onLeaving(owned)
    void this.#awaitEnd(owned).then((isDone) => {
      if (isDone) this.#move(() => this.#release(owned))
    })
  }

  /** False if it was lost meanwhile. */
  async #awaitEnd(owned: OwnedPartition): Promise<boolean> {
    const until = this.#timers.steadyMs() + RELEASE_MS
    while (owned.engine.unsettled > 0 && this.#timers.steadyMs() < until && !this.#isClosed) {
      await this.#timers.sleep(RELEASE_POLL_MS)
    }
    return this.#open.get(owned.number) === owned
  }

  async #release(owned: OwnedPartition): Promise<void> {
    if (this.#open.get(owned.number) !== owned) return
    const isClean = owned.engine.unsettled === 0
    if (isClean) owned.saveAll()
    await this.#writer.commit()
    if (this.#open.get(owned.number) !== owned) return
    this.#releasing = owned.number
    this.#drop(owned)
    await this.#options.storage.release(owned.ownership)
    this.#releasing = null
  }

  #lose({ ownership }: Batch): void {
    const owned = this.#open.get(ownership.partition)
    if (owned?.ownership === ownership) this.#drop(owned)
  }

  #drop(owned: OwnedPartition): void {
    this.#open.delete(owned.number)
    this.#others.set(owned.number, decodeSummary(owned.summary))
    this.#options.onClosed(owned)
    this.#options.onOthers(false)
    owned.close()
  }

  /** They are durable, so the receivers of their messages may take them at once if they are here. */
  #deliver(batches: readonly Batch[]): void {
    for (const { ownership, messages } of batches) {
      const from = this.#open.get(ownership.partition)
      // One that was lost and claimed again counts its own.
      if (from?.ownership === ownership) from.delivered(messages.length)
    }
    const all = batches.flatMap(({ messages }) => messages)
    for (const [to, theirs] of Map.groupBy(all, (message) => message.to)) {
      const owned = this.#open.get(to)
      if (owned === undefined) continue
      owned.receive(theirs, false)
      // The batch that takes them deletes them.
      void this.commit().catch(() => {})
    }
  }

  #readInboxes({ partitions }: CrawlView): void {
    const waiting = partitions.filter(({ messages }) => messages > 0)
    const own = waiting.flatMap(({ partition }) => this.#open.get(partition) ?? [])
    if (this.#isClosed) return
    this.#reading ??= this.#readAll(own)
      .then(() => {
        this.#areInboxesRead ||= own.length === 0
      })
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#reading = null
      })
  }

  /** False if there may be more: while others are at work, more comes all the time. */
  async #readAll(partitions: readonly OwnedPartition[]): Promise<boolean> {
    const areRead = await Promise.all(partitions.map((partition) => this.#readInbox(partition)))
    return areRead.every((isRead) => isRead)
  }

  /** Reads at least what the last report showed. */
  async #readInbox(partition: OwnedPartition): Promise<boolean> {
    const seen = this.membership.view.partitions.find((one) => one.partition === partition.number)
    let left = seen?.messages ?? 0
    while (this.#has(partition)) {
      const fresh = await this.#readSome(partition)
      if (fresh === 0) return true
      if (left <= 0) return false
      left -= fresh
    }
    return true
  }

  /** Returns how many messages were new. */
  async #readSome(partition: OwnedPartition): Promise<number> {
    let messages: readonly Message[]
    try {
      messages = await this.#options.storage.inbox(partition.ownership, MESSAGES_AT_ONCE)
    } catch (error) {
      // Its owner writes it again when a report shows it.
      if (error instanceof RowsLost) return 0
      // It was released or lost while the question was on its way.
      if (!(error instanceof FencedOut)) throw error
      if (this.#has(partition)) this.#drop(partition)
      return 0
    }
    if (!this.#has(partition) || messages.length === 0) return 0
    const fresh = messages.filter(({ from, number }) => number > partition.takenFrom(from)).length
    partition.receive(messages, true)
    await this.commit()
    return fresh
  }

  #has(partition: OwnedPartition): boolean {
    return this.#open.get(partition.number) === partition && !this.#isClosed
  }
}

/** Whether somebody else has had it since. A view from before the claim says nothing. */
function isTaken({ owner, epoch }: Ownership, seen: PartitionView): boolean {
  return seen.epoch > epoch || (seen.epoch === epoch && seen.owner !== owner)
}
