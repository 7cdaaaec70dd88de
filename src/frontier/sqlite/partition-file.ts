// The file of one partition as the programs that share a crawl see it: who owns it, its messages, and its
// rows.
//
// Only the owner writes. A message stays in the file of its sender, where the receiver reads it; the receiver
// records in its own file how far it has come. So no file ever has two writers, and a batch is one transaction
// of one file. A new owner writes its name as soon as no transaction of the last one is open.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import { HARDLY_MS, inTransaction, openSqlite, openSqliteReader } from '../../db/sqlite.ts'
import { LogSync } from '../../db/sqlite-sync.ts'
import { type Batch, FencedOut, type Message, type Ownership } from '../storage.ts'
import { FileRows } from './file-rows.ts'

/** A program may have a dozen of these open. */
const CACHE_BYTES = 4 * 1024 * 1024
/** In pages of 4 KiB. The logs of all partitions together may be a few dozen MiB. */
const CHECKPOINT_PAGES = 1000

/** Others write for a moment, when they try to claim what is not theirs. */
const BUSY_MS = 10_000

type OwnerRow = {
  readonly owner: string
  readonly epoch: number
  readonly isReleased: boolean
  readonly summary: string
}

const NOBODY: OwnerRow = { owner: '', epoch: 0, isReleased: true, summary: '' }

