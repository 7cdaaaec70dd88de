// The states of all URLs of a frontier in PostgreSQL. What reads every URL says so in url-states.ts; there is
// no index for it, as every page would pay for that.
import type { HostState, UrlCounts } from '../../core/host.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { URL_STATES, type UrlRecord } from '../../core/visit.ts'
import type { Postgres, Row } from '../../db/postgres.ts'
import { DELAYED, DUPLICATE, LEASED, QUEUED, REDIRECTED, UNREACHABLE } from '../engine/states.ts'
import { partitionOf } from '../partitions/partition-of.ts'
import { namedRow, type RowReader } from '../partitions/row-reader.ts'
import { learnedFrom, RowsUrlStates, sumOfCounts } from '../partitions/rows-url-states.ts'
import { type RowValue, TABLES, type TableName } from '../storage.ts'
import { hostFrom, listedFrom, outcomeFrom, recordFrom } from '../url-state-rows.ts'
import type { LearnedState, ListedUrl, Outcome, Unreached, UrlStates } from '../url-states.ts'
import {
  isTyped,
  keyOf,
  loadKept,
  type PartitionKey,
  rowValue,
  typedRows,
  unpackRow,
} from './load-rows.ts'

type ListOptions = Parameters<UrlStates['list']>[0]

/** How many times the ids that are asked for are looked at first. */
const NEAR = 4
/** Below the priority of any page that is to be visited again. */
const NO_PAGE_PRIORITY = -1

/** The crawl is the first parameter, the URL the second. */
const OF_URL = `crawl_id = $1 AND url = $2
  AND hashtextextended(url, 0) = hashtextextended($2 COLLATE "C", 0)`

/** The state that is shown. */
export const SHOWN = `CASE state WHEN ${UNREACHABLE} THEN ${URL_STATES.indexOf('refused')}
  WHEN ${DELAYED} THEN ${URL_STATES.indexOf('queued')} ELSE state END`
/** The reason of a duplicate or a redirect is a URL, not a code. */
export const CODE = `CASE WHEN state IN (${DUPLICATE}, ${REDIRECTED}) THEN ''
  ELSE split_part(reason, ':', 1) END`

/** What a question for a single row or URL needs is shared; what reads many is one query. */
export class PostgresUrlStates extends RowsUrlStates {
  readonly #db: Postgres
  readonly #crawlId: number
  readonly #partitions: number
  /** A row of a URL as it is shown. */
  readonly #shown: string

  constructor(db: Postgres, crawlId: number, partitions: number) {
    super({ crawlId, partitions }, readerOf(db, crawlId))
    this.#db = db
    this.#crawlId = crawlId
    this.#partitions = partitions
    this.#shown = `u.*, u.id * ${partitions} + u.partition AS position, ${finder(partitions)}`
  }

