// Segments in a database that answers later. A reader of segments does not wait: whoever asks for something that is not at
// hand gets `NotReadYet`, which says what it is, reads it, and asks again.
import { pieceKey, type SegmentSource, type StoredBlock } from './segment-reader.ts'

const KEPT_BYTES = 64 * 1024 * 1024
const KEPT_BLOCKS = 20_000

/** What a reader needs. */
export type Want =
  | { readonly of: 'block'; readonly segment: number; readonly key: Uint8Array }
  | {
      readonly of: 'blocks after'
      readonly segment: number
      readonly key: Uint8Array
      readonly limit: number
    }
  | {
      readonly of: 'pieces'
      readonly segment: number
      readonly first: number
      readonly last: number
    }
  | { readonly of: 'numbers of pages'; readonly ids: readonly number[] }

export class NotReadYet extends Error {
  readonly want: Want

  constructor(want: Want) {
    super('this was not read from the database yet')
    this.want = want
  }
}

/** Asks again until everything that `work` needs was read. */
export async function whenRead<T>(
  work: () => T | Promise<T>,
  read: (wants: readonly Want[]) => Promise<void>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NotReadYet)) throw error
      await read([error.want])
    }
  }
}

/** Does all of this, and reads what they need together. */
export async function allWhenRead(
  tasks: readonly (() => void)[],
  read: (wants: readonly Want[]) => Promise<void>,
): Promise<void> {
  for (let left = tasks; left.length > 0; ) {
    const wants: Want[] = []
    left = left.filter((task) => {
      const want = wantOf(task)
      if (want !== null) wants.push(want)
      return want !== null
    })
    if (wants.length > 0) await read(wants)
  }
}

function wantOf(task: () => void): Want | null {
  try {
    task()
    return null
  } catch (error) {
    if (error instanceof NotReadYet) return error.want
    throw error
  }
}

/** Segments never change, so what was read stays valid. */
export class AwaitedSegments implements SegmentSource {
  readonly #pieces = new Map<number, Uint8Array | null>()
  /** By segment and key: the block that may have it, and the next one after it. */
  readonly #blocks = new Map<string, StoredBlock | null>()
  readonly #next = new Map<string, StoredBlock | null>()
  readonly #keptBytes: number
  #bytes = 0
  /** Searches that are not over. */
  #running = 0

  constructor({ keptBytes = KEPT_BYTES } = {}) {
    this.#keptBytes = keptBytes
  }

  piece(segment: number, nth: number): Uint8Array | null {
    const piece = this.#pieces.get(pieceKey(segment, nth))
    if (piece !== undefined) return piece
    throw new NotReadYet({ of: 'pieces', segment, first: nth, last: nth })
  }

  expect(segment: number, first: number, last: number): void {
    for (let nth = first; nth <= last; nth++) {
      if (this.#pieces.has(pieceKey(segment, nth))) continue
      throw new NotReadYet({ of: 'pieces', segment, first: nth, last })
    }
  }

  blockAt(segment: number, key: Uint8Array): StoredBlock | null {
    const block = this.#blocks.get(nameOf(segment, key))
    if (block === undefined) throw new NotReadYet({ of: 'block', segment, key })
    return block
  }

  blocksAfter(segment: number, key: Uint8Array, limit: number): readonly StoredBlock[] {
    const blocks: StoredBlock[] = []
    for (let last = key; blocks.length < limit; ) {
      const next = this.#next.get(nameOf(segment, last))
      if (next === undefined && blocks.length === 0) {
        throw new NotReadYet({ of: 'blocks after', segment, key, limit })
      }
      if (next === undefined || next === null) break
      blocks.push(next)
      last = next.key
    }
    return blocks
  }

  /**
   * A search begins; its end disposes of this. Nothing is forgotten while one runs: it would read the same again, and
   * never come to its end while others begin.
   */
  begin(): Disposable {
    if (this.#running === 0) this.trim()
    this.#running++
    return {
      [Symbol.dispose]: () => {
        this.#running--
      },
    }
  }

  /** What is needed least is forgotten. */
  trim(): void {
    for (const [key, piece] of this.#pieces) {
      if (this.#bytes <= this.#keptBytes) break
      this.#pieces.delete(key)
      this.#bytes -= piece?.length ?? 0
    }
    if (this.#blocks.size > KEPT_BLOCKS) this.#blocks.clear()
    if (this.#next.size > KEPT_BLOCKS) this.#next.clear()
  }

  /** Keeps a piece that was read or written; null: there is none. */
  put(segment: number, nth: number, piece: Uint8Array | null): void {
    const key = pieceKey(segment, nth)
    this.#bytes += (piece?.length ?? 0) - (this.#pieces.get(key)?.length ?? 0)
    this.#pieces.set(key, piece)
  }

  /** Keeps the block that may have a term. */
  putBlock(segment: number, key: Uint8Array, block: StoredBlock | null): void {
    this.#blocks.set(nameOf(segment, key), block)
  }

  /** Keeps the blocks that follow a key, in order. */
  putNext(segment: number, key: Uint8Array, blocks: readonly StoredBlock[], isEnd: boolean): void {
    let last = key
    for (const block of blocks) {
      this.#next.set(nameOf(segment, last), block)
      last = block.key
    }
    if (isEnd) this.#next.set(nameOf(segment, last), null)
  }

  /** Keeps all blocks of a segment, in order. */
  putBlocks(segment: number, blocks: readonly StoredBlock[]): void {
    this.putBlock(segment, NOTHING, null)
    this.putNext(segment, NOTHING, blocks, true)
  }

  has(segment: number, nth: number): boolean {
    return this.#pieces.has(pieceKey(segment, nth))
  }
}

function nameOf(segment: number, key: Uint8Array): string {
  return `${segment} ${Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')}`
}

const NOTHING = new Uint8Array(0)
