// Which URLs are known, by hash, with the few facts that are needed without a read from the disk: 18 to 34
// bytes of memory per URL, depending on how full the hash table is.
//
// The hashes are kept in blobs, written in the transaction that writes the rows; opening reads them and
// nothing else. Where they are not kept, they are computed from the URLs. The facts beside a hash are hints that may be out of date after a restart, but only in one
// direction: a depth may be too large, a closed URL may look open. Code that acts on a hint reads the row
// first and corrects the hint.
import type { UrlHash } from '../../core/link.ts'
import { SeenSet } from '../../lib/seen-set.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import { isUnfollowed } from './admission.ts'
import type { Rows, SeenRows } from './rows.ts'

/** Depth of a URL that no followed link has led to yet; also the largest depth that can be stored. */
export const NO_DEPTH = 0x7fff
const CLOSED = 0x8000
/** URLs of one full blob: 32 KiB of hashes, so that ten million URLs are some 2,400 rows. */
const FULL_BLOB = 4096

export class SeenUrls {
  /** Null if the hashes are not kept. */
  readonly #rows: SeenRows | null
  readonly #set: SeenSet
  /** By id: the depth, and whether the URL is settled for good. */
  #facts: Uint16Array
  #lastId: number
  /** Low and high halves of the hashes from `#tailFrom` on: those not in a full blob yet. */
  #tail: number[] = []
  #tailFrom: number
  #written: number

  constructor(rows: Pick<Rows, 'url' | 'seen'>, hashUrl: UrlHasher) {
    this.#rows = rows.seen
    const lastId = rows.url.lastId()
    // Room for what this run will find, so that a large file is not rehashed right after opening.
    this.#set = new SeenSet(Math.ceil(lastId * 1.1))
    this.#facts = new Uint16Array(Math.max(1024, Math.ceil(lastId * 1.25)))
    this.#lastId = rows.seen === null ? this.#hashAll(rows, hashUrl) : this.#load(rows.seen)
    this.#tailFrom = this.#lastId + 1
    this.#written = this.#lastId
  }

  get lastId(): number {
    return this.#lastId
  }

  /** The id of a known URL; 0 if it is unknown. */
  find(hash: UrlHash): number {
    return this.#set.get(hash.hi, hash.lo)
  }

  /** The id of a known URL; 0 if it was unknown, and then it gets the id `lastId`. */
  claim(hash: UrlHash): number {
    const id = this.#lastId + 1
    const known = this.#set.claim(hash.hi, hash.lo, id)
    if (known !== 0) return known
    this.#lastId = id
    if (id >= this.#facts.length) this.#growFacts()
    this.#facts[id] = NO_DEPTH
    if (this.#rows !== null) this.#tail.push(hash.lo, hash.hi)
    return 0
  }

  depthOf(id: number): number {
    return (this.#facts[id] ?? 0) & NO_DEPTH
  }

  setDepth(id: number, depth: number): void {
    const closed = (this.#facts[id] ?? 0) & CLOSED
    this.#facts[id] = closed | Math.min(depth, NO_DEPTH)
  }

  isClosed(id: number): boolean {
    return ((this.#facts[id] ?? 0) & CLOSED) !== 0
  }

  setClosed(id: number, closed: boolean): void {
    const depth = this.depthOf(id)
    this.#facts[id] = closed ? depth | CLOSED : depth
  }

  /** Writes the hashes claimed since the last call. Call it before a transaction ends. */
  write(): void {
    if (this.#written === this.#lastId || this.#rows === null) return
    if (this.#lastId - this.#tailFrom + 1 >= FULL_BLOB) {
      this.merge()
      return
    }
    this.#append(this.#written + 1)
  }

  /** Merges the small blobs of this run into one. */
  merge(): void {
    if (this.#tail.length === 0) return
    this.#rows?.cut(this.#tailFrom)
    this.#append(this.#tailFrom)
    this.#tail = []
    this.#tailFrom = this.#lastId + 1
  }

  #append(firstId: number): void {
    const lanes = Uint32Array.from(this.#tail.slice((firstId - this.#tailFrom) * 2))
    // New settings may reopen what is closed, and this blob is written only once.
    const facts = this.#facts.slice(firstId, this.#lastId + 1).map((fact) => fact & NO_DEPTH)
    this.#rows?.add(firstId, lanes, facts)
    this.#written = this.#lastId
  }

  #load(rows: SeenRows): number {
    let id = 0
    for (const { hashes, facts } of rows.all()) {
      this.#facts.set(facts, id + 1)
      for (let at = 0; at < hashes.length; at += 2) {
        id += 1
        this.#set.claim(hashes[at + 1] ?? 0, hashes[at] ?? 0, id)
      }
    }
    return id
  }

  #hashAll(rows: Pick<Rows, 'url'>, hashUrl: UrlHasher): number {
    let last = 0
    for (const { id, url, depth, reason } of rows.url.names()) {
      const { hi, lo } = hashUrl(url)
      this.#set.claim(hi, lo, id)
      this.#facts[id] = isUnfollowed(reason) ? NO_DEPTH : Math.min(depth, NO_DEPTH)
      last = id
    }
    return last
  }

  #growFacts(): void {
    const grown = new Uint16Array(this.#facts.length * 2)
    grown.set(this.#facts)
    this.#facts = grown
  }
}
