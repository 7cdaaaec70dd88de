// The state of the index, as a search sees it. What was read is kept, and of what was written since then only that is
// read. States do not change: a search that began earlier goes on with its own.

import type { Queries, Row } from '../../db/postgres.ts'
import { bytesOf, hexOf, numberArray, textArray } from '../../db/postgres-array.ts'
import { wholeText } from '../../lib/column-text.ts'
import { AwaitedSegments, type Want } from '../segments/awaited-segments.ts'
import { type CommonWords, commonWordsFrom } from '../segments/common-words.ts'
import { KeptBits } from '../segments/doc-bits.ts'
import { ChangedColumns, pagesUpTo } from '../segments/doc-columns.ts'
import type { IndexView } from '../segments/index-view.ts'
import { PageSums } from '../segments/page-sums.ts'
import { pieceKey, SegmentReader, type StoredBlock } from '../segments/segment-reader.ts'
import { damaged } from '../segments/term-block.ts'

/** Blocks of terms that are read at once, at least. */
const BLOCKS_AT_ONCE = 16

/** What all states since the same beginning share. */
class Shared {
  readonly segments = new AwaitedSegments()
  readonly reader = new SegmentReader(this.segments)
  readonly sums = new PageSums()
  /** Hosts, languages and kinds; none is ever called otherwise. */
  readonly values: string[] = []
  readonly numbers = new Map<string, number>()
}

export type IndexNow = {
  readonly batch: number
  readonly beginning: string
  readonly shared: Shared
  readonly columns: FetchedColumns
  readonly view: IndexView
}

export class IndexState {
  #last: IndexNow | null = null

  /** What a transaction sees, which has to see one moment. */
  async read(sql: Queries): Promise<IndexNow> {
    const [row] = await sql.unsafe<Row[]>(SQL.position)
    if (row === undefined) throw damaged()
    const [batch, beginning] = [Number(row.batch), String(row.beginning)]
    const last = this.#last?.beginning === beginning ? this.#last : null
    if (last?.batch === batch) return last
    // A search that began before the last one may see less.
    const before = last !== null && last.batch < batch ? last : null
    const shared = last?.shared ?? new Shared()
    const columns = new FetchedColumns(before?.columns)
    const [segments, common] = await Promise.all([
      sql.unsafe<Row[]>(SQL.segments),
      readCommonWords(sql),
      columns.read(sql, before?.batch ?? -1),
      readValues(sql, shared),
    ])
    const now = {
      batch,
      beginning,
      shared,
      columns,
      view: viewOf({ row, segments, common, shared, columns }),
    }
    if (this.#last?.beginning !== beginning || this.#last.batch < batch) this.#last = now
    return now
  }
}

async function readValues(sql: Queries, { values, numbers }: Shared): Promise<void> {
  const last = Math.max(0, values.length - 1)
  for (const row of await sql.unsafe<Row[]>(SQL.values, [String(last)])) {
    const [id, value] = [Number(row.id), String(row.value)]
    values[id] = value
    numbers.set(value, id)
  }
}

export async function readCommonWords(sql: Queries): Promise<CommonWords> {
  return commonWordsFrom(await sql.unsafe<Row[]>(SQL.common))
}

type ViewParts = Pick<IndexNow, 'shared' | 'columns'> & {
  readonly row: Row
  readonly segments: readonly Row[]
  readonly common: CommonWords
}

function viewOf({ row, segments, common, shared, columns }: ViewParts): IndexView {
  const { reader, sums, values, numbers } = shared
  const end = nextDocOf(row)
  return {
    segments: segmentsOf(segments, 'pages', end),
    links: segmentsOf(segments, 'links', Number(row.next_link)),
    end,
    pages: Number(row.pages),
    length: Number(row.length),
    gone: Number(row.gone),
    ...{ reader, common, columns, sums },
    textOf: (number) => values[number] ?? '',
    numberOf: (value) => numbers.get(wholeText(value)) ?? 0,
    counts: new Map(),
    bits: new KeptBits(),
  }
}

/** The number of the next page. One that cannot be is noticed here: later, it would be a loop without end. */
export function nextDocOf({ next_doc, last_column }: Row): number {
  const next = Number(next_doc)
  const most = pagesUpTo(last_column === null ? null : Number(last_column))
  if (next >= 0 && next <= most) return next
  throw damaged()
}

function segmentsOf(rows: readonly Row[], kind: string, end: number): IndexView['segments'] {
  const segments = rows
    .filter((row) => row.kind === kind)
    .map((row) => ({
      id: Number(row.id),
      base: Number(row.base),
      end: Number(row.end_doc),
      meanLength: Number(row.mean_length),
    }))
  if (segments.every(({ base, end: own }) => base >= 0 && base <= own && own <= end))
    return segments
  throw damaged()
}

/** The columns of pages. All of what was written is read: nearly every search needs most of it. */
export class FetchedColumns extends ChangedColumns {
  /** What was read and not asked for yet. */
  readonly #bytes: Map<number, Uint8Array>

