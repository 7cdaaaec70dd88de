// A growing list of whole numbers from 0 to 2³² − 1: four bytes each, and growing copies nothing.

const BITS = 18
const CHUNK = 2 ** BITS
const REST = CHUNK - 1

export class NumberList {
  readonly #chunks: Uint32Array[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  /** 0 beyond the end. */
  at(place: number): number {
    return this.#chunks[place >>> BITS]?.[place & REST] ?? 0
  }

  /** Returns its index. */
  push(value: number): number {
    const place = this.#length++
    if ((place & REST) === 0) this.#chunks.push(new Uint32Array(place === 0 ? 1024 : CHUNK))
    else if (place === this.#chunks[0]?.length) this.#growFirst()
    this.set(place, value)
    return place
  }

  /** Only for existing indexes. */
  set(place: number, value: number): void {
    const chunk = this.#chunks[place >>> BITS]
    if (chunk !== undefined) chunk[place & REST] = value
  }

  /** Most lists are short: the first chunk starts small. */
  #growFirst(): void {
    const [first] = this.#chunks
    if (first === undefined || first.length === CHUNK) return
    const larger = new Uint32Array(Math.min(CHUNK, first.length * 8))
    larger.set(first)
    this.#chunks[0] = larger
  }
}
