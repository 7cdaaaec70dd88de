// Writes pages into columns and segments. All of it happens in the transaction of its caller.
import type { DatabaseSync } from 'node:sqlite'
import type { SearchedPage } from '../../core/page.ts'
import { hostOf } from '../../core/url.ts'
import { primaryLanguage } from '../../text/text.ts'
import { type GivenText, linkKey } from '../link-texts.ts'
import type { PageColumns } from '../page-columns.ts'
import { BatchWords } from '../segments/batch-words.ts'
import { type CommonWords, mayBeCommon, newlyCommon } from '../segments/common-words.ts'
import type { ChangedColumns } from '../segments/doc-columns.ts'
import type { SegmentReader } from '../segments/segment-reader.ts'
import type { StemWords } from '../stem-words.ts'
import { urlKey } from '../words.ts'
import { nextDocOf, POSITION_SQL, readCommonWords } from './index-state.ts'
import { LinkWrites } from './link-writes.ts'
import { SegmentMerges } from './segment-merges.ts'
import { type SegmentTables, SegmentWrites } from './segment-tables.ts'

/** For each byte of a batch, so many are merged: as much as becomes due, and some more. */
const MERGED_PER_BYTE = 8
const MERGED_AT_LEAST = 1024 * 1024

type PageWritesOptions = {
  readonly db: DatabaseSync
  readonly tables: SegmentTables
  readonly reader: SegmentReader
  readonly columns: ChangedColumns
  readonly stems: StemWords
  readonly commonFrom?: number
}

/** What comes with a page. */
export type PageNews = {
  /** What it says about others. */
  readonly given: readonly GivenText[]
  /** The cursor of its change. */
  readonly changed: number
}

/** What a batch adds to the numbers of the index. */
type Totals = {
  pages: number
  length: number
  nextDoc: number
  nextLink: number
  gone: number
  batch: number
}

export class PageWrites {
  readonly #options: PageWritesOptions
  readonly #columns: ChangedColumns
  readonly #writes: SegmentWrites
  readonly #merges: SegmentMerges
  readonly #links: LinkWrites
  readonly #sql: ReturnType<typeof prepare>
  readonly #numbers = new Map<string, number>()
  #totals: Totals | null = null
  #words: BatchWords | null = null
  #base = 0
  /** As the table has them; null: to be read. */
  #common: CommonWords | null = null

