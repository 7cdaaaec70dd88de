// Numbers that look random and are a pure function of their input.
import { present } from '../lib/present.ts'

/** A 32-bit hash of two numbers; can be chained for more. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ (b >>> 15), 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}

/** A number in [0, 1) from a 32-bit hash. */
export function fraction(hash: number): number {
  return hash / 4294967296
}

/** A stream of numbers from one starting number. */
export class Stream {
  #state: number

  constructor(start: number) {
    this.#state = start | 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return fraction((t ^ (t >>> 14)) >>> 0)
  }

  /** A whole number in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    return present(list[this.below(list.length)])
  }
}
