// Segments that are written: a batch makes one, and neighbours are merged. A large merge is made in steps, one in the
// transaction of each batch, and goes on after a crash where it was. What merges replaced is removed with the next
// batches; a search that began before sees it nevertheless, since it sees one moment.
import type { Row, Transaction } from '../../db/postgres.ts'
import { bytesOf, hexOf, joinedBytes, numberArray, textArray } from '../../db/postgres-array.ts'
import { AwaitedSegments, allWhenRead, type Want, whenRead } from '../segments/awaited-segments.ts'
import type { CountedWord } from '../segments/common-words.ts'
import type { DocColumns } from '../segments/doc-columns.ts'
import { Merge } from '../segments/merge.ts'
import { neighbours, type SegmentKind, worthBy } from '../segments/merge-plan.ts'
import { pieceKey, type SegmentRange, SegmentReader } from '../segments/segment-reader.ts'
import { PIECE, type SegmentSink, SegmentWriter } from '../segments/segment-writer.ts'
import { termKey } from '../segments/term-block.ts'
import { readSegments } from './index-state.ts'

/** Pieces of replaced segments that are removed with each batch: faster than merges replace them. */
const REMOVED_PIECES = 2048
/** A merge reads a segment from its beginning to its end: so many pieces and blocks at once. */
const PIECES_AHEAD = 16
const BLOCKS_AHEAD = 64

export type NewSegment = SegmentRange & {
  readonly meanLength: number
  readonly fill: (writer: SegmentWriter) => void
}

/** A segment as its row tells. */
type Segment = SegmentRange & {
  readonly kind: SegmentKind
  readonly meanLength: number
  readonly sources: readonly number[]
  state: 'live' | 'building' | 'replaced'
  /** The last term that a merge has written. */
  done: string
  written: number
}

type Running = { readonly merge: Merge; readonly writer: SegmentWriter }

/** True if what a segment has of a page is no longer valid. */
type IsGone = (doc: number, segment: SegmentRange) => boolean

export type MergeOptions = {
  readonly columns: DocColumns
  readonly isGone: IsGone
  /** The number of a new segment. */
  readonly nextId: () => number
  /** Of the pages of now. */
  readonly meanLength: number
}

export class SegmentWrites {
  readonly #segments = new AwaitedSegments()
  readonly #reader = new SegmentReader(this.#segments)
  readonly #running = new Map<number, Running>()
  /** Bytes that were removed, and that searches may read. */
  dead = 0
  live = 0
  #pieces = new Map<number, Uint8Array>()
  #terms: TermsRow[] = []

  /** Writes a segment; returns its bytes. */
  async add(
    sql: Transaction,
    kind: SegmentKind,
    { id, base, end, meanLength, fill }: NewSegment,
    columns: DocColumns,
  ): Promise<number> {
    const writer = new SegmentWriter(this.#sinkOf(id), { worth: worthBy(columns, meanLength) })
    fill(writer)
    writer.flush()
    const { written } = writer
    this.#segments.putBlocks(
      id,
      this.#terms.map(({ first, at, terms }) => ({ key: first, at, bytes: terms })),
    )
    const segment: Segment = { id, kind, base, end, meanLength, written, ...LIVE }
    await insertSegment(sql, segment)
    await this.#flush(sql)
    return written
  }

