// Ids whose rows are written already: all up to the highest one, but those in gaps.

/** Ids further apart are not kept in mind. */
const MAX_GAP = 10_000

export class KnownIds {
  #highest = -1
  readonly #gaps = new Set<number>()
  /** Since the last batch was certainly written. */
  #noted: number[] = []

  has(id: number): boolean {
    return id <= this.#highest && !this.#gaps.has(id)
  }

  /** A row that was loaded, or one that is being written. */
  note(id: number, isWritten = false): void {
    if (id > this.#highest + MAX_GAP || this.has(id)) return
    for (let gap = this.#highest + 1; gap < id; gap++) this.#gaps.add(gap)
    this.#highest = Math.max(id, this.#highest)
    this.#gaps.delete(id)
    if (!isWritten) this.#noted.push(id)
  }

  /** The noted ids were written, or it is unknown whether they were. */
  settle(isWritten: boolean): void {
    if (!isWritten) for (const id of this.#noted) this.#gaps.add(id)
    this.#noted = []
  }
}
