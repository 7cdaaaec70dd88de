// The pages of a crawl that keeps only its best ones (`--keep-best`): the limited buffer of Cho, Garcia-Molina
// and Page. When there is one page too many, the least important goes; among equals the oldest, which had the
// most time to get links. Runs inside a transaction; nothing here begins or ends one.
//
// Importance is what is known by then: similarity, location, and links from pages fetched so far. A page that
// was dropped still counts for the pages it links to.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { type ImportanceWeights, weightsWhileCrawling } from '../../core/importance.ts'
import type { Job } from '../../core/job.ts'
import { type NewPage, partRows } from '../../core/page.ts'
import { locationOf } from '../../core/url.ts'
import { numberOf, textOf } from '../row-values.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

/** So many links count as much as a similarity of 1. */
const MANY_LINKS = 1000
/** The worth of pages that repeat another: there may be very many, and none of them is ever the one to go. */
const ASIDE = Number.MAX_VALUE
const UNTRUSTED = /\b(?:nofollow|ugc|sponsored)\b/i

export class BestPages {
  readonly #crawlId: number
  readonly #weights: ImportanceWeights
  readonly #sql: Statements
  readonly room: number

  constructor(db: DatabaseSync, { id, settings, topic }: Job, room: number) {
    this.#crawlId = id
    this.#weights = weightsWhileCrawling(settings, topic !== null)
    this.#sql = prepare(db)
    this.room = room
  }

  /** Pages that were dropped so far. */
  get dropped(): number {
    return numberOf(this.#sql.dropped.get(this.#crawlId) ?? { pages: 0 }, 'pages')
  }

  /** A page that was just stored, also one that repeats another. */
  added(pageId: number, { fields }: NewPage, isDuplicate: boolean): void {
    const { similarity, location } = this.#weights
    const fixed = similarity * (fields.relevance ?? 0) + location * locationOf(fields.url)
    const worth = isDuplicate ? ASIDE : fixed + this.#linksTo(fields.url)
    this.#sql.insert.run(pageId, this.#crawlId, fixed, worth)
  }

  /** The least important page that repeats no other; undefined: there is none. */
  worst(): Row | undefined {
    return this.#sql.worst.get(this.#crawlId)
  }

  /** In a recrawl some pages stop repeating another; from then on their worth counts. */
  recount(): void {
    for (const row of this.#sql.alone.all(this.#crawlId, ASIDE)) {
      const worth = numberOf(row, 'fixed') + this.#linksTo(textOf(row, 'url'))
      this.#sql.settle.run(worth, numberOf(row, 'page_id'))
    }
  }

  noteDropped(): void {
    this.#sql.drop.run(this.#crawlId)
  }

  /** Its links, after what had to go for it has gone. */
  countLinks({ fields, parts }: NewPage): void {
    if (this.#weights.backlinks === 0) return
    const links = partRows('links', parts.links ?? '[]')
    const rows = links.filter(({ rel }) => !UNTRUSTED.test(String(rel ?? '')))
    const targets = new Set(rows.map(({ url }) => String(url)))
    targets.delete(fields.url)
    for (const url of targets) {
      const links = numberOf(this.#sql.link.get(this.#crawlId, url) ?? {}, 'links')
      this.#sql.raise.run(this.#worthOf(links), this.#crawlId, url)
    }
  }

  #linksTo(url: string): number {
    const known = this.#sql.linksTo.get(this.#crawlId, url)
    return this.#worthOf(known === undefined ? 0 : numberOf(known, 'links'))
  }

  #worthOf(links: number): number {
    return (this.#weights.backlinks * Math.log1p(links)) / Math.log1p(MANY_LINKS)
  }
}

type Statements = ReturnType<typeof prepare>

function prepare(db: DatabaseSync) {
  return {
    dropped: db.prepare('SELECT pages FROM dropped_pages WHERE crawl_id = ?'),
    drop: db.prepare(`
      INSERT INTO dropped_pages (crawl_id, pages) VALUES (?, 1)
      ON CONFLICT DO UPDATE SET pages = pages + 1`),
    insert: db.prepare(`
      INSERT OR REPLACE INTO best_pages (page_id, crawl_id, fixed, worth) VALUES (?, ?, ?, ?)`),
    linksTo: db.prepare('SELECT links FROM linked_urls WHERE crawl_id = ? AND url = ?'),
    link: db.prepare(`
      INSERT INTO linked_urls (crawl_id, url, links) VALUES (?, ?, 1)
      ON CONFLICT DO UPDATE SET links = links + 1 RETURNING links`),
    raise: db.prepare(`
      UPDATE best_pages SET worth = fixed + ?
      WHERE page_id = (
        SELECT id FROM pages WHERE crawl_id = ? AND url = ? AND duplicate_of IS NULL)`),
    alone: db.prepare(`
      SELECT b.page_id, b.fixed, p.url FROM best_pages b JOIN pages p ON p.id = b.page_id
      WHERE b.crawl_id = ? AND b.worth = ? AND p.duplicate_of IS NULL`),
    settle: db.prepare('UPDATE best_pages SET worth = ? WHERE page_id = ?'),
    worst: db.prepare(`
      SELECT p.id, p.url, p.size_bytes, p.relevance, p.hot
      FROM best_pages b JOIN pages p ON p.id = b.page_id
      WHERE b.crawl_id = ? AND p.duplicate_of IS NULL
      ORDER BY b.worth, b.page_id LIMIT 1`),
  } as const satisfies Record<string, StatementSync>
}
