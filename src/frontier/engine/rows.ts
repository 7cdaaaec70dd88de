// The rows of one partition of a crawl, as the engine reads and writes them. The engine decides; behind this
// port rows are kept and found, and nothing else happens. All calls are synchronous: an engine looks up a
// known URL or the next candidate of a host many thousand times per second.
//
// The tables and columns are those of storage.ts; a field has the name of its column in camel case.
import type { CanonicalUrl } from '../../core/url.ts'
import type { UrlState } from '../../core/visit.ts'
import type { RobotsRecord } from '../frontier.ts'
import type { Row, RowValue, TableName } from '../storage.ts'
import type { StateNumber } from './states.ts'

/** The only row of its table. The counts match the rows of URLs. */
export type CrawlRow = Readonly<Record<UrlState, number>> & {
  readonly crawlId: number
  readonly salt: number
  readonly judgedUpTo: number
  readonly rankedAt: number
  readonly runs: number
  /** 0 while it is open, and after its process was killed. */
  readonly clean: number
  readonly round: number
  /** The part of `refused` that scope, globs or depth leave out. */
  readonly outside: number
}

/** The only row of its table. */
export type JudgementRow = {
  readonly crawlId: number
  /** JSON: the settings that rows were checked under, the newest last. */
  readonly judgedBy: string
}

export type HostRow = {
  readonly id: number
  readonly name: string
  readonly site: string
  readonly openHttp: number
  readonly openHttps: number
  readonly delayed: number
  readonly stored: number
  readonly failures: number
  readonly trouble: string
  readonly ownDelayMs: number
  readonly delayMs: number
  readonly restsUntil: number
  readonly requests: number
  readonly bytes: number
  readonly cpuMs: number
  readonly answered: number
  readonly restMs: number
}

export type UrlRow = {
  readonly id: number
  readonly originId: number
  readonly url: CanonicalUrl
  readonly state: StateNumber
  readonly reason: string
  readonly depth: number
  readonly hops: number
  readonly foundOn: number | null
  readonly via: number
  readonly foundAt: number
  readonly inLinks: number
  readonly signals: readonly number[] | null
  readonly priority: number
  readonly tries: number
  readonly nextAt: number | null
}

/** Facts that change while a URL waits, and the score computed from them. */
export type Facts = Pick<UrlRow, 'depth' | 'inLinks' | 'signals' | 'priority'>

/** An id of `toIds` from here on stands for a partition that was sent links of this page. */
export const FIRST_PARTITION = 2 ** 32 - 2 ** 16

/** Where a page leads. In a divided crawl `fromId` is its number over all partitions, and may be of another. */
export type EdgeRow = {
  readonly fromId: number
  /** The length of one edge: 0 for a redirect. */
  readonly step: number
  readonly toIds: Uint32Array
}

export type OrderingRow = {
  readonly name: string
  readonly state: Uint8Array
  readonly savedAt: number
}

export type TemplateRow = {
  readonly hostId: number
  readonly key: string
  readonly debt: number
  readonly streak: number
  readonly likes: readonly number[]
  readonly pairs: readonly number[]
}

export type SitemapRow = {
  readonly id: number
  readonly originId: number
  readonly url: CanonicalUrl
  readonly level: number
  readonly hops: number
  readonly state: StateNumber
  readonly reason: string
  readonly tries: number
  readonly nextAt: number | null
  readonly entries: number
  readonly bytes: number
  readonly brought: number
}

export type RevisitRow = {
  readonly urlId: number
  readonly originId: number
  readonly priority: number
  readonly tries: number
  readonly nextAt: number | null
  readonly etag: string
  readonly lastModified: string
  readonly contentHash: string
}

export type TakenRow = { readonly fromPartition: number; readonly number: number }
export type SentRow = { readonly toPartition: number; readonly number: number }
export type ParkedRow = { readonly name: string; readonly id: number; readonly facts: string }

export type Ranked = readonly [id: number, priority: number]

export interface Table<R, Key = number> {
  get(key: Key): R | undefined
  /** Adds a row, or replaces the one with its key. */
  put(row: R): void
  /** Changes some fields; without effect if there is no such row. Never the key. */
  update(key: Key, fields: Partial<R>): void
  drop(key: Key): void
  /** In order of their keys. The table must not change meanwhile. */
  all(): Iterable<R>
  clear(): void
}

