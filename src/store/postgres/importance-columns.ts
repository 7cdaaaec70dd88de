// The importance of the pages of a crawl, held until it is written: 48 bytes for each.
import type { PageImportance } from '../importance-store.ts'

const PAGES_AT_ONCE = 10_000

/** In the order of the query that writes them. */
const COLUMNS: readonly ((page: PageImportance) => number)[] = [
  ({ pageId }) => pageId,
  ({ similarity }) => similarity ?? Number.NaN,
  ({ backlinks }) => backlinks,
  ({ pagerank }) => pagerank,
  ({ location }) => location,
  ({ importance }) => importance,
]

export class ImportanceColumns {
  /** Of so many pages each: their columns. */
  readonly #parts: Float64Array[][] = []
  #length = 0

  constructor(pages: Iterable<PageImportance>) {
    for (const page of pages) {
      const at = this.#length++ % PAGES_AT_ONCE
      if (at === 0) this.#parts.push(COLUMNS.map(() => new Float64Array(PAGES_AT_ONCE)))
      const part = this.#parts.at(-1) ?? []
      for (const [nth, column] of part.entries()) column[at] = COLUMNS[nth]?.(page) ?? 0
    }
  }

  get length(): number {
    return this.#length
  }

  /** Part by part each column as an array of PostgreSQL; what is no number is NULL there. */
  *parts(): Generator<string[]> {
    for (const [nth, part] of this.#parts.entries()) {
      const rows = Math.min(PAGES_AT_ONCE, this.#length - nth * PAGES_AT_ONCE)
      yield part.map((column) => arrayOf(column.subarray(0, rows)))
    }
  }
}

function arrayOf(numbers: Float64Array): string {
  return `{${Array.from(numbers, (number) => (Number.isNaN(number) ? 'NULL' : number)).join(',')}}`
}
