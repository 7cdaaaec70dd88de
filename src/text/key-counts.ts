// How often keys were seen, in typed arrays: keys are whole numbers of up to 53 bits, as text-blocks.ts
// makes them.
import { mixed } from './hash-text.ts'

const SEEN_AT_MOST = 65_535
/** Twelve bytes a place; of these three quarters are used. */
const MAX_PLACES = 1 << 21
const FIRST_PLACES = 1 << 12
/** Keys with equal low bits are common where counts are: other bits choose the place. */
const ROUNDS = [0x9e3779b1, 0xc2b2ae3d, 0x27d4eb2f] as const

/** A bound from above, in a size that is given: keys share places, so it may be more than it was. */
export class KeySketch {
  readonly #counts: Uint16Array
  readonly #mask: number

  /** `keys`: about how many different ones there will be. At most 128 megabytes. */
  constructor(keys: number) {
    const bits = Math.min(26, Math.max(16, Math.ceil(Math.log2(keys + 1)) + 1))
    this.#counts = new Uint16Array(2 ** bits)
    this.#mask = 2 ** bits - 1
  }

  add(key: number): void {
    const next = this.atMost(key) + 1
    if (next > SEEN_AT_MOST) return
    for (const round of ROUNDS) {
      const place = this.#place(key, round)
      // Only what is below has to grow: what is above counts another key, too.
      if ((this.#counts[place] ?? 0) < next) this.#counts[place] = next
    }
  }

  atMost(key: number): number {
    let least = SEEN_AT_MOST
    for (const round of ROUNDS) {
      least = Math.min(least, this.#counts[this.#place(key, round)] ?? 0)
    }
    return least
  }

  #place(key: number, round: number): number {
    return mixed(Math.imul(hashed(key), round)) & this.#mask
  }
}

/** Exact, for a few of the keys; over a million and a half, further ones are not counted at all. */
export class KeyCounts {
  #keys = new Float64Array(FIRST_PLACES)
  #counts = new Uint32Array(FIRST_PLACES)
  #used = 0

  add(key: number): void {
    let place = this.#placeOf(key)
    if ((this.#counts[place] ?? 0) === 0) {
      if (4 * (this.#used + 1) > 3 * this.#keys.length && !this.#grow()) return
      place = this.#placeOf(key)
      this.#keys[place] = key
      this.#used++
    }
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
  }

  count(key: number): number {
    return this.#counts[this.#placeOf(key)] ?? 0
  }

  /** Where the key is, or would be. */
  #placeOf(key: number): number {
    const mask = this.#keys.length - 1
    let place = mixed(hashed(key)) & mask
    while ((this.#counts[place] ?? 0) > 0 && this.#keys[place] !== key) place = (place + 1) & mask
    return place
  }

  #grow(): boolean {
    if (this.#keys.length >= MAX_PLACES) return false
    const [keys, counts] = [this.#keys, this.#counts]
    this.#keys = new Float64Array(2 * keys.length)
    this.#counts = new Uint32Array(2 * keys.length)
    for (const [at, key] of keys.entries()) {
      const count = counts[at] ?? 0
      if (count === 0) continue
      const place = this.#placeOf(key)
      this.#keys[place] = key
      this.#counts[place] = count
    }
    return true
  }
}

function hashed(key: number): number {
  return Math.imul(Math.floor(key / 0x100000000), 0x85ebca77) ^ (key | 0)
}