  constructor(options: PageWritesOptions) {
    this.#options = options
    this.#columns = options.columns
    this.#writes = new SegmentWrites(options.db)
    const { columns } = options
    this.#merges = new SegmentMerges({
      ...{ ...options, writes: this.#writes, kind: 'pages' },
      isGone: (doc) => columns.value('gone', doc) !== 0,
    })
    this.#links = new LinkWrites({ ...options, writes: this.#writes })
    this.#sql = prepare(options.db)
  }

  /** Replaces the page if it is there; it keeps its rank and its cluster. */
  put(page: SearchedPage, words: PageColumns, { given, changed }: PageNews): void {
    const totals = this.#read()
    const before = this.#sql.find.get(page.id)
    if (before !== undefined) this.#leave(before)
    if (this.#words === null) {
      this.#common ??= readCommonWords(this.#options.db)
      this.#words = new BatchWords(this.#common)
      this.#base = totals.nextDoc
    }
    const doc = totals.nextDoc++
    const length = this.#words.add(doc, words)
    const { id, crawlId, hot } = page
    const key = urlKey(page.url)
    const linked = linkKey(page)
    this.#sql.put.run(id, doc, crawlId, length, Number(hot), key, linked)
    this.#links.put(id, hostOf(page.url), linked, given)
    totals.pages++
    totals.length += length
    const columns = this.#columns
    columns.set('id', doc, id)
    columns.set('length', doc, length)
    columns.set('standing', doc, Number(before?.standing ?? 1))
    columns.set('crawl', doc, crawlId)
    columns.set('host', doc, this.#numberOf(hostOf(page.url)))
    columns.set('language', doc, this.#numberOf(primaryLanguage(page.language)))
    columns.set('kind', doc, this.#numberOf(page.kind))
    columns.set('hot', doc, Number(hot))
    columns.set('changed', doc, changed)
    columns.set('fetched', doc, page.fetchedAt)
    columns.set('published', doc, page.publishedAt ?? Number.NaN)
    columns.set('urlKey', doc, key)
    columns.set('cluster', doc, Number(before?.cluster ?? 0))
  }

  /** True if the page was there. */
  drop(id: number): boolean {
    const row = this.#sql.find.get(id)
    if (row === undefined) return false
    this.#sql.drop.run(id)
    this.#links.drop(id)
    this.#leave(row)
    return true
  }

  /** Pages are called by their numbers here. */
  set(column: 'hot' | 'standing' | 'cluster', doc: number, value: number): void {
    this.#columns.set(column, doc, value)
  }

  /** To be called at the end of each transaction. */
  end(): void {
    const totals = this.#read()
    totals.batch++
    totals.nextLink = this.#links.end(totals.nextLink)
    this.#columns.write((key, bytes) => this.#writes.column(key, bytes, totals.batch))
    const mean = totals.length / Math.max(1, totals.pages)
    const words = this.#words
    if (words !== null) {
      const range = { base: this.#base, end: totals.nextDoc }
      this.#findCommon(words, totals)
      const bytes = this.#merges.add(range, mean, (writer) => words.writeTo(writer))
      this.#merges.work(Math.max(MERGED_AT_LEAST, MERGED_PER_BYTE * bytes), mean)
    }
    const { pages, length, nextDoc, nextLink, gone, batch } = totals
    this.#sql.total.run(pages, length, nextDoc, nextLink, gone, batch)
    this.#totals = null
    this.#words = null
  }

  /** After a transaction that failed, and after everything was removed. */
  undo(): void {
    this.#columns.undo()
    this.#merges.forget()
    this.#options.reader.forget()
    this.#links.undo()
    this.#common = null
    this.#numbers.clear()
    this.#totals = null
    this.#words = null
  }

  /** Words that have become common are known from the next page on. */
  #findCommon(words: BatchWords, { pages, nextDoc: next }: Totals): void {
    const { reader, commonFrom } = this.#options
    const common = this.#common
    if (common === null || !common.isDue(this.#base, next, commonFrom)) return
    const segments = this.#merges.live()
    const counted = mayBeCommon(common, words.counted(), next - this.#base).map(
      ({ word, pages }) => ({
        word,
        pages: segments.reduce((sum, { id }) => sum + (reader.find(id, word)?.pages ?? 0), pages),
      }),
    )
    for (const found of newlyCommon(common, counted, { pages, next })) {
      common.add(found)
      this.#sql.common.run(found.word, found.level, found.since)
    }
  }

  #leave(row: Readonly<Record<string, unknown>>): void {
    const totals = this.#read()
    totals.pages--
    totals.gone++
    totals.length -= Number(row.length)
    this.#columns.set('gone', Number(row.doc), 1)
    this.#columns.set('linked', Number(row.doc), 0)
  }

  #read(): Totals {
    if (this.#totals !== null) return this.#totals
    const row = this.#sql.totals.get() ?? {}
    this.#totals = {
      pages: Number(row.pages),
      length: Number(row.length),
      nextDoc: nextDocOf(row),
      nextLink: Number(row.next_link),
      gone: Number(row.gone),
      batch: Number(row.batch),
    }
    return this.#totals
  }

  #numberOf(value: string): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    this.#sql.value.run(value)
    const number = Number(this.#sql.number.get(value)?.id)
    if (this.#numbers.size > MAX_NUMBERS) this.#numbers.clear()
    this.#numbers.set(value, number)
    return number
  }
}

const MAX_NUMBERS = 100_000

function prepare(db: DatabaseSync) {
  return {
    find: db.prepare('SELECT doc, length, standing, cluster FROM searched_pages WHERE id = ?'),
    put: db.prepare(`INSERT INTO searched_pages (id, doc, crawl_id, length, hot, url_key, link_key)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET doc = excluded.doc, crawl_id = excluded.crawl_id,
        length = excluded.length, hot = excluded.hot, url_key = excluded.url_key,
        link_key = excluded.link_key`),
    drop: db.prepare('DELETE FROM searched_pages WHERE id = ?'),
    totals: db.prepare(POSITION_SQL),
    total: db.prepare(`UPDATE search_position
      SET pages = ?, length = ?, next_doc = ?, next_link = ?, gone = ?, batch = ?`),
    common: db.prepare('INSERT INTO common_words (word, level, since) VALUES (?, ?, ?)'),
    value: db.prepare('INSERT OR IGNORE INTO shared_values (value) VALUES (?)'),
    number: db.prepare('SELECT id FROM shared_values WHERE value = ?'),
  }
}
