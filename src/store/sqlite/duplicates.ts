// Which page repeats which. Runs inside a transaction; nothing here begins or ends one.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { type PageFields, STORED_PARTS } from '../../core/page.ts'
import { hostOf } from '../../core/url.ts'
import type { Standing } from '../../core/visit.ts'
import type { CountedPage } from '../host-sums.ts'
import { isTextElsewhere, nearEqual, withoutContent } from '../page-diff.ts'
import { numberOf, textOf, urlOf } from '../row-values.ts'
import type { HostTotals, PageWriter, WholePage } from './page-writer.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

type DuplicatesOptions = {
  readonly db: DatabaseSync
  readonly crawlId: number
  readonly totals: HostTotals
  readonly writer: PageWriter
}

export class Duplicates {
  readonly #parts: DuplicatesOptions
  readonly #sql: Readonly<Record<'first' | 'twin' | 'of' | 'follow' | 'inherit', StatementSync>>
  readonly #inheritParts: readonly StatementSync[]

  constructor(options: DuplicatesOptions) {
    this.#parts = options
    const { db } = options
    this.#sql = {
      first: db.prepare(`
        SELECT id, url, content_hash FROM pages
        WHERE crawl_id = ? AND content_hash = ? AND duplicate_of IS NULL AND id <> ?`),
      twin: db.prepare(`
        SELECT id, url, content_hash, content_text FROM pages
        WHERE crawl_id = ? AND url = ? AND duplicate_of IS NULL AND noindex = 0 AND id <> ?`),
      of: db.prepare(`
        SELECT p.id, p.url, p.canonical_url, p.size_bytes, p.relevance, p.hot,
          coalesce(c.round = ?, 0) AS looked_at
        FROM pages p LEFT JOIN page_checks c ON c.page_id = p.id
        WHERE p.duplicate_of = ?
        ORDER BY looked_at DESC, CASE looked_at WHEN 1 THEN p.id ELSE -p.id END`),
      follow: db.prepare('UPDATE pages SET duplicate_of = ? WHERE id = ?'),
      inherit: db.prepare(`
        UPDATE pages SET (content_text, markdown) = (SELECT content_text, markdown FROM pages WHERE id = ?1)
        WHERE id = ?2 AND content_text = ''`),
    }
    this.#inheritParts = [
      db.prepare(`
        INSERT OR REPLACE INTO page_parts (page_id, ${STORED_PARTS.join(', ')})
        SELECT ?2, ${STORED_PARTS.join(', ')} FROM page_parts WHERE page_id = ?1`),
      db.prepare(`
        INSERT OR REPLACE INTO page_html (page_id, html)
        SELECT ?2, html FROM page_html WHERE page_id = ?1`),
    ]
  }

  /** The page that this one repeats; `id` is its own, 0 when it has none yet. */
  firstOf(fields: PageFields, id: number): Row | undefined {
    const same = this.#sql.first.get(this.#parts.crawlId, fields.contentHash, id)
    return same ?? this.#canonicalTwin(fields, id)
  }

  /**
   * For a duplicate that changed: the page that it still names as its canonical form. Called while that page
   * has not been revisited yet: most likely it changed in the same way.
   */
  stillTwinOf(before: Row, { canonicalUrl }: PageFields): Row | undefined {
    if (canonicalUrl === null || before.of !== canonicalUrl) return undefined
    const twin = this.#sql.twin.get(this.#parts.crawlId, canonicalUrl, numberOf(before, 'id'))
    if (twin === undefined) return undefined
    // Equal it was, byte by byte, or its text would be its own.
    const isEqual = isTextElsewhere(before)
    return isEqual || nearEqual(textOf(before, 'content_text'), textOf(twin, 'content_text'))
      ? twin
      : undefined
  }

  /**
   * Those that repeat a page. First the one that is best in its place: the oldest that the round has
   * looked at, since that stays as it is. Where it looked at none, the newest, which most likely is
   * visited last: were it the next, many would move on with every visit.
   */
  of(id: number, round: number): readonly Row[] {
    return this.#sql.of.all(round, id)
  }

  /**
   * The page they repeat is about to be another one, or gone: the first takes its place, and what was
   * kept there for all of them.
   */
  moveOn(from: number, repeating: readonly Row[], at: number): Standing[] {
    const [heir] = repeating
    if (heir === undefined) return []
    const { totals, writer } = this.#parts
    const id = numberOf(heir, 'id')
    const url = urlOf(heir, 'url')
    this.#sql.inherit.run(from, id)
    for (const inherit of this.#inheritParts) inherit.run(from, id)
    totals.uncount(hostOf(url), { ...countedFrom(heir), duplicate: true })
    totals.count(hostOf(url), { ...countedFrom(heir), duplicate: false })
    for (const row of repeating) {
      this.#sql.follow.run(row === heir ? null : id, numberOf(row, 'id'))
      writer.log(numberOf(row, 'id'), 'change', at)
    }
    return repeating.map((row) => ({ url: urlOf(row, 'url'), of: row === heir ? null : url }))
  }

  /** The stored page this one calls its canonical form, if the two are near-equal indeed. */
  #canonicalTwin({ url, canonicalUrl, contentText }: PageFields, id: number): Row | undefined {
    if (canonicalUrl === null || canonicalUrl === url) return undefined
    const twin = this.#sql.twin.get(this.#parts.crawlId, canonicalUrl, id)
    if (twin === undefined || contentText === '') return undefined
    return nearEqual(contentText, textOf(twin, 'content_text')) ? twin : undefined
  }
}

/** What counts of a page, from its row. */
export function countedFrom(row: Row): Omit<CountedPage, 'duplicate'> {
  return {
    bytes: numberOf(row, 'size_bytes'),
    judged: row.relevance !== null,
    hot: row.hot === 1,
  }
}

/** What is kept of a page that repeats that one; undefined: all of it. */
export function keptOf(whole: WholePage, first: Row | undefined): WholePage {
  if (first === undefined) return whole
  return withoutContent(whole, first.content_hash === whole.page.fields.contentHash)
}
