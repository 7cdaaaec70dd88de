// One transaction that writes the index: the numbers of the index, the columns of pages, and the words that came.
import type { Row, Transaction } from '../../db/postgres.ts'
import { joinedBytes, numberArray, textArray } from '../../db/postgres-array.ts'
import { BatchWords } from '../segments/batch-words.ts'
import { type CommonWords, mayBeCommon, newlyCommon } from '../segments/common-words.ts'
import type { ColumnName } from '../segments/doc-columns.ts'
import { isLinked } from '../segments/link-list.ts'
import type { SegmentKind } from '../segments/merge-plan.ts'
import { damaged } from '../segments/term-block.ts'
import { FetchedColumns, nextDocOf, POSITION, readCommonWords } from './index-state.ts'
import { type MergeOptions, type NewSegment, SegmentWrites } from './segment-writes.ts'

/** The numbers of the index. */
type Totals = {
  pages: number
  length: number
  nextDoc: number
  nextLink: number
  gone: number
  lastCluster: number
  lastSegment: number
}

/** What a writer keeps from one transaction to the next. */
type Kept = {
  readonly beginning: string
  batch: number
  readonly columns: FetchedColumns
  readonly segments: SegmentWrites
  readonly common: CommonWords
  /** Of hosts, languages and kinds. */
  readonly numbers: Map<string, number>
}

/** For each byte of a batch, so many are merged: as much as becomes due, and some more. */
const MERGED_PER_BYTE = 8
const MERGED_AT_LEAST = 512 * 1024
/** Bytes of dead rows that may stay: so many, or such a share of what lives. */
const CLEANED_AT_LEAST = 32 * 1024 * 1024
const CLEANED_SHARE = 0.25
/** Of hosts, languages and kinds that are remembered. */
const MAX_NUMBERS = 100_000

/** Keeps what the next transaction needs. */
export class IndexWrites {
  #kept: Kept | null = null
  readonly #commonFrom: number | undefined

  constructor(commonFrom?: number) {
    this.#commonFrom = commonFrom
  }

  /** True if dead rows take much of the tables: after a `VACUUM`, new rows take their place. */
  get isToBeCleaned(): boolean {
    const { dead, live } = this.#kept?.segments ?? { dead: 0, live: 0 }
    return dead > Math.max(CLEANED_AT_LEAST, live * CLEANED_SHARE)
  }

  cleaned(): void {
    if (this.#kept !== null) this.#kept.segments.dead = 0
  }

  /** Keeps other writers out until the end of the transaction. After `work`, everything is written. */
  async during<T>(sql: Transaction, work: (batch: WriteBatch) => Promise<T>): Promise<T> {
    const kept = this.#kept
    // If this fails, what is kept may be wrong.
    this.#kept = null
    // Read after the wait: a statement that waited may see tables as they were before.
    await sql`SELECT 1 FROM search.search_position FOR UPDATE`
    const [row] = await sql.unsafe<Row[]>(POSITION)
    if (row === undefined) throw damaged()
    const fit = await keptFor(sql, row, kept)
    const batch = new WriteBatch(sql, fit, totalsFrom(row), this.#commonFrom)
    const result = await work(batch)
    await batch.end()
    // If this is not committed, it does not fit the number in the row.
    fit.batch++
    this.#kept = fit
    return result
  }

  /** After a transaction that did not hold. */
  forget(): void {
    this.#kept = null
  }
}

async function keptFor(sql: Transaction, row: Row, kept: Kept | null): Promise<Kept> {
  const [batch, beginning] = [Number(row.batch), String(row.beginning)]
  if (kept?.beginning === beginning && kept.batch === batch) return kept
  const columns = new FetchedColumns()
  await columns.read(sql, -1)
  const common = await readCommonWords(sql)
  return { beginning, batch, columns, segments: new SegmentWrites(), common, numbers: new Map() }
}

function totalsFrom(row: Row): Totals {
  return {
    pages: Number(row.pages),
    length: Number(row.length),
    nextDoc: nextDocOf(row),
    nextLink: Number(row.next_link),
    gone: Number(row.gone),
    lastCluster: Number(row.last_cluster),
    lastSegment: Number(row.last_segment),
  }
}

export class WriteBatch {
  readonly sql: Transaction
  readonly totals: Totals
  readonly #kept: Kept
  readonly #pages: BatchWords
  readonly #links = new BatchWords()
  readonly #firstDoc: number
  readonly #firstLink: number
  readonly #commonFrom: number | undefined

  constructor(sql: Transaction, kept: Kept, totals: Totals, commonFrom?: number) {
    this.sql = sql
    this.totals = totals
    this.#kept = kept
    this.#commonFrom = commonFrom
    this.#pages = new BatchWords(kept.common)
    this.#firstDoc = totals.nextDoc
    this.#firstLink = totals.nextLink
  }

  /** Pages are called by their numbers here. */
  set(column: ColumnName, doc: number, value: number): void {
    this.#kept.columns.set(column, doc, value)
  }

  /** Adds the words of a page under the next number; returns both. */
  addPage(columns: Parameters<BatchWords['add']>[1]) {
    const { totals } = this
    const doc = totals.nextDoc++
    const length = this.#pages.add(doc, columns)
    totals.pages++
    totals.length += length
    return { doc, length }
  }

  /** Adds the words of links about a page; null: there are none any more. Pages come in order, and each once. */
  addLinks(doc: number, said: (Parameters<BatchWords['addLinks']>[1] & { weight: number }) | null) {
    this.set('linked', doc, said === null ? 0 : this.totals.nextLink)
    if (said === null) return
    this.totals.nextLink++
    this.set('linkWeight', doc, said.weight)
    this.#links.addLinks(doc, said)
  }

  /** A page went, or comes again under another number. */
  leave(doc: number, length: number): void {
    const { totals } = this
    totals.pages--
    totals.gone++
    totals.length -= length
    this.set('gone', doc, 1)
    this.set('linked', doc, 0)
  }

  /** The numbers of hosts, languages and kinds; those that are new get one. */
  async numbersOf(values: Iterable<string>): Promise<ReadonlyMap<string, number>> {
    const { numbers } = this.#kept
    if (numbers.size > MAX_NUMBERS) numbers.clear()
    const unknown = [...new Set(values)].filter((value) => !numbers.has(value))
    if (unknown.length > 0) {
      const list = [textArray(unknown)]
      await this.sql.unsafe(SQL.addValues, list)
      for (const { id, value } of await this.sql.unsafe<Row[]>(SQL.values, list)) {
        numbers.set(String(value), Number(id))
      }
    }
    return numbers
  }

  /** Writes everything. Pages and columns must be as they are to stay. */
  async end(): Promise<void> {
    const { sql, totals } = this
    const { columns } = this.#kept
    const batch = this.#kept.batch + 1
    await this.#findCommon()
    await this.#write({
      kind: 'pages',
      ...{ base: this.#firstDoc, end: totals.nextDoc, words: this.#pages },
      meanLength: totals.length / Math.max(1, totals.pages),
      isGone: (doc) => columns.value('gone', doc) !== 0,
    })
    await this.#write({
      kind: 'links',
      ...{ base: this.#firstLink, end: totals.nextLink, words: this.#links, meanLength: 0 },
      isGone: (doc, range) => !isLinked(columns.value('linked', doc), range),
    })
    this.#kept.segments.dead += await writeColumns(sql, columns, batch)
    const { pages, length, nextDoc, nextLink, gone, lastCluster, lastSegment } = totals
    const numbers = [pages, length, nextDoc, nextLink, gone, lastCluster, lastSegment, batch]
    await sql.unsafe(SQL.total, numbers.map(String))
  }

