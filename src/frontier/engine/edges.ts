// The links between pages, by ids. Only crawls with a depth limit keep them (a shorter path to a page
// shortens the paths to everything behind it), and orderings that rank the whole graph.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { packIds, unpackIds } from './packing.ts'

export type Edges = {
  readonly from: number
  /** The length of one edge: 0 for a redirect. */
  readonly step: number
  readonly to: Uint32Array
}

export class EdgeTable {
  /** False: nothing is kept, and `of` always returns nothing. */
  readonly isKept: boolean
  readonly #save: StatementSync
  readonly #of: StatementSync
  readonly #after: StatementSync

  constructor(db: DatabaseSync, { isKept }: { isKept: boolean }) {
    this.isKept = isKept
    this.#save = db.prepare('INSERT OR REPLACE INTO edge (from_id, step, to_ids) VALUES (?, ?, ?)')
    this.#of = db.prepare('SELECT from_id, step, to_ids FROM edge WHERE from_id = ?')
    this.#after = db.prepare(
      'SELECT from_id, step, to_ids FROM edge WHERE from_id > ? ORDER BY from_id LIMIT ?',
    )
  }

  save(from: number, step: number, to: readonly number[]): void {
    if (to.length > 0) this.#save.run(from, step, packIds(to))
  }

  of(from: number): Edges | null {
    const row = this.#of.get(from)
    return row === undefined ? null : decodeEdges(row)
  }

  /** The edges of the next few pages, by id. */
  after(from: number, limit: number): readonly Edges[] {
    return this.#after.all(from, limit).map(decodeEdges)
  }
}

function decodeEdges(row: Record<string, unknown>): Edges {
  return {
    from: Number(row.from_id),
    step: Number(row.step),
    to: row.to_ids instanceof Uint8Array ? unpackIds(row.to_ids) : new Uint32Array(0),
  }
}
