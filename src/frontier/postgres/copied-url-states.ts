// The states of URLs that earlier versions copied into the store from a frontier in Redis. Crawls of those
// versions stay readable. robots.txt, and what an ordering has learned, was not copied.
import { type HostState, NO_COUNTS, type UrlCounts } from '../../core/host.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { UrlRecord } from '../../core/visit.ts'
import { OUTSIDE, URL_STATES } from '../../core/visit.ts'
import type { Postgres, Row } from '../../db/postgres.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import { shownState, UNREACHABLE } from '../engine/states.ts'
import { candidateFrom, hostFrom, listedFrom, outcomeFrom, recordFrom } from '../url-state-rows.ts'
import type { LearnedState, ListedUrl, Outcome, Unreached, UrlStates } from '../url-states.ts'
import { CODE, SHOWN } from './postgres-url-states.ts'

type ListOptions = Parameters<UrlStates['list']>[0]

const SELECT = `
  SELECT u.*, coalesce(u.found_in, (
    SELECT p.url FROM url_states p WHERE p.crawl_id = u.crawl_id AND p.position = u.found_on
  )) AS finder
  FROM url_states u WHERE u.crawl_id = $1`
const HOSTS = 'SELECT * FROM host_states WHERE crawl_id = $1'

/** Null if nothing of that crawl was copied. The caller closes the store. */
export async function findCopiedUrlStates(
  db: Postgres,
  crawlId: number,
): Promise<UrlStates | null> {
  const urlStates = new CopiedUrlStates(db, crawlId)
  const [first] = await urlStates.list({ after: 0, limit: 1 })
  return first === undefined ? null : urlStates
}

class CopiedUrlStates implements UrlStates {
  readonly #db: Postgres
  readonly #crawlId: number

  constructor(db: Postgres, crawlId: number) {
    this.#db = db
    this.#crawlId = crawlId
  }

  async find(url: CanonicalUrl): Promise<UrlRecord | null> {
    const row = await this.#find(url)
    return row === undefined ? null : recordFrom(row)
  }

  async list({ after, limit, state, code }: ListOptions): Promise<readonly ListedUrl[]> {
    const values: (string | number)[] = [after, limit]
    const states = state === undefined ? '' : `AND ${SHOWN} = ${URL_STATES.indexOf(state)}`
    if (code !== undefined) values.push(code)
    const codes = code === undefined ? '' : `AND ${CODE} = $4`
    const query = `${SELECT} AND position > $2 ${states} ${codes} ORDER BY position LIMIT $3`
    return (await this.#ask(query, values)).map(listedFrom)
  }

  async counts(): Promise<UrlCounts> {
    const query = `
      SELECT ${SHOWN} AS shown, count(*) AS n,
        count(*) FILTER (WHERE ${CODE} = ANY (string_to_array($2, ' '))) AS outside
      FROM url_states WHERE crawl_id = $1 GROUP BY 1`
    const counts = { ...NO_COUNTS }
    for (const row of await this.#ask(query, [OUTSIDE.join(' ')])) {
      const state = shownState(Number(row.shown))
      const outside = state === 'refused' ? Number(row.outside) : 0
      counts[state] = Number(row.n) - outside
      counts.outside += outside
    }
    return counts
  }

  async outcomes(): Promise<readonly Outcome[]> {
    const query = `
      SELECT ends.shown, ends.code, ends.n, u.url, u.reason FROM (
        SELECT ${SHOWN} AS shown, ${CODE} AS code, count(*) AS n, min(position) AS first
        FROM url_states WHERE crawl_id = $1 GROUP BY 1, 2
      ) ends JOIN url_states u ON u.crawl_id = $1 AND u.position = ends.first
      ORDER BY ends.n DESC, ends.shown, ends.code COLLATE "C"`
    return (await this.#ask(query)).map(outcomeFrom)
  }

  /** Whether a host had answered is not copied: one of which pages are stored had. */
  async unreached(seedHosts: readonly string[]): Promise<readonly Unreached[]> {
    const query = `
      SELECT u.host, count(*) AS urls
      FROM (SELECT split_part(url, '/', 3) AS host FROM url_states
        WHERE crawl_id = $1 AND state = ${UNREACHABLE}
          AND reason NOT LIKE 'budget-requests:%') u
      LEFT JOIN host_states h ON h.crawl_id = $1 AND h.host = u.host
      WHERE h.stored > 0 OR u.host = ANY (string_to_array($2, ' '))
      GROUP BY 1 ORDER BY 2 DESC, 1`
    const rows = await this.#ask(query, [seedHosts.join(' ')])
    return rows.map((row) => ({ host: String(row.host), urls: Number(row.urls) }))
  }

  async pagesToRevisit(): Promise<number | null> {
    return null
  }

  async hosts(limit: number): Promise<readonly HostState[]> {
    const query = `${HOSTS} ORDER BY stored + queued + in_flight DESC, host LIMIT $2`
    const most = Number.isFinite(limit) ? limit : Number.MAX_SAFE_INTEGER
    return (await this.#ask(query, [most])).map(hostFrom)
  }

  async host(name: string): Promise<HostState | null> {
    const [row] = await this.#ask(`${HOSTS} AND host = $2`, [name])
    return row === undefined ? null : hostFrom(row)
  }

  async robots(): Promise<null> {
    return null
  }

  async ahead(url: CanonicalUrl): Promise<number> {
    const row = await this.#find(url)
    const waits = row !== undefined && Number(row.state) === 0 && row.next_at === null
    if (!waits) return 0
    const query = `
      SELECT count(*) AS n FROM url_states
      WHERE crawl_id = $1 AND state = 0 AND next_at IS NULL AND split_part(url, '/', 3) = $2
        AND (priority > $3 OR (priority = $3 AND position < $4))`
    const values = [hostOf(url), Number(row.priority), Number(row.position)]
    return Number((await this.#ask(query, values))[0]?.n ?? 0)
  }

  async candidate(url: CanonicalUrl): Promise<Candidate | null> {
    const row = await this.#find(url)
    return row === undefined ? null : candidateFrom(row)
  }

  async learned(): Promise<readonly LearnedState[]> {
    return []
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #find(url: CanonicalUrl): Promise<Row | undefined> {
    return (await this.#ask(`${SELECT} AND u.url = $2`, [url]))[0]
  }

  #ask(query: string, values: readonly (string | number)[] = []): Promise<readonly Row[]> {
    const all = [this.#crawlId, ...values]
    return this.#db.run(async (sql) => sql.unsafe<Row[]>(query, all, { prepare: true }))
  }
}
