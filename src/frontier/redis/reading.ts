// Reads packed rows. Many buckets are asked for at once, and the next ones while those before are unpacked.
import type { RedisConnection } from '../../db/redis.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { RowReader } from '../partitions/row-reader.ts'
import { RowsUrlStates } from '../partitions/rows-url-states.ts'
import { MAX_CHUNK_ROWS, type Row, type RowValue, TABLES, type TableName } from '../storage.ts'
import { Directory } from './directory.ts'
import {
  BUCKET_ROWS,
  type CrawlMade,
  INDEX_URLS,
  KEPT_TABLES,
  type KeptTable,
  keptTable,
  partitionTag,
} from './keys.ts'
import { Marks } from './marks.ts'
import { RowPacker, unpackRow } from './row-bytes.ts'
import { positionsOf } from './url-index.ts'

/** Rows that a chunk has at most. */
const CHUNK_ROWS = MAX_CHUNK_ROWS - (MAX_CHUNK_ROWS % BUCKET_ROWS)
const BUCKETS_AT_ONCE = CHUNK_ROWS / BUCKET_ROWS
/** Rows with a text as key may be long: the body of a robots.txt. */
const FIELDS_AT_ONCE = 100
const SCANNED_AT_ONCE = 500
const UNLINKED_AT_ONCE = 500

/** One generation of rows of one partition. */
export class RowSet {
  readonly #connection: RedisConnection
  readonly #prefix: string

  constructor(connection: RedisConnection, tag: string, gen: number) {
    this.#connection = connection
    this.#prefix = `${tag}${gen}:`
  }

