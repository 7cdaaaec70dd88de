// Segments and columns in the tables of the index. Bytes are rows, so a batch, its words and its position become
// lasting together, and whoever has search.db has all of it.
import type { DatabaseSync } from 'node:sqlite'
import type { ColumnSource } from '../segments/doc-columns.ts'
import { pieceKey, type SegmentSource, type StoredBlock } from '../segments/segment-reader.ts'
import type { SegmentSink } from '../segments/segment-writer.ts'

/** Rows that are removed at once. */
const PIECES_AT_ONCE = 256
const TERMS_AT_ONCE = 1024

export class SegmentTables implements SegmentSource, ColumnSource {
  readonly #sql: ReturnType<typeof prepareReads>

  constructor(db: DatabaseSync) {
    this.#sql = prepareReads(db)
  }

  piece(segment: number, nth: number): Uint8Array | null {
    return bytesOf(this.#sql.piece.get(pieceKey(segment, nth))?.bytes)
  }

  pieces(segment: number, first: number, last: number): readonly Uint8Array[] {
    const pieces: Uint8Array[] = []
    const [from, to] = [pieceKey(segment, first), pieceKey(segment, last)]
    for (const { key, bytes } of this.#sql.pieces.iterate(from, to)) {
      if (Number(key) !== from + pieces.length || !(bytes instanceof Uint8Array)) break
      pieces.push(bytes)
    }
    return pieces
  }

  blockAt(segment: number, key: Uint8Array): StoredBlock | null {
    const row = this.#sql.blockAt.get(segment, key)
    return row === undefined ? null : blockFrom(row)
  }

  blocksAfter(segment: number, key: Uint8Array, limit: number): readonly StoredBlock[] {
    return this.#sql.blocksAfter.all(segment, key, limit).map(blockFrom)
  }

  column(key: number): Uint8Array | null {
    return bytesOf(this.#sql.column.get(key)?.bytes)
  }
}

function prepareReads(db: DatabaseSync) {
  return {
    piece: db.prepare('SELECT bytes FROM segment_pieces WHERE key = ?'),
    pieces: db.prepare(
      'SELECT key, bytes FROM segment_pieces WHERE key BETWEEN ? AND ? ORDER BY key',
    ),
    blockAt: db.prepare(`SELECT first, at, terms FROM term_blocks
      WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1`),
    blocksAfter: db.prepare(`SELECT first, at, terms FROM term_blocks
      WHERE segment = ? AND first > ? ORDER BY first LIMIT ?`),
    column: db.prepare('SELECT bytes FROM page_columns WHERE key = ?'),
  }
}

function blockFrom({ first, at, terms }: Readonly<Record<string, unknown>>): StoredBlock {
  return { key: bytesOf(first) ?? NOTHING, at: Number(at), bytes: bytesOf(terms) ?? NOTHING }
}

function bytesOf(value: unknown): Uint8Array | null {
  return value instanceof Uint8Array ? value : null
}

const NOTHING = new Uint8Array(0)

/** What a writer does with these tables. */
export class SegmentWrites {
  readonly #sql: ReturnType<typeof prepareWrites>

  constructor(db: DatabaseSync) {
    this.#sql = prepareWrites(db)
  }

  sinkOf(segment: number): SegmentSink {
    return {
      piece: (nth, bytes) => this.#sql.piece.run(pieceKey(segment, nth), bytes),
      terms: (first, at, block) => this.#sql.terms.run(segment, first, at, block),
    }
  }

  column(key: number, bytes: Uint8Array, batch: number): void {
    this.#sql.column.run(key, batch, bytes)
  }

  /** Removes some bytes of a segment; true if none are left. */
  removeSome(segment: number): boolean {
    const range = [pieceKey(segment, 0), pieceKey(segment + 1, 0) - 1] as const
    if (Number(this.#sql.removePieces.run(...range).changes) === PIECES_AT_ONCE) return false
    return Number(this.#sql.removeTerms.run(segment).changes) < TERMS_AT_ONCE
  }
}

function prepareWrites(db: DatabaseSync) {
  return {
    piece: db.prepare('INSERT OR REPLACE INTO segment_pieces (key, bytes) VALUES (?, ?)'),
    terms: db.prepare('INSERT INTO term_blocks (segment, first, at, terms) VALUES (?, ?, ?, ?)'),
    column: db.prepare(
      'INSERT OR REPLACE INTO page_columns (key, changed, bytes) VALUES (?, ?, ?)',
    ),
    removePieces: db.prepare(`DELETE FROM segment_pieces WHERE key IN
      (SELECT key FROM segment_pieces WHERE key BETWEEN ? AND ? LIMIT ${PIECES_AT_ONCE})`),
    removeTerms: db.prepare(`DELETE FROM term_blocks WHERE id IN
      (SELECT id FROM term_blocks WHERE segment = ? LIMIT ${TERMS_AT_ONCE})`),
  }
}
