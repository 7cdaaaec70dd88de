// Changes of rows as commands of write.lua: a name, a key after the partition's tag, the number of arguments,
// the arguments.
import type { RedisArgument } from '../../db/redis.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { Message, Row, TableChanges } from '../storage.ts'
import { Directory } from './directory.ts'
import { BUCKET_ROWS, HASH_BYTES, INDEX_URLS, type KeptTable, keptTable } from './keys.ts'
import { RowPacker } from './row-bytes.ts'

/** Lua hands over some thousand values at once. */
const MAX_VALUES = 1000
/** What a server does in one go, in values and bytes: some milliseconds. */
const PIECE = { values: 4000, bytes: 1 << 20 }
const URL_COLUMN = 2
const INDEX_BUCKETS = INDEX_URLS / BUCKET_ROWS
const MAX_GAP = 10_000

type Placed = readonly [id: number, value: Buffer | '']

export type Command = readonly [name: string, key: string, args: readonly RedisArgument[]]

/** Makes commands for one generation of rows. */
export class RowCommands {
  readonly directory: Directory
  readonly #gen: number
  readonly #hashUrl: UrlHasher
  readonly #packer = new RowPacker()
  /** URLs up to this id are indexed, but those in `#gaps`. */
  #indexed = 0
  readonly #gaps = new Set<number>()

  constructor(gen: number, hashUrl: UrlHasher, directory = new Directory()) {
    this.#gen = gen
    this.#hashUrl = hashUrl
    this.directory = directory
  }

  of({ table, rows, dropped }: TableChanges): Command[] {
    const kept = keptTable(table)
    const commands: Command[] = []
    if (kept.kind === 'list') {
      this.#putAll(
        kept,
        dropped.map(([id]) => [Number(id), ''] as const),
        commands,
      )
      // Before the rows: it looks at which buckets are new.
      if (table === 'url') this.#index(rows, commands)
      const placed = rows.map((row) => [Number(row[0]), this.#packer.pack(row, 1)] as const)
      this.#putAll(kept, placed, commands)
    } else {
      this.#setAll(kept, { rows, dropped }, commands)
    }
    return commands
  }

  #putAll({ code }: KeptTable, placed: readonly Placed[], commands: Command[]): void {
    const sorted = isSorted(placed) ? placed : placed.toSorted(([a], [b]) => a - b)
    let [next, left] = [-1, 0]
    let args: RedisArgument[] = []
    for (const [id, value] of sorted) {
      if (id !== next || left === 0) {
        const bucket = Math.floor(id / BUCKET_ROWS)
        this.#note(code, bucket, commands)
        args = [id % BUCKET_ROWS]
        left = BUCKET_ROWS - (id % BUCKET_ROWS)
        commands.push(['PUT', `${this.#gen}:${code}:${bucket}`, args])
      }
      args.push(value)
      next = id + 1
      left--
    }
  }

