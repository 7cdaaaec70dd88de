// Observed and expected relevance by URL prefix, in a table of fixed size. Prefixes are 32-bit numbers. If
// too many prefixes compete for the same few slots, the one with the least knowledge is replaced.
import type { CanonicalUrl } from '../core/url.ts'
import { finished, HASH_START, hashUnit } from '../text/text.ts'

/** Number of consecutive slots that may hold a prefix. */
const REACH = 4
const BYTES_PER_PLACE = 12

export type PrefixEntry = {
  readonly place: number
  readonly observed: number
  readonly expected: number
}

export class PrefixTable {
  /** 0: empty. */
  readonly #places: Uint32Array
  readonly #observed: Float32Array
  readonly #expected: Float32Array
  /** The slots in use: few in most crawls, and saving reads all of them. */
  readonly #used: number[] = []
  readonly #mask: number

  /** Room for 2 ** bits prefixes; 12 bytes each. */
  constructor(bits: number) {
    const size = 2 ** bits
    this.#places = new Uint32Array(size)
    this.#observed = new Float32Array(size)
    this.#expected = new Float32Array(size)
    this.#mask = size - 1
  }

  /** The logarithm of observed to expected, both with `prior` added; 0 for an unknown prefix. */
  logRatio(place: number, prior: number): number {
    const slot = this.#find(place)
    if (slot < 0) return 0
    return Math.log(((this.#observed[slot] ?? 0) + prior) / ((this.#expected[slot] ?? 0) + prior))
  }

  learn(place: number, observed: number, expected: number): void {
    const slot = this.#claim(place)
    this.#observed[slot] = (this.#observed[slot] ?? 0) + observed
    this.#expected[slot] = (this.#expected[slot] ?? 0) + expected
  }

  /** Adds everything that another table knows; with `sign` -1, takes it away again. */
  absorb(other: PrefixTable, sign: 1 | -1 = 1): void {
    for (const { place, observed, expected } of other.entries()) {
      if (sign < 0 && this.#find(place) < 0) continue
      this.learn(place, sign * observed, sign * expected)
      if (sign > 0) continue
      const slot = this.#find(place)
      this.#observed[slot] = Math.max(0, this.#observed[slot] ?? 0)
      this.#expected[slot] = Math.max(0, this.#expected[slot] ?? 0)
    }
  }

  *entries(): Generator<PrefixEntry> {
    for (const slot of this.#used) {
      yield {
        place: this.#places[slot] ?? 0,
        observed: this.#observed[slot] ?? 0,
        expected: this.#expected[slot] ?? 0,
      }
    }
  }

  observed(place: number): number {
    return this.#observed[this.#find(place)] ?? 0
  }

  expected(place: number): number {
    return this.#expected[this.#find(place)] ?? 0
  }

  /** The prefixes in use, 12 bytes each: prefix, observed, expected. */
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

  /** Replaces everything by what `save` returned; ignores invalid entries. */
  load(bytes: Uint8Array): void {
    this.clear()
    this.add(bytes)
  }

  /** Adds what `save` of another table returned; ignores invalid entries. */
  add(bytes: Uint8Array): void {
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

  clear(): void {
    for (const slot of this.#used) {
      this.#places[slot] = 0
      this.#observed[slot] = 0
      this.#expected[slot] = 0
    }
    this.#used.length = 0
  }

  #find(place: number): number {
    for (let step = 0; step < REACH; step++) {
      const slot = (place + step) & this.#mask
      if (this.#places[slot] === place) return slot
    }
    return -1
  }

  /** The slot of a prefix; a new empty one if it had none. */
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

  /**
   * How much is known about a prefix: a large observed value without expectation counts as much as the
   * opposite.
   */
  #weight(slot: number): number {
    if (this.#places[slot] === 0) return -1
    return (this.#observed[slot] ?? 0) + (this.#expected[slot] ?? 0)
  }
}

/** Bytes for `load` and `add`. */
export function packed(entries: readonly PrefixEntry[]): Uint8Array {
  const bytes = new Uint8Array(entries.length * BYTES_PER_PLACE)
  const view = new DataView(bytes.buffer)
  for (const [index, { place, observed, expected }] of entries.entries()) {
    const at = index * BYTES_PER_PLACE
    view.setUint32(at, place)
    view.setFloat32(at + 4, observed)
    view.setFloat32(at + 8, expected)
  }
  return bytes
}

const SLASH = 0x2f
const QUESTION_MARK = 0x3f

/** Host, directory and subdirectory; pages outside all directories share a prefix of their own. */
type UrlPrefixes = readonly [host: number, directory: number, subdirectory: number]

/**
 * The prefixes of a URL as 32-bit numbers, never 0: its host, its first directory and its second one. Pages
 * with the same prefix tend to be alike.
 */
export function placesOf(url: CanonicalUrl): UrlPrefixes {
  const start = url.indexOf('//') + 2
  let hash = HASH_START
  let at = start
  for (; at < url.length && url.charCodeAt(at) !== SLASH; at++) {
    hash = hashUnit(hash, url.charCodeAt(at))
  }
  const host = hash
  const directory = directoryAfter(url, at)
  const subdirectory = directory < 0 ? directory : directoryAfter(url, directory)
  for (; at < directory; at++) hash = hashUnit(hash, url.charCodeAt(at))
  const first = hash
  for (; at < subdirectory; at++) hash = hashUnit(hash, url.charCodeAt(at))
  return [placeOf(host, 0), placeOf(first, 1), placeOf(hash, 2)]
}

/** The end of the directory that starts at a slash: the next slash, or -1. */
function directoryAfter(url: string, slash: number): number {
  for (let at = slash + 1; at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === SLASH) return at
    if (code === QUESTION_MARK) return -1
  }
  return -1
}

/** The prefix of a page as a hub, for the pages it links to. */
export function hubOf(pageId: number): number {
  return placeOf(HASH_START, pageId)
}

/** Levels get different numbers, or a page outside all directories would be learned from three times. */
function placeOf(hash: number, level: number): number {
  return finished(hashUnit(hash, level)) >>> 0
}
