// Rows of URLs whose facts change often, in memory. In such a crawl every link to a waiting URL changes its
// row, and a change on disk takes some twenty microseconds. In memory it takes a tenth of one; changed rows
// are written later, each once for many changes.
import type { Facts, UrlRow } from './rows.ts'
import { QUEUED } from './states.ts'

/** Rows per generation. Two generations take some 25 MB at most. */
const MAX_ROWS = 32_768

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

  clear(): void {
    this.turn()
    this.turn()
  }
}
