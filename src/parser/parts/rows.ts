// What rows of parts have in common: they are arrays, and what says nothing at their end is left
// out, because a page has hundreds of them. core/part-columns.ts names what stands where.

export type Cells = readonly (string | number | null)[]

/** The row without the nulls at its end, but with at least `atLeast` entries. */
export function withoutEmptyEnd(row: Cells, atLeast: number): Cells {
  let length = row.length
  while (length > atLeast && row[length - 1] === null) length--
  return length === row.length ? row : row.slice(0, length)
}
