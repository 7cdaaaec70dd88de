// What rows of parts have in common: they are arrays, and what says nothing at their end is left
// out, because a page has hundreds of them. core/part-columns.ts names what stands where.

export type Cells = readonly (string | number | null)[]

/** The row without the nulls at its end, but with at least `atLeast` entries. */
export function withoutEmptyEnd(row: Cells, atLeast: number): Cells {
  let length = row.length
  while (length > atLeast && row[length - 1] === null) length--
  return length === row.length ? row : row.slice(0, length)
}

/** Of one part of a page, in characters: behind a long `<base>` even short addresses are long. */
const MAX_ADDRESSES = 1 << 20

/** What is left of a part's room for addresses. */
export class AddressRoom {
  #left: number

  constructor(characters = MAX_ADDRESSES) {
    this.#left = characters
  }

  /** Takes room for an address; false when there is not enough. */
  take(address: string | null): boolean {
    if (address !== null) this.#left -= address.length
    return this.#left >= 0
  }
}
