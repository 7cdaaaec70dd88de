// The copy of frontiers in PostgreSQL: tables `url_states`, `host_states` and `frontier_notes`, one
// partition per crawl. A batch is one statement per table, whatever its size.
import { NO_COUNTS, type UrlCounts } from '../../core/host.ts'
import { VIAS } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { FrontierNote, HostCopy, StatesBatch, UrlCopy } from '../../core/url-copy.ts'
import { OUTSIDE, URL_STATES } from '../../core/visit.ts'
import type { Postgres, Queries, Row } from '../../db/postgres.ts'
import { wholeText } from '../../lib/column-text.ts'
import { linkColumns } from '../link-columns.ts'
import { bytesOf } from '../row-values.ts'
import type { Sql } from '../sql/sql.ts'
import type { PageBehind, UrlStateCopy } from '../url-state-copy.ts'
import { ManyRows, type SentRow, type SentType } from './many-rows.ts'
import { createPostgresSql } from './postgres-sql.ts'

/** Of a URL that is refused as out of reach. */
const OUT_OF_REACH = 8
const REFUSED = URL_STATES.indexOf('refused')
/** Under this name stands who writes the copy. */
const COPIER = 'copier'

/** The caller closes the connections. */
export function createPostgresUrlStateCopy(db: Postgres): UrlStateCopy {
  return new PostgresUrlStates(db)
}

class PostgresUrlStates implements UrlStateCopy {
  readonly #db: Postgres
  readonly #sql: Sql

  constructor(db: Postgres) {
    this.#db = db
    this.#sql = createPostgresSql(db)
  }

  async claim(crawlId: number, copier: string): Promise<void> {
    const note = { name: COPIER, bytes: Buffer.from(copier) }
    await this.#db.inTransaction((sql) => saveNote(sql, crawlId, note))
  }

