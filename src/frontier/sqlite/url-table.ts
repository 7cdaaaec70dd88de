// The table of URLs: rows in, rows out. No rule lives here.
//
// New rows are collected and written several at a time, since a call into SQLite costs about as
// much as the row; whatever reads or changes a row writes them first.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CanonicalUrl } from '../../core/url.ts'
import { packNumbers, unpackNumbers } from './packing.ts'
import type { StateNumber } from './states.ts'

export type NewUrl = {
  readonly id: number
  readonly originId: number
  readonly url: CanonicalUrl
  readonly state: StateNumber
  readonly reason: string
  readonly depth: number
  readonly hops: number
  readonly foundOn: number | null
  readonly via: number
  readonly foundAt: number
  readonly inLinks: number
  readonly signals: readonly number[] | null
  readonly priority: number
}

export type UrlRow = NewUrl & { readonly tries: number }

const COLUMNS =
  'id, origin_id, url, state, reason, depth, hops, found_on, via, found_at, in_links, signals, priority'
const COLUMN_COUNT = 13
const ROWS_AT_ONCE = 8

export class UrlTable {
  readonly #db: DatabaseSync
  readonly #insertOne: StatementSync
  readonly #insertMany: StatementSync
  readonly #read: StatementSync
  readonly #head: StatementSync
  readonly #settle: StatementSync
  readonly #judge: StatementSync
  readonly #facts: StatementSync
  readonly #mark: StatementSync
  readonly #unmark: StatementSync
  readonly #wake: StatementSync
  #unwritten: SQLInputValue[] = []
  #firstUnwritten = Number.POSITIVE_INFINITY

  constructor(db: DatabaseSync) {
    this.#db = db
    const row = `(${'?, '.repeat(COLUMN_COUNT - 1)}?)`
    const insert = `INSERT INTO url (${COLUMNS}) VALUES`
    this.#insertOne = db.prepare(`${insert} ${row}`)
    this.#insertMany = db.prepare(`${insert} ${Array(ROWS_AT_ONCE).fill(row).join(', ')}`)
    this.#read = db.prepare(`SELECT ${COLUMNS}, tries FROM url WHERE id = ?`)
    this.#head = db.prepare(
      'SELECT id, priority FROM url WHERE origin_id = ? AND state = 0 ORDER BY priority DESC, id LIMIT ?',
    )
    this.#head.setReturnArrays(true)
    this.#settle = db.prepare(
      'UPDATE url SET state = ?, reason = ?, tries = coalesce(?, tries), next_at = ? WHERE id = ?',
    )
    this.#judge = db.prepare(`
      UPDATE url SET origin_id = ?, state = ?, reason = ?, depth = ?, priority = ?, next_at = NULL
      WHERE id = ?`)
    this.#facts = db.prepare(
      'UPDATE url SET depth = ?, in_links = ?, signals = ?, priority = ? WHERE id = ?',
    )
    this.#mark = db.prepare('UPDATE url SET state = 1, tries = ? WHERE id = ?')
    this.#unmark = db.prepare('UPDATE url SET state = 0, tries = tries - 1 WHERE id = ?')
    this.#wake = db.prepare('UPDATE url SET state = 0, next_at = NULL WHERE id = ? AND state = 7')
  }

  /** The highest id on disk; 0 when there is none. */
  lastId(): number {
    return Number(this.#db.prepare('SELECT max(id) AS id FROM url').get()?.id ?? 0)
  }

  insert(row: NewUrl): void {
    const signals = row.signals === null ? null : packNumbers(row.signals)
    if (this.#unwritten.length === 0) this.#firstUnwritten = row.id
    this.#unwritten.push(row.id, row.originId, row.url, row.state, row.reason, row.depth, row.hops)
    this.#unwritten.push(row.foundOn, row.via, row.foundAt, row.inLinks, signals, row.priority)
    if (this.#unwritten.length < ROWS_AT_ONCE * COLUMN_COUNT) return
    this.#insertMany.run(...this.#unwritten)
    this.#forget()
  }

  /** Writes what `insert` has collected; call before a transaction ends. */
  write(): void {
    const values = this.#unwritten
    for (let at = 0; at < values.length; at += COLUMN_COUNT) {
      this.#insertOne.run(...values.slice(at, at + COLUMN_COUNT))
    }
    this.#forget()
  }

  read(id: number): UrlRow {
    this.#writeBefore(id)
    return decodeUrlRow(this.#read.get(id))
  }

  /** The best of an origin's queue: ids and priorities in turns, best first. */
  headOf(originId: number, limit: number): readonly [number, number][] {
    if (this.#unwritten.length > 0) this.write()
    return this.#head.all(originId, limit) as unknown as [number, number][]
  }

  /** `tries` null leaves them as they are. */
  settle(
    id: number,
    state: StateNumber,
    options: { reason: string; tries: number | null; nextAt: number | null },
  ): void {
    this.#writeBefore(id)
    this.#settle.run(state, options.reason, options.tries, options.nextAt, id)
  }

  /** Its row says `leased` from now on. */
  mark(id: number, tries: number): void {
    this.#mark.run(tries, id)
  }

  /** The lease that was marked came to nothing: its try is not counted. */
  unmark(id: number): void {
    this.#unmark.run(id)
  }

  /** The moment of its next try has come; false when it does not wait for one any more. */
  wake(id: number): boolean {
    return this.#wake.run(id).changes === 1
  }

  /** A URL that is looked at again: queued after all, or refused for another reason. */
  judge(row: Pick<NewUrl, 'id' | 'originId' | 'state' | 'reason' | 'depth' | 'priority'>): void {
    this.#writeBefore(row.id)
    this.#judge.run(row.originId, row.state, row.reason, row.depth, row.priority, row.id)
  }

  /** New facts of a URL, and the score they give. */
  setFacts(row: Pick<NewUrl, 'id' | 'depth' | 'inLinks' | 'signals' | 'priority'>): void {
    this.#writeBefore(row.id)
    const signals = row.signals === null ? null : packNumbers(row.signals)
    this.#facts.run(row.depth, row.inLinks, signals, row.priority, row.id)
  }

  #writeBefore(id: number): void {
    if (id >= this.#firstUnwritten) this.write()
  }

  #forget(): void {
    this.#unwritten = []
    this.#firstUnwritten = Number.POSITIVE_INFINITY
  }
}

/** A row as the table gives it; the decoder of this edge. */
export function decodeUrlRow(row: Record<string, unknown> | undefined): UrlRow {
  return {
    id: Number(row?.id),
    originId: Number(row?.origin_id),
    url: String(row?.url) as CanonicalUrl,
    state: Number(row?.state),
    reason: String(row?.reason),
    depth: Number(row?.depth),
    hops: Number(row?.hops),
    foundOn: row?.found_on === null ? null : Number(row?.found_on),
    via: Number(row?.via),
    foundAt: Number(row?.found_at),
    inLinks: Number(row?.in_links),
    signals: row?.signals instanceof Uint8Array ? unpackNumbers(row.signals) : null,
    priority: Number(row?.priority),
    tries: Number(row?.tries),
  }
}
