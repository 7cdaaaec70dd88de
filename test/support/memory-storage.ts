// Rows of frontiers in memory, for tests. Each program has a storage of its own; those made from one
// `MemoryServer` see the same rows.
import { CrawlerError } from '../../src/core/errors.ts'
import type { Job } from '../../src/core/job.ts'
import { type RowReader, scanForUrl } from '../../src/frontier/partitions/row-reader.ts'
import { RowsUrlStates } from '../../src/frontier/partitions/rows-url-states.ts'
import {
  type Batch,
  type CrawlView,
  FencedOut,
  type FrontierStorage,
  MAX_CHUNK_ROWS,
  type Message,
  type Ownership,
  type Row,
  type RowsOfTable,
  type RowValue,
  type StoredUrlStates,
  TABLES,
  type TableChanges,
  type TableName,
} from '../../src/frontier/storage.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'

type KeptRows = Map<string, Row>

class Partition {
  owner = ''
  epoch = 0
  released = true
  summary = ''
  readonly tables = new Map<TableName, KeptRows>()
  /** In order of arrival. */
  messages: Message[] = []

  /** In order of their keys. */
  rows(table: TableName): Row[] {
    return [...(this.tables.get(table)?.values() ?? [])].sort(byKey(table))
  }

  row(table: TableName, key: Row): Row | null {
    return this.tables.get(table)?.get(nameOf(table, key)) ?? null
  }

  change({ table, rows, dropped }: TableChanges): void {
    const kept = this.tables.get(table) ?? new Map<string, Row>()
    this.tables.set(table, kept)
    for (const key of dropped) kept.delete(nameOf(table, key))
    for (const row of rows) kept.set(nameOf(table, row), row.map(copyOf))
  }

  receive(message: Message): void {
    const { from, number } = message
    if (this.messages.some((known) => known.from === from && known.number === number)) return
    this.messages.push({ ...message, body: message.body.slice() })
  }

  take(taken: Batch['taken']): void {
    this.messages = this.messages.filter(({ from, number }) => number > (taken.get(from) ?? 0))
  }
}

class Crawl {
  readonly salt: number
  readonly partitions: readonly Partition[]
  /** Until when each program counts as alive. */
  readonly owners = new Map<string, number>()

  constructor(salt: number, partitions: number) {
    this.salt = salt
    this.partitions = Array.from({ length: partitions }, () => new Partition())
  }

  isAlive(owner: string, now: number): boolean {
    return (this.owners.get(owner) ?? Number.NEGATIVE_INFINITY) > now
  }
}

export class MemoryServer {
  readonly clock: Clock
  readonly crawls = new Map<number, Crawl>()

  constructor(clock: Clock = systemClock) {
    this.clock = clock
  }
}

export function createMemoryStorage(server: MemoryServer = new MemoryServer()): FrontierStorage {
  return new MemoryStorage(server)
}

class MemoryStorage implements FrontierStorage {
  readonly #server: MemoryServer

  constructor(server: MemoryServer) {
    this.#server = server
  }

  async divide({ id, salt }: Pick<Job, 'id' | 'salt'>, partitions: number): Promise<number> {
    const crawl = this.#server.crawls.get(id) ?? new Crawl(salt, partitions)
    if (crawl.salt !== salt) {
      throw new CrawlerError('store-damaged', `the frontier ${id} belongs to another crawl`)
    }
    this.#server.crawls.set(id, crawl)
    return crawl.partitions.length
  }

  async partitionsOf(crawlId: number): Promise<number> {
    return this.#server.crawls.get(crawlId)?.partitions.length ?? 0
  }

  async report(crawlId: number, owner: string, forMs: number): Promise<CrawlView> {
    const now = this.#server.clock.now()
    this.#server.crawls.get(crawlId)?.owners.set(owner, now + forMs)
    return this.view(crawlId)
  }

  async view(crawlId: number): Promise<CrawlView> {
    const now = this.#server.clock.now()
    const crawl = this.#server.crawls.get(crawlId)
    const owners = [...(crawl?.owners.keys() ?? [])].filter((name) => crawl?.isAlive(name, now))
    return {
      now,
      owners: owners.sort(),
      partitions: (crawl?.partitions ?? []).map((partition, at) => ({
        partition: at,
        owner: owners.includes(partition.owner) ? partition.owner : '',
        epoch: partition.epoch,
        summary: partition.summary,
        messages: partition.messages.length,
      })),
    }
  }