  save(crawlId: number, { urls, hosts, notes }: StatesBatch, copier: string): Promise<boolean> {
    return this.#db.inTransaction(async (sql) => {
      // Whoever claims it waits for the end of this.
      const [claim] = await sql`
        SELECT bytes FROM frontier_notes WHERE crawl_id = ${crawlId} AND name = ${COPIER} FOR SHARE`
      if (Buffer.from(bytesOf(claim ?? {}, 'bytes')).toString() !== copier) return false
      // In one order, so that no two who write at once wait for each other.
      const rows = urls.toSorted(byPosition).map(encodeUrl)
      await Promise.all([
        ...insertionOfUrls(crawlId).send(sql, rows),
        hosts.length > 0 && saveHosts(sql, crawlId, hosts.toSorted(byHost)),
      ])
      for (const note of notes) await saveNote(sql, crawlId, note)
      return true
    })
  }

  async list(crawlId: number, after: number, limit: number): Promise<readonly UrlCopy[]> {
    const query =
      'SELECT * FROM url_states WHERE crawl_id = $1 AND position > $2 ORDER BY position LIMIT $3'
    return (await this.#sql.all(query, [crawlId, after, limit])).map(decodeUrl)
  }

  async hosts(crawlId: number, after: string, limit: number): Promise<readonly HostCopy[]> {
    const query =
      'SELECT * FROM host_states WHERE crawl_id = $1 AND host > $2 ORDER BY host LIMIT $3'
    return (await this.#sql.all(query, [crawlId, after, limit])).map(decodeHost)
  }

  async notes(crawlId: number): Promise<readonly FrontierNote[]> {
    const query =
      'SELECT name, bytes FROM frontier_notes WHERE crawl_id = $1 AND name <> $2 ORDER BY name'
    const rows = await this.#sql.all(query, [crawlId, COPIER])
    return rows.map((row) => ({ name: String(row.name), bytes: bytesOf(row, 'bytes') }))
  }

  async counts(crawlId: number): Promise<UrlCounts> {
    const query = `
      SELECT state, split_part(reason, ':', 1) = ANY (string_to_array($2, ' ')) AS outside,
        count(*) AS n
      FROM url_states WHERE crawl_id = $1 GROUP BY 1, 2`
    const counts = { ...NO_COUNTS }
    for (const { state, outside, n } of await this.#sql.all(query, [crawlId, OUTSIDE.join(' ')])) {
      const shown = shownState(Number(state))
      counts[shown === 'refused' && outside === true ? 'outside' : shown] += Number(n)
    }
    return counts
  }

  async lastPosition(crawlId: number): Promise<number> {
    const query = `
      SELECT greatest((SELECT max(position) FROM url_states WHERE crawl_id = $1),
        (SELECT max(url_id) FROM undelivered WHERE crawl_id = $1)) AS last`
    return Number((await this.#sql.get(query, [crawlId]))?.last ?? 0)
  }

  /** By an index of this crawl alone, for as long as it is needed: every change would pay for it. */
  async findable(crawlId: number): Promise<AsyncDisposable> {
    const [table, index] = [`url_states_${crawlId}`, `url_states_${crawlId}_by_url`]
    const make = `CREATE INDEX IF NOT EXISTS ${index} ON ${table} (hashtextextended(url, 0))`
    await this.#db.run((sql) => sql.unsafe(make))
    await this.#db.run((sql) => sql.unsafe(`ANALYZE ${table}`))
    const drop = async (): Promise<void> => {
      await this.#db.run((sql) => sql.unsafe(`DROP INDEX IF EXISTS ${index}`))
    }
    return { [Symbol.asyncDispose]: drop }
  }

  async pagesBehind(crawlId: number, after: number, limit: number): Promise<readonly PageBehind[]> {
    const rows = await this.#db.inTransaction(async (sql) => {
      // How few it will find the server cannot know, and would read the whole copy for them.
      await sql.unsafe('SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off').simple()
      return sql.unsafe<Row[]>(BEHIND, [crawlId, after, limit], { prepare: true })
    })
    return rows.map(decodeBehind)
  }
}

/** Whether links of a page without text may be followed is not kept. */
const BEHIND = `
  SELECT p.id, p.url, p.depth, known.position, u.url_id, first.url AS duplicate_of,
    CASE WHEN p.noindex = 0 THEN parts.links END AS links,
    p.about ~ '"robots":\\[[^]]*"nofollow"' AS nofollow
  FROM pages p
  LEFT JOIN url_states known ON known.crawl_id = $1 AND known.url = p.url
    AND hashtextextended(known.url, 0) = hashtextextended(p.url, 0)
  LEFT JOIN undelivered u ON u.page_id = p.id
  LEFT JOIN pages first ON first.crawl_id = $1 AND first.id = p.duplicate_of
  LEFT JOIN page_parts parts ON parts.crawl_id = $1 AND parts.page_id = p.id
  WHERE p.crawl_id = $1 AND p.id > $2 AND (known.state IS NULL OR known.state NOT IN (2, 3))
  ORDER BY p.id LIMIT $3`

const NOFOLLOW = /(?:^| )nofollow(?: |$)/

function decodeBehind(row: Row): PageBehind {
  const columns = typeof row.links === 'string' ? linkColumns(row.links) : null
  return {
    pageId: Number(row.id),
    url: String(row.url) as CanonicalUrl,
    depth: Number(row.depth),
    position: row.position === null ? null : Number(row.position),
    receiptOf: row.url_id === null ? null : Number(row.url_id),
    duplicateOf: row.duplicate_of === null ? null : (String(row.duplicate_of) as CanonicalUrl),
    links:
      columns?.urls.map((url, nth) => ({
        url,
        nofollow: row.nofollow === true || NOFOLLOW.test(columns.rels[nth] ?? ''),
      })) ?? null,
  }
}

async function saveNote(
  sql: Queries,
  crawlId: number,
  { name, bytes }: FrontierNote,
): Promise<void> {
  await sql`
    INSERT INTO frontier_notes (crawl_id, name, bytes) VALUES (${crawlId}, ${name}, ${bytes})
    ON CONFLICT (crawl_id, name) DO UPDATE SET bytes = EXCLUDED.bytes`
}

const URL_COLUMNS = {
  position: 'bigint',
  url: 'text',
  state: 'bigint',
  via: 'bigint',
  hops: 'bigint',
  depth: 'bigint',
  tries: 'bigint',
  in_links: 'bigint',
  found_on: 'bigint',
  found_at: 'bigint',
  priority: 'float8',
  next_at: 'bigint',
  reason: 'text',
  found_in: 'text',
  signals: 'bytea',
} as const satisfies Readonly<Record<string, SentType>>

/** Into the crawl's own partition, by name: the server need not look for it row by row. */
function insertionOfUrls(crawlId: number): ManyRows {
  const changed = Object.keys(URL_COLUMNS).slice(1)
  const set = changed.map((column) => `${column} = excluded.${column}`).join(', ')
  return new ManyRows({
    ...{ table: `url_states_${crawlId}`, columns: URL_COLUMNS, fixed: { crawl_id: crawlId } },
    end: `ON CONFLICT (crawl_id, position) DO UPDATE SET ${set}`,
  })
}

async function saveHosts(sql: Queries, crawlId: number, hosts: readonly HostCopy[]): Promise<void> {
  const rows = JSON.stringify(hosts.map(encodeHost))
  await sql`
    INSERT INTO host_states (crawl_id, host, site, queued, in_flight, stored, failures, trouble,
      own_delay_ms, delay_ms, rests_until)
    SELECT ${crawlId}, host, site, queued, in_flight, stored, failures, trouble, own_delay_ms, delay_ms,
      rests_until
    FROM json_to_recordset(${rows}::text::json) AS given (host text, site text, queued bigint,
      in_flight bigint, stored bigint, failures bigint, trouble text, own_delay_ms bigint,
      delay_ms bigint, rests_until bigint)
    ON CONFLICT (crawl_id, host) DO UPDATE SET
      site = EXCLUDED.site, queued = EXCLUDED.queued, in_flight = EXCLUDED.in_flight,
      stored = EXCLUDED.stored, failures = EXCLUDED.failures, trouble = EXCLUDED.trouble,
      own_delay_ms = EXCLUDED.own_delay_ms, delay_ms = EXCLUDED.delay_ms,
      rests_until = EXCLUDED.rests_until`
}

/** In the order of `URL_COLUMNS`. */
function encodeUrl(copy: UrlCopy): SentRow {
  const state = copy.outOfReach ? OUT_OF_REACH : URL_STATES.indexOf(copy.state)
  return [
    ...[copy.position, copy.url, state, VIAS.indexOf(copy.via), copy.hops, copy.depth, copy.tries],
    ...[copy.inLinks, copy.foundOn, copy.foundAt, copy.priority, copy.nextAt],
    ...[wholeText(copy.reason), copy.foundIn === null ? null : wholeText(copy.foundIn)],
    copy.signals === null ? null : packNumbers(copy.signals),
  ]
}

function decodeUrl(row: Row): UrlCopy {
  const state = Number(row.state)
  return {
    position: Number(row.position),
    url: String(row.url) as CanonicalUrl,
    state: shownState(state),
    outOfReach: state === OUT_OF_REACH,
    reason: String(row.reason),
    depth: Number(row.depth),
    hops: Number(row.hops),
    foundOn: row.found_on === null ? null : Number(row.found_on),
    foundIn: row.found_in === null ? null : String(row.found_in),
    via: VIAS[Number(row.via)] ?? 'link',
    foundAt: Number(row.found_at),
    inLinks: Number(row.in_links),
    signals: row.signals === null ? null : unpackNumbers(bytesOf(row, 'signals')),
    priority: Number(row.priority),
    tries: Number(row.tries),
    nextAt: row.next_at === null ? null : Number(row.next_at),
  }
}

function encodeHost(copy: HostCopy): Row {
  return {
    ...{ host: copy.host, site: copy.site, queued: copy.queued, in_flight: copy.inFlight },
    ...{ stored: copy.stored, failures: copy.failures, trouble: wholeText(copy.trouble) },
    ...{ own_delay_ms: copy.ownDelayMs, delay_ms: copy.delayMs, rests_until: copy.restsUntil },
  }
}

function decodeHost(row: Row): HostCopy {
  return {
    host: String(row.host),
    site: String(row.site),
    queued: Number(row.queued),
    inFlight: Number(row.in_flight),
    stored: Number(row.stored),
    failures: Number(row.failures),
    trouble: String(row.trouble),
    ownDelayMs: Number(row.own_delay_ms),
    delayMs: Number(row.delay_ms),
    restsUntil: Number(row.rests_until),
  }
}

function shownState(state: number) {
  return URL_STATES[state === OUT_OF_REACH ? REFUSED : state] ?? 'queued'
}

function packNumbers(numbers: readonly number[]): Buffer {
  return Buffer.from(Float64Array.from(numbers).buffer)
}

function unpackNumbers(bytes: Uint8Array): readonly number[] {
  const aligned = Uint8Array.from(bytes)
  return Array.from(new Float64Array(aligned.buffer))
}

function byPosition(a: UrlCopy, b: UrlCopy): number {
  return a.position - b.position
}

function byHost(a: HostCopy, b: HostCopy): number {
  return a.host < b.host ? -1 : 1
}