/** A row that was added or read is the caller's own: the facts of URLs change before they are written. */
export interface UrlRows extends Omit<Table<UrlRow>, 'put' | 'drop' | 'all' | 'clear'> {
  /** Ids are given in order, from 1. */
  add(row: UrlRow): void
  /** 0 if there is none. */
  lastId(): number
  /** The URL of every row, in order of ids, with the few facts that a seen URL has. */
  names(): Iterable<Pick<UrlRow, 'id' | 'url' | 'depth' | 'reason'>>
  /** The queued rows of an origin, best first; equal ones in order of ids. */
  head(originId: number, limit: number): readonly Ranked[]
  /** The queued rows of all origins, worst first; of equal ones, the newest first. */
  worst(limit: number): readonly Pick<UrlRow, 'id' | 'originId'>[]
  /** All rows in one of the states LEASED, DELAYED and UNREACHABLE. Other rows are not read. */
  pending(state: StateNumber): readonly Pick<UrlRow, 'id' | 'originId' | 'nextAt'>[]
  /** Rows in some states, in order of ids. */
  scan(part: UrlScan): readonly UrlRow[]
  /** Deletes the signals of all rows in a range of ids. */
  forgetSignals(after: number, upTo: number): void
}

export type UrlScan = {
  readonly after: number
  readonly upTo: number
  readonly states: readonly StateNumber[]
  readonly limit: number
}

export interface EdgeRows extends Table<EdgeRow> {
  after(fromId: number, limit: number): readonly EdgeRow[]
}

export interface TemplateRows extends Table<TemplateRow, readonly [hostId: number, key: string]> {
  /** Those with at least this debt or this streak. */
  atLeast(debt: number, streak: number): Iterable<TemplateRow>
}

export type KnownRobots = Pick<RobotsRecord, 'origin' | 'status' | 'expiresAt' | 'attempts'>

export interface RobotsRows extends Omit<Table<RobotsRecord, string>, 'all'> {
  /** Everything but the texts. */
  knownRobots(): Iterable<KnownRobots>
}

export interface SitemapRows extends Table<SitemapRow> {
  has(url: CanonicalUrl): boolean
}

export interface RevisitRows extends Table<RevisitRow> {
  /** Rows of an origin that wait for no time, best first; equal ones in order of ids. */
  head(originId: number, limit: number): readonly Ranked[]
  /** All rows of an origin. */
  of(originId: number): readonly RevisitRow[]
  /** The number of rows of each origin that wait for no time. */
  sizes(): readonly { readonly originId: number; readonly urls: number }[]
  /** Rows that wait for a time. */
  delayed(): readonly RevisitRow[]
}

/** The hashes of all URLs in blobs, so that opening need not hash them again. */
export interface SeenRows {
  /** In order of ids. */
  all(): Iterable<{ readonly hashes: Uint32Array; readonly facts: Uint16Array }>
  add(firstId: number, hashes: Uint32Array, facts: Uint16Array): void
  /** Deletes all blobs from this id on. */
  cut(firstId: number): void
}

export interface Rows {
  readonly crawl: Table<CrawlRow>
  readonly judgement: Table<JudgementRow>
  readonly host: Table<HostRow>
  readonly url: UrlRows
  readonly edge: EdgeRows
  readonly ordering: Table<OrderingRow, string>
  readonly template: TemplateRows
  readonly robots: RobotsRows
  readonly sitemap: SitemapRows
  readonly revisit: RevisitRows
  readonly taken: Table<TakenRow>
  readonly sent: Table<SentRow>
  /** Hosts that are out of memory, of this run only. */
  readonly parked: Table<ParkedRow, string>
  /** Null: hashes are not kept, and are computed from the URLs when the rows are opened. */
  readonly seen: SeenRows | null
  /**
   * Runs `work`; if it throws, none of its changes stay. A transaction inside another is part of it. Rows may
   * be read outside a transaction, but are changed only inside one.
   */
  transaction<T>(work: () => T): T
  /** Resolves when all transactions so far survive this process; undefined if they already do. */
  commit(): Promise<void> | undefined
  /** Resolves when all transactions so far survive a power cut. */
  flush(): Promise<void>
  close(): void
}

/** Notes which rows have changed, for whoever sends them elsewhere. */
export class ChangedKeys {
  #tables = new Map<TableName, Map<RowValue, Row>>()

  /** `row`: the whole row as it is now, if it is at hand. Then nobody has to read it. */
  note(table: TableName, key: RowValue | Row, row?: Row): void {
    let keys = this.#tables.get(table)
    if (keys === undefined) {
      keys = new Map()
      this.#tables.set(table, keys)
    }
    if (isWhole(key)) keys.set(key.join(' '), row ?? key)
    else keys.set(key, row ?? [key])
  }

  /** What was noted since the last call, each row once: its key, or the row. */
  take(): ReadonlyMap<TableName, readonly Row[]> {
    const taken = new Map([...this.#tables].map(([table, keys]) => [table, [...keys.values()]]))
    this.#tables = new Map()
    return taken
  }
}

function isWhole(key: RowValue | Row): key is Row {
  return Array.isArray(key)
}