  async claim(crawlId: number, partition: number, owner: string): Promise<Ownership | null> {
    const now = this.#server.clock.now()
    const crawl = this.#server.crawls.get(crawlId)
    const free = crawl?.partitions[partition]
    if (crawl === undefined || free === undefined || !crawl.isAlive(owner, now)) return null
    if (free.owner !== owner && crawl.isAlive(free.owner, now)) return null
    const wasReleased = free.released
    Object.assign(free, { owner, epoch: free.epoch + 1, released: false })
    return { crawlId, partition, owner, epoch: free.epoch, wasReleased }
  }

  async release(ownership: Ownership): Promise<void> {
    const own = this.#owned(ownership)
    if (own !== null) Object.assign(own, { owner: '', released: true })
  }

  async leave(crawlId: number, owner: string): Promise<void> {
    this.#server.crawls.get(crawlId)?.owners.delete(owner)
  }

  async *load(ownership: Ownership): AsyncGenerator<RowsOfTable> {
    const from = this.#owned(ownership)
    for (const table of from?.tables.keys() ?? []) {
      for (const rows of chunksOf(from?.rows(table) ?? [])) yield { table, rows }
    }
    if (this.#owned(ownership) === null) throw new FencedOut(ownership)
  }

  async write(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches) this.#write(batch)
  }

  async inbox({ crawlId, partition }: Ownership, limit: number): Promise<readonly Message[]> {
    const own = this.#server.crawls.get(crawlId)?.partitions[partition]
    return own?.messages.slice(0, limit) ?? []
  }

  async states({ id }: Pick<Job, 'id'>): Promise<StoredUrlStates | null> {
    const crawl = this.#server.crawls.get(id)
    if (crawl === undefined) return null
    const divided = { crawlId: id, partitions: crawl.partitions.length }
    return new RowsUrlStates(divided, readerOf(crawl))
  }

  async discard(crawlId: number): Promise<void> {
    this.#server.crawls.delete(crawlId)
  }

  #write({ ownership, changes, messages, taken, summary }: Batch): void {
    const own = this.#owned(ownership)
    if (own === null) throw new FencedOut(ownership)
    const all = this.#server.crawls.get(ownership.crawlId)?.partitions ?? []
    for (const each of changes) own.change(each)
    for (const message of messages) all[message.to]?.receive(message)
    own.take(taken)
    own.summary = summary ?? own.summary
  }

  #owned({ crawlId, partition, owner, epoch }: Ownership): Partition | null {
    const own = this.#server.crawls.get(crawlId)?.partitions[partition]
    return own?.owner === owner && own.epoch === epoch ? own : null
  }
}

function readerOf({ partitions }: Crawl): RowReader {
  const reader: RowReader = {
    async *rows(partition: number, table: TableName, after?: number) {
      const rows = partitions[partition]?.rows(table) ?? []
      yield* chunksOf(after === undefined ? rows : rows.filter(([key]) => Number(key) > after))
    },
    row: async (partition: number, table: TableName, key: RowValue) =>
      partitions[partition]?.row(table, [key]) ?? null,
    idOf: (partition: number, url: string) => scanForUrl(reader, partition, url),
  }
  return reader
}

function* chunksOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += MAX_CHUNK_ROWS) yield rows.slice(at, at + MAX_CHUNK_ROWS)
}

function nameOf(table: TableName, row: Row): string {
  return JSON.stringify(row.slice(0, TABLES[table].key))
}

function byKey(table: TableName): (a: Row, b: Row) => number {
  const { key } = TABLES[table]
  return (a, b) => {
    for (let at = 0; at < key; at++) {
      const order = compared(a[at] ?? null, b[at] ?? null)
      if (order !== 0) return order
    }
    return 0
  }
}

function compared(a: RowValue, b: RowValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** The caller's bytes may change after they were written. */
function copyOf(value: RowValue): RowValue {
  return value instanceof Uint8Array ? value.slice() : value
}
