// A crawl that has become large: synthetic pages put beside the real ones of a small crawl, by SQL. What
// a table or a map over 100,000 pages needs is there (rows, totals, links), and it takes seconds.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type ManyPages = {
  readonly dataDir: string
  readonly crawlId: number
  readonly pages: number
  /** The first so many of them link to each other. */
  readonly linked: number
}

const HOSTS = 40
/** Above those of any crawl that a test makes. */
const FIRST_ID = 1_000_000

/** What the nth page is called and where it is. */
export const manyTitle = (n: number): string => `Synthetic page number ${n}`
export const manyUrl = (n: number): string => `http://h${n % HOSTS}.many.test/page/${n}`

export function addManyPages({ dataDir, crawlId, pages, linked }: ManyPages): void {
  using db = new DatabaseSync(join(dataDir, 'jelajah.db'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN')
  db.prepare(`
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < :pages)
    INSERT INTO pages (id, crawl_id, url, status_code, content_type, charset, title, description,
      keywords, language, author, kind, html5, hot, relevance, depth, size_bytes, truncated, noindex,
      content_hash, fetched_at, fetch_ms, parse_ms, etag, last_modified, about, content_text)
    SELECT :first + n, :crawl, 'http://h' || (n % CAST(:hosts AS INTEGER)) || '.many.test/page/' || n, 200,
      'text/html', 'utf-8', 'Synthetic page number ' || n, '', '', iif(n % 3, 'id', 'en'), '',
      iif(n % 5, 'article', 'listing'), 1, n % 50 = 0, (n % 97) / 97.0, n % 9, 1000 + n % 90000,
      0, 0, printf('%032x', n), 1700000000000 + n, 12, 3.5, '', '', '{}',
      'The text of synthetic page ' || n
    FROM counted`).run({ pages, first: FIRST_ID, crawl: crawlId, hosts: HOSTS })
  db.prepare(`
    INSERT INTO host_totals SELECT crawl_id, host, count(*), 0, sum(size_bytes), count(*), sum(hot)
    FROM pages WHERE crawl_id = :crawl AND id > :first GROUP BY host`).run({
    crawl: crawlId,
    first: FIRST_ID,
  })
  const addParts = db.prepare('INSERT INTO page_parts (page_id, links) VALUES (?, ?)')
  for (let n = 1; n <= linked; n++) addParts.run(FIRST_ID + n, JSON.stringify(linksOf(n, linked)))
  db.exec('COMMIT')
}

/** Mostly to pages of the same host, now and then to another; some pages are linked to by many. */
function linksOf(n: number, linked: number): string[][] {
  const steps = [1, 2, 3, 7, 20, 51].map((step) => step * HOSTS)
  const sameHost = steps.map((step) => ((n + step - 1) % linked) + 1)
  const hub = (n % HOSTS) + HOSTS
  const elsewhere = n % 10 === 0 ? [((n * 7919) % linked) + 1] : []
  return [...sameHost, hub, ...elsewhere].map((to) => [manyUrl(to), `to ${to}`])
}
