// Rows of frontiers in a folder: a file per partition, in a folder per crawl. For the processes of one
// machine.
//
//   frontier-7/division.json     how many partitions there are
//              partition-3.db    the rows of one partition, its owner, and its messages to others
//              NAME.alive        until when a program counts as alive
//
// An owner need not copy the rows: `openRows` gives it those of the file, and `write` commits what its engine
// has changed.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import type { Job } from '../../core/job.ts'
import { openSqlite } from '../../db/sqlite.ts'
import { syncFolder } from '../../lib/folder.ts'
import { makeOwnFile, makeOwnFolder } from '../../lib/own-files.ts'
import {
  type Batch,
  type CrawlView,
  FencedOut,
  type FrontierStorage,
  type Message,
  type Ownership,
  type PartitionView,
  type RowsOfTable,
  type StoredUrlStates,
} from '../storage.ts'
import type { FileRows } from './file-rows.ts'
import { Members, machineMs } from './members.ts'
import { isOwned, PartitionFile, PartitionReader } from './partition-file.ts'
import { openPartitionStates } from './partition-states.ts'
import { SqliteRows } from './sqlite-rows.ts'

export type SqliteStorageOptions = {
  /** The folder of a crawl's frontier; it may not exist. */
  readonly folderOf: (crawlId: number) => string
  /** In ms, the same for all who use the folder; that of the machine except in tests. */
  readonly now?: () => number
}

/** How often a sender looks which of its messages it may delete. */
const NOTE_MS = 5000
/** No program makes more. */
const MAX_PARTITIONS = 65_536

type Division = { readonly salt: number; readonly partitions: number }

export class SqliteStorage implements FrontierStorage, Disposable {
  readonly #options: SqliteStorageOptions
  readonly #crawls = new Map<number, CrawlFolder>()

  constructor(options: SqliteStorageOptions) {
    this.#options = options
  }

  async divide({ id, salt }: Pick<Job, 'id' | 'salt'>, partitions: number): Promise<number> {
    const folder = this.#options.folderOf(id)
    const division = divisionOf(folder) ?? divideInto(folder, { salt, partitions })
    if (division.salt !== salt) {
      throw new CrawlerError('store-damaged', `${folder} belongs to another crawl: move it away`)
    }
    return division.partitions
  }

