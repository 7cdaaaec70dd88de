// Where the rows of frontiers are kept when several programs share a crawl. A storage keeps rows and knows no
// rule: what may be fetched, and when, is decided by the engine of the program that owns a partition.
//
// A crawl's frontier is divided into partitions by registrable domain. At any moment at most one program owns
// a partition. It loads the rows once, decides in memory, and writes changed rows in batches.
//
// Invariants
// - Every claim of a partition has a higher epoch than all before it. A write with an older epoch is refused
//   as a whole (`FencedOut`), however late it arrives. This is the fence.
// - A batch is written completely or not at all, after every earlier batch of the same partition. Batches of
//   several partitions that are written in one call share the round trip, not their fate.
// - A message that was written with a batch reaches the inbox of its partition, whatever dies. It may arrive
//   more than once, but always with the same number, and in order of numbers per sender.
// - A storage that lost batches says so (`RowsLost`) before it takes the next one; what it gives out after
//   that, epochs included, is never what it had given out before.
// - A partition that nobody renewed in time may be claimed by others. Times are those of the server's clock.
import type { Job } from '../core/job.ts'
import type { ListedUrl, UrlStates } from './url-states.ts'

/** A value of a column, as SQLite has it. */
export type RowValue = number | string | Uint8Array | null
/** The values of a row, in the order of its table's columns. */
export type Row = readonly RowValue[]

type TableShape = { readonly columns: readonly string[]; readonly key: number }

/**
 * The tables of one partition. The first `key` columns identify a row. Columns have the names and meaning of
 * the SQLite schema (sqlite/migrations), whose comments explain them. Only `found_on` differs: it is a number
 * over all partitions (`numberOf`), of a URL, or negative of a sitemap.
 */
export const TABLES = {
  /** One row: counts, the recrawl. It changes with every page. */
  crawl: {
    key: 1,
    columns: [
      ...['crawl_id', 'salt', 'judged_up_to', 'ranked_at', 'runs', 'clean', 'queued'],
      ...['leased', 'stored', 'duplicate', 'redirected', 'refused', 'failed', 'round', 'outside'],
    ],
  },
  /** One row: the settings that rows were checked under. */
  judgement: { key: 1, columns: ['crawl_id', 'judged_by'] },
  host: {
    key: 1,
    columns: [
      ...['id', 'name', 'site', 'open_http', 'open_https', 'delayed', 'stored', 'failures'],
      ...['trouble', 'own_delay_ms', 'delay_ms', 'rests_until', 'requests', 'bytes', 'cpu_ms'],
      ...['answered', 'rest_ms'],
    ],
  },
  url: {
    key: 1,
    columns: [
      ...['id', 'origin_id', 'url', 'state', 'reason', 'depth', 'hops', 'found_on', 'via'],
      ...['found_at', 'in_links', 'signals', 'priority', 'tries', 'next_at'],
    ],
  },
  edge: { key: 1, columns: ['from_id', 'step', 'to_ids'] },
  ordering: { key: 1, columns: ['name', 'state', 'saved_at'] },
  template: { key: 2, columns: ['host_id', 'key', 'debt', 'streak', 'likes', 'pairs'] },
  robots: {
    key: 1,
    columns: ['origin', 'status', 'body', 'fetched_at', 'expires_at', 'attempts', 'sitemaps'],
  },
  sitemap: {
    key: 1,
    columns: [
      ...['id', 'origin_id', 'url', 'level', 'hops', 'state', 'reason', 'tries', 'next_at'],
      ...['entries', 'bytes', 'brought'],
    ],
  },
  revisit: {
    key: 1,
    columns: [
      ...['url_id', 'origin_id', 'priority', 'tries', 'next_at', 'etag', 'last_modified'],
      'content_hash',
    ],
  },
  /** The last message taken from each sender, and the last one sent to each partition. */
  taken: { key: 1, columns: ['from_partition', 'number'] },
  sent: { key: 1, columns: ['to_partition', 'number'] },
} as const satisfies Record<string, TableShape>

export type TableName = keyof typeof TABLES

/** Rows of one table. */
export type RowsOfTable = { readonly table: TableName; readonly rows: readonly Row[] }

export type TableChanges = RowsOfTable & {
  /** Keys of rows that no longer exist, unless `rows` has them; each has as many values as the table's key. */
  readonly dropped: readonly Row[]
}

/** Something that a partition tells another: links that lead there. */
export type Message = {
  readonly from: number
  readonly to: number
  /** Counts the messages from that sender to that receiver, from 1. */
  readonly number: number
  readonly body: Uint8Array
}

/** All changes of one partition since its last batch. */
export type Batch = {
  readonly ownership: Ownership
  readonly changes: readonly TableChanges[]
  readonly messages: readonly Message[]
  /** By sender: its messages up to this number are part of the rows now and may be deleted. */
  readonly taken: ReadonlyMap<number, number>
  /** What all programs of the crawl see of this partition; null if it has not changed. */
  readonly summary: string | null
}

/** The right to write one partition. */
export type Ownership = {
  readonly crawlId: number
  readonly partition: number
  readonly owner: string
  readonly epoch: number
  /** The last owner released it; if not, its last requests are unknown. */
  readonly wasReleased: boolean
}

