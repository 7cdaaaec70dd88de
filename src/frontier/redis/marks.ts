// Where URLs are that readers ask for and that are few: leased ones, and those given up as unreachable. Of each
// bucket of rows with some the bits of their positions.
import { LEASED, UNREACHABLE } from '../engine/states.ts'
import type { Row } from '../storage.ts'
import { BUCKET_ROWS } from './keys.ts'

const STATE_COLUMN = 3
const MASK_BYTES = 8

export class Marks {
  readonly #masks = new Map<number, bigint>()
  readonly #changed = new Set<number>()

  /** As kept: buckets with masks after them. */
  constructor(fields: readonly Buffer[] = []) {
    for (let at = 0; at + 1 < fields.length; at += 2) {
      this.#masks.set(Number(fields[at]?.toString()), fields[at + 1]?.readBigUInt64LE() ?? 0n)
    }
  }

  note(row: Row): void {
    const state = row[STATE_COLUMN]
    this.#set(Number(row[0]), state === LEASED || state === UNREACHABLE)
  }

  drop(id: number): void {
    this.#set(id, false)
  }

  /** Buckets whose masks changed since the last call, null where nothing is left. */
  takeChanged(): (readonly [bucket: number, mask: Buffer | null])[] {
    const changed = [...this.#changed].map((bucket) => {
      const mask = this.#masks.get(bucket)
      if (mask === undefined) return [bucket, null] as const
      const bytes = Buffer.alloc(MASK_BYTES)
      bytes.writeBigUInt64LE(mask)
      return [bucket, bytes] as const
    })
    this.#changed.clear()
    return changed
  }

  /** Buckets with marked rows, in order. */
  buckets(): number[] {
    return [...this.#masks.keys()].sort((a, b) => a - b)
  }

  has(id: number): boolean {
    const mask = this.#masks.get(Math.floor(id / BUCKET_ROWS)) ?? 0n
    return (mask & bitOf(id)) !== 0n
  }

  #set(id: number, isMarked: boolean): void {
    const bucket = Math.floor(id / BUCKET_ROWS)
    const before = this.#masks.get(bucket)
    // The most of all rows, by far.
    if (before === undefined && !isMarked) return
    const mask = isMarked ? (before ?? 0n) | bitOf(id) : (before ?? 0n) & ~bitOf(id)
    if (mask === before) return
    if (mask === 0n) this.#masks.delete(bucket)
    else this.#masks.set(bucket, mask)
    this.#changed.add(bucket)
  }
}

function bitOf(id: number): bigint {
  return 1n << BigInt(id % BUCKET_ROWS)
}
