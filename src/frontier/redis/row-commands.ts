// Changes of rows as commands.
import type { RedisArgument } from '../../db/redis.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { Row, TableChanges } from '../storage.ts'
import type { Command } from './commands.ts'
import { Directory } from './directory.ts'
import { BUCKET_ROWS, type KeptTable, keptTable } from './keys.ts'
import { KnownIds } from './known-ids.ts'
import { Marks } from './marks.ts'
import { RowPacker } from './row-bytes.ts'
import { indexCommands } from './url-index.ts'

type Placed = readonly [id: number, value: Buffer | '']

type RowCommandsOptions = {
  readonly gen: number
  readonly hashUrl: UrlHasher
  /** As the server has them. */
  readonly directory?: Directory
  readonly marks?: Marks
  /** URLs that the server certainly has. */
  readonly known?: KnownIds
}

/** Makes commands for one generation of rows. */
export class RowCommands {
  readonly known: KnownIds
  readonly #gen: number
  readonly #hashUrl: UrlHasher
  readonly #directory: Directory
  readonly #marks: Marks
  readonly #packer = new RowPacker()

  constructor({ gen, hashUrl, directory, marks, known }: RowCommandsOptions) {
    this.#gen = gen
    this.#hashUrl = hashUrl
    this.#directory = directory ?? new Directory()
    this.#marks = marks ?? new Marks()
    this.known = known ?? new KnownIds()
  }

  of(changes: TableChanges): Command[] {
    const kept = keptTable(changes.table)
    return kept.kind === 'list' ? this.#put(kept, changes) : this.#set(kept, changes)
  }

  /** These rows of `url` were loaded. */
  know(rows: readonly Row[]): void {
    for (const [id] of rows) this.known.note(Number(id), true)
  }

  /** The commands that were made are done, or perhaps not. */
  settle(isWritten: boolean): void {
    this.known.settle(isWritten)
  }

  #put(kept: KeptTable, { table, rows, dropped }: TableChanges): Command[] {
    const commands = table === 'url' ? this.#index(rows, dropped) : []
    const gone = dropped.map(([id]) => [Number(id), ''] as const)
    this.#putRuns(kept, gone, commands)
    const placed = rows.map((row) => [Number(row[0]), this.#packer.pack(row, 1)] as const)
    this.#putRuns(kept, placed, commands)
    return commands
  }

  /** Before the rows: it looks at which buckets are new. */
  #index(rows: readonly Row[], dropped: readonly Row[]): Command[] {
    const fresh = rows.filter(([id]) => !this.known.has(Number(id)))
    for (const [id] of fresh) this.known.note(Number(id))
    const context = { gen: this.#gen, hashUrl: this.#hashUrl, directory: this.#directory }
    return [...indexCommands(fresh, context), ...this.#mark(rows, dropped)]
  }

  /** Rows with consecutive ids in one go. */
  #putRuns(kept: KeptTable, placed: readonly Placed[], commands: Command[]): void {
    const sorted = isSorted(placed) ? placed : placed.toSorted(([a], [b]) => a - b)
    let [next, left] = [-1, 0]
    let args: RedisArgument[] = []
    for (const [id, value] of sorted) {
      if (id !== next || left === 0) {
        this.#note(kept, id, commands)
        args = [id % BUCKET_ROWS]
        left = BUCKET_ROWS - (id % BUCKET_ROWS)
        commands.push(['PUT', this.#bucketKey(kept, id), args])
      }
      args.push(value)
      next = id + 1
      left--
    }
  }

  #set(kept: KeptTable, { rows, dropped }: TableChanges): Command[] {
    const commands: Command[] = []
    const keyOf = (row: Row): string => {
      if (kept.kind === 'hash') return `${this.#gen}:${kept.code}`
      this.#note(kept, Number(row[0]), commands)
      return this.#bucketKey(kept, Number(row[0]))
    }
    for (const row of dropped) commands.push(['HDEL', keyOf(row), [this.#packer.pack(row)]])
    for (const row of rows) {
      const field = this.#packer.pack(row.slice(0, kept.key))
      commands.push(['HSET', keyOf(row), [field, this.#packer.pack(row, kept.key)]])
    }
    return commands
  }

  #mark(rows: readonly Row[], dropped: readonly Row[]): Command[] {
    for (const [id] of dropped) this.#marks.drop(Number(id))
    for (const row of rows) this.#marks.note(row)
    const key = `${this.#gen}:k`
    return this.#marks
      .takeChanged()
      .map(([bucket, mask]) =>
        mask === null ? ['HDEL', key, [bucket]] : ['HSET', key, [bucket, mask]],
      )
  }

  #note({ code }: KeptTable, id: number, commands: Command[]): void {
    const entry = this.#directory.note(code, Math.floor(id / BUCKET_ROWS))
    if (entry !== null) commands.push(['HSET', `${this.#gen}:x`, entry])
  }

  #bucketKey({ code }: KeptTable, id: number): string {
    return `${this.#gen}:${code}:${Math.floor(id / BUCKET_ROWS)}`
  }
}

function isSorted(placed: readonly Placed[]): boolean {
  for (let at = 1; at < placed.length; at++) {
    if ((placed[at - 1]?.[0] ?? 0) > (placed[at]?.[0] ?? 0)) return false
  }
  return true
}
