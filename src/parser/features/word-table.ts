// A small fixed set of words with a number each, looked up by hash. Open addressing in typed arrays: a
// few thousand look-ups per page must cost next to nothing.

export class WordTable {
  readonly #keys: Int32Array
  readonly #values: Int32Array
  readonly #mask: number

  /** Of a word given twice the values are or-ed; a value of 0 is the same as not being there. */
  constructor(entries: Iterable<readonly [hash: number, value: number]>) {
    const list = [...entries]
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, 3 * list.length)))
    this.#keys = new Int32Array(size)
    this.#values = new Int32Array(size)
    this.#mask = size - 1
    for (const [hash, value] of list) this.#put(hash, value)
  }

  /** 0 when the word is not in the table. */
  get(hash: number): number {
    const keys = this.#keys
    const values = this.#values
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    while (values[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & this.#mask
    return values[slot] ?? 0
  }

  #put(hash: number, value: number): void {
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    while (this.#values[slot] !== 0 && this.#keys[slot] !== hash) slot = (slot + 1) & this.#mask
    this.#keys[slot] = hash
    this.#values[slot] = (this.#values[slot] ?? 0) | value
  }
}
