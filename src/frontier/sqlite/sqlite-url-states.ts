// The read side of the frontier's file. It is opened read-only, so it never blocks a crawl.
import type { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import type { HostState, UrlCounts } from '../../core/host.ts'
import type { Job } from '../../core/job.ts'
import type { UrlHash } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { UrlRecord } from '../../core/visit.ts'
import { URL_STATES, type UrlState } from '../../core/visit.ts'
import { openSqliteReader } from '../../db/sqlite.ts'
import { createUrlHasher, type UrlHasher } from '../../lib/url-hash.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import { NO_PAGE_PRIORITY } from '../engine/begin-recrawl.ts'
import type { CrawlRow } from '../engine/rows.ts'
import { countsOf } from '../engine/state-counts.ts'
import { DELAYED, DUPLICATE, QUEUED, REDIRECTED, REFUSED, UNREACHABLE } from '../engine/states.ts'
import { candidateOf } from '../engine/url-table.ts'
import type { RobotsRecord } from '../frontier.ts'
import { hostFrom, outcomeFrom, recordFrom } from '../url-state-rows.ts'
import type { LearnedState, ListedUrl, Outcome, Unreached, UrlStates } from '../url-states.ts'
import { SqliteRows } from './sqlite-rows.ts'

const HASH_BYTES = 8

type ListOptions = Parameters<UrlStates['list']>[0]

/** Null while the frontier is being created: the file exists before its tables do. */
export async function findSqliteUrlStates(path: string, job: Job): Promise<UrlStates | null> {
  const db = openSqliteReader(path, 'frontier')
  return db === null ? null : new SqliteUrlStates(db, createUrlHasher(job.salt))
}

export async function openSqliteUrlStates(path: string, job: Job): Promise<UrlStates> {
  const urlStates = await findSqliteUrlStates(path, job)
  if (urlStates !== null) return urlStates
  throw new CrawlerError('store-unreachable', `there is no frontier at ${path} yet`)
}

// The columns of the view, for one row at a time, since the view cannot be queried by id.
const SELECT = `
  SELECT u.id, u.origin_id, c.crawl_id, u.url, u.state, u.reason, u.depth, u.priority, u.tries,
    u.next_at,
    CASE
      WHEN u.found_on > 0 THEN (SELECT p.url FROM url p WHERE p.id = u.found_on)
      WHEN u.found_on < 0 THEN (SELECT s.url FROM sitemap s WHERE s.id = -u.found_on)
    END AS finder
  FROM url u, crawl c`

/** In those two states the reason is a URL. */
const CODE = `
  CASE WHEN state IN (${DUPLICATE}, ${REDIRECTED}) THEN ''
  ELSE substr(reason, 1, instr(reason || ':', ':') - 1) END`

export class SqliteUrlStates implements UrlStates {
  readonly #db: DatabaseSync
  readonly #rows: SqliteRows
  readonly #hashUrl: UrlHasher

  constructor(db: DatabaseSync, hashUrl: UrlHasher) {
    this.#db = db
    this.#rows = new SqliteRows(db)
    this.#hashUrl = hashUrl
  }

  async find(url: CanonicalUrl): Promise<UrlRecord | null> {
    const row = this.#find(url)
    return row === undefined ? null : recordFrom(row)
  }

  async list({ after, limit, state, code }: ListOptions): Promise<readonly ListedUrl[]> {
    const states = state === undefined ? '' : `AND u.state IN (${numbersOf(state)})`
    const codes = code === undefined ? '' : `AND ${CODE} = ?`
    const rows = this.#db
      .prepare(`${SELECT} WHERE u.id > ? ${states} ${codes} ORDER BY u.id LIMIT ?`)
      .all(after, ...(code === undefined ? [] : [code]), limit)
    return rows.map((row) => ({ ...recordFrom(row), position: Number(row.id) }))
  }

  async counts(): Promise<UrlCounts> {
    return countsOf(this.#crawl())
  }

  async outcomes(): Promise<readonly Outcome[]> {
    const rows = this.#db
      .prepare(`
        SELECT ends.shown, ends.code, ends.n, url.url, url.reason FROM (
          SELECT CASE state WHEN ${DELAYED} THEN ${QUEUED} WHEN ${UNREACHABLE} THEN ${REFUSED}
            ELSE state END AS shown, ${CODE} AS code, count(*) AS n, min(id) AS first
          FROM url GROUP BY 1, 2
        ) ends JOIN url ON url.id = ends.first
        ORDER BY ends.n DESC, ends.shown, ends.code`)
      .all()
    return rows.map(outcomeFrom)
  }

  async unreached(seedHosts: readonly string[]): Promise<readonly Unreached[]> {
    const rows = this.#db
      .prepare(`
        SELECT h.name, count(*) AS urls FROM url u JOIN host h ON h.id = u.origin_id / 2
        WHERE u.state IN (1, 7, 8) AND u.state = ${UNREACHABLE}
          AND u.reason NOT LIKE 'budget-requests:%'
          AND ((h.answered & (1 << (u.origin_id & 1))) <> 0
            OR (h.answered = 0 AND h.stored > 0)
            OR h.name IN (SELECT value FROM json_each(?)))
        GROUP BY h.id ORDER BY urls DESC, h.name`)
      .all(JSON.stringify(seedHosts))
    return rows.map((row) => ({ host: String(row.name), urls: Number(row.urls) }))
  }

  async pagesToRevisit(round: number): Promise<number | null> {
    if ((this.#crawl()?.round ?? 0) < round) return null
    const count = this.#db.prepare('SELECT count(*) AS pages FROM revisit WHERE priority > ?')
    return Number(count.get(NO_PAGE_PRIORITY)?.pages ?? 0)
  }

  async hosts(limit: number): Promise<readonly HostState[]> {
    const rows = this.#db
      .prepare('SELECT * FROM hosts ORDER BY stored + queued + in_flight DESC LIMIT ?')
      .all(limit)
    return rows.map(hostFrom)
  }

  async host(name: string): Promise<HostState | null> {
    const row = this.#db.prepare('SELECT * FROM hosts WHERE host = ?').get(name)
    return row === undefined ? null : hostFrom(row)
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    return this.#rows.robots.get(origin) ?? null
  }

  async ahead(url: CanonicalUrl): Promise<number> {
    const row = this.#find(url)
    if (row === undefined || row.state !== QUEUED) return 0
    const { priority, id } = row
    const hostId = Number(row.origin_id) >> 1
    const count = this.#db.prepare(`
      SELECT count(*) AS n FROM url
      WHERE origin_id IN (?, ?) AND state = 0 AND (priority > ? OR (priority = ? AND id < ?))`)
    return Number(
      count.get(2 * hostId, 2 * hostId + 1, Number(priority), Number(priority), Number(id))?.n,
    )
  }

  async candidate(url: CanonicalUrl): Promise<Candidate | null> {
    const id = this.#idOf(url)
    if (id === null) return null
    const row = this.#rows.url.get(id)
    return row === undefined ? null : candidateOf(row)
  }

  async learned(): Promise<readonly LearnedState[]> {
    return Array.from(this.#rows.ordering.all(), ({ name, state }) => ({ name, bytes: state }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #crawl(): CrawlRow | undefined {
    const [crawl] = this.#rows.crawl.all()
    return crawl
  }

  #find(url: CanonicalUrl): Record<string, unknown> | undefined {
    const id = this.#idOf(url)
    return id === null ? undefined : this.#db.prepare(`${SELECT} WHERE u.id = ?`).get(id)
  }

  #idOf(url: CanonicalUrl): number | null {
    const hash = this.#hashUrl(url)
    for (const row of this.#db.prepare('SELECT first_id, hashes FROM seen').iterate()) {
      const position = row.hashes instanceof Uint8Array ? positionOf(hash, row.hashes) : -1
      if (position < 0) continue
      return Number(row.first_id) + position
    }
    return null
  }
}

/** The position of a hash in a blob of hashes; -1 if it is not there. */
function positionOf(hash: UrlHash, blob: Uint8Array): number {
  const needle = Buffer.from(Uint32Array.of(hash.lo, hash.hi).buffer)
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength)
  let at = bytes.indexOf(needle)
  while (at >= 0 && at % HASH_BYTES !== 0) at = bytes.indexOf(needle, at + 1)
  return at < 0 ? -1 : at / HASH_BYTES
}

/** The numbers that the table uses for a state. */
function numbersOf(state: UrlState): string {
  const numbers = [URL_STATES.indexOf(state)]
  if (state === 'queued') numbers.push(DELAYED)
  if (state === 'refused') numbers.push(UNREACHABLE)
  return numbers.join(', ')
}