  async partitionsOf(crawlId: number): Promise<number> {
    return divisionOf(this.#options.folderOf(crawlId))?.partitions ?? 0
  }

  async report(crawlId: number, owner: string, forMs: number): Promise<CrawlView> {
    const crawl = this.#crawl(crawlId)
    crawl?.members.report(owner, forMs)
    await crawl?.noteDelivered()
    return this.view(crawlId)
  }

  async view(crawlId: number): Promise<CrawlView> {
    const crawl = this.#crawl(crawlId)
    return crawl?.view() ?? { now: this.#now(), owners: [], partitions: [] }
  }

  async claim(crawlId: number, partition: number, owner: string): Promise<Ownership | null> {
    return this.#crawl(crawlId)?.claim({ crawlId, partition, owner }) ?? null
  }

  async release(ownership: Ownership): Promise<void> {
    this.#crawl(ownership.crawlId)?.file(ownership.partition).release(ownership)
  }

  async leave(crawlId: number, owner: string): Promise<void> {
    this.#crawl(crawlId)?.members.leave(owner)
  }

  /** The rows themselves, in place of a copy of them. */
  openRows({ crawlId, partition }: Ownership): FileRows {
    const crawl = this.#crawl(crawlId)
    if (crawl === null) throw new CrawlerError('store-damaged', `crawl ${crawlId} has no frontier`)
    return crawl.file(partition).openRows()
  }

  async *load(ownership: Ownership): AsyncGenerator<RowsOfTable> {
    const reader = this.#crawl(ownership.crawlId)?.reader(ownership.partition)
    if (reader !== undefined) yield* new SqliteRows(reader.db).allRows()
    if (reader === undefined || !isOwned(reader.owner(), ownership)) throw new FencedOut(ownership)
  }

  /** All that can be written is written, whatever happens to the others: an engine may go on after this. */
  async write(batches: readonly Batch[]): Promise<void> {
    let refused: FencedOut | null = null
    for (const batch of batches) {
      const { crawlId, partition } = batch.ownership
      try {
        const crawl = this.#crawl(crawlId)
        if (crawl === null) throw new FencedOut(batch.ownership)
        crawl.file(partition).write(batch)
      } catch (error) {
        if (!(error instanceof FencedOut)) throw error
        refused ??= error
      }
    }
    if (refused !== null) throw refused
  }

  /** Resolves when everything that was written survives a power cut. */
  async flush(): Promise<void> {
    await Promise.all([...this.#crawls.values()].map((crawl) => crawl.flush()))
  }

  async inbox({ crawlId, partition }: Ownership, limit: number): Promise<readonly Message[]> {
    return this.#crawl(crawlId)?.inbox(partition, limit) ?? []
  }

  async states({ id }: Pick<Job, 'id'>): Promise<StoredUrlStates | null> {
    const folder = this.#options.folderOf(id)
    const division = divisionOf(folder)
    if (division === null) return null
    const paths = partitionPaths(folder, division.partitions)
    return openPartitionStates(id, paths)
  }

  async discard(crawlId: number): Promise<void> {
    this.#close(crawlId)
    rmSync(this.#options.folderOf(crawlId), { recursive: true, force: true })
  }

  [Symbol.dispose](): void {
    for (const crawlId of this.#crawls.keys()) this.#close(crawlId)
  }

  #close(crawlId: number): void {
    this.#crawls.get(crawlId)?.[Symbol.dispose]()
    this.#crawls.delete(crawlId)
  }

  #now(): number {
    return (this.#options.now ?? machineMs)()
  }

  /** Null if it has no frontier here. */
  #crawl(crawlId: number): CrawlFolder | null {
    const known = this.#crawls.get(crawlId)
    if (known !== undefined) return known
    const folder = this.#options.folderOf(crawlId)
    const division = divisionOf(folder)
    if (division === null) return null
    const crawl = new CrawlFolder(folder, division.partitions, () => this.#now())
    this.#crawls.set(crawlId, crawl)
    return crawl
  }
}

/** The files of one crawl, as far as this program has opened them. */
class CrawlFolder implements Disposable {
  readonly members: Members
  readonly #paths: readonly string[]
  readonly #now: () => number
  readonly #files = new Map<number, PartitionFile>()
  readonly #readers = new Map<number, PartitionReader>()
  #notedAt = Number.NEGATIVE_INFINITY

  constructor(folder: string, partitions: number, now: () => number) {
    this.members = new Members(folder, now)
    this.#paths = partitionPaths(folder, partitions)
    this.#now = now
  }

  view(): CrawlView {
    const owners = this.members.alive()
    const readers = this.#paths.map((_, partition) => this.reader(partition))
    const received = readers.map((reader) => reader.received())
    const waiting = readers.map(() => 0)
    for (const [from, reader] of readers.entries()) {
      for (const [to, { last }] of reader.sent()) {
        const upTo = received[to]?.get(from) ?? 0
        if (last > upTo) waiting[to] = (waiting[to] ?? 0) + reader.countTo(to, upTo)
      }
    }
    const partitions = readers.map((reader, partition): PartitionView => {
      const { owner, epoch, summary } = reader.owner()
      const isAlive = owners.includes(owner)
      return {
        ...{ partition, epoch, summary, messages: waiting[partition] ?? 0 },
        owner: isAlive ? owner : '',
      }
    })
    return { now: this.#now(), owners, partitions }
  }

  /**
   * Messages of files that are open here may be deleted when their receivers have them on the disk: a power
   * cut may take back what was only committed.
   */
  async noteDelivered(): Promise<void> {
    if (this.#now() < this.#notedAt + NOTE_MS) return
    this.#notedAt = this.#now()
    const sent = [...this.#files.keys()].map((from) => [from, this.reader(from).sent()] as const)
    const receivers = [...new Set(sent.flatMap(([, to]) => [...to.keys()]))]
    const received = new Map<number, ReadonlyMap<number, number>>()
    await Promise.all(
      receivers.map(async (to) => received.set(to, await this.reader(to).durablyReceived())),
    )
    for (const [from, outbox] of sent) {
      const delivered = [...outbox].flatMap(([to, { first }]) => {
        const upTo = received.get(to)?.get(from) ?? 0
        return first <= upTo ? [[to, upTo] as const] : []
      })
      if (delivered.length > 0) this.#files.get(from)?.noteDelivered(new Map(delivered))
    }
  }

  claim(claim: Pick<Ownership, 'crawlId' | 'partition' | 'owner'>): Ownership | null {
    const { partition, owner } = claim
    if (partition >= this.#paths.length || !this.members.isAlive(owner)) return null
    const isFree = ({ owner: by }: { readonly owner: string }): boolean =>
      by === owner || !this.members.isAlive(by)
    if (!isFree(this.reader(partition).owner())) return null
    const file = this.file(partition)
    const ownership = file.claim(claim, isFree)
    if (ownership !== null) file.skipNumbers(this.#receivedFrom(partition))
    return ownership
  }

  /** In turns, so that no sender keeps those of another from being seen. */
  inbox(partition: number, limit: number): readonly Message[] {
    const received = this.reader(partition).received()
    const senders = this.#paths.flatMap((_, from) => {
      const reader = this.reader(from)
      const after = received.get(from) ?? 0
      const last = reader.sent().get(partition)?.last ?? 0
      return last > after ? [{ from, reader, after }] : []
    })
    const each = Math.max(1, Math.floor(limit / Math.max(1, senders.length)))
    return senders.flatMap(({ from, reader, after }) =>
      reader
        .messagesTo(partition, after, each)
        .map((message) => ({ from, to: partition, ...message })),
    )
  }

  /** For writing. */
  file(partition: number): PartitionFile {
    const known = this.#files.get(partition)
    if (known !== undefined) return known
    const file = new PartitionFile(this.#pathOf(partition))
    this.#files.set(partition, file)
    return file
  }

  reader(partition: number): PartitionReader {
    const known = this.#readers.get(partition)
    if (known !== undefined) return known
    const reader = new PartitionReader(this.#pathOf(partition))
    this.#readers.set(partition, reader)
    return reader
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.flush()))
  }

  [Symbol.dispose](): void {
    for (const file of this.#files.values()) file.close()
    for (const reader of this.#readers.values()) reader.close()
  }

  /** By receiver: the last message of that sender that it has. */
  #receivedFrom(sender: number): ReadonlyMap<number, number> {
    return new Map(
      this.#paths.flatMap((_, to) => {
        const number = this.reader(to).received().get(sender)
        return number === undefined ? [] : [[to, number] as const]
      }),
    )
  }

  #pathOf(partition: number): string {
    const path = this.#paths[partition]
    if (path === undefined) throw new RangeError(`there is no partition ${partition}`)
    return path
  }
}

export function partitionPaths(folder: string, partitions: number): readonly string[] {
  return Array.from({ length: partitions }, (_, nth) => join(folder, `partition-${nth}.db`))
}

function divisionPath(folder: string): string {
  return join(folder, 'division.json')
}

/** Null if there is none. */
export function divisionOf(folder: string): Division | null {
  const path = divisionPath(folder)
  if (!existsSync(path)) return null
  const division = parsed(readFileSync(path, 'utf8'))
  if (division !== null) return division
  const cure = "'jelajah doctor --rebuild-frontier' makes the frontier again"
  throw new CrawlerError('store-damaged', `${path} is damaged: ${cure}`)
}

/** Null if it says nothing that makes sense. */
function parsed(text: string): Division | null {
  try {
    const { salt, partitions } = JSON.parse(text)
    if (!Number.isSafeInteger(salt) || !Number.isInteger(partitions)) return null
    return partitions >= 1 && partitions <= MAX_PARTITIONS ? { salt, partitions } : null
  } catch {
    return null
  }
}

/** The files come first: once the division is written, all of them exist. Only one program does this at a time. */
function divideInto(folder: string, division: Division): Division {
  makeOwnFolder(folder)
  for (const path of partitionPaths(folder, division.partitions)) {
    openSqlite(path, { schema: 'frontier', durability: 'full' }).close()
  }
  const path = divisionPath(folder)
  const draft = `${path}.${process.pid}-${process.hrtime.bigint()}`
  makeOwnFile(draft)
  const file = openSync(draft, 'r+')
  writeSync(file, JSON.stringify(division))
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, path)
  syncFolder(folder)
  return divisionOf(folder) ?? division
}
