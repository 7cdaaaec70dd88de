// What rows of parts have in common: they are arrays, and what says nothing at their end is left
// out, because a page has hundreds of them.

/** The row without the nulls at its end, but with at least `atLeast` entries. */
export function withoutEmptyEnd<Row extends readonly unknown[]>(row: Row, atLeast: number): Row {
  let length = row.length
  while (length > atLeast && row[length - 1] === null) length--
  // The entries that are left out are those that the row's type calls optional.
  return length === row.length ? row : (row.slice(0, length) as unknown as Row)
}
