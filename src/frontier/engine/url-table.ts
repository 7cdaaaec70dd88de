// The rows of URLs. Where facts change often, rows are also kept in memory and new facts are written later
// (`writeBehind`), except for a new depth in a crawl where depths are exact.
import { CrawlerError } from '../../core/errors.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import type { Facts, Ranked, UrlRow, UrlRows } from './rows.ts'
import { DELAYED, LEASED, QUEUED, type StateNumber } from './states.ts'

/** Rows per generation. Two generations take some 25 MB at most. */
const MAX_ROWS = 32_768

type NewUrl = Omit<UrlRow, 'tries' | 'nextAt'>

export class UrlTable {
  readonly #rows: UrlRows
  readonly #memory: RowsInMemory | null
  readonly #exactDepth: boolean

  constructor(
    rows: UrlRows,
    { inMemory = false, exactDepth = false }: { inMemory?: boolean; exactDepth?: boolean } = {},
  ) {
    this.#rows = rows
    this.#exactDepth = exactDepth
    this.#memory = inMemory ? new RowsInMemory() : null
  }

  insert(url: NewUrl): void {
    const row = { ...url, tries: 0, nextAt: null }
    this.#rows.add(row)
    this.#memory?.keep(row)
  }

  read(id: number): UrlRow {
    const known = this.#memory?.get(id)
    if (known !== undefined) return known
    const row = this.#rows.get(id)
    if (row === undefined) throw new CrawlerError('store-damaged', `the row of URL ${id} is lost`)
    this.#memory?.keep(row)
    return row
  }

  /** The best of an origin's queue, best first, by the facts that are written. */
  headOf(originId: number, limit: number): readonly Ranked[] {
    return this.#rows.head(originId, limit)
  }

  /** Queued rows of an origin whose facts differ from those that are written. */
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
    { reason, tries, nextAt }: { reason: string; tries: number | null; nextAt: number | null },
  ): void {
    const fields = tries === null ? { state, reason, nextAt } : { state, reason, nextAt, tries }
    this.#update(id, fields)
  }

  /** Sets the state of the row to `leased`. */
  mark(id: number, tries: number): void {
    this.#rows.update(id, { state: LEASED, tries })
    this.#patch(id, { state: LEASED, tries })
  }

  /** A marked lease had no result: its try is not counted. */
  unmark(id: number): void {
    const tries = this.read(id).tries - 1
    this.#rows.update(id, { state: QUEUED, tries })
    this.#patch(id, { state: QUEUED, tries })
  }

  /** The time of its next try has come; false if the URL no longer waits for one. */
  wake(id: number): boolean {
    if (this.read(id).state !== DELAYED) return false
    this.#rows.update(id, { state: QUEUED, nextAt: null })
    this.#patch(id, { state: QUEUED, nextAt: null })
    return true
  }

  /** A URL was checked again: it is now queued, or refused for another reason. */
  judge(row: Pick<NewUrl, 'id' | 'originId' | 'state' | 'reason' | 'depth' | 'priority'>): void {
    const { id, originId, state, reason, depth, priority } = row
    this.#update(id, { originId, state, reason, depth, priority, nextAt: null })
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
    this.#rows.update(id, factsOf(facts))
  }

  /** Facts are only in memory. */
  get isBehind(): boolean {
    return this.#memory?.isBehind ?? false
  }

  /** Writes facts that are only in memory, if memory is full, or `all` of them at once. */
  writeBehind({ all = false }: { all?: boolean } = {}): void {
    const memory = this.#memory
    if (memory === null || (!all && !memory.isFull)) return
    for (const row of memory.takeChanged()) this.#rows.update(row.id, factsOf(row))
    if (memory.isFull) memory.turn()
  }

  /** Changes fields of a row, and writes new facts with them that are only in memory. */
  #update(id: number, fields: Partial<UrlRow>): void {
    const changed = this.#memory?.changed(id)
    if (changed === undefined) {
      this.#rows.update(id, fields)
    } else {
      this.#rows.update(id, { ...factsOf(changed), ...fields })
      this.#memory?.written(changed)
    }
    this.#patch(id, fields)
  }

  #patch(id: number, fields: Partial<UrlRow>): void {
    const row = this.#memory?.get(id)
    if (row !== undefined) this.#memory?.keep({ ...row, ...fields })
  }
}

function factsOf({ depth, inLinks, signals, priority }: Facts): Facts {
  return { depth, inLinks, signals, priority }
}

/** The facts of a row that an ordering weighs. */
export function candidateOf({ url, depth, foundAt, inLinks, signals }: UrlRow): Candidate {
  return { url, depth, foundAt, inLinks, signals }
}

/**
 * Rows of URLs whose facts change often. In such a crawl every link to a waiting URL changes its row, and a
 * change on disk takes some twenty microseconds. In memory it takes a tenth of one; changed rows are written
 * later, each once for many changes.
 */
export class RowsInMemory {
  /**
   * Rows that were not used since the last turn are in the old generation, and are dropped at the next turn.
   */
  #young = new Map<number, UrlRow>()
  #old = new Map<number, UrlRow>()
  readonly #changed = new Set<number>()
  /** The same by origin. */
  readonly #changedOf = new Map<number, Set<number>>()

  get isFull(): boolean {
    return this.#young.size > MAX_ROWS
  }

  get isBehind(): boolean {
    return this.#changed.size > 0
  }

  get(id: number): UrlRow | undefined {
    const young = this.#young.get(id)
    if (young !== undefined) return young
    const old = this.#old.get(id)
    if (old !== undefined) this.#young.set(id, old)
    return old
  }

  /** Keeps a row that equals the one on disk. */
  keep(row: UrlRow): void {
    this.#young.set(row.id, row)
  }

  /** From now on the row's facts differ from those on disk. Holders of the row see the new facts. */
  change(row: UrlRow, { depth, inLinks, signals, priority }: Facts): void {
    const live: { -readonly [Fact in keyof Facts]: Facts[Fact] } = row
    live.depth = depth
    live.inLinks = inLinks
    live.signals = signals
    live.priority = priority
    if (this.#changed.has(row.id)) return
    this.#changed.add(row.id)
    const others = this.#changedOf.get(row.originId)
    if (others) others.add(row.id)
    else this.#changedOf.set(row.originId, new Set([row.id]))
  }

  /** The row if its facts differ from those on disk; undefined if they are equal. */
  changed(id: number): UrlRow | undefined {
    return this.#changed.has(id) ? this.get(id) : undefined
  }

  /** The queued rows of an origin whose facts are not on disk. */
  *changedOf(originId: number): Generator<UrlRow> {
    for (const id of this.#changedOf.get(originId) ?? []) {
      const row = this.changed(id)
      if (row?.state === QUEUED) yield row
    }
  }

  /** The row is on disk now. */
  written({ id, originId }: UrlRow): void {
    this.#changed.delete(id)
    const others = this.#changedOf.get(originId)
    others?.delete(id)
    if (others?.size === 0) this.#changedOf.delete(originId)
  }

  /** All changed rows, in the order of the disk. From now on they count as written. */
  takeChanged(): UrlRow[] {
    const rows: UrlRow[] = []
    for (const id of this.#changed) {
      const row = this.get(id)
      if (row !== undefined) rows.push(row)
    }
    this.#changed.clear()
    this.#changedOf.clear()
    return rows.sort((a, b) => a.id - b.id)
  }

  /** Makes room. Call it only when no row differs from the disk. */
  turn(): void {
    this.#old = this.#young
    this.#young = new Map()
  }
}
