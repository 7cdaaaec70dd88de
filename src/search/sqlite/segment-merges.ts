// Which segments there are, and their merging. Each batch of pages makes a small segment. Eight neighbours of
// about the same size become one, so an index has few segments, and each posting is copied a few times. A large
// merge is made in steps, one in the transaction of each batch, and goes on after a crash where it was.
import type { DatabaseSync } from 'node:sqlite'
import type { DocColumns } from '../segments/doc-columns.ts'
import { Merge } from '../segments/merge.ts'
import { neighbours, type SegmentKind, worthBy } from '../segments/merge-plan.ts'
import type { SegmentRange, SegmentReader } from '../segments/segment-reader.ts'
import { PIECE, SegmentWriter } from '../segments/segment-writer.ts'
import type { SegmentTables, SegmentWrites } from './segment-tables.ts'

/** Searches of this process that go on while it writes read the old segments for so long. */
const KEPT_SECONDS = 60
/** So often some bytes of replaced segments are removed with each batch: faster than merges replace them. */
const REMOVALS = 16

export type SegmentMergesOptions = {
  readonly db: DatabaseSync
  readonly tables: SegmentTables
  readonly writes: SegmentWrites
  readonly reader: SegmentReader
  readonly columns: DocColumns
  readonly kind: SegmentKind
  /** True if what a segment has of a page is no longer valid. */
  readonly isGone: (doc: number, segment: SegmentRange) => boolean
}

type Running = { readonly merge: Merge; readonly writer: SegmentWriter }

export class SegmentMerges {
  readonly #options: SegmentMergesOptions
  readonly #sql: ReturnType<typeof prepare>
  readonly #known = new Map<number, Running>()

  constructor(options: SegmentMergesOptions) {
    this.#options = options
    this.#sql = prepare(options.db, options.kind)
  }

  /** Writes a segment for the pages from `base` to `end`; returns its bytes. */
  add(
    { base, end }: Omit<SegmentRange, 'id'>,
    meanLength: number,
    fill: (writer: SegmentWriter) => void,
  ): number {
    const id = Number(this.#sql.add.run(base, end, meanLength, 'live', '').lastInsertRowid)
    const worth = worthBy(this.#options.columns, meanLength)
    const writer = new SegmentWriter(this.#options.writes.sinkOf(id), { worth })
    fill(writer)
    writer.flush()
    return writer.written
  }

  /** Merges for about so many bytes, if there is something to merge. Removes what merges replaced. */
  work(bytes: number, meanLength: number): void {
    this.#removeSome()
    for (let left = bytes; left > 0; ) {
      const planned = neighbours(this.live(), this.#busy())
      if (planned !== null) this.#plan(planned, meanLength)
      const row = this.#sql.smallest.get()
      if (row === undefined) return
      const { merge, writer } = this.#running(row)
      const before = writer.written
      const isDone = merge.step(left)
      left -= Math.max(PIECE, writer.written - before)
      if (isDone) this.#end(Number(row.id), sourcesOf(row))
      else this.#sql.keep.run(merge.last, writer.written, Number(row.id))
    }
  }

  /** In the order of their pages. */
  live(): SegmentRange[] {
    return this.#sql.live.all().map(rangeFrom)
  }

  /** After a transaction that failed: what was merged in it is not there. */
  forget(): void {
    this.#known.clear()
  }

  #busy(): ReadonlySet<number> {
    return new Set(this.#sql.building.all().flatMap(sourcesOf))
  }

  #plan(sources: readonly SegmentRange[], meanLength: number): void {
    const [base, end] = [sources[0]?.base ?? 0, sources.at(-1)?.end ?? 0]
    const ids = JSON.stringify(sources.map(({ id }) => id))
    this.#sql.add.run(base, end, meanLength, 'building', ids)
  }

  #running(row: Row): Running {
    const id = Number(row.id)
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const { reader, tables, writes, columns, isGone } = this.#options
    const [written, after] = [Number(row.written), String(row.done)]
    const rest = tables.piece(id, Math.floor(written / PIECE))
    const worth = worthBy(columns, Number(row.mean_length))
    const writer = new SegmentWriter(writes.sinkOf(id), { worth, written, rest })
    const wanted = new Set(sourcesOf(row))
    const sources = this.live().filter(({ id }) => wanted.has(id))
    const running = { merge: new Merge({ reader, sources, writer, isGone, after }), writer }
    this.#known.set(id, running)
    return running
  }

  #end(id: number, sources: readonly number[]): void {
    for (const source of sources) this.#sql.replaced.run(source)
    this.#sql.built.run(id)
    this.#known.delete(id)
  }

  #removeSome(): void {
    for (let nth = 0; nth < REMOVALS; nth++) {
      const id = this.#sql.replacedLongAgo.get()?.id
      if (id === undefined) return
      if (this.#options.writes.removeSome(Number(id))) this.#sql.remove.run(Number(id))
    }
  }
}

type Row = Readonly<Record<string, unknown>>

function prepare(db: DatabaseSync, kind: SegmentKind) {
  const ofKind = `kind = '${kind}'`
  return {
    add: db.prepare(`INSERT INTO segments (kind, base, end_doc, mean_length, state, sources)
      VALUES ('${kind}', ?, ?, ?, ?, ?)`),
    live: db.prepare(`SELECT id, base, end_doc FROM segments
      WHERE ${ofKind} AND state = 'live' ORDER BY base`),
    building: db.prepare(`SELECT sources FROM segments WHERE ${ofKind} AND state = 'building'`),
    smallest: db.prepare(`SELECT * FROM segments WHERE ${ofKind} AND state = 'building'
      ORDER BY end_doc - base, id LIMIT 1`),
    keep: db.prepare('UPDATE segments SET done = ?, written = ? WHERE id = ?'),
    built: db.prepare("UPDATE segments SET state = 'live' WHERE id = ?"),
    replaced: db.prepare(
      "UPDATE segments SET state = 'replaced', replaced_at = unixepoch() WHERE id = ?",
    ),
    replacedLongAgo: db.prepare(`SELECT id FROM segments WHERE ${ofKind} AND state = 'replaced'
      AND replaced_at < unixepoch() - ${KEPT_SECONDS} LIMIT 1`),
    remove: db.prepare('DELETE FROM segments WHERE id = ?'),
  }
}

function rangeFrom(row: Row): SegmentRange {
  return { id: Number(row.id), base: Number(row.base), end: Number(row.end_doc) }
}

function sourcesOf(row: Row): readonly number[] {
  const ids: unknown = JSON.parse(String(row.sources))
  return Array.isArray(ids) ? ids.map(Number) : []
}