  /** In how many pages these words are, with those of a batch that was counted and is not written yet. */
  async counted(sql: Transaction, words: readonly CountedWord[]): Promise<CountedWord[]> {
    const segments = (await sql.unsafe<Row[]>(SQL.segments, ['pages']))
      .map(segmentFrom)
      .filter(({ state }) => state === 'live')
    const counts = new Map(words.map(({ word, pages }) => [word, pages]))
    const tasks = words.flatMap(({ word }) =>
      segments.map(({ id }) => () => {
        const entry = this.#reader.find(id, word)
        if (entry !== null) counts.set(word, (counts.get(word) ?? 0) + entry.pages)
      }),
    )
    await allWhenRead(tasks, (wants) => readSegments(sql, this.#segments, wants))
    return [...counts].map(([word, pages]) => ({ word, pages }))
  }

  /** Merges for about so many bytes, if there is something to merge. Removes what merges replaced. */
  async merge(sql: Transaction, kind: SegmentKind, bytes: number, options: MergeOptions) {
    this.#segments.trim()
    const segments = (await sql.unsafe<Row[]>(SQL.segments, [kind])).map(segmentFrom)
    await this.#remove(
      sql,
      segments.filter(({ state }) => state === 'replaced'),
    )
    if (kind === 'pages') this.live = segments.reduce((sum, { written }) => sum + written, 0)
    for (let left = bytes; left > 0; ) {
      const planned = plan(segments, kind, options)
      if (planned !== null) {
        await insertSegment(sql, planned)
        segments.push(planned)
      }
      const [next] = segments
        .filter(({ state }) => state === 'building')
        .sort((a, b) => a.end - a.base - (b.end - b.base) || a.id - b.id)
      if (next === undefined) return
      const before = next.written
      await this.#step(sql, next, { ...options, segments, bytes: left })
      left -= Math.max(PIECE, next.written - before)
    }
  }

  async #step(
    sql: Transaction,
    one: Segment,
    options: MergeOptions & { readonly segments: readonly Segment[]; readonly bytes: number },
  ): Promise<void> {
    const read = async (wants: readonly Want[]) => {
      await this.#flush(sql)
      await readSegments(sql, this.#segments, wants.map(andMore))
    }
    const { merge, writer } = await this.#runningOf(sql, one, { ...options, read })
    const until = one.written + options.bytes
    const isDone = await whenRead(() => merge.step(until - writer.written), read)
    one.written = writer.written
    one.done = merge.last
    if (isDone) {
      one.state = 'live'
      this.#running.delete(one.id)
      for (const source of options.segments) {
        if (one.sources.includes(source.id)) source.state = 'replaced'
      }
      await sql.unsafe(SQL.replaced, [numberArray(one.sources)])
    }
    const done = hexOf(termKey(one.done))
    await sql.unsafe(SQL.keep, [String(one.id), one.state, done, String(one.written)])
    await this.#flush(sql)
  }

  async #runningOf(
    sql: Transaction,
    one: Segment,
    {
      columns,
      isGone,
      segments,
      read,
    }: Pick<MergeOptions, 'columns' | 'isGone'> & {
      readonly segments: readonly Segment[]
      readonly read: (wants: readonly Want[]) => Promise<void>
    },
  ): Promise<Running> {
    const known = this.#running.get(one.id)
    if (known !== undefined) return known
    const { id, meanLength, written, done: after } = one
    const last = String(pieceKey(id, Math.floor(written / PIECE)))
    const [row] = await sql.unsafe<Row[]>(SQL.piece, [last])
    const rest = row === undefined ? null : bytesOf(row.bytes)
    const worth = worthBy(columns, meanLength)
    const writer = new SegmentWriter(this.#sinkOf(id), { worth, written, rest })
    const sources = segments.filter((each) => one.sources.includes(each.id))
    const reader = this.#reader
    const merge = await whenRead(() => new Merge({ reader, sources, writer, isGone, after }), read)
    const running = { merge, writer }
    this.#running.set(id, running)
    return running
  }

  #sinkOf(segment: number): SegmentSink {
    return {
      piece: (nth, bytes) => {
        this.#pieces.set(pieceKey(segment, nth), bytes)
        // A merge reads it soon.
        this.#segments.put(segment, nth, bytes)
      },
      terms: (first, at, terms) => this.#terms.push({ segment, first, at, terms }),
    }
  }

  async #flush(sql: Transaction): Promise<void> {
    const [pieces, terms] = [this.#pieces, this.#terms]
    this.#pieces = new Map()
    this.#terms = []
    if (pieces.size > 0) {
      const keys = numberArray([...pieces.keys()])
      await sql.unsafe(SQL.pieces, [keys, joinedBytes(pieces.values())])
    }
    if (terms.length === 0) return
    await sql.unsafe(SQL.terms, [
      numberArray(terms.map(({ segment }) => segment)),
      textArray(terms.map(({ first }) => hexOf(first))),
      numberArray(terms.map(({ at }) => at)),
      joinedBytes(terms.map((each) => each.terms)),
    ])
  }

  async #remove(sql: Transaction, segments: readonly Segment[]): Promise<void> {
    let left = REMOVED_PIECES
    for (const { id } of segments) {
      const [first, last] = [pieceKey(id, 0), pieceKey(id + 1, 0)]
      const values = [first, last, left].map(String)
      const { count } = await sql.unsafe(SQL.removePieces, values)
      this.dead += PIECE * count
      left -= count
      if (left <= 0) return
      await sql.unsafe(SQL.removeTerms, [String(id)])
      await sql.unsafe(SQL.remove, [String(id)])
    }
  }
}