  #setAll(
    { code, kind, key }: KeptTable,
    { rows, dropped }: Pick<TableChanges, 'rows' | 'dropped'>,
    commands: Command[],
  ): void {
    const place = (row: Row): string => {
      if (kind === 'hash') return `${this.#gen}:${code}`
      const bucket = Math.floor(Number(row[0]) / BUCKET_ROWS)
      this.#note(code, bucket, commands)
      return `${this.#gen}:${code}:${bucket}`
    }
    for (const row of dropped) commands.push(['HDEL', place(row), [this.#packer.pack(row)]])
    for (const row of rows) {
      const field = this.#packer.pack(row.slice(0, key))
      commands.push(['HSET', place(row), [field, this.#packer.pack(row, key)]])
    }
  }

  #note(code: string, bucket: number, commands: Command[]): void {
    const entry = this.directory.note(code, bucket)
    if (entry !== null) commands.push(['HSET', `${this.#gen}:x`, entry])
  }

  /** These URLs are indexed already. */
  know(ids: Iterable<number>): void {
    for (const id of ids) this.#isNew(id)
  }

  /** Hashes of URLs that have none yet, those with consecutive ids in one go. */
  #index(rows: readonly Row[], commands: Command[]): void {
    const made = new Set<number>()
    let [next, bytes] = [-1, [] as number[]]
    const write = (): void => {
      if (bytes.length === 0) return
      const first = next - bytes.length / HASH_BYTES
      const chunk = Math.floor(first / INDEX_URLS)
      const key = `${this.#gen}:i:${chunk}`
      if (!made.has(chunk) && !this.directory.reaches('u', chunk * INDEX_BUCKETS)) {
        // All of it at once: a server gives a string that grows twice its size.
        const end = (INDEX_URLS - 1) * HASH_BYTES
        commands.push(['SETRANGE', key, [end, Buffer.alloc(HASH_BYTES)]])
      }
      made.add(chunk)
      commands.push(['SETRANGE', key, [(first % INDEX_URLS) * HASH_BYTES, Buffer.from(bytes)]])
      bytes = []
    }
    for (const row of rows) {
      const id = Number(row[0])
      if (!this.#isNew(id)) continue
      if (id !== next || id % INDEX_URLS === 0) write()
      const { lo } = this.#hashUrl(String(row[URL_COLUMN]))
      bytes.push(lo & 255, (lo >>> 8) & 255, (lo >>> 16) & 255, lo >>> 24)
      next = id + 1
    }
    write()
  }

  #isNew(id: number): boolean {
    if (id <= this.#indexed) return this.#gaps.delete(id)
    // Ids far apart are indexed whenever they are written.
    if (id - this.#indexed > MAX_GAP) return true
    for (let gap = this.#indexed + 1; gap < id; gap++) this.#gaps.add(gap)
    this.#indexed = id
    return true
  }
}

export function messageCommands(messages: readonly Message[]): Command[] {
  const byReceiver = Map.groupBy(messages, ({ to }) => to)
  return [...byReceiver].map(([to, some]) => ['SEND', `o:${to}`, some.map(packMessage)])
}

export function packMessage({ number, body }: Message): Buffer {
  return Buffer.concat([Buffer.from(`${number}:`), body])
}

export function unpackMessage(bytes: Buffer, from: number, to: number): Message {
  const end = bytes.indexOf(':')
  const body = Uint8Array.from(bytes.subarray(end + 1))
  return { from, to, number: Number(bytes.toString('latin1', 0, end)), body }
}

/** Commands as arguments of write.lua, in pieces that a server does in one go: at least one. */
export function piecesOf(
  commands: readonly Command[],
  most: number = PIECE.values,
): RedisArgument[][] {
  const pieces: RedisArgument[][] = []
  let [piece, bytes]: [RedisArgument[], number] = [[], 0]
  for (const [name, key, args] of commands) {
    for (let at = 0; at === 0 || at < args.length; at += MAX_VALUES) {
      const some = args.length <= MAX_VALUES ? args : args.slice(at, at + MAX_VALUES)
      if (piece.length > most || (bytes > PIECE.bytes && most === PIECE.values)) {
        pieces.push(piece)
        ;[piece, bytes] = [[], 0]
      }
      piece.push(name, key, some.length, ...some)
      for (const each of some) bytes += typeof each === 'number' ? 8 : each.length
    }
  }
  pieces.push(piece)
  return pieces
}

/** A piece as one value, to keep it. */
export function packPiece(piece: readonly RedisArgument[]): Buffer {
  const parts = piece.flatMap((each) => {
    const bytes = Buffer.isBuffer(each) ? each : Buffer.from(String(each))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat(parts)
}

export function unpackPiece(bytes: Buffer): Buffer[] {
  const piece: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at)
    piece.push(bytes.subarray(at + 4, end))
    at = end
  }
  return piece
}

function isSorted(placed: readonly Placed[]): boolean {
  for (let at = 1; at < placed.length; at++) {
    if ((placed[at - 1]?.[0] ?? 0) > (placed[at]?.[0] ?? 0)) return false
  }
  return true
}