  async directory(): Promise<Directory> {
    return new Directory(textsOf(await this.#connection.call('HGETALL', `${this.#prefix}x`)))
  }

  async marks(): Promise<Marks> {
    return new Marks(bytesOf(await this.#connection.callBytes('HGETALL', `${this.#prefix}k`)))
  }

  /** URLs that are leased, or were given up as unreachable. */
  async *marked(): AsyncGenerator<Row[]> {
    const marks = await this.marks()
    const buckets = marks.buckets()
    for (let at = 0; at < buckets.length; at += BUCKETS_AT_ONCE) {
      const some = buckets.slice(at, at + BUCKETS_AT_ONCE)
      const rows = await Promise.all(some.map((bucket) => this.#bucket(keptTable('url'), bucket)))
      yield rows.flat().filter(([id]) => marks.has(Number(id)))
    }
  }

  /** Rows of a table in order of their keys; of tables with a number as key those above `after`. */
  async *rows(table: KeptTable, after = -1): AsyncGenerator<Row[]> {
    if (table.kind === 'hash') yield* this.#named(table)
    else yield* this.#numbered(table, after)
  }

  async row(table: KeptTable, key: RowValue): Promise<Row | null> {
    const bytes = await this.#packedRow(table, key)
    return bytes === null || bytes.length === 0 ? null : unpackRow(bytes, [key])
  }

  /** Ids of URLs that may have this hash. */
  async *idsOf(hash: number): AsyncGenerator<number> {
    const buckets = (await this.directory()).buckets('u')
    const chunks = new Set(buckets.map((bucket) => Math.floor((bucket * BUCKET_ROWS) / INDEX_URLS)))
    const answers = [...chunks].map(
      async (chunk) =>
        [chunk, await this.#connection.callBytes('GET', `${this.#prefix}i:${chunk}`)] as const,
    )
    for (const [chunk, bytes] of await Promise.all(answers)) {
      if (!Buffer.isBuffer(bytes)) continue
      for (const at of positionsOf(bytes, hash)) yield chunk * INDEX_URLS + at
    }
  }

  /** Deletes everything, what leads to it last. */
  async remove(): Promise<void> {
    const directory = await this.directory()
    let keys: string[] = []
    const unlink = async (): Promise<void> => {
      if (keys.length > 0) await this.#connection.call('UNLINK', ...keys)
      keys = []
    }
    for (const { code, kind } of KEPT_TABLES) {
      if (kind === 'hash') keys.push(`${this.#prefix}${code}`)
      for (const bucket of directory.buckets(code)) {
        keys.push(`${this.#prefix}${code}:${bucket}`)
        const first = bucket * BUCKET_ROWS
        if (code === 'u') keys.push(`${this.#prefix}i:${Math.floor(first / INDEX_URLS)}`)
        if (keys.length >= UNLINKED_AT_ONCE) await unlink()
      }
    }
    keys.push(`${this.#prefix}k`, `${this.#prefix}x`)
    await unlink()
  }

  async #packedRow({ code, kind }: KeptTable, key: RowValue): Promise<Buffer | null> {
    const id = Number(key)
    const answer =
      kind === 'hash'
        ? await this.#connection.callBytes('HGET', this.#prefix + code, new RowPacker().pack([key]))
        : await this.#connection.callBytes(
            ...(['LINDEX', this.#bucketKey(code, Math.floor(id / BUCKET_ROWS))] as const),
            id % BUCKET_ROWS,
          )
    return Buffer.isBuffer(answer) ? answer : null
  }

  #bucketKey(code: string, bucket: number): string {
    return `${this.#prefix}${code}:${bucket}`
  }

  async *#numbered(table: KeptTable, after: number): AsyncGenerator<Row[]> {
    const first = Math.floor((after + 1) / BUCKET_ROWS)
    const buckets = (await this.directory()).buckets(table.code, first)
    const ask = (): Promise<Row[]>[] => {
      const asked: Promise<Row[]>[] = []
      while (asked.length < BUCKETS_AT_ONCE) {
        const { value, done } = buckets.next()
        if (done) break
        asked.push(this.#bucket(table, value))
      }
      return asked
    }
    for (let asked = ask(); asked.length > 0; ) {
      const next = askLater(ask)
      const rows = (await Promise.all(asked)).flat()
      const wanted = after < 0 ? rows : rows.filter(([id]) => Number(id) > after)
      // Keys of two columns may be many in a bucket.
      for (let at = 0; at < wanted.length; at += CHUNK_ROWS) {
        yield wanted.length <= CHUNK_ROWS ? wanted : wanted.slice(at, at + CHUNK_ROWS)
      }
      asked = next
    }
  }

  async #bucket({ code, kind, key }: KeptTable, bucket: number): Promise<Row[]> {
    const name = this.#bucketKey(code, bucket)
    if (kind === 'list') {
      const values = bytesOf(await this.#connection.callBytes('LRANGE', name, 0, -1))
      const rows: Row[] = []
      for (const [at, value] of values.entries()) {
        if (value.length > 0) rows.push(unpackRow(value, [bucket * BUCKET_ROWS + at]))
      }
      return rows
    }
    const fields = bytesOf(await this.#connection.callBytes('HGETALL', name))
    const rows: Row[] = []
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [field, value] = [fields[at], fields[at + 1]]
      if (field !== undefined && value !== undefined) rows.push(unpackRow(value, unpackRow(field)))
    }
    return rows.sort((a, b) => comparedKeys(a, b, key))
  }

  async *#named({ code, key }: KeptTable): AsyncGenerator<Row[]> {
    const name = `${this.#prefix}${code}`
    const fields = new Map<string, readonly [Row, Buffer]>()
    for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
      const answer = await this.#connection.callBytes(
        ...(['HSCAN', name, cursor, 'COUNT', SCANNED_AT_ONCE] as const),
      )
      const [next, some] = Array.isArray(answer) ? answer : []
      for (const [at, field] of bytesOf(some).entries()) {
        if (at % 2 === 0) fields.set(field.toString('latin1'), [unpackRow(field), field])
      }
      cursor = String(next ?? '0')
    }
    const sorted = [...fields.values()].sort(([a], [b]) => comparedKeys(a, b, key))
    for (let at = 0; at < sorted.length; at += FIELDS_AT_ONCE) {
      const some = sorted.slice(at, at + FIELDS_AT_ONCE)
      const asked = some.map(([, field]) => field)
      const values: unknown = await this.#connection.callBytes('HMGET', name, ...asked)
      const rows = some.flatMap(([known], nth) => {
        const value: unknown = Array.isArray(values) ? values[nth] : null
        return Buffer.isBuffer(value) ? [unpackRow(value, known)] : []
      })
      if (rows.length > 0) yield rows
    }
  }
}

/** What nobody waits for yet must not end the program when it fails. */
function askLater<T>(ask: () => Promise<T>[]): Promise<T>[] {
  const asked = ask()
  for (const each of asked) each.catch(() => {})
  return asked
}

/** As SQLite orders keys: numbers by value, texts by their bytes. */
function comparedKeys(a: Row, b: Row, key: number): number {
  for (let at = 0; at < key; at++) {
    const [one, other] = [a[at] ?? null, b[at] ?? null]
    const order =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
    if (order !== 0) return order
  }
  return 0
}

export function bytesOf(answer: unknown): Buffer[] {
  return Array.isArray(answer) ? answer.filter((each) => Buffer.isBuffer(each)) : []
}

export function textsOf(answer: unknown): string[] {
  return Array.isArray(answer) ? answer.map(String) : []
}

/** The rows that are valid now. */
export async function currentRows(
  connection: RedisConnection,
  name: { readonly crawlId: number; readonly partition: number },
): Promise<RowSet | null> {
  const tag = partitionTag({ prefix: connection.prefix, crawlId: name.crawlId }, name.partition)
  const gen = await connection.call('HGET', `${tag}p`, 'gen')
  return gen === null ? null : new RowSet(connection, tag, Number(gen))
}

const URL_COLUMN = TABLES.url.columns.indexOf('url')

/** Rows of a crawl as they are read for people. */
export function redisUrlStates(
  connection: RedisConnection,
  crawlId: number,
  { salt, partitions }: CrawlMade,
): RowsUrlStates {
  const hash = createUrlHasher(salt)
  const open = (partition: number) => currentRows(connection, { crawlId, partition })
  const row = async (partition: number, table: TableName, key: RowValue): Promise<Row | null> =>
    (await (await open(partition))?.row(keptTable(table), key)) ?? null
  const reader: RowReader = {
    async *rows(partition, table, after) {
      const set = await open(partition)
      if (set !== null) yield* set.rows(keptTable(table), after)
    },
    async *unsettled(partition) {
      const set = await open(partition)
      if (set !== null) yield* set.marked()
    },
    row,
    async idOf(partition, url) {
      const set = await open(partition)
      if (set === null) return null
      for await (const id of set.idsOf(hash(url).lo)) {
        const found = await set.row(keptTable('url'), id)
        if (found?.[URL_COLUMN] === url) return id
      }
      return null
    },
  }
  return new RowsUrlStates({ crawlId, partitions }, reader)
}