type TermsRow = {
  readonly segment: number
  readonly first: Uint8Array
  readonly at: number
  readonly terms: Uint8Array
}

const LIVE = { state: 'live' as const, sources: [], done: '' }

function plan(
  segments: readonly Segment[],
  kind: SegmentKind,
  { nextId, meanLength }: MergeOptions,
): Segment | null {
  const busy = new Set(
    segments.flatMap(({ state, sources }) => (state === 'building' ? sources : [])),
  )
  const live = segments
    .filter(({ state }) => state === 'live')
    .sort((a, b) => a.base - b.base || a.end - b.end)
  const sources = neighbours(live, busy)
  if (sources === null) return null
  const [base, end] = [sources[0]?.base ?? 0, sources.at(-1)?.end ?? 0]
  const ids = sources.map(({ id }) => id)
  return {
    id: nextId(),
    kind,
    base,
    end,
    meanLength,
    ...LIVE,
    state: 'building',
    sources: ids,
    written: 0,
  }
}

/** What a merge needs next, too. */
function andMore(want: Want): Want {
  if (want.of === 'pieces') {
    return { ...want, last: Math.max(want.last, want.first + PIECES_AHEAD - 1) }
  }
  return want.of === 'blocks after' ? { ...want, limit: Math.max(want.limit, BLOCKS_AHEAD) } : want
}

async function insertSegment(sql: Transaction, segment: Segment): Promise<void> {
  const { id, kind, base, end, meanLength, state, sources, done, written } = segment
  const numbers = [base, end, meanLength].map(String)
  const rest = [state, JSON.stringify(sources), hexOf(termKey(done)), String(written)]
  await sql.unsafe(SQL.segment, [String(id), kind, ...numbers, ...rest])
}

function segmentFrom(row: Row): Segment {
  const { kind, state, sources } = row
  return {
    id: Number(row.id),
    kind: kind === 'links' ? kind : 'pages',
    base: Number(row.base),
    end: Number(row.end_doc),
    meanLength: Number(row.mean_length),
    state: state === 'live' || state === 'building' ? state : 'replaced',
    sources: sourcesFrom(sources),
    done: Buffer.from(bytesOf(row.done)).swap16().toString('utf16le'),
    written: Number(row.written),
  }
}

function sourcesFrom(json: unknown): readonly number[] {
  const ids: unknown = JSON.parse(String(json))
  return Array.isArray(ids) ? ids.map(Number) : []
}

const SQL = {
  segments: 'SELECT * FROM search.segments WHERE kind = $1::text ORDER BY base, id',
  segment: `INSERT INTO search.segments
      (id, kind, base, end_doc, mean_length, state, sources, done, written)
    VALUES ($1::bigint, $2::text, $3::bigint, $4::bigint, $5::float8, $6::text, $7::text,
      decode($8::text, 'hex'), $9::bigint)`,
  keep: `UPDATE search.segments SET state = $2::text, done = decode($3::text, 'hex'),
    written = $4::bigint WHERE id = $1::bigint`,
  replaced: "UPDATE search.segments SET state = 'replaced' WHERE id = ANY ($1::bigint[])",
  remove: 'DELETE FROM search.segments WHERE id = $1::bigint',
  removePieces: `DELETE FROM search.segment_pieces WHERE key IN (
    SELECT key FROM search.segment_pieces WHERE key >= $1::bigint AND key < $2::bigint
    ORDER BY key LIMIT $3::integer)`,
  removeTerms: 'DELETE FROM search.term_blocks WHERE segment = $1::bigint',
  piece: 'SELECT bytes FROM search.segment_pieces WHERE key = $1::bigint',
  pieces: `INSERT INTO search.segment_pieces (key, bytes)
    SELECT key, decode(bytes, 'base64')
    FROM unnest($1::bigint[], string_to_array($2::text, ',')) AS piece (key, bytes)
    ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes`,
  terms: `INSERT INTO search.term_blocks (segment, first, at, terms)
    SELECT segment, decode(first, 'hex'), at, decode(terms, 'base64')
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], string_to_array($4::text, ','))
      AS block (segment, first, at, terms)`,
} as const
