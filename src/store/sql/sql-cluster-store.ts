// Clusters: the tables `clusters` and `page_clusters`.
import type { ClusterStore, KeptCluster, PageCluster } from '../cluster-store.ts'
import { numberOf, type Row, textOf } from '../row-values.ts'
import type { Queries, Sql, SqlValue, Work } from './sql.ts'

/** Rows of one statement: some hundred parameters. */
const ROWS_AT_ONCE = 100
/** Ids that one query is given. */
const NAMED_AT_ONCE = 500
/** More than k-means is ever asked for. */
const MAX_CLUSTERS = 10_000

export class SqlClusterStore implements ClusterStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async clear(crawlId: number): Promise<void> {
    await this.#sql.transaction(function* (sql) {
      yield* sql.run('DELETE FROM clusters WHERE crawl_id = $1', [crawlId])
      yield* sql.run('DELETE FROM page_clusters WHERE crawl_id = $1', [crawlId])
    })
  }

  async add(crawlId: number, pages: readonly PageCluster[]): Promise<void> {
    const rows = pages.map(({ pageId, cluster, score, terms }): SqlValue[] => [
      ...[crawlId, pageId, cluster, score],
      JSON.stringify(terms),
    ])
    const columns = ['crawl_id', 'page_id', 'cluster', 'score', 'terms']
    await this.#sql.transaction((sql) => insert(sql, 'page_clusters', columns, rows))
  }

  async finish(crawlId: number, clusters: readonly KeptCluster[]): Promise<void> {
    const rows = clusters.map(({ id, terms, size, cohesion }): SqlValue[] => [
      ...[crawlId, id, JSON.stringify(terms)],
      ...[size, cohesion],
    ])
    const columns = ['crawl_id', 'id', 'terms', 'size', 'cohesion']
    await this.#sql.transaction((sql) => insert(sql, 'clusters', columns, rows))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sql[Symbol.asyncDispose]()
  }
}

/** By id; empty if the crawl was not clustered, or not to the end. */
export async function clustersOfCrawl(sql: Sql, crawlId: number): Promise<readonly KeptCluster[]> {
  const text = 'SELECT * FROM clusters WHERE crawl_id = $1 ORDER BY id LIMIT $2'
  return (await sql.all(text, [crawlId, MAX_CLUSTERS])).map(clusterFrom)
}

/** The clusters of these pages, by page id; a page that was not clustered is missing. */
export async function clustersOfPages(
  sql: Sql,
  crawlId: number,
  pageIds: readonly number[],
): Promise<ReadonlyMap<number, PageCluster>> {
  const found = new Map<number, PageCluster>()
  for (let from = 0; from < pageIds.length; from += NAMED_AT_ONCE) {
    const some = pageIds.slice(from, from + NAMED_AT_ONCE)
    const { value, condition } = sql.dialect.isAmong('page_id', some)
    const text = `SELECT * FROM page_clusters WHERE crawl_id = $1 AND ${condition('$2')}`
    for (const row of await sql.all(text, [crawlId, value])) {
      const page = pageFrom(row)
      found.set(page.pageId, page)
    }
  }
  return found
}

/** A row that is there is replaced: the transaction may run twice. */
function* insert(
  sql: Queries,
  table: 'clusters' | 'page_clusters',
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Work<void> {
  const key = table === 'clusters' ? 'id' : 'page_id'
  const others = columns.filter((name) => name !== key && name !== 'crawl_id')
  const changes = others.map((name) => `${name} = excluded.${name}`).join(', ')
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    const holes = some.map((row, nth) => {
      const first = nth * columns.length + 1
      return `(${row.map((_, at) => `$${first + at}`).join(', ')})`
    })
    const text = `
      INSERT INTO ${table} (${columns.join(', ')}) VALUES ${holes.join(', ')}
      ON CONFLICT (crawl_id, ${key}) DO UPDATE SET ${changes}`
    yield* sql.run(text, some.flat())
  }
}

function clusterFrom(row: Row): KeptCluster {
  return {
    id: numberOf(row, 'id'),
    terms: wordsOf(row),
    size: numberOf(row, 'size'),
    cohesion: numberOf(row, 'cohesion'),
  }
}

function pageFrom(row: Row): PageCluster {
  return {
    pageId: numberOf(row, 'page_id'),
    cluster: numberOf(row, 'cluster'),
    score: numberOf(row, 'score'),
    terms: wordsOf(row),
  }
}

function wordsOf(row: Row): readonly string[] {
  const words: unknown = JSON.parse(textOf(row, 'terms'))
  return Array.isArray(words) ? words.map(String) : []
}
