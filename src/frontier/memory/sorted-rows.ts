// Rows in order, in chunks of a bounded size: a row is found by two binary searches, and is put in or taken
// out by moving a few hundred others at most.

const CHUNK = 512

/** Returns a negative number if `a` comes before `b`. No two rows are equal. */
type Order<R> = (a: R, b: R) => number

export class SortedRows<R> {
  readonly #order: Order<R>
  /** None is empty. */
  readonly #chunks: R[][] = []

  constructor(order: Order<R>) {
    this.#order = order
  }

  add(row: R): void {
    // After the last chunk that begins before the row.
    const at = Math.max(0, this.#chunkAfter(row) - 1)
    const chunk = this.#chunks[at]
    if (chunk === undefined) {
      this.#chunks.push([row])
      return
    }
    chunk.splice(this.#placeIn(chunk, row), 0, row)
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2))
  }

  /** Removes the row that is equal in order. */
  remove(row: R): void {
    const at = this.#chunkAfter(row) - 1
    const chunk = this.#chunks[at]
    if (chunk === undefined) return
    const place = this.#placeIn(chunk, row) - 1
    const found = chunk[place]
    if (found === undefined || this.#order(found, row) !== 0) return
    chunk.splice(place, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  first(limit: number): R[] {
    const rows: R[] = []
    for (const chunk of this.#chunks) {
      for (const row of chunk) {
        if (rows.length >= limit) return rows
        rows.push(row)
      }
    }
    return rows
  }

  /** The index of the first chunk that begins after the row. */
  #chunkAfter(row: R): number {
    let [low, high] = [0, this.#chunks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const first = this.#chunks[middle]?.[0]
      if (first !== undefined && this.#order(first, row) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The index of the first row of a chunk that comes after the row. */
  #placeIn(chunk: readonly R[], row: R): number {
    let [low, high] = [0, chunk.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = chunk[middle]
      if (other !== undefined && this.#order(other, row) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
