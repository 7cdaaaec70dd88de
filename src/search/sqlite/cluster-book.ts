// Stores clusters of near-duplicates, and reads them for searches.
import type { DatabaseSync } from 'node:sqlite'
import { CANDIDATES, type ClusterBook, type NearDuplicate } from '../clusters.ts'

export class SqliteClusterBook implements ClusterBook {
  readonly #sql: ReturnType<typeof prepare>
  readonly #onMoved: (doc: number, cluster: number | null) => void

  /** `onMoved` gets the number of each page that changes its cluster. */
  constructor(db: DatabaseSync, onMoved: (doc: number, cluster: number | null) => void) {
    this.#sql = prepare(db)
    this.#onMoved = onMoved
  }

  sketchOf(id: number): Uint8Array | null {
    const sketch = this.#sql.sketch.get(id)?.sketch
    return sketch instanceof Uint8Array ? sketch : null
  }

  keep(id: number, sketch: Uint8Array): void {
    this.#sql.keep.run(id, sketch)
  }

  forget(id: number): void {
    this.#sql.forget.run(id)
  }

  leadersAt(band: number): readonly number[] {
    return this.#sql.leaders.all(band).map(({ page_id: id }) => Number(id))
  }

  band(band: number, id: number): void {
    this.#sql.band.run(band, id)
  }

  unband(band: number, id: number): void {
    this.#sql.unband.run(band, id)
  }

  clusterOf(id: number): number | null {
    const cluster = this.#sql.clusterOf.get(id)?.cluster ?? null
    return cluster === null ? null : Number(cluster)
  }

  move(id: number, cluster: number | null): void {
    const doc = this.#sql.move.get(cluster, id)?.doc
    if (doc !== undefined) this.#onMoved(Number(doc), cluster)
  }

  found(leader: number): number {
    return Number(this.#sql.found.run(leader).lastInsertRowid)
  }

  leaderOf(cluster: number): number | null {
    const leader = this.#sql.leader.get(cluster)?.leader ?? null
    return leader === null ? null : Number(leader)
  }

  follow(cluster: number, leader: number): void {
    this.#sql.follow.run(leader, cluster)
  }

  dissolve(cluster: number): void {
    this.#sql.dissolve.run(cluster)
  }

  firstTwo(cluster: number): readonly number[] {
    return this.#sql.firstTwo.all(cluster).map(({ id }) => Number(id))
  }
}

function prepare(db: DatabaseSync) {
  return {
    sketch: db.prepare('SELECT sketch FROM page_sketches WHERE id = ?'),
    keep: db.prepare('INSERT INTO page_sketches (id, sketch) VALUES (?, ?)'),
    forget: db.prepare('DELETE FROM page_sketches WHERE id = ?'),
    band: db.prepare('INSERT OR IGNORE INTO sketch_bands (band, page_id) VALUES (?, ?)'),
    unband: db.prepare('DELETE FROM sketch_bands WHERE band = ? AND page_id = ?'),
    leaders: db.prepare(`SELECT page_id FROM sketch_bands WHERE band = ? LIMIT ${CANDIDATES}`),
    clusterOf: db.prepare('SELECT cluster FROM searched_pages WHERE id = ?'),
    move: db.prepare('UPDATE searched_pages SET cluster = ? WHERE id = ? RETURNING doc'),
    found: db.prepare('INSERT INTO page_clusters (leader) VALUES (?)'),
    leader: db.prepare('SELECT leader FROM page_clusters WHERE id = ?'),
    follow: db.prepare('UPDATE page_clusters SET leader = ? WHERE id = ?'),
    dissolve: db.prepare('DELETE FROM page_clusters WHERE id = ?'),
    firstTwo: db.prepare('SELECT id FROM searched_pages WHERE cluster = ? ORDER BY id LIMIT 2'),
  }
}

/** The near-duplicates of pages, for readers. */
export function nearDuplicatesOf(db: DatabaseSync, pageIds: readonly number[]): NearDuplicate[] {
  const clusterOf = db.prepare('SELECT cluster FROM searched_pages WHERE id = ?')
  const count = db.prepare('SELECT count(*) AS size FROM searched_pages WHERE cluster = ?')
  const best = db.prepare(
    'SELECT id FROM searched_pages WHERE cluster = ? ORDER BY standing DESC, id LIMIT 1',
  )
  const known = new Map<number, Omit<NearDuplicate, 'pageId'>>()
  return pageIds.flatMap((pageId) => {
    const cluster = Number(clusterOf.get(pageId)?.cluster ?? 0)
    if (cluster === 0) return []
    const told = known.get(cluster) ?? {
      cluster,
      representative: Number(best.get(cluster)?.id ?? pageId),
      size: Number(count.get(cluster)?.size ?? 1),
    }
    known.set(cluster, told)
    return [{ pageId, ...told }]
  })
}
