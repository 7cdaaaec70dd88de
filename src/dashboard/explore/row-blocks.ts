// The rows of a long table, fetched in blocks when they are looked at. Blocks that were not seen for
// long are dropped, so memory does not grow with the table. However fast the reader scrolls, only a few
// requests are under way, and the next one is for what is seen then, not for what flew by.

/** A row: there, on its way (undefined), or gone from the store (null). */
export type RowState<Row> = Row | null | undefined

type RowBlocksOptions<Row> = {
  readonly ids: readonly number[]
  /** Rows by id, in any order; null when they could not be had. */
  readonly fetchRows: (ids: readonly number[]) => Promise<readonly Row[] | null>
  /** Something came, or failed. */
  readonly changed: () => void
  readonly blockSize?: number
  readonly maxBlocks?: number
}

const AT_ONCE = 2

export class RowBlocks<Row extends { readonly id: number }> {
  readonly #options: RowBlocksOptions<Row>
  readonly #blockSize: number
  readonly #maxBlocks: number
  /** By number of block, the one that was seen longest ago first. */
  readonly #blocks = new Map<number, ReadonlyMap<number, Row>>()
  readonly #loading = new Set<number>()
  readonly #failed = new Set<number>()
  #wanted: readonly number[] = []

  constructor(options: RowBlocksOptions<Row>) {
    this.#options = options
    this.#blockSize = options.blockSize ?? 100
    this.#maxBlocks = options.maxBlocks ?? 40
  }

  get length(): number {
    return this.#options.ids.length
  }

  /** Blocks that are kept. */
  get kept(): number {
    return this.#blocks.size
  }

  /** Some of the rows that are wanted could not be had. */
  get failed(): boolean {
    return this.#wanted.some((block) => this.#failed.has(block))
  }

  id(at: number): number | null {
    return this.#options.ids[at] ?? null
  }

  row(at: number): RowState<Row> {
    const block = this.#blocks.get(Math.floor(at / this.#blockSize))
    const id = this.id(at)
    return block === undefined || id === null ? undefined : (block.get(id) ?? null)
  }

  /** Sees to it that these rows come. */
  want(first: number, end: number): void {
    const from = Math.floor(first / this.#blockSize)
    const to = Math.ceil(Math.min(end, this.length) / this.#blockSize)
    this.#wanted = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
    for (const block of this.#wanted) this.#touch(block)
    this.#fetchNext()
  }

  /** Tries again what failed. */
  retry(): void {
    this.#failed.clear()
    this.#fetchNext()
  }

  #touch(number: number): void {
    const block = this.#blocks.get(number)
    if (block === undefined) return
    this.#blocks.delete(number)
    this.#blocks.set(number, block)
  }

  #fetchNext(): void {
    for (const block of this.#wanted) {
      if (this.#loading.size >= AT_ONCE) return
      const isThere = this.#blocks.has(block) || this.#loading.has(block) || this.#failed.has(block)
      if (!isThere) void this.#fetch(block)
    }
  }

  async #fetch(number: number): Promise<void> {
    this.#loading.add(number)
    const from = number * this.#blockSize
    const ids = this.#options.ids.slice(from, from + this.#blockSize)
    const rows = await this.#options.fetchRows(ids).catch(() => null)
    this.#loading.delete(number)
    if (rows === null) this.#failed.add(number)
    else this.#keep(number, rows)
    this.#fetchNext()
    this.#options.changed()
  }

  #keep(number: number, rows: readonly Row[]): void {
    this.#blocks.set(number, new Map(rows.map((row) => [row.id, row])))
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#maxBlocks) return
      if (!this.#wanted.includes(oldest)) this.#blocks.delete(oldest)
    }
  }
}

/** Rows from `first` up to, not including, `end`. */
type RowWindow = { readonly first: number; readonly end: number }

export type TableView = {
  readonly scrollTop: number
  /** What is seen of the rows, without the header. */
  readonly viewHeight: number
  readonly rowHeight: number
  readonly rows: number
}

/** Rows kept beyond the edges, so that a quick scroll shows no gap. */
const SPARE = 8

/**
 * Which rows of a long table are in the document. All rows are equally high, so where a row is follows from
 * its number, and a table of 100,000 costs as much as one of fifty.
 */
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
