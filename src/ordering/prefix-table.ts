// What was seen at places of the web, in a table of fixed size: how much relevance was observed at a
// place and how much was expected. Places are 32-bit numbers. Where too many want the same few
// slots, the one that least is known of makes room.

/** Slots among which a place may be; read one after the other. */
const REACH = 4
const BYTES_PER_PLACE = 12

export class PrefixTable {
  /** 0: empty. */
  readonly #places: Uint32Array
  readonly #observed: Float32Array
  readonly #expected: Float32Array
  /** The slots that are not empty: few of them in most crawls, and all are read to save them. */
  readonly #used: number[] = []
  readonly #mask: number

  /** Room for 2 ** bits places; 12 bytes each. */
  constructor(bits: number) {
    const size = 2 ** bits
    this.#places = new Uint32Array(size)
    this.#observed = new Float32Array(size)
    this.#expected = new Float32Array(size)
    this.#mask = size - 1
  }

  /** The logarithm of observed to expected, both with `prior` added; 0 where nothing was seen. */
  logRatio(place: number, prior: number): number {
    const slot = this.#find(place)
    if (slot < 0) return 0
    return Math.log(((this.#observed[slot] ?? 0) + prior) / ((this.#expected[slot] ?? 0) + prior))
  }

  /** Observed for each expected, to which `prior` is added; 0 where nothing was seen. */
  rate(place: number, prior: number): number {
    const slot = this.#find(place)
    return slot < 0 ? 0 : (this.#observed[slot] ?? 0) / ((this.#expected[slot] ?? 0) + prior)
  }

  learn(place: number, observed: number, expected: number): void {
    const slot = this.#claim(place)
    this.#observed[slot] = (this.#observed[slot] ?? 0) + observed
    this.#expected[slot] = (this.#expected[slot] ?? 0) + expected
  }

  observed(place: number): number {
    return this.#observed[this.#find(place)] ?? 0
  }

  expected(place: number): number {
    return this.#expected[this.#find(place)] ?? 0
  }

  /** The places in use, 12 bytes each: place, observed, expected. */
  save(): Uint8Array {
    const bytes = new Uint8Array(this.#used.length * BYTES_PER_PLACE)
    const view = new DataView(bytes.buffer)
    let at = 0
    for (const slot of Uint32Array.from(this.#used).sort()) {
      view.setUint32(at, this.#places[slot] ?? 0)
      view.setFloat32(at + 4, this.#observed[slot] ?? 0)
      view.setFloat32(at + 8, this.#expected[slot] ?? 0)
      at += BYTES_PER_PLACE
    }
    return bytes
  }

  /** Adds what `save` gave; leaves out what it cannot have given. */
  load(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at + BYTES_PER_PLACE <= bytes.byteLength; at += BYTES_PER_PLACE) {
      const [place, observed, expected] = [
        view.getUint32(at),
        view.getFloat32(at + 4),
        view.getFloat32(at + 8),
      ]
      if (place === 0 || !(observed >= 0) || !(expected >= 0)) continue
      if (Number.isFinite(observed) && Number.isFinite(expected)) {
        this.learn(place, observed, expected)
      }
    }
  }

  #find(place: number): number {
    for (let step = 0; step < REACH; step++) {
      const slot = (place + step) & this.#mask
      if (this.#places[slot] === place) return slot
    }
    return -1
  }

  /** The slot of a place, new and empty if it had none. */
  #claim(place: number): number {
    const found = this.#find(place)
    if (found >= 0) return found
    let slot = place & this.#mask
    for (let step = 0; step < REACH; step++) {
      const other = (place + step) & this.#mask
      if (this.#weight(other) < this.#weight(slot)) slot = other
    }
    if (this.#places[slot] === 0) this.#used.push(slot)
    this.#places[slot] = place
    this.#observed[slot] = 0
    this.#expected[slot] = 0
    return slot
  }

  /** How much is known of a place: much that nobody expected tells as much as its absence. */
  #weight(slot: number): number {
    if (this.#places[slot] === 0) return -1
    return (this.#observed[slot] ?? 0) + (this.#expected[slot] ?? 0)
  }
}
