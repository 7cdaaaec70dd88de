// Maps 64-bit keys to positive 32-bit numbers, in typed arrays: 12 bytes per slot, where a Map of strings
// takes a hundred and more. Open addressing with linear probing; it grows by doubling and never forgets. Keys
// must already be well mixed (hashes): their low half selects the slot.

const LANES = 3
const MIN_SLOTS = 1024
/** With a higher load, probes get long. */
const MAX_LOAD = 0.75

export class SeenSet {
  /** Per slot: high half, low half, number; number 0 marks a free slot. */
  #slots: Uint32Array
  #mask: number
  #limit: number
  #size = 0

  constructor(expected = 0) {
    let slots = MIN_SLOTS
    while (slots * MAX_LOAD < expected) slots *= 2
    this.#slots = new Uint32Array(slots * LANES)
    this.#mask = slots - 1
    this.#limit = Math.floor(slots * MAX_LOAD)
  }

  get size(): number {
    return this.#size
  }

  /** The number of a key; 0 if there is none. */
  get(hi: number, lo: number): number {
    return this.#slots[this.#find(hi, lo) + 2] ?? 0
  }

  /** Stores `number` under a new key and returns 0; otherwise returns the existing number. */
  claim(hi: number, lo: number, number: number): number {
    if (this.#size >= this.#limit) this.#grow()
    const at = this.#find(hi, lo)
    const known = this.#slots[at + 2] ?? 0
    if (known !== 0) return known
    this.#slots[at] = hi
    this.#slots[at + 1] = lo
    this.#slots[at + 2] = number
    this.#size += 1
    return 0
  }

  /** The slot of a key, or the slot where it would be stored. */
  #find(hi: number, lo: number): number {
    const slots = this.#slots
    const mask = this.#mask
    let slot = lo & mask
    for (;;) {
      const at = slot * LANES
      if (slots[at + 2] === 0 || (slots[at + 1] === lo && slots[at] === hi)) return at
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    const old = this.#slots
    const slots = (this.#mask + 1) * 2
    this.#slots = new Uint32Array(slots * LANES)
    this.#mask = slots - 1
    this.#limit = Math.floor(slots * MAX_LOAD)
    for (let from = 0; from < old.length; from += LANES) {
      if (old[from + 2] === 0) continue
      const at = this.#find(old[from] ?? 0, old[from + 1] ?? 0)
      // Copied by hand: a subarray per entry would create millions of objects.
      for (let lane = 0; lane < LANES; lane += 1) this.#slots[at + lane] = old[from + lane] ?? 0
    }
  }
}
