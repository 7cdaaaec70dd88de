// The table of URLs: rows in, rows out. It contains no rules.
//
// New rows are collected and written several at a time, since a call into SQLite costs about as much as the
// row; any read or change of a row writes them first. Where facts change often, rows are also kept in memory
// and new facts are written later (`writeBehind`), except for a new depth in a crawl where depths are exact.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { RowsInMemory } from './rows-in-memory.ts'
import { LEASED, QUEUED, type StateNumber } from './states.ts'
import { columnsOf, decodeUrlRow, type Facts, type NewUrl, packed, type UrlRow } from './url-row.ts'

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
  readonly #settleChanged: StatementSync
  readonly #judge: StatementSync
  readonly #facts: StatementSync
  readonly #mark: StatementSync
  readonly #unmark: StatementSync
  readonly #wake: StatementSync
  readonly #memory: RowsInMemory | null
  readonly #exactDepth: boolean
  #unwritten: SQLInputValue[] = []
  #firstUnwritten = Number.POSITIVE_INFINITY

  constructor(
    db: DatabaseSync,
    { inMemory = false, exactDepth = false }: { inMemory?: boolean; exactDepth?: boolean } = {},
  ) {
    this.#db = db
    this.#exactDepth = exactDepth
    this.#memory = inMemory ? new RowsInMemory() : null
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
    this.#settleChanged = db.prepare(`
      UPDATE url SET state = ?, reason = ?, tries = coalesce(?, tries), next_at = ?,
        depth = ?, in_links = ?, signals = ?, priority = ?
      WHERE id = ?`)
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

  /** The highest id on disk; 0 if there is none. */
  lastId(): number {
    return Number(this.#db.prepare('SELECT max(id) AS id FROM url').get()?.id ?? 0)
  }

  insert(row: NewUrl): void {
    const signals = packed(row.signals)
    this.#memory?.keep({ ...row, tries: 0 })
    if (this.#unwritten.length === 0) this.#firstUnwritten = row.id
    this.#unwritten.push(row.id, row.originId, row.url, row.state, row.reason, row.depth, row.hops)
    this.#unwritten.push(row.foundOn, row.via, row.foundAt, row.inLinks, signals, row.priority)
    if (this.#unwritten.length < ROWS_AT_ONCE * COLUMN_COUNT) return
    this.#insertMany.run(...this.#unwritten)
    this.#forget()
  }

  /** Writes the rows collected by `insert`. Call it before a transaction ends. */
  write(): void {
    const values = this.#unwritten
    for (let at = 0; at < values.length; at += COLUMN_COUNT) {
      this.#insertOne.run(...values.slice(at, at + COLUMN_COUNT))
    }
    this.#forget()
  }

  read(id: number): UrlRow {
    const known = this.#memory?.get(id)
    if (known !== undefined) return known
    this.#writeBefore(id)
    const row = decodeUrlRow(this.#read.get(id))
    this.#memory?.keep(row)
    return row
  }

  /** The best of an origin's queue as [id, priority], best first, by the facts on disk. */
  headOf(originId: number, limit: number): readonly (readonly [number, number])[] {
    if (this.#unwritten.length > 0) this.write()
    return this.#head.all(originId, limit) as unknown as [number, number][]
  }

  /** Queued rows of an origin whose facts differ from those on disk. */
  changedOf(originId: number): Iterable<UrlRow> {
    return this.#memory?.changedOf(originId) ?? []
  }

  isChanged(id: number): boolean {
    return this.#memory?.changed(id) !== undefined
  }

  /** `tries` null leaves the tries unchanged. */
  settle(
    id: number,
    state: StateNumber,
    options: { reason: string; tries: number | null; nextAt: number | null },
  ): void {
    this.#writeBefore(id)
    const { reason, tries, nextAt } = options
    const changed = this.#memory?.changed(id)
    if (changed === undefined) {
      this.#settle.run(state, reason, tries, nextAt, id)
    } else {
      this.#settleChanged.run(state, reason, tries, nextAt, ...columnsOf(changed), id)
      this.#memory?.written(changed)
    }
    this.#patch(id, tries === null ? { state, reason } : { state, reason, tries })
  }

  /** Sets the state of the row to `leased`. */
  mark(id: number, tries: number): void {
    this.#mark.run(tries, id)
    this.#patch(id, { state: LEASED, tries })
  }

  /** A marked lease had no result: its try is not counted. */
  unmark(id: number): void {
    this.#unmark.run(id)
    const tries = this.#memory?.get(id)?.tries ?? 1
    this.#patch(id, { state: QUEUED, tries: tries - 1 })
  }

  /** The time of its next try has come; false if the URL no longer waits for one. */
  wake(id: number): boolean {
    const woke = this.#wake.run(id).changes === 1
    if (woke) this.#patch(id, { state: QUEUED })
    return woke
  }

  /** A URL was checked again: it is now queued, or refused for another reason. */
  judge(row: Pick<NewUrl, 'id' | 'originId' | 'state' | 'reason' | 'depth' | 'priority'>): void {
    this.#writeBefore(row.id)
    const { id, originId, state, reason, depth, priority } = row
    const changed = this.#memory?.changed(id)
    if (changed !== undefined) {
      // Writes the other new facts with it, since the row may leave its origin.
      this.#facts.run(...columnsOf(changed), id)
      this.#memory?.written(changed)
    }
    this.#judge.run(originId, state, reason, depth, priority, id)
    this.#patch(id, { originId, state, reason, depth, priority })
  }

  /** Sets new facts of a URL and the score computed from them. */
  setFacts(id: number, facts: Facts): void {
    if (this.#memory !== null) {
      const row = this.read(id)
      const isNearer = facts.depth !== row.depth
      this.#memory.change(row, facts)
      // The path that made it nearer is not found again, so its depth must not be lost.
      if (!isNearer || !this.#exactDepth) return
      this.#memory.written(row)
    }
    this.#writeBefore(id)
    this.#facts.run(...columnsOf(facts), id)
  }

  /** Writes facts that are only in memory, if memory is full, or `all` of them at once. */
  writeBehind({ all = false }: { all?: boolean } = {}): void {
    const memory = this.#memory
    if (memory === null || (!all && !memory.isFull)) return
    this.write()
    for (const row of memory.takeChanged()) this.#facts.run(...columnsOf(row), row.id)
    if (memory.isFull) memory.turn()
  }

  /** Rows were changed without this table, so the rows in memory are dropped. */
  forgetRows(): void {
    this.#memory?.clear()
  }

  #patch(id: number, part: Partial<UrlRow>): void {
    const row = this.#memory?.get(id)
    if (row !== undefined) this.#memory?.keep({ ...row, ...part })
  }

  #writeBefore(id: number): void {
    if (id >= this.#firstUnwritten) this.write()
  }

  #forget(): void {
    this.#unwritten = []
    this.#firstUnwritten = Number.POSITIVE_INFINITY
  }
}