  /** Words that have become common are known from the next page on. */
  async #findCommon(): Promise<void> {
    const [base, { pages, nextDoc: next }] = [this.#firstDoc, this.totals]
    const { common, segments } = this.#kept
    if (base === next || !common.isDue(base, next, this.#commonFrom)) return
    const asked = mayBeCommon(common, this.#pages.counted(), next - base)
    const counted = await segments.counted(this.sql, asked)
    const found = newlyCommon(common, counted, { pages, next })
    for (const each of found) common.add(each)
    if (found.length === 0) return
    await this.sql.unsafe(SQL.common, [
      textArray(found.map(({ word }) => word)),
      numberArray(found.map(({ level }) => level)),
      numberArray(found.map(({ since }) => since)),
    ])
  }

  /** Of a batch without such words there is no segment, and nothing to merge. */
  async #write({ kind, base, end, words, meanLength, isGone }: Written): Promise<void> {
    if (base === end) return
    const { columns, segments } = this.#kept
    const nextId = () => ++this.totals.lastSegment
    const fill: NewSegment['fill'] = (writer) => words.writeTo(writer)
    const segment = { id: nextId(), base, end, meanLength, fill }
    const bytes = await segments.add(this.sql, kind, segment, columns)
    const due = Math.max(MERGED_AT_LEAST, MERGED_PER_BYTE * bytes)
    await segments.merge(this.sql, kind, due, { columns, isGone, nextId, meanLength })
  }
}

type Written = Pick<MergeOptions, 'isGone' | 'meanLength'> & {
  readonly kind: SegmentKind
  readonly base: number
  readonly end: number
  readonly words: BatchWords
}

/** Returns how many bytes were written. */
async function writeColumns(
  sql: Transaction,
  columns: FetchedColumns,
  batch: number,
): Promise<number> {
  const [keys, all]: [number[], Uint8Array[]] = [[], []]
  columns.write((key, bytes) => {
    keys.push(key)
    all.push(bytes)
  })
  if (keys.length === 0) return 0
  await sql.unsafe(SQL.columns, [numberArray(keys), joinedBytes(all), String(batch)])
  return all.reduce((sum, { length }) => sum + length, 0)
}

const SQL = {
  addValues: `INSERT INTO search.shared_values (value)
    SELECT value FROM unnest($1::text[]) AS asked (value) WHERE NOT EXISTS (
      SELECT 1 FROM search.shared_values AS known WHERE known.value = asked.value)`,
  values: `SELECT id, value FROM search.shared_values
    WHERE value = ANY ($1::text[])`,
  common: `INSERT INTO search.common_words (word, level, since)
    SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[])`,
  columns: `INSERT INTO search.page_columns (key, changed, bytes)
    SELECT key, $3::bigint, decode(bytes, 'base64')
    FROM unnest($1::bigint[], string_to_array($2::text, ',')) AS piece (key, bytes)
    ON CONFLICT (key) DO UPDATE SET changed = excluded.changed, bytes = excluded.bytes`,
  total: `UPDATE search.search_position SET pages = $1::bigint, length = $2::bigint,
    next_doc = $3::bigint, next_link = $4::bigint, gone = $5::bigint, last_cluster = $6::bigint,
    last_segment = $7::bigint, batch = $8::bigint`,
} as const
