// Clusters of near-duplicates during one batch. Everything the batch may need is read at once, and all
// changes are written at once, instead of one request to the server per page.
import type { Row, Transaction } from '../../db/postgres.ts'
import { numberArray, textArray } from '../../db/postgres-array.ts'
import { CANDIDATES, type ClusterBook, type NearDuplicate } from '../clusters.ts'

type ClustersBefore = {
  /** Pages that are added, changed or removed. */
  readonly ids: readonly number[]
  /** Band numbers of the added pages. */
  readonly bands: readonly number[]
  /** The number that a cluster was given last. */
  readonly lastCluster: number
}

export class PostgresClusterBook implements ClusterBook {
  readonly #sql: Transaction
  readonly #sketches = new Map<number, Uint8Array>()
  readonly #clusters = new Map<number, number>()
  readonly #leaders = new Map<number, number>()
  readonly #members = new Map<number, Set<number>>()
  readonly #bands = new Map<number, Set<number>>()
  readonly #changed = {
    ...{ sketches: new Set<number>(), clusters: new Set<number>(), leaders: new Set<number>() },
    bands: new Map<string, readonly [band: number, id: number]>(),
  }
  #lastCluster: number

  private constructor(sql: Transaction, lastCluster: number) {
    this.#sql = sql
    this.#lastCluster = lastCluster
  }

  static async open(
    sql: Transaction,
    { ids, bands, lastCluster }: ClustersBefore,
  ): Promise<PostgresClusterBook> {
    const book = new PostgresClusterBook(sql, lastCluster)
    const there = await sql.unsafe(PAGES, [numberArray(ids)])
    for (const page of there) book.#learn(page)
    // The batch may remove this many of them.
    const most = CANDIDATES + there.length
    for (const page of await sql.unsafe(LEADERS, [numberArray(bands), String(most)])) {
      book.#learn(page)
      added(book.#bands, Number(page.band), Number(page.id))
    }
    await book.#learnMembers(there)
    return book
  }

  get lastCluster(): number {
    return this.#lastCluster
  }

  sketchOf(id: number): Uint8Array | null {
    return this.#sketches.get(id) ?? null
  }

  keep(id: number, sketch: Uint8Array): void {
    this.#sketches.set(id, sketch)
    this.#changed.sketches.add(id)
  }

  forget(id: number): void {
    this.#sketches.delete(id)
    this.#changed.sketches.add(id)
  }

  leadersAt(band: number): readonly number[] {
    return smallest(this.#bands.get(band), CANDIDATES)
  }

  band(band: number, id: number): void {
    added(this.#bands, band, id)
    this.#changed.bands.set(`${band} ${id}`, [band, id])
  }

  unband(band: number, id: number): void {
    this.#bands.get(band)?.delete(id)
    this.#changed.bands.set(`${band} ${id}`, [band, id])
  }

  clusterOf(id: number): number | null {
    return this.#clusters.get(id) ?? null
  }

  move(id: number, cluster: number | null): void {
    const before = this.#clusters.get(id)
    if (before !== undefined) this.#members.get(before)?.delete(id)
    if (cluster === null) this.#clusters.delete(id)
    else {
      this.#clusters.set(id, cluster)
      added(this.#members, cluster, id)
    }
    this.#changed.clusters.add(id)
  }

  found(leader: number): number {
    const cluster = ++this.#lastCluster
    this.follow(cluster, leader)
    return cluster
  }

  leaderOf(cluster: number): number | null {
    return this.#leaders.get(cluster) ?? null
  }

  follow(cluster: number, leader: number): void {
    this.#leaders.set(cluster, leader)
    this.#changed.leaders.add(cluster)
  }

  dissolve(cluster: number): void {
    this.#leaders.delete(cluster)
    this.#changed.leaders.add(cluster)
  }

  firstTwo(cluster: number): readonly number[] {
    return smallest(this.#members.get(cluster), 2)
  }

  /** Writes all changes. The pages have been inserted or deleted before. Returns the pages that moved, by their numbers. */
  async write(): Promise<readonly { readonly doc: number; readonly cluster: number }[]> {
    const { sketches, clusters, leaders, bands } = this.#changed
    const parted = <T>(all: Iterable<T>, isThere: (each: T) => boolean) =>
      Map.groupBy(all, (each) => (isThere(each) ? 'kept' : 'gone'))
    const ofSketches = parted(sketches, (id) => this.#sketches.has(id))
    const ofLeaders = parted(leaders, (cluster) => this.#leaders.has(cluster))
    const ofBands = parted(bands.values(), ([band, id]) => this.#bands.get(band)?.has(id) === true)
    const [kept, led] = [ofSketches.get('kept') ?? [], ofLeaders.get('kept') ?? []]
    const hex = kept.map((id) => Buffer.from(this.#sketches.get(id) ?? []).toString('hex'))
    const leads = led.map((cluster) => this.#leaders.get(cluster) ?? 0)
    const moved = [...clusters]
    await this.#each(WRITES.forget, [numberArray(ofSketches.get('gone') ?? [])])
    await this.#each(WRITES.keep, [numberArray(kept), textArray(hex)])
    await this.#each(WRITES.unband, pairs(ofBands.get('gone') ?? []))
    await this.#each(WRITES.band, pairs(ofBands.get('kept') ?? []))
    await this.#each(WRITES.dissolve, [numberArray(ofLeaders.get('gone') ?? [])])
    await this.#each(WRITES.follow, [numberArray(led), numberArray(leads)])
    const rows = await this.#each(WRITES.move, [
      numberArray(moved),
      numberArray(moved.map((id) => this.clusterOf(id))),
    ])
    return rows.map(({ doc, cluster }) => ({ doc: Number(doc), cluster: Number(cluster ?? 0) }))
  }

  async #each(statement: string, lists: string[]): Promise<readonly Row[]> {
    return lists[0] === '{}' ? [] : this.#sql.unsafe<Row[]>(statement, lists)
  }

  #learn({ id, cluster, sketch }: Row): void {
    if (sketch instanceof Uint8Array) this.#sketches.set(Number(id), sketch)
    if (cluster === null) return
    this.#clusters.set(Number(id), Number(cluster))
    added(this.#members, Number(cluster), Number(id))
  }

  /** Reads enough members of every cluster that two are left, however many of these pages are removed. */
  async #learnMembers(pages: readonly Row[]): Promise<void> {
    const clusters = [...new Set(this.#clusters.values())]
    if (clusters.length === 0) return
    const touched = Map.groupBy(pages, ({ cluster }) => Number(cluster ?? 0))
    const most = clusters.map((cluster) => (touched.get(cluster)?.length ?? 0) + 2)
    const lists = [numberArray(clusters), numberArray(most)]
    for (const row of await this.#sql.unsafe(MEMBERS, lists)) {
      this.#learn(row)
      this.#leaders.set(Number(row.cluster), Number(row.leader))
    }
  }
}

function added(sets: Map<number, Set<number>>, key: number, id: number): void {
  const known = sets.get(key)
  if (known === undefined) sets.set(key, new Set([id]))
  else known.add(id)
}

function smallest(ids: ReadonlySet<number> | undefined, count: number): number[] {
  return [...(ids ?? [])].sort((a, b) => a - b).slice(0, count)
}

function pairs(bands: readonly (readonly [band: number, id: number])[]): string[] {
  return [numberArray(bands.map(([band]) => band)), numberArray(bands.map(([, id]) => id))]
}

const PAGES = `
  SELECT page.id, page.cluster, sketches.sketch
  FROM search.searched_pages page LEFT JOIN search.page_sketches sketches ON sketches.id = page.id
  WHERE page.id = ANY ($1::bigint[])`
const LEADERS = `
  SELECT asked.band, page.id, page.cluster, sketches.sketch
  FROM unnest($1::bigint[]) AS asked (band)
    CROSS JOIN LATERAL (
      SELECT page_id FROM search.sketch_bands WHERE band = asked.band
      ORDER BY page_id LIMIT $2::integer) AS led
    JOIN search.searched_pages page ON page.id = led.page_id
    JOIN search.page_sketches sketches ON sketches.id = led.page_id`
const MEMBERS = `
  SELECT led.leader, page.id, page.cluster, sketches.sketch
  FROM unnest($1::bigint[], $2::integer[]) AS asked (cluster, most)
    JOIN search.page_clusters led ON led.id = asked.cluster
    CROSS JOIN LATERAL (
      SELECT id, cluster FROM search.searched_pages WHERE cluster = asked.cluster
      ORDER BY id LIMIT asked.most) AS page
    JOIN search.page_sketches sketches ON sketches.id = page.id`

const WRITES = {
  forget: 'DELETE FROM search.page_sketches WHERE id = ANY ($1::bigint[])',
  keep: `
    INSERT INTO search.page_sketches (id, sketch)
    SELECT id, decode(sketch, 'hex') FROM unnest($1::bigint[], $2::text[]) AS kept (id, sketch)
    ON CONFLICT (id) DO UPDATE SET sketch = excluded.sketch`,
  unband: `
    DELETE FROM search.sketch_bands
    USING unnest($1::bigint[], $2::bigint[]) AS gone (band, page_id)
    WHERE sketch_bands.band = gone.band AND sketch_bands.page_id = gone.page_id`,
  band: `
    INSERT INTO search.sketch_bands (band, page_id)
    SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT DO NOTHING`,
  dissolve: 'DELETE FROM search.page_clusters WHERE id = ANY ($1::bigint[])',
  follow: `
    INSERT INTO search.page_clusters (id, leader)
    SELECT * FROM unnest($1::bigint[], $2::bigint[])
    ON CONFLICT (id) DO UPDATE SET leader = excluded.leader`,
  move: `
    UPDATE search.searched_pages AS page SET cluster = moved.cluster
    FROM unnest($1::bigint[], $2::bigint[]) AS moved (id, cluster)
    WHERE page.id = moved.id AND page.cluster IS DISTINCT FROM moved.cluster
    RETURNING page.doc, page.cluster`,
} as const

const NEAR_DUPLICATES = `
  WITH asked AS (
    SELECT id, cluster FROM search.searched_pages
    WHERE id = ANY ($1::bigint[]) AND cluster IS NOT NULL),
  known AS (
    SELECT cluster, count(*) AS size,
      (array_agg(id ORDER BY standing DESC, id))[1] AS representative
    FROM search.searched_pages WHERE cluster IN (SELECT cluster FROM asked) GROUP BY cluster)
  SELECT asked.id, known.* FROM asked JOIN known USING (cluster)`

/** The near-duplicates of pages, for readers. */
export async function nearDuplicatesOf(
  rowsOf: (statement: string, values: string[]) => Promise<readonly Row[]>,
  pageIds: readonly number[],
): Promise<NearDuplicate[]> {
  const rows = await rowsOf(NEAR_DUPLICATES, [numberArray(pageIds)])
  const byId = new Map(rows.map((row) => [Number(row.id), row]))
  return pageIds.flatMap((pageId) => {
    const row = byId.get(pageId)
    if (row === undefined) return []
    const representative = Number(row.representative)
    return [{ pageId, cluster: Number(row.cluster), representative, size: Number(row.size) }]
  })
}
