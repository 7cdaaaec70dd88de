// Near-duplicates as pages come and go. Each cluster has a leader, and a page belongs to it that is like
// the leader: so no chain of small steps joins pages that have nothing in common any more. Only leaders
// can be looked up, by the numbers of their sketch, and a page alone is the leader of itself. When a
// leader goes, the oldest of the others takes its place, and they stay together.
//
// What a page costs is bounded: so many looks, and so many candidates for each of them.
import type { DatabaseSync } from 'node:sqlite'
import type { NearDuplicate } from '../near-duplicates.ts'
import { bandsOf, likeness, sketchOf } from '../sketch.ts'

/** Pages that share nine tenths mostly come out so; figures: docs/decisions/011-near-duplicates.md. */
const MIN_LIKENESS = 0.875
/** Leaders that share a number and are not alike are rare: who has so many has other numbers, too. */
const CANDIDATES = 8

export class Clusters {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: DatabaseSync) {
    this.#sql = prepare(db)
  }

  /** For a page that is in the index; what was known of it before is replaced. */
  put(id: number, words: string, title: string): void {
    const sketch = sketchOf(words, title)
    const before = this.#sketchOf(id)
    if (sketch !== null && before !== null && isSame(sketch, before)) return
    if (before !== null) this.drop(id)
    if (sketch === null) return
    const leader = this.#leaderLike(sketch)
    this.#sql.keep.run(id, sketch)
    if (leader === null) this.#lead(id, sketch)
    else this.#join(id, leader)
  }

  /** For a page that is still in the index. */
  drop(id: number): void {
    const sketch = this.#sketchOf(id)
    if (sketch === null) return
    const cluster = this.#clusterOf(id)
    const leads = cluster === null || this.#sql.leader.get(cluster)?.leader === id
    this.#sql.move.run(null, id)
    this.#sql.forget.run(id)
    if (leads) for (const band of bandsOf(sketch)) this.#sql.unband.run(band, id)
    if (cluster !== null) this.#mend(cluster, leads)
  }

  #clusterOf(id: number): number | null {
    const cluster = this.#sql.clusterOf.get(id)?.cluster ?? null
    return cluster === null ? null : Number(cluster)
  }

  #sketchOf(id: number): Uint8Array | null {
    const sketch = this.#sql.sketch.get(id)?.sketch
    return sketch instanceof Uint8Array ? sketch : null
  }

  /** The leader that is most like it, the oldest of several; null: none is. */
  #leaderLike(sketch: Uint8Array): number | null {
    const tried = new Set<number>()
    let best: number | null = null
    let most = MIN_LIKENESS
    for (const band of bandsOf(sketch)) {
      for (const { page_id: pageId } of this.#sql.leaders.all(band)) {
        const id = Number(pageId)
        if (tried.has(id)) continue
        tried.add(id)
        const like = likeness(sketch, this.#sketchOf(id) ?? NOTHING)
        if (like < most || (like === most && best !== null && best < id)) continue
        best = id
        most = like
      }
    }
    return best
  }

  #lead(id: number, sketch: Uint8Array): void {
    for (const band of bandsOf(sketch)) this.#sql.band.run(band, id)
  }

  #join(id: number, leader: number): void {
    const cluster = this.#clusterOf(leader) ?? this.#found(leader)
    this.#sql.move.run(cluster, id)
  }

  /** A cluster of its leader alone. */
  #found(leader: number): number {
    const cluster = Number(this.#sql.found.run(leader).lastInsertRowid)
    this.#sql.move.run(cluster, leader)
    return cluster
  }

  /** A cluster that lost a page has a leader again, and is none any more when only that one is left. */
  #mend(cluster: number, leaderless: boolean): void {
    const [first, second] = this.#sql.firstTwo.all(cluster).map(({ id }) => Number(id))
    const sketch = leaderless && first !== undefined ? this.#sketchOf(first) : null
    if (first !== undefined && sketch !== null) {
      this.#lead(first, sketch)
      this.#sql.follow.run(first, cluster)
    }
    if (second !== undefined) return
    if (first !== undefined) this.#sql.move.run(null, first)
    this.#sql.dissolve.run(cluster)
  }
}

const NOTHING = new Uint8Array(0)

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
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
    move: db.prepare('UPDATE searched_pages SET cluster = ? WHERE id = ?'),
    found: db.prepare('INSERT INTO page_clusters (leader) VALUES (?)'),
    leader: db.prepare('SELECT leader FROM page_clusters WHERE id = ?'),
    follow: db.prepare('UPDATE page_clusters SET leader = ? WHERE id = ?'),
    dissolve: db.prepare('DELETE FROM page_clusters WHERE id = ?'),
    firstTwo: db.prepare('SELECT id FROM searched_pages WHERE cluster = ? ORDER BY id LIMIT 2'),
  }
}

/** What a reader can tell of them. */
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
