// Looking around in what was crawled: a table over all pages, one page in full, maps, search. This
// folder has what the views stand on: plain functions that know no document, and the few components
// that only these views use.
//
// Here: which rows of a long table are in the document. All rows are equally high, so where a row
// is follows from its number, and a table of 100,000 costs as much as one of fifty.

/** Rows from `first` up to, not including, `end`. */
export type RowWindow = { readonly first: number; readonly end: number }

export type TableView = {
  readonly scrollTop: number
  /** What is seen of the rows, without the header. */
  readonly viewHeight: number
  readonly rowHeight: number
  readonly rows: number
}

/** Rows kept beyond the edges, so that a quick scroll shows no gap. */
const SPARE = 8

export function rowWindow({ scrollTop, viewHeight, rowHeight, rows }: TableView): RowWindow {
  const top = Math.max(0, Math.floor(scrollTop / rowHeight) - SPARE)
  const first = Math.min(top, Math.max(0, rows - 1))
  const end = Math.ceil((scrollTop + viewHeight) / rowHeight) + SPARE
  return { first, end: Math.max(first, Math.min(rows, end)) }
}

/** Rows that are seen whole; at least one. */
export function rowsPerView({ viewHeight, rowHeight }: TableView): number {
  return Math.max(1, Math.floor(viewHeight / rowHeight))
}

/** Where to scroll so that the row is seen whole; where it is now when it already is. */
export function scrollTopFor(row: number, view: TableView): number {
  const top = row * view.rowHeight
  const bottom = top + view.rowHeight
  if (top < view.scrollTop) return top
  if (bottom > view.scrollTop + view.viewHeight) return bottom - view.viewHeight
  return view.scrollTop
}

const STEPS: Readonly<Record<string, (perView: number) => number>> = {
  ArrowUp: () => -1,
  ArrowDown: () => 1,
  PageUp: (perView) => -perView,
  PageDown: (perView) => perView,
  Home: () => Number.NEGATIVE_INFINITY,
  End: () => Number.POSITIVE_INFINITY,
}

/** The row that a key leads to; null when the key is none of these, or there is no row. */
export function rowAfterKey(key: string, row: number, view: TableView): number | null {
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined
  if (step === undefined || view.rows === 0) return null
  return Math.min(view.rows - 1, Math.max(0, row + step(rowsPerView(view))))
}
