// The columns of pages as they were read from the server. All of them are read: nearly every search needs most.
import type { Queries, Row } from '../../db/postgres.ts'
import { ChangedColumns } from '../segments/doc-columns.ts'
import { bytesOf } from './segment-rows.ts'

export class FetchedColumns extends ChangedColumns {
  /** What was read and not asked for yet. */
  readonly #bytes: Map<number, Uint8Array>

  /** `before`: an earlier state, of which only what changed is read again. It must not be changed any more. */
  constructor(before: FetchedColumns | null = null) {
    const all = new Map(before === null ? [] : before.#bytes)
    super({ column: (key) => takenOut(all, key) })
    this.#bytes = all
    if (before !== null) this.share(before)
  }

  /** Reads what was written after a batch. */
  async read(sql: Queries, after: number): Promise<void> {
    const rows = await sql.unsafe<Row[]>(CHANGED, [String(after)])
    this.forget(rows.map(({ key }) => Number(key)))
    for (const { key, bytes } of rows) this.#bytes.set(Number(key), bytesOf(bytes))
  }
}

function takenOut(all: Map<number, Uint8Array>, key: number): Uint8Array | null {
  const bytes = all.get(key) ?? null
  all.delete(key)
  return bytes
}

const CHANGED = 'SELECT key, bytes FROM search.page_columns WHERE changed > $1::bigint'
