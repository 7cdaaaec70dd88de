// What a program knows of a partition that it owns: which batch it wrote last, which keys there are, which
// messages were not taken yet. With it a loss of the server's last moments is noticed, and can be made good.
import type { RedisConnection } from '../../db/redis.ts'
import { steadyMs } from '../../lib/clock.ts'
import { createUrlHasher, type UrlHasher } from '../../lib/url-hash.ts'
import {
  type Batch,
  type Message,
  type Ownership,
  type Row,
  RowsLost,
  type RowsOfTable,
} from '../storage.ts'
import { type Command, messageCommands, TRIM, unpackMessage } from './commands.ts'
import { Fence } from './fence.ts'
import { type CrawlMade, partitionTag } from './keys.ts'
import { KnownIds } from './known-ids.ts'
import { bytesOf, RowSet, textsOf } from './reading.ts'
import { RowCommands } from './row-commands.ts'

const FIELDS = ['owner', 'epoch', 'made', 'batch', 'gen', 'staged', 'restoring', 'summary'] as const

/** Longer than any server is behind its replica, or its log behind it. */
const REMEMBERED_MS = 60_000

type OwnedOptions = {
  readonly connection: RedisConnection
  readonly ownership: Ownership
  readonly crawl: CrawlMade
  /** As the claim found them. */
  readonly gen: number
  readonly batch: string
}

export class OwnedPartition {
  readonly ownership: Ownership
  readonly #connection: RedisConnection
  readonly #crawl: CrawlMade
  readonly #tag: string
  readonly #hashUrl: UrlHasher
  readonly #fence: Fence
  #gen: number
  /** Null until the server was asked which keys there are. */
  #rows: RowCommands | null = null
  #known = new KnownIds()
  #pending = new Map<number, Message[]>()
  /** Messages that were taken lately: a server may forget that they were. */
  #recent: { readonly message: Message; readonly takenAt: number }[] = []
  readonly #lastSent = new Map<number, number>()
  #taken = new Map<number, number>()
  #summary = ''
  /** Begun, but not ended. */
  #isRestoring = false
  #wasPrepared = false
  #last: Promise<unknown> = Promise.resolve()
  #failures = 0
  #failure: unknown = null
  #waiting = 0

  constructor({ connection, ownership, crawl, gen, batch }: OwnedOptions) {
    this.ownership = ownership
    this.#connection = connection
    this.#crawl = crawl
    this.#tag = this.#tagOf(ownership.partition)
    this.#hashUrl = createUrlHasher(crawl.salt)
    this.#fence = new Fence({ connection, ownership, tag: this.#tag, made: crawl.made, batch })
    this.#gen = gen
  }

  /** Changes with everything that is sent; null while something is on its way. */
  get sentVersion(): string | null {
    return this.#waiting > 0 ? null : this.#fence.sent
  }

  /** True if the server has all that was written. */
  isAsWritten({ epoch, batch }: { readonly epoch: number; readonly batch: string }): boolean {
    return epoch > this.ownership.epoch || this.#fence.follows(batch)
  }

  write(batch: Batch): Promise<void> {
    return this.#inTurn(() => this.#write(batch))
  }

  /** Replaces all rows by these, with the batches that `last` gives when they are read. */
  restore(rows: AsyncIterable<RowsOfTable>, last: () => readonly Batch[]): Promise<void> {
    return this.#inTurn(() => this.#restore(rows, last))
  }

