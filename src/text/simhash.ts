// A 64-bit fingerprint that differs in few bits where texts differ in little (Charikar). Two
// numbers of 32 bits: as one BigInt the distance of two fingerprints takes fifty times as long.
// parser/likeness.ts asks something else, whether two pages are equal but for their digits.
import type { Hash64 } from '../lib/url-hash.ts'
import { eachShingle } from './shingles.ts'

const NIBBLES = 16
/** Shingles until a count of 8 bits could overflow. */
const FLUSH = 255

/** The bits of a nibble, each in a byte of its own: four counts go up in one addition. */
const SPREAD = Int32Array.from(
  { length: 16 },
  (_, nibble) => (nibble & 1) | ((nibble & 2) << 7) | ((nibble & 4) << 14) | ((nibble & 8) << 21),
)

/** The fingerprint of a text's shingles; both numbers 0 for a text without words. */
export function simhash(text: string): Hash64 {
  const tally = new BitTally()
  eachShingle(text, (hi, lo) => tally.add(hi, lo))
  return tally.majority()
}

/** How many of the 64 bits differ. */
export function hammingDistance(a: Hash64, b: Hash64): number {
  return onesIn(a.hi ^ b.hi) + onesIn(a.lo ^ b.lo)
}

/** How often each of 64 bits was set. */
class BitTally {
  readonly #packed = new Int32Array(NIBBLES)
  readonly #ones = new Int32Array(64)
  #pending = 0
  #total = 0

  add(hi: number, lo: number): void {
    const packed = this.#packed
    for (let at = 0; at < 8; at++) {
      const shift = at << 2
      packed[at] = (packed[at] ?? 0) + (SPREAD[(lo >>> shift) & 15] ?? 0)
      packed[at + 8] = (packed[at + 8] ?? 0) + (SPREAD[(hi >>> shift) & 15] ?? 0)
    }
    this.#total++
    if (++this.#pending === FLUSH) this.#flush()
  }

  /** Each bit as most of the shingles have it. */
  majority(): Hash64 {
    this.#flush()
    return { hi: this.#laneFrom(32), lo: this.#laneFrom(0) }
  }

  #laneFrom(start: number): number {
    let lane = 0
    for (let bit = 0; bit < 32; bit++) {
      if ((this.#ones[start + bit] ?? 0) * 2 > this.#total) lane |= 1 << bit
    }
    return lane >>> 0
  }

  #flush(): void {
    for (let bit = 0; bit < 64; bit++) {
      const count = ((this.#packed[bit >> 2] ?? 0) >>> ((bit & 3) << 3)) & 0xff
      this.#ones[bit] = (this.#ones[bit] ?? 0) + count
    }
    this.#packed.fill(0)
    this.#pending = 0
  }
}

/** Bits set in a 32-bit number, counted in pairs, nibbles and bytes at once. */
function onesIn(lane: number): number {
  let bits = lane - ((lane >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
