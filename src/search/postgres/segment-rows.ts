// Segments in rows of bytes, as a reader of segments needs them. That reader does not wait: whoever asks for something
// that was not read from the server yet gets `NotReadYet`, which says what it is, reads it, and asks again.
import type { Queries, Row } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import type { SegmentSource, StoredBlock } from '../segments/segment-reader.ts'

/** Pieces of a segment are numbered below this: 64 GiB. */
const PIECES = 2 ** 22
const KEPT_BYTES = 64 * 1024 * 1024
const KEPT_BLOCKS = 20_000
/** Blocks of terms that are read at once, at least. */
const BLOCKS_AT_ONCE = 16

export function pieceKey(segment: number, nth: number): number {
  return segment * PIECES + nth
}

/** What a reader needs. */
export type Want =
  | { readonly of: 'block'; readonly segment: number; readonly key: Uint8Array }
  | {
      readonly of: 'blocks after'
      readonly segment: number
      readonly key: Uint8Array
      readonly limit: number
    }
  | {
      readonly of: 'pieces'
      readonly segment: number
      readonly first: number
      readonly last: number
    }
  | { readonly of: 'numbers of pages'; readonly ids: readonly number[] }

export class NotReadYet extends Error {
  readonly want: Want

  constructor(want: Want) {
    super('this was not read from the server yet')
    this.want = want
  }
}

/** Asks again until everything that `work` needs was read. */
export async function whenRead<T>(
  work: () => T | Promise<T>,
  read: (wants: readonly Want[]) => Promise<void>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NotReadYet)) throw error
      await read([error.want])
    }
  }
}

/** Does all of this, and reads what they need together. */
export async function allWhenRead(
  tasks: readonly (() => void)[],
  read: (wants: readonly Want[]) => Promise<void>,
): Promise<void> {
  for (let left = tasks; left.length > 0; ) {
    const wants: Want[] = []
    left = left.filter((task) => {
      const want = wantOf(task)
      if (want !== null) wants.push(want)
      return want !== null
    })
    if (wants.length > 0) await read(wants)
  }
}

function wantOf(task: () => void): Want | null {
  try {
    task()
    return null
  } catch (error) {
    if (error instanceof NotReadYet) return error.want
    throw error
  }
}

type WantOf<O extends Want['of']> = Extract<Want, { of: O }>

/** Segments never change, so what was read stays valid. */
export class SegmentRows implements SegmentSource {
  readonly #pieces = new Map<number, Uint8Array | null>()
  /** By segment and key: the block that may have it, and the next one after it. */
  readonly #blocks = new Map<string, StoredBlock | null>()
  readonly #next = new Map<string, StoredBlock | null>()
  #bytes = 0

  piece(segment: number, nth: number): Uint8Array | null {
    const piece = this.#pieces.get(pieceKey(segment, nth))
    if (piece !== undefined) return piece
    throw new NotReadYet({ of: 'pieces', segment, first: nth, last: nth })
  }

