// A table from term ids to numbers in flat arrays: counting a page takes a third of the time of a Map, and
// every page is counted. Terms keep their insertion order.
import { randomInt } from 'node:crypto'
import type { TermId } from './text.ts'

/** Odd and secret: words chosen to collide in one slot do not. The insertion order hides it. */
const SPREAD = randomInt(0x10000, 0x7fffffff) | 1
const SMALLEST_BITS = 4

export class TermTable {
  /** Two numbers per slot: the term, 0 if empty, and its index in the arrays below. */
  #places: Int32Array
  #shift: number
  #ids: Int32Array
  #values: Float64Array
  #size = 0

  /** Reserves room for `expected` terms. */
  constructor(expected = 0) {
    let bits = SMALLEST_BITS
    while (roomOf(bits) < expected) bits++
    this.#shift = 32 - bits
    this.#places = new Int32Array(2 ** (bits + 1))
    this.#ids = new Int32Array(roomOf(bits))
    this.#values = new Float64Array(roomOf(bits))
  }

  get size(): number {
    return this.#size
  }

  /** The terms in insertion order, as a view that is valid until the table changes. */
  get ids(): Int32Array {
    return this.#ids.subarray(0, this.#size)
  }

  /** The numbers that belong to `ids`, likewise. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#size)
  }

  /** The term's number; 0 if it has none. */
  get(id: TermId): number {
    const at = this.#find(id)
    return at < 0 ? 0 : (this.#values[at] ?? 0)
  }

  has(id: TermId): boolean {
    return this.#find(id) >= 0
  }

  set(id: TermId, value: number): void {
    // The slot comes first: making room replaces the arrays.
    const at = this.#claim(id)
    this.#values[at] = value
  }

  add(id: TermId, amount: number): void {
    const at = this.#claim(id)
    this.#values[at] = (this.#values[at] ?? 0) + amount
  }

  clear(): void {
    this.#places.fill(0)
    this.#size = 0
  }

  /** Keeps only the terms whose number passes. */
  keep(passes: (value: number) => boolean): void {
    const { ids, values } = this
    this.clear()
    for (let at = 0; at < ids.length; at++) {
      const value = values[at] ?? 0
      if (passes(value)) this.set(ids[at] ?? 0, value)
    }
  }

  /** The term's index; -1 if it has none. */
  #find(id: TermId): number {
    const places = this.#places
    const mask = places.length - 1
    let place = (Math.imul(id, SPREAD) >>> this.#shift) << 1
    for (;;) {
      const taken = places[place]
      if (taken === id) return places[place + 1] ?? -1
      if (taken === 0) return -1
      place = (place + 2) & mask
    }
  }

  /** The index of a term; a new term is added with the number 0. */
  #claim(id: TermId): number {
    const found = this.#find(id)
    if (found >= 0) return found
    if (this.#size === this.#ids.length) this.#grow()
    const at = this.#size++
    this.#ids[at] = id
    this.#values[at] = 0
    this.#put(at)
    return at
  }

  /** Gives a slot to the term at an index, which has none yet. */
  #put(at: number): void {
    const places = this.#places
    const mask = places.length - 1
    const id = this.#ids[at] ?? 0
    let place = (Math.imul(id, SPREAD) >>> this.#shift) << 1
    while (places[place] !== 0) place = (place + 2) & mask
    places[place] = id
    places[place + 1] = at
  }

  #grow(): void {
    const { ids, values } = this
    const bits = 33 - this.#shift
    this.#shift = 32 - bits
    this.#places = new Int32Array(2 ** (bits + 1))
    this.#ids = new Int32Array(roomOf(bits))
    this.#values = new Float64Array(roomOf(bits))
    this.#ids.set(ids)
    this.#values.set(values)
    for (let at = 0; at < this.#size; at++) this.#put(at)
  }
}

/** Number of terms for a table of 2 ** bits slots: past three quarters the runs of used slots get long. */
function roomOf(bits: number): number {
  return 2 ** bits * 0.75
}
