// Rows of divided frontiers in Redis. Keys of a crawl, after `{PREFIX:CRAWL}:`
//
//   crawl    HASH   made: salt, number of partitions and a random word; whole: all partitions were made
//   owners   HASH   owner → until when it counts as alive, and for how long it said so
//
// Keys of a partition, after `{PREFIX:CRAWL:PARTITION}:`, so that a Cluster spreads partitions over its nodes:
//
//   p        HASH   owner, until, for, seen (when somebody last looked), epoch, clean (1: was released), made,
//                   gen (the rows that are valid), batch (the last one), summary, staged (1: see `s`),
//                   restoring (a generation that is being written); or only gone: the crawl was discarded
//   o        HASH   receiver → messages for it in `o:RECEIVER`, a LIST of `NUMBER:BODY`. They stay there until
//                   the receiver has written what they caused: at no moment are they counted nowhere.
//   t        HASH   sender → the number of the last message that is part of the rows
//   s        LIST   pieces of a large batch. It counts as written once all are there.
//
// and of one generation of rows, after `GEN:`
//
//   x        HASH   table and group of 1024 buckets → the last bucket of it
//   T:N      LIST   rows 64N … 64N+63 of table T, packed (row-bytes.ts), '' where there is none. Lists of any
//                   values are packed by a server; hashes only up to 64 bytes.
//            HASH   of tables with two columns as key: packed key → packed rest
//   T        HASH   of tables with a text as key: packed key → packed rest
//   k        HASH   bucket of URLs → 64 bits: those that are leased or unreachable
//   i:N      STRING 4 bytes of the hash of each URL 4096N … 4096N+4095
import { randomBytes } from 'node:crypto'
import { TABLES, type TableName } from '../storage.ts'

export const BUCKET_ROWS = 64
export const GROUP_BUCKETS = 1024
export const INDEX_URLS = 4096
export const HASH_BYTES = 4

type CrawlName = { readonly prefix: string; readonly crawlId: number }

export function crawlKey({ prefix, crawlId }: CrawlName, name: 'crawl' | 'owners'): string {
  return `{${prefix}:${crawlId}}:${name}`
}

export function partitionTag({ prefix, crawlId }: CrawlName, partition: number): string {
  return `{${prefix}:${crawlId}:${partition}}:`
}

/** `list`: rows by number; `buckets`: by number and more; `hash`: by text. */
type TableKind = 'list' | 'buckets' | 'hash'
export type KeptTable = {
  readonly name: TableName
  /** In keys. */
  readonly code: string
  readonly kind: TableKind
  /** Columns of the key. */
  readonly key: number
}

const CODES: Readonly<Record<TableName, readonly [code: string, kind: TableKind]>> = {
  crawl: ['c', 'list'],
  judgement: ['j', 'list'],
  host: ['h', 'list'],
  url: ['u', 'list'],
  edge: ['e', 'list'],
  ordering: ['o', 'hash'],
  template: ['t', 'buckets'],
  robots: ['r', 'hash'],
  sitemap: ['m', 'list'],
  revisit: ['v', 'list'],
  taken: ['a', 'list'],
  sent: ['s', 'list'],
}

export function keptTable(name: TableName): KeptTable {
  const [code, kind] = CODES[name]
  return { name, code, kind, key: TABLES[name].key }
}

export const KEPT_TABLES: readonly KeptTable[] = (Object.keys(CODES) as TableName[]).map(keptTable)

export type CrawlMade = {
  readonly salt: number
  readonly partitions: number
  /** As kept. */
  readonly made: string
}

/**
 * What a crawl's frontier was made as. Kept with the crawl and with every partition, so that one that was
 * lost is known from one that never was.
 */
export function newCrawlMade(salt: number, partitions: number): CrawlMade {
  const word = randomBytes(6).toString('base64url')
  return { salt, partitions, made: `${salt} ${partitions} ${word}` }
}

export function crawlMadeOf(made: unknown): CrawlMade | null {
  if (typeof made !== 'string') return null
  const [salt, partitions] = made.split(' ')
  return { salt: Number(salt), partitions: Number(partitions), made }
}
