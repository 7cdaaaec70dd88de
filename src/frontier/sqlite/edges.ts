// Where pages lead, by ids. Kept by crawls with a depth limit, where a shorter path to a page is one
// to all behind it, and under orderings that rank the graph as a whole.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { packIds, unpackIds } from './packing.ts'

export type Edges = {
  readonly from: number
  /** Links that one of them counts for: 0 for a redirect. */
  readonly step: number
  readonly to: Uint32Array
}

export class EdgeTable {
  /** False: nothing is kept, and `of` never has anything. */
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

  /** Those of the next few pages, by id. */
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