export type PartitionView = {
  readonly partition: number
  /** '' if nobody owns it, or if its owner was silent for too long. */
  readonly owner: string
  readonly epoch: number
  /** As last written; '' if there was none yet. */
  readonly summary: string
  /** Messages in its inbox, or on their way there. */
  readonly messages: number
  /**
   * The storage lost rows that were written. If the reader owns it, it should {@link FrontierStorage.restore}
   * them; if nobody does, nobody can claim it.
   */
  readonly lost?: true
}

/** The programs and partitions of one crawl at one moment. */
export type CrawlView = {
  /** The server's clock, epoch ms. */
  readonly now: number
  /** Programs that are alive, sorted. */
  readonly owners: readonly string[]
  /** All partitions, in order. */
  readonly partitions: readonly PartitionView[]
}

export interface StoredUrlStates extends UrlStates {
  /** The URLs with these numbers over all partitions, in any order; unknown ones are left out. */
  at(positions: readonly number[]): Promise<readonly ListedUrl[]>
}

/** Rows that a chunk of `load` has at most. */
export const MAX_CHUNK_ROWS = 2000

export interface FrontierStorage {
  /**
   * Divides the frontier of a crawl into partitions if it is not divided yet. Returns their number, which
   * stays the same for the life of the crawl. Throws `store-damaged` if the rows belong to another crawl of
   * the same number (another `salt`).
   */
  divide(job: Pick<Job, 'id' | 'salt'>, partitions: number): Promise<number>
  /** The number of partitions of a crawl; 0 if it has no frontier here. */
  partitionsOf(crawlId: number): Promise<number>
  /**
   * Reports that a program is alive for another `forMs`, which keeps its partitions, and shows what others
   * have reported.
   */
  report(crawlId: number, owner: string, forMs: number): Promise<CrawlView>
  /**
   * Takes a partition that nobody owns; null if somebody else does, or if this owner is not alive by its own
   * reports. An owner that claims what it has gets the next epoch: the answer to its first claim was lost.
   */
  claim(crawlId: number, partition: number, owner: string): Promise<Ownership | null>
  /** Gives a partition back, after its last batch. Without effect if it is lost already. */
  release(ownership: Ownership): Promise<void>
  /** The program leaves the crawl; others need not wait until it counts as dead. */
  leave(crawlId: number, owner: string): Promise<void>
  /**
   * All rows of a partition, in chunks. Rows of one table come in order of their keys: numbers by value, texts
   * by their bytes. Throws {@link FencedOut} after the last one if the partition belongs to somebody else by
   * then: what was loaded may be of different moments.
   */
  load(ownership: Ownership): AsyncIterable<RowsOfTable>
  /**
   * Writes batches, one per partition. Throws {@link FencedOut} if one of the partitions belongs to somebody
   * else by now, or was released; of the other batches some may then be written. After another error any of
   * them may be written or not. A batch that is written again changes nothing more.
   */
  write(batches: readonly Batch[]): Promise<void>
  /**
   * Only of storages whose batches survive the death of this program, but not yet a power cut. Resolves when
   * everything that was written survives that, too.
   */
  flush?(): Promise<void>
  /**
   * Only of storages that may lose their last moments, or everything, as a Redis may. Replaces all rows of a
   * partition by those of its owner, in chunks; they count once the last one is written. An owner does this
   * when `write` throws {@link RowsLost}, or when its own partition is `lost` in a report. It gives all rows of
   * its working copy; they may change meanwhile, since `last`, which is called when they are read, gives the
   * batch that was refused and all changes since, and these count with them. Messages that were not taken yet,
   * and the summary, are restored by the storage. Throws {@link FencedOut} if the partition belongs to
   * somebody else by now, and {@link RowsLost} if the storage lost rows once more.
   */
  restore?(
    ownership: Ownership,
    rows: AsyncIterable<RowsOfTable>,
    last?: () => readonly Batch[],
  ): Promise<void>
  /**
   * The oldest messages of the inbox, in order of numbers per sender. They stay until a batch takes them. No
   * sender keeps those of another from being seen.
   */
  inbox(ownership: Ownership, limit: number): Promise<readonly Message[]>
  /** For people: who owns what. Without partitions if the crawl has no frontier here. */
  view(crawlId: number): Promise<CrawlView>
  /** For people: the state of every URL of a crawl, as last written; null if it has no frontier here. */
  states(job: Pick<Job, 'id'>): Promise<StoredUrlStates | null>
  /** Deletes everything of a crawl. */
  discard(crawlId: number): Promise<void>
}

/** Another program owns the partition by now. Nothing was written. */
export class FencedOut extends Error {
  override readonly name = 'FencedOut'
  readonly ownership: Ownership

  constructor(ownership: Ownership) {
    const { crawlId, partition, epoch } = ownership
    super(`partition ${partition} of crawl ${crawlId} has a newer owner than epoch ${epoch}`)
    this.ownership = ownership
  }
}

/** The storage lost batches that it had written. Nothing was written; see {@link FrontierStorage.restore}. */
export class RowsLost extends Error {
  override readonly name = 'RowsLost'
  readonly ownership: Ownership

  constructor(ownership: Ownership) {
    const { crawlId, partition } = ownership
    super(`rows of partition ${partition} of crawl ${crawlId} that were written are gone`)
    this.ownership = ownership
  }
}