  /** `before`: an earlier state, of which only what changed is read again. It must not be changed any more. */
  constructor(before: FetchedColumns | null = null) {
    const all = new Map(before === null ? [] : before.#bytes)
    super({ column: (key) => takenOut(all, key) })
    this.#bytes = all
    if (before !== null) this.share(before)
  }

  /** Reads what was written after a batch. */
  async read(sql: Queries, after: number): Promise<void> {
    const rows = await sql.unsafe<Row[]>(SQL.columns, [String(after)])
    this.forget(rows.map(({ key }) => Number(key)))
    for (const { key, bytes } of rows) this.#bytes.set(Number(key), bytesOf(bytes))
  }
}

function takenOut(all: Map<number, Uint8Array>, key: number): Uint8Array | null {
  const bytes = all.get(key) ?? null
  all.delete(key)
  return bytes
}

/** Reads what a reader of segments needs. */
export async function readSegments(
  sql: Queries,
  segments: AwaitedSegments,
  wants: readonly Want[],
): Promise<void> {
  const ofKind = <O extends Want['of']>(kind: O) =>
    wants.filter((want): want is WantOf<O> => want.of === kind)
  await Promise.all([
    readBlocks(sql, segments, ofKind('block')),
    readNext(sql, segments, ofKind('blocks after')),
    readPieces(sql, segments, ofKind('pieces')),
  ])
}

type WantOf<O extends Want['of']> = Extract<Want, { of: O }>

async function readBlocks(
  sql: Queries,
  segments: AwaitedSegments,
  wants: readonly WantOf<'block'>[],
): Promise<void> {
  if (wants.length === 0) return
  for (const row of await sql.unsafe<Row[]>(SQL.blocks, askedFor(wants))) {
    const { segment, key } = wants[Number(row.nth) - 1] ?? {}
    if (segment === undefined || key === undefined) continue
    segments.putBlock(segment, key, row.terms === null ? null : blockFrom(row))
  }
}

async function readNext(
  sql: Queries,
  segments: AwaitedSegments,
  wants: readonly WantOf<'blocks after'>[],
): Promise<void> {
  if (wants.length === 0) return
  const most = Math.max(BLOCKS_AT_ONCE, ...wants.map(({ limit }) => limit))
  const rows = await sql.unsafe<Row[]>(SQL.next, [...askedFor(wants), String(most)])
  const byWant = Map.groupBy(rows, ({ nth }) => Number(nth) - 1)
  for (const [nth, { segment, key }] of wants.entries()) {
    const blocks = (byWant.get(nth) ?? []).map(blockFrom)
    segments.putNext(segment, key, blocks, blocks.length < most)
  }
}

async function readPieces(
  sql: Queries,
  segments: AwaitedSegments,
  wants: readonly WantOf<'pieces'>[],
): Promise<void> {
  const asked = new Map<number, readonly [segment: number, nth: number]>()
  for (const { segment, first, last } of wants) {
    for (let nth = first; nth <= last; nth++) {
      if (!segments.has(segment, nth)) asked.set(pieceKey(segment, nth), [segment, nth])
    }
  }
  if (asked.size === 0) return
  const rows = await sql.unsafe<Row[]>(SQL.pieces, [numberArray([...asked.keys()])])
  const found = new Map(rows.map(({ key, bytes }) => [Number(key), bytesOf(bytes)]))
  for (const [key, [segment, nth]] of asked) segments.put(segment, nth, found.get(key) ?? null)
}

function askedFor(wants: readonly (WantOf<'block'> | WantOf<'blocks after'>)[]): string[] {
  return [
    numberArray(wants.map(({ segment }) => segment)),
    textArray(wants.map(({ key }) => hexOf(key))),
  ]
}

function blockFrom({ first, at, terms }: Row): StoredBlock {
  return { key: bytesOf(first), at: Number(at), bytes: bytesOf(terms) }
}

const ASKED = `unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS asked (segment, key, nth)`

export const POSITION = `SELECT *, (SELECT max(key) FROM search.page_columns) AS last_column
  FROM search.search_position`

const SQL = {
  position: POSITION,
  segments: `SELECT id, kind, base, end_doc, mean_length FROM search.segments
    WHERE state = 'live' ORDER BY base`,
  common: 'SELECT word, level, since FROM search.common_words',
  values: 'SELECT id, value FROM search.shared_values WHERE id > $1::bigint',
  columns: 'SELECT key, bytes FROM search.page_columns WHERE changed > $1::bigint',
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