  load(): Promise<RowSet> {
    return this.#inTurn(async () => {
      await this.#prepared()
      return new RowSet(this.#connection, this.#tag, this.#gen)
    })
  }

  /** These rows of `url` were loaded. */
  know(rows: readonly Row[]): void {
    this.#rows?.know(rows)
  }

  /** By sender: its last message that is part of the rows. */
  async taken(): Promise<ReadonlyMap<number, number>> {
    // Once known it is known here, whatever the server has lost.
    if (!this.#wasPrepared) await this.#inTurn(() => this.#prepared())
    return this.#taken
  }

  /** `waiting`: receivers with the number of messages that wait for them. All others were taken. */
  keepPending(waiting: ReadonlyMap<number, number>): void {
    const takenAt = steadyMs()
    this.#recent = this.#recent.filter((each) => takenAt - each.takenAt < REMEMBERED_MS)
    for (const [to, messages] of this.#pending) {
      const taken = messages.splice(0, messages.length - (waiting.get(to) ?? 0))
      for (const message of taken) this.#recent.push({ message, takenAt })
      if (messages.length === 0) this.#pending.delete(to)
    }
  }

  /** By receiver: the last message of this partition that is part of its rows. */
  async takenByOthers(): Promise<Map<number, number>> {
    const receivers = Array.from({ length: this.#crawl.partitions }, (_, to) => to)
    const numbers = await Promise.all(
      receivers.map(async (to) => {
        const key = `${this.#tagOf(to)}t`
        return Number(await this.#connection.call('HGET', key, this.ownership.partition))
      }),
    )
    return new Map(receivers.map((to, at) => [to, numbers[at] ?? 0]))
  }

  /** Deletes messages of a sender that are part of the rows. */
  async trim(from: number, number: number): Promise<void> {
    const tag = this.#tagOf(from)
    const { partition } = this.ownership
    await this.#connection.run(TRIM, [`${tag}o:${partition}`], [tag, partition, number])
  }

  #tagOf(partition: number): string {
    const { crawlId } = this.ownership
    return partitionTag({ prefix: this.#connection.prefix, crawlId }, partition)
  }

  /** One after the other. What waits behind work that failed fails with it. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const failures = this.#failures
    this.#waiting++
    const turn = this.#last.then(() => {
      if (failures !== this.#failures) throw this.#failure
      return work()
    })
    this.#last = turn.catch((error: unknown) => {
      this.#failures++
      this.#failure = error
      // The next read asks the server what was written.
      this.#rows?.settle(false)
      this.#rows = null
    })
    try {
      return await turn
    } finally {
      this.#waiting--
    }
  }

  async #write(batch: Batch): Promise<void> {
    const { changes, messages, taken, summary } = batch
    const rows = await this.#prepared()
    const commands = changes.flatMap((each) => rows.of(each))
    const last = messageCommands(messages.filter((message) => this.#isFresh(message)))
    const newTaken = [...taken].filter(([from, number]) => number > (this.#taken.get(from) ?? 0))
    if (newTaken.length > 0) last.push(['HSET', 't', newTaken.flat()])
    if (summary !== null) last.push(['HSET', 'p', ['summary', summary]])
    await this.#fence.send(commands, last)
    rows.settle(true)
    this.#noteWritten(batch)
    // Messages that stay behind are seen and deleted with the next ones.
    await Promise.all([...taken].map(([from, number]) => this.trim(from, number).catch(() => {})))
  }

  #isFresh({ to, number }: Message): boolean {
    return number > (this.#lastSent.get(to) ?? 0)
  }

  #noteWritten({ messages, taken, summary }: Batch): void {
    for (const message of messages) if (this.#isFresh(message)) this.#notePending(message)
    for (const [from, number] of taken) {
      this.#taken.set(from, Math.max(number, this.#taken.get(from) ?? 0))
    }
    this.#summary = summary ?? this.#summary
  }

  async #prepared(): Promise<RowCommands> {
    // What the server has is older than what was written.
    if (this.#isRestoring) throw new RowsLost(this.ownership)
    this.#rows ??= await this.#prepare()
    this.#wasPrepared = true
    return this.#rows
  }

  /** Reads what the owner must know, and ends what the last one left half done. */
  async #prepare(): Promise<RowCommands> {
    const fields = await this.#connection.call('HMGET', `${this.#tag}p`, ...FIELDS)
    const [owner, epoch, made, batch, gen, staged, restoring, summary] = Array.isArray(fields)
      ? fields
      : []
    await this.#fence.check([owner, epoch, made, batch])
    this.#gen = Number(gen)
    if (staged !== null) await this.#fence.finishStaged()
    if (restoring !== null) {
      await this.#removeRows(Number(restoring))
      await this.#fence.sendInPieces([['HDEL', 'p', ['restoring']]])
    }
    this.#summary = String(summary ?? '')
    this.#taken = await this.#numbers('t')
    this.#pending = new Map()
    for (const to of (await this.#numbers('o')).keys()) await this.#readPending(to)
    const set = new RowSet(this.#connection, this.#tag, this.#gen)
    const [directory, marks] = [await set.directory(), await set.marks()]
    const known = this.#known
    return new RowCommands({ gen: this.#gen, hashUrl: this.#hashUrl, directory, marks, known })
  }

  async #readPending(to: number): Promise<void> {
    const all = await this.#connection.callBytes('LRANGE', `${this.#tag}o:${to}`, 0, -1)
    for (const bytes of bytesOf(all)) {
      this.#notePending(unpackMessage(bytes, this.ownership.partition, to))
    }
  }

  #notePending(message: Message): void {
    const { to, number } = message
    const known = this.#pending.get(to) ?? []
    this.#pending.set(to, known)
    known.push(message)
    this.#lastSent.set(to, Math.max(number, this.#lastSent.get(to) ?? 0))
  }

  async #numbers(name: string): Promise<Map<number, number>> {
    const texts = textsOf(await this.#connection.call('HGETALL', `${this.#tag}${name}`))
    const numbers = new Map<number, number>()
    for (let at = 0; at < texts.length; at += 2)
      numbers.set(Number(texts[at]), Number(texts[at + 1]))
    return numbers
  }

  /** Writes a new generation, which becomes valid with its last piece. */
  async #restore(all: AsyncIterable<RowsOfTable>, last: () => readonly Batch[]): Promise<void> {
    // A server that went back may have an older generation again.
    const kept = Number(await this.#connection.call('HGET', `${this.#tag}p`, 'gen'))
    const old = new Set([this.#gen, kept])
    const gen = Math.max(...old) + 1
    this.#isRestoring = true
    await this.#fence.begin(['restoring', gen])
    await this.#removeRows(gen)
    const rows = new RowCommands({ gen, hashUrl: this.#hashUrl })
    for await (const some of all) await this.#fence.sendInPieces(rows.of({ ...some, dropped: [] }))
    const batches = last()
    for (const { changes } of batches) {
      await this.#fence.sendInPieces(changes.flatMap((each) => rows.of(each)))
    }
    await this.#readUntaken()
    for (const batch of batches) this.#noteWritten(batch)
    await this.#fence.send([], this.#endOfRestore(gen))
    rows.settle(true)
    this.#isRestoring = false
    this.#gen = gen
    this.#rows = rows
    this.#known = rows.known
    for (const each of old) await this.#removeRows(each)
  }

  async #removeRows(gen: number): Promise<void> {
    await new RowSet(this.#connection, this.#tag, gen).remove()
  }

  /** In order of their numbers; as far as the server knows. */
  async #readUntaken(): Promise<void> {
    const taken = await this.takenByOthers()
    const recent = this.#recent.map(({ message }) => message)
    const all = [...recent, ...[...this.#pending.values()].flat()]
    const untaken = all.filter(({ to, number }) => number > (taken.get(to) ?? 0))
    this.#recent = []
    this.#pending = Map.groupBy(
      untaken.sort((a, b) => a.number - b.number),
      ({ to }) => to,
    )
  }

  #endOfRestore(gen: number): Command[] {
    const receivers = Array.from({ length: this.#crawl.partitions }, (_, to) => to)
    const end: Command[] = [
      ...['o', 't', 's', ...receivers.map((to) => `o:${to}`)].map(
        (key) => ['UNLINK', key, []] as const,
      ),
      ...messageCommands([...this.#pending.values()].flat()),
      ['HSET', 'p', ['gen', gen, 'summary', this.#summary]],
      ['HDEL', 'p', ['restoring', 'staged']],
    ]
    if (this.#taken.size > 0) end.push(['HSET', 't', [...this.#taken].flat()])
    return end
  }
}
