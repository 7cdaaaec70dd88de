// Keeps the words of links about pages. Nothing of a page itself is written again if links about it change: the
// words of its links go into a small segment that has only pages with such changes. Each time they get a number
// from a sequence, and what older segments have under other numbers is no longer valid.
import type { DatabaseSync } from 'node:sqlite'
import { type GivenText, hostKey, linkWords } from '../link-texts.ts'
import { BatchWords } from '../segments/batch-words.ts'
import type { ChangedColumns } from '../segments/doc-columns.ts'
import { isLinked } from '../segments/link-list.ts'
import type { SegmentReader } from '../segments/segment-reader.ts'
import type { StemWords } from '../stem-words.ts'
import { SqliteLinkBook, SqliteLinkTexts } from './link-book.ts'
import { SegmentMerges } from './segment-merges.ts'
import type { SegmentTables, SegmentWrites } from './segment-tables.ts'

type LinkWritesOptions = {
  readonly db: DatabaseSync
  readonly tables: SegmentTables
  readonly writes: SegmentWrites
  readonly reader: SegmentReader
  readonly columns: ChangedColumns
  readonly stems: StemWords
}

/** For each byte of a batch, so many are merged. */
const MERGED_PER_BYTE = 8
const MERGED_AT_LEAST = 256 * 1024

export class LinkWrites {
  readonly #options: LinkWritesOptions
  readonly #book: SqliteLinkBook
  readonly #texts: SqliteLinkTexts
  readonly #merges: SegmentMerges
  readonly #sql: ReturnType<typeof prepare>
  /** Keys of pages that came with this batch. */
  readonly #come = new Set<number>()

  constructor(options: LinkWritesOptions) {
    const { db, columns } = options
    this.#options = options
    this.#book = new SqliteLinkBook(db)
    this.#texts = new SqliteLinkTexts(db)
    this.#merges = new SegmentMerges({
      ...options,
      kind: 'links',
      isGone: (doc, range) => !isLinked(columns.value('linked', doc), range),
    })
    this.#sql = prepare(db)
  }

  /** A page came, or came again, and says this about others. */
  put(pageId: number, host: string, key: number, given: readonly GivenText[]): void {
    this.#come.add(key)
    this.#book.put(pageId, hostKey(host), given)
  }

  drop(pageId: number): void {
    this.#book.drop(pageId)
  }

  /** Writes what changed. `next`: the first number of the sequence that is free; returns the next one. */
  end(next: number): number {
    const docs: { readonly doc: number; readonly key: number }[] = []
    for (const key of new Set([...this.#book.end(), ...this.#come])) {
      for (const row of this.#sql.docs.all(key)) docs.push({ doc: Number(row.doc), key })
    }
    this.#come.clear()
    const words = new BatchWords()
    let number = next
    for (const { doc, key } of docs.sort((a, b) => a.doc - b.doc)) {
      if (this.#write(doc, key, number, words)) number++
    }
    if (number === next) return next
    const range = { base: next, end: number }
    const bytes = this.#merges.add(range, 0, (writer) => words.writeTo(writer))
    this.#merges.work(Math.max(MERGED_AT_LEAST, MERGED_PER_BYTE * bytes), 0)
    return number
  }

  /** After a transaction that failed. */
  undo(): void {
    this.#book.forget()
    this.#merges.forget()
    this.#come.clear()
  }

  /** False if there was nothing to write. */
  #write(doc: number, key: number, number: number, words: BatchWords): boolean {
    const { columns, stems } = this.#options
    const host = this.#textOf(columns.value('host', doc))
    const texts = this.#texts.about(key, hostKey(host))
    const isWritten = texts.length > 0
    columns.set('linked', doc, isWritten ? number : 0)
    if (!isWritten) return false
    const language = this.#textOf(columns.value('language', doc))
    const said = linkWords(texts, { host, language }, stems)
    columns.set('linkWeight', doc, said.weight)
    words.addLinks(doc, said)
    return true
  }

  #textOf(number: number): string {
    return String(this.#sql.value.get(number)?.value ?? '')
  }
}

function prepare(db: DatabaseSync) {
  return {
    docs: db.prepare('SELECT doc FROM searched_pages WHERE link_key = ?'),
    value: db.prepare('SELECT value FROM shared_values WHERE id = ?'),
  }
}
