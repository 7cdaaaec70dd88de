// 64-bit keyed hashes of URLs as two 32-bit halves. No BigInt leaves this function.
import { randomInt } from 'node:crypto'
import xxhash from 'xxhash-wasm'

type Hash64 = { readonly hi: number; readonly lo: number }
export type UrlHasher = (url: string) => Hash64

const { h64 } = await xxhash()
const wide = new BigUint64Array(1)
const lanes = new Uint32Array(wide.buffer)

/** A hasher for one crawl. The salt keeps outsiders from preparing URLs that collide. */
export function createUrlHasher(salt: number): UrlHasher {
  const seed = BigInt(salt)
  return (url) => {
    wide[0] = h64(url, seed)
    return { hi: lanes[1] ?? 0, lo: lanes[0] ?? 0 }
  }
}

/**
 * 64-bit keyed hashes of substrings, without copying them. For code that hashes millions of short
 * substrings and does not store the hashes: they differ in every process.
 */
export class StretchHash {
  /** Hash of the last substring. */
  hi = 0
  lo = 0
  // Secret and different each time, including the factors: nobody can prepare texts that collide.
  readonly #startHi = randomInt(2 ** 32)
  readonly #startLo = randomInt(2 ** 32)
  readonly #factorHi = oddNumber()
  readonly #factorLo = oddNumber()

  /** From `from` up to, but not including, `end`; the whole text by default. */
  take(text: string, from = 0, end = text.length): this {
    const factorHi = this.#factorHi
    const factorLo = this.#factorLo
    let hi = this.#startHi
    let lo = this.#startLo
    // Two characters at a time. The last one of an odd number is alone; the length is part of the hash.
    for (let at = from; at < end; at += 2) {
      const second = at + 1 < end ? text.charCodeAt(at + 1) : 0
      const letters = text.charCodeAt(at) | (second << 16)
      hi = Math.imul(hi ^ letters, factorHi)
      hi ^= hi >>> 15
      lo = Math.imul(lo + letters, factorLo)
      lo ^= lo >>> 17
    }
    this.hi = mixed(hi ^ (end - from), lo)
    this.lo = mixed(lo, this.hi)
    return this
  }
}

/** Every bit of the result depends on every input bit. */
function mixed(bits: number, more: number): number {
  let mixed = Math.imul(bits ^ (more >>> 3), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x297a2d39)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Large enough to mix from the first character on. */
function oddNumber(): number {
  return (randomInt(2 ** 30, 2 ** 32) | 1) >>> 0
}