  /**
   * Numbers of all partitions grow about together, so the next ones are near. Only if too few are there, as
   * many as are asked for are read from every partition.
   */
  override async list(options: ListOptions): Promise<readonly ListedUrl[]> {
    const ids = Math.ceil((NEAR * options.limit) / this.#partitions) + 2
    const near = await this.#list(options, ids)
    const last = near[options.limit - 1]?.position ?? Number.POSITIVE_INFINITY
    // Up to here nothing of any partition is left out.
    if (last <= options.after + (ids - 1) * this.#partitions) return near
    return this.#list(options, Number.MAX_SAFE_INTEGER)
  }

  override async find(url: CanonicalUrl): Promise<UrlRecord | null> {
    const query = `SELECT ${this.#shown} FROM frontier_urls u WHERE ${OF_URL}`
    const [row] = await this.#ask(query, [url])
    return row === undefined ? null : recordFrom(row)
  }

  override async at(positions: readonly number[]): Promise<readonly ListedUrl[]> {
    const query = `
      SELECT ${this.#shown} FROM unnest(string_to_array($2, ' ')::bigint[]) asked
      JOIN frontier_urls u ON u.crawl_id = $1 AND u.partition = asked % ${this.#partitions}
        AND u.id = asked / ${this.#partitions}`
    return (await this.#ask(query, [positions.join(' ')])).map(listedFrom)
  }

  override async counts(): Promise<UrlCounts> {
    return sumOfCounts(await this.#kept('crawl'))
  }

  override async outcomes(): Promise<readonly Outcome[]> {
    const query = `
      SELECT ends.shown, ends.code, ends.n, u.url, u.reason FROM (
        SELECT ${SHOWN} AS shown, ${CODE} AS code, count(*) AS n,
          min(id * ${this.#partitions} + partition) AS first
        FROM frontier_urls WHERE crawl_id = $1 GROUP BY 1, 2
      ) ends JOIN frontier_urls u ON u.crawl_id = $1
        AND u.partition = ends.first % ${this.#partitions}
        AND u.id = ends.first / ${this.#partitions}
      ORDER BY ends.n DESC, ends.shown, ends.code COLLATE "C"`
    return (await this.#ask(query)).map(outcomeFrom)
  }

  override async learned(): Promise<readonly LearnedState[]> {
    const query = `
      SELECT partition, "values" FROM frontier_rows WHERE crawl_id = $1 AND kind = 'ordering'
      ORDER BY partition`
    return (await this.#ask(query)).flatMap(({ partition, values }) =>
      learnedFrom(
        namedRow('ordering', unpackRow(String(values))),
        Number(partition),
        this.#partitions,
      ),
    )
  }

  override async unreached(seedHosts: readonly string[]): Promise<readonly Unreached[]> {
    const query = `
      SELECT h.name, count(*) AS urls FROM frontier_urls u
      JOIN frontier_hosts h
        ON h.crawl_id = $1 AND h.partition = u.partition AND h.id = u.origin_id / 2
      WHERE u.crawl_id = $1 AND u.state = ${UNREACHABLE}
        AND split_part(u.reason, ':', 1) <> 'budget-requests'
        AND ((h.answered & (1 << (u.origin_id & 1))) <> 0
          OR (h.answered = 0 AND h.stored > 0)
          OR h.name = ANY (string_to_array($2, ' ')))
      GROUP BY 1 ORDER BY 2 DESC, 1`
    const rows = await this.#ask(query, [seedHosts.join(' ')])
    return rows.map((row) => ({ host: String(row.name), urls: Number(row.urls) }))
  }

  override async pagesToRevisit(round: number): Promise<number | null> {
    const crawls = await this.#kept('crawl')
    if (crawls.some((row) => Number(row.round) < round)) return null
    const query = `
      SELECT count(*) AS n FROM frontier_rows WHERE crawl_id = $1 AND kind = 'revisit'
        AND ("values"::json ->> 2)::float8 > ${NO_PAGE_PRIORITY}`
    return Number((await this.#ask(query))[0]?.n ?? 0)
  }

  override async hosts(limit: number): Promise<readonly HostState[]> {
    const most = Number.isFinite(limit) ? limit : Number.MAX_SAFE_INTEGER
    const largest = `ORDER BY stored + open_http + open_https + delayed DESC, name LIMIT $2`
    return this.#hosts(largest, [most])
  }

  override async host(name: string): Promise<HostState | null> {
    const [host] = await this.#hosts('AND partition = $2 AND name = $3', [
      partitionOf(name, this.#partitions),
      name,
    ])
    return host ?? null
  }

  override async ahead(url: CanonicalUrl): Promise<number> {
    const row = await this.#find(url)
    if (row === undefined || Number(row.state) !== QUEUED) return 0
    const query = `
      SELECT count(*) AS n FROM frontier_urls
      WHERE crawl_id = $1 AND partition = $2 AND state = ${QUEUED} AND origin_id / 2 = $3
        AND (priority > $4 OR (priority = $4 AND id < $5))`
    const host = Math.floor(Number(row.origin_id) / 2)
    const values = [
      partitionOf(hostOf(url), this.#partitions),
      host,
      Number(row.priority),
      Number(row.id),
    ]
    return Number((await this.#ask(query, values))[0]?.n ?? 0)
  }

  async #find(url: CanonicalUrl): Promise<Row | undefined> {
    return (await this.#ask(`SELECT * FROM frontier_urls WHERE ${OF_URL}`, [url]))[0]
  }

  /** At most so many `ids` of each partition: its rows are in order already. */
  async #list({ after, limit, state, code }: ListOptions, ids: number): Promise<ListedUrl[]> {
    const values: (string | number)[] = [after, limit, ids]
    const states = state === undefined ? '' : `AND ${SHOWN} = ${URL_STATES.indexOf(state)}`
    if (code !== undefined) values.push(code)
    const codes = code === undefined ? '' : `AND ${CODE} = $5`
    const before = `($2::bigint - part) / ${this.#partitions}`
    const query = `
      SELECT ${this.#shown} FROM (
        SELECT u.* FROM generate_series(0, ${this.#partitions - 1}) part, LATERAL (
          SELECT * FROM frontier_urls
          WHERE crawl_id = $1 AND partition = part AND id > ${before}
            AND id <= ${before} + $4::bigint ${states} ${codes}
          ORDER BY id LIMIT $3
        ) u ORDER BY u.id * ${this.#partitions} + u.partition LIMIT $3
      ) u ORDER BY position`
    return (await this.#ask(query, values)).map(listedFrom)
  }

  /** Requests under way are counted for the hosts that are shown. */
  async #hosts(which: string, values: readonly (string | number)[]): Promise<HostState[]> {
    const query = `
      WITH shown AS (SELECT * FROM frontier_hosts WHERE crawl_id = $1 ${which}),
      leased AS (
        SELECT partition, origin_id / 2 AS id, count(*) AS in_flight FROM frontier_urls
        WHERE crawl_id = $1 AND state = ${LEASED} GROUP BY 1, 2
      )
      SELECT name AS host, site, coalesce(in_flight, 0) AS in_flight, stored, failures, trouble,
        open_http + open_https + delayed - coalesce(in_flight, 0) AS queued, delay_ms, rests_until
      FROM shown LEFT JOIN leased USING (partition, id)
      ORDER BY stored + open_http + open_https + delayed DESC, name`
    return (await this.#ask(query, values)).map(hostFrom)
  }

  async #kept(table: TableName): Promise<readonly Readonly<Record<string, RowValue>>[]> {
    const query = `SELECT "values" FROM frontier_rows WHERE crawl_id = $1 AND kind = $2`
    const rows = await this.#ask(query, [table])
    return rows.map((row) => namedRow(table, unpackRow(String(row.values))))
  }

  #ask(query: string, values: readonly (string | number)[] = []): Promise<readonly Row[]> {
    const all = [this.#crawlId, ...values]
    return this.#db.run(async (sql) => sql.unsafe<Row[]>(query, all, { prepare: true }))
  }
}

function readerOf(db: Postgres, crawlId: number): RowReader {
  const values = async (text: string, given: readonly (string | number)[]) =>
    db.run(async (sql) => sql.unsafe(text, [crawlId, ...given], { prepare: true }).values())
  return {
    async *rows(partition, table, after) {
      if (isTyped(table)) yield* typedRows(db, { crawlId, partition }, table, after)
      else yield* keptRows(db, { crawlId, partition }, table)
    },
    async row(partition, table, key) {
      if (isTyped(table)) {
        const columns = TABLES[table].columns.join(', ')
        const text = `
          SELECT ${columns} FROM frontier_${table}s WHERE crawl_id = $1 AND partition = $2 AND id = $3`
        return (await values(text, [partition, Number(key)]))[0]?.map(rowValue) ?? null
      }
      const text = `
        SELECT "values" FROM frontier_rows
        WHERE crawl_id = $1 AND partition = $2 AND kind = $3 AND key_number = $4 AND key_text = $5`
      const [row] = await values(text, [partition, table, ...keyOf(table, [key])])
      return row === undefined ? null : unpackRow(String(row[0]))
    },
    async idOf(partition, url) {
      const [row] = await values(ID_OF, [partition, url])
      return row === undefined ? null : Number(row[0])
    },
  }
}

async function* keptRows(db: Postgres, of: PartitionKey, table: TableName) {
  for await (const some of loadKept(db, of, table)) {
    if (some.table !== table) return
    yield some.rows
  }
}

const ID_OF = `
  SELECT id FROM frontier_urls
  WHERE crawl_id = $1 AND partition = $2 AND url = $3
    AND hashtextextended(url, 0) = hashtextextended($3 COLLATE "C", 0)`

/** The URL of the page or sitemap that led to a URL. */
function finder(partitions: number): string {
  return `CASE
    WHEN u.found_on > 0 THEN (
      SELECT p.url FROM frontier_urls p WHERE p.crawl_id = $1
        AND p.partition = u.found_on % ${partitions} AND p.id = u.found_on / ${partitions})
    WHEN u.found_on < 0 THEN (
      SELECT s."values"::json ->> 2 FROM frontier_rows s
      WHERE s.crawl_id = $1 AND s.partition = -u.found_on % ${partitions}
        AND s.kind = 'sitemap' AND s.key_number = -u.found_on / ${partitions} AND s.key_text = '')
  END AS finder`
}