/** For the owner, or for a program that is about to claim the partition. */
export class PartitionFile {
  readonly #path: string
  readonly #db: DatabaseSync
  readonly #sql: ReturnType<typeof prepare>
  readonly #log: LogSync
  #rows: FileRows | null = null
  /** Receivers have these messages, and all before them. */
  #delivered: ReadonlyMap<number, number> = new Map()
  /** The batch that was written last: it may be written again, when others of its round were refused. */
  #written: Batch | null = null
  #isSynced = true
  #syncing: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
    this.#db = openSqlite(path, {
      ...{ schema: 'frontier', durability: 'normal', isHot: true },
      ...{ cacheBytes: CACHE_BYTES, checkpointPages: CHECKPOINT_PAGES },
    })
    this.#sql = prepare(this.#db)
    this.#log = new LogSync(path)
  }

  /** The rows for the owner's engine: it works on them directly, and a batch commits what has changed. */
  openRows(): FileRows {
    this.#rows = new FileRows(this.#db, this.#path)
    return this.#rows
  }

  /** Null if `isFree` says no, or if somebody writes at this moment. */
  claim(
    { crawlId, partition, owner }: Pick<Ownership, 'crawlId' | 'partition' | 'owner'>,
    isFree: (known: OwnerRow) => boolean,
  ): Ownership | null {
    this.#closeRows()
    this.#waitFor(HARDLY_MS)
    try {
      return inTransaction(this.#db, () => {
        const known = ownerIn(this.#sql.owner)
        if (!isFree(known)) return null
        const epoch = known.epoch + 1
        this.#own({ ...known, owner, epoch, isReleased: false })
        return { crawlId, partition, owner, epoch, wasReleased: known.isReleased }
      })
    } catch (error) {
      if (error instanceof CrawlerError && error.code === 'store-busy') return null
      throw error
    } finally {
      this.#waitFor(BUSY_MS)
    }
  }

  release(ownership: Ownership): void {
    this.#closeRows()
    inTransaction(this.#db, () => {
      const known = ownerIn(this.#sql.owner)
      if (isOwned(known, ownership)) this.#own({ ...known, owner: '', isReleased: true })
    })
  }

  /**
   * After a power cut a sender may have lost messages that were received: their numbers must not be given
   * once more.
   */
  skipNumbers(receivedBy: ReadonlyMap<number, number>): void {
    inTransaction(this.#db, () => {
      const skip = this.#db.prepare(`
        INSERT INTO sent (to_partition, number) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET number = excluded.number WHERE excluded.number > number`)
      for (const [to, number] of receivedBy) skip.run(to, number)
    })
  }

  /** Throws {@link FencedOut}. Everything happens before this returns: no change comes in between. */
  write(batch: Batch): void {
    if (this.#written === batch) return
    const rows = this.#rows?.isOpen ? this.#rows : new FileRows(this.#db, this.#path)
    rows.commitWith(() => {
      if (!isOwned(ownerIn(this.#sql.owner), batch.ownership)) throw new FencedOut(batch.ownership)
      for (const { table, rows: some, dropped } of batch.changes) {
        for (const key of dropped) rows.dropRow(table, key)
        rows.putRows(table, some)
      }
      this.#send(batch.messages)
      this.#receive(batch.taken)
      if (batch.summary === null) return
      this.#sql.summarise.run(batch.summary)
    })
    this.#written = batch
    this.#isSynced = false
  }

  /** They are deleted with the next batch. */
  noteDelivered(upTo: ReadonlyMap<number, number>): void {
    this.#delivered = upTo
  }

  /** Resolves when everything that was written survives a power cut. */
  async flush(): Promise<void> {
    if (!this.#isSynced) this.#syncing = this.#sync()
    await this.#syncing
  }

  async #sync(): Promise<void> {
    this.#isSynced = true
    try {
      await this.#log.run()
    } catch (error) {
      this.#isSynced = false
      throw error
    }
  }

  close(): void {
    this.#closeRows()
    this.#log[Symbol.dispose]()
    if (this.#db.isOpen) this.#db.close()
  }

  #closeRows(): void {
    this.#rows?.close()
    this.#rows = null
    this.#written = null
  }

  /** How long a writer of the same file is waited for. */
  #waitFor(ms: number): void {
    this.#db.exec(`PRAGMA busy_timeout = ${ms}`)
  }

  #own({ owner, epoch, isReleased, summary }: OwnerRow): void {
    this.#sql.own.run(owner, epoch, isReleased ? 1 : 0, summary)
  }

  #send(messages: readonly Message[]): void {
    for (const { to, number, body } of messages) this.#sql.send.run(to, number, body)
    for (const [to, number] of this.#delivered) this.#sql.forget.run(to, number)
    this.#delivered = new Map()
  }

  #receive(taken: Batch['taken']): void {
    for (const [from, number] of taken) this.#sql.receive.run(from, number)
  }
}

const OWNER = 'SELECT owner, epoch, released, summary FROM ownership'

function prepare(db: DatabaseSync) {
  return {
    owner: db.prepare(OWNER),
    own: db.prepare('INSERT OR REPLACE INTO ownership VALUES (1, ?, ?, ?, ?)'),
    summarise: db.prepare('UPDATE ownership SET summary = ?'),
    send: db.prepare('INSERT OR IGNORE INTO outbox (to_partition, number, body) VALUES (?, ?, ?)'),
    forget: db.prepare('DELETE FROM outbox WHERE to_partition = ? AND number <= ?'),
    receive: db.prepare(`
      INSERT INTO received (from_partition, number) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET number = excluded.number WHERE excluded.number > number`),
  }
}

/** What others see of a partition, as last written. It is opened read-only, so it never blocks the owner. */
export class PartitionReader {
  readonly db: DatabaseSync
  readonly #sql
  readonly #log: LogSync

  constructor(path: string) {
    this.#log = new LogSync(path)
    const db = openSqliteReader(path, 'frontier')
    if (db === null) throw new CrawlerError('store-damaged', `${path} is missing`)
    this.db = db
    this.#sql = {
      owner: db.prepare(OWNER),
      received: db.prepare('SELECT from_partition, number FROM received'),
      sent: db.prepare(`
        SELECT to_partition, min(number) AS first, max(number) AS last FROM outbox
        GROUP BY to_partition`),
      count: db.prepare('SELECT count(*) AS n FROM outbox WHERE to_partition = ? AND number > ?'),
      messages: db.prepare(`
        SELECT number, body FROM outbox WHERE to_partition = ? AND number > ?
        ORDER BY number LIMIT ?`),
    }
  }

  owner(): OwnerRow {
    return ownerIn(this.#sql.owner)
  }

  /** By sender: the last message that is part of the rows. */
  received(): ReadonlyMap<number, number> {
    return new Map(
      this.#sql.received.all().map((row) => [Number(row.from_partition), Number(row.number)]),
    )
  }

  /** By receiver: the numbers of the first and the last message in its outbox. */
  sent(): ReadonlyMap<number, { readonly first: number; readonly last: number }> {
    return new Map(
      this.#sql.sent
        .all()
        .map((row) => [
          Number(row.to_partition),
          { first: Number(row.first), last: Number(row.last) },
        ]),
    )
  }

  /** As `received`, and a power cut leaves it so. */
  async durablyReceived(): Promise<ReadonlyMap<number, number>> {
    const received = this.received()
    await this.#log.run()
    return received
  }

  countTo(partition: number, after: number): number {
    return Number(this.#sql.count.get(partition, after)?.n ?? 0)
  }

  messagesTo(
    partition: number,
    after: number,
    limit: number,
  ): readonly Pick<Message, 'number' | 'body'>[] {
    return this.#sql.messages.all(partition, after, limit).map(({ number, body }) => ({
      number: Number(number),
      body: body instanceof Uint8Array ? body : new Uint8Array(),
    }))
  }

  close(): void {
    this.#log[Symbol.dispose]()
    if (this.db.isOpen) this.db.close()
  }
}

function ownerIn(statement: StatementSync): OwnerRow {
  const row = statement.get()
  if (row === undefined) return NOBODY
  return {
    owner: String(row.owner),
    epoch: Number(row.epoch),
    isReleased: row.released === 1,
    summary: String(row.summary),
  }
}

export function isOwned(known: OwnerRow, { owner, epoch }: Ownership): boolean {
  return known.owner === owner && known.epoch === epoch
}