  expect(segment: number, first: number, last: number): void {
    for (let nth = first; nth <= last; nth++) {
      if (this.#pieces.has(pieceKey(segment, nth))) continue
      throw new NotReadYet({ of: 'pieces', segment, first: nth, last })
    }
  }

  blockAt(segment: number, key: Uint8Array): StoredBlock | null {
    const block = this.#blocks.get(nameOf(segment, key))
    if (block === undefined) throw new NotReadYet({ of: 'block', segment, key })
    return block
  }

  blocksAfter(segment: number, key: Uint8Array, limit: number): readonly StoredBlock[] {
    const blocks: StoredBlock[] = []
    for (let last = key; blocks.length < limit; ) {
      const next = this.#next.get(nameOf(segment, last))
      if (next === undefined && blocks.length === 0) {
        throw new NotReadYet({ of: 'blocks after', segment, key, limit })
      }
      if (next === undefined || next === null) break
      blocks.push(next)
      last = next.key
    }
    return blocks
  }

  /** To be called between searches: what is needed least is forgotten. */
  trim(): void {
    for (const [key, piece] of this.#pieces) {
      if (this.#bytes <= KEPT_BYTES) break
      this.#pieces.delete(key)
      this.#bytes -= piece?.length ?? 0
    }
    if (this.#blocks.size > KEPT_BLOCKS) this.#blocks.clear()
    if (this.#next.size > KEPT_BLOCKS) this.#next.clear()
  }

  /** Keeps a piece that was just written. */
  put(key: number, piece: Uint8Array): void {
    this.#bytes += piece.length - (this.#pieces.get(key)?.length ?? 0)
    this.#pieces.set(key, piece)
  }

  /** Keeps all blocks of a segment that was just written, in order. */
  putBlocks(segment: number, blocks: readonly StoredBlock[]): void {
    let last = nameOf(segment, NOTHING)
    this.#blocks.set(last, null)
    for (const block of blocks) {
      this.#next.set(last, block)
      last = nameOf(segment, block.key)
    }
    this.#next.set(last, null)
  }

  async read(sql: Queries, wants: readonly Want[]): Promise<void> {
    const ofKind = <O extends Want['of']>(kind: O) =>
      wants.filter((want): want is WantOf<O> => want.of === kind)
    await Promise.all([
      this.#readBlocks(sql, ofKind('block')),
      this.#readNext(sql, ofKind('blocks after')),
      this.#readPieces(sql, ofKind('pieces')),
    ])
  }

  async #readBlocks(sql: Queries, wants: readonly WantOf<'block'>[]): Promise<void> {
    if (wants.length === 0) return
    for (const row of await sql.unsafe<Row[]>(SQL.blocks, askedFor(wants))) {
      const { segment, key } = wants[Number(row.nth) - 1] ?? {}
      if (segment === undefined || key === undefined) continue
      this.#blocks.set(nameOf(segment, key), row.terms === null ? null : blockFrom(row))
    }
  }

  async #readNext(sql: Queries, wants: readonly WantOf<'blocks after'>[]): Promise<void> {
    if (wants.length === 0) return
    const most = Math.max(BLOCKS_AT_ONCE, ...wants.map(({ limit }) => limit))
    const rows = await sql.unsafe<Row[]>(SQL.next, [...askedFor(wants), String(most)])
    const byWant = Map.groupBy(rows, ({ nth }) => Number(nth) - 1)
    for (const [nth, { segment, key }] of wants.entries()) {
      const blocks = (byWant.get(nth) ?? []).map(blockFrom)
      let last = key
      for (const block of blocks) {
        this.#next.set(nameOf(segment, last), block)
        last = block.key
      }
      if (blocks.length < most) this.#next.set(nameOf(segment, last), null)
    }
  }

  async #readPieces(sql: Queries, wants: readonly WantOf<'pieces'>[]): Promise<void> {
    const keys = new Set<number>()
    for (const { segment, first, last } of wants) {
      for (let nth = first; nth <= last; nth++) keys.add(pieceKey(segment, nth))
    }
    for (const key of keys) if (this.#pieces.has(key)) keys.delete(key)
    if (keys.size === 0) return
    const rows = await sql.unsafe<Row[]>(SQL.pieces, [numberArray([...keys])])
    for (const key of keys) this.#pieces.set(key, null)
    for (const { key, bytes } of rows) this.put(Number(key), bytesOf(bytes))
  }
}

function askedFor(wants: readonly (WantOf<'block'> | WantOf<'blocks after'>)[]): string[] {
  return [
    numberArray(wants.map(({ segment }) => segment)),
    textArray(wants.map(({ key }) => hexOf(key))),
  ]
}

function nameOf(segment: number, key: Uint8Array): string {
  return `${segment} ${Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')}`
}

function blockFrom({ first, at, terms }: Row): StoredBlock {
  return { key: bytesOf(first), at: Number(at), bytes: bytesOf(terms) }
}

const NOTHING = new Uint8Array(0)

/** Without the methods of a buffer, whose slices are no copies. */
export function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) return NOTHING
  return new Uint8Array(value.buffer, value.byteOffset, value.length)
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}

/**
 * Bytes as one text: `string_to_array(text, ',')`, each in base64. The server reads it faster than an array of texts.
 * None of them is empty.
 */
export function joinedBytes(all: Iterable<Uint8Array>): string {
  return Array.from(all, ({ buffer, byteOffset, length }) =>
    Buffer.from(buffer, byteOffset, length).toString('base64'),
  ).join(',')
}

const ASKED = `unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS asked (segment, key, nth)`

const SQL = {
  blocks: `SELECT asked.nth, block.* FROM ${ASKED} LEFT JOIN LATERAL (
      SELECT first, at, terms FROM search.term_blocks
      WHERE segment = asked.segment AND first <= decode(asked.key, 'hex')
      ORDER BY first DESC LIMIT 1) AS block ON true`,
  next: `SELECT asked.nth, block.* FROM ${ASKED} CROSS JOIN LATERAL (
      SELECT first, at, terms FROM search.term_blocks
      WHERE segment = asked.segment AND first > decode(asked.key, 'hex')
      ORDER BY first LIMIT $3::integer) AS block
    ORDER BY asked.nth, block.first`,
  pieces: 'SELECT key, bytes FROM search.segment_pieces WHERE key = ANY ($1::bigint[])',
} as const
