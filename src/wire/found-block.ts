// The links of a page in bytes: made in a parser thread, kept as the page's receipt, read by the
// frontier. Only URLs whose hash is new need ever become strings again.
//
// Per link: hash hi u32, hash lo u32, flags u8 (1: nofollow, 2: refresh), signals u8, URL bytes u16, the URL in
// latin1 (canonical URLs are ASCII), then the signals as float64. All little endian.
import type { Found } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'

const FIXED_BYTES = 12
const NOFOLLOW = 1
const REFRESH = 2

export function encodeFound(found: readonly Found[]): Uint8Array<ArrayBuffer> {
  let size = 0
  for (const link of found) size += FIXED_BYTES + link.url.length + 8 * (link.signals?.length ?? 0)
  const bytes = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const { url, hash, nofollow, signals, refresh = false } of found) {
    bytes.writeUInt32LE(hash.hi, at)
    bytes.writeUInt32LE(hash.lo, at + 4)
    bytes.writeUInt8((nofollow ? NOFOLLOW : 0) | (refresh ? REFRESH : 0), at + 8)
    bytes.writeUInt8(signals?.length ?? 0, at + 9)
    bytes.writeUInt16LE(url.length, at + 10)
    bytes.write(url, at + FIXED_BYTES, 'latin1')
    at += FIXED_BYTES + url.length
    for (const signal of signals ?? []) at = bytes.writeDoubleLE(signal, at)
  }
  return bytes
}

/** The links of a block; each URL is decoded only when it is read. */
export function decodeFound(block: Uint8Array): Found[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const found: Found[] = []
  let at = 0
  while (at < bytes.length) {
    const link = new FoundView(bytes, at)
    found.push(link)
    at = link.end
  }
  return found
}

class FoundView implements Found {
  readonly hash: { readonly hi: number; readonly lo: number }
  readonly nofollow: boolean
  readonly refresh: boolean
  readonly #bytes: Buffer
  readonly #urlAt: number
  readonly #urlEnd: number
  readonly end: number

  constructor(bytes: Buffer, at: number) {
    this.hash = { hi: bytes.readUInt32LE(at), lo: bytes.readUInt32LE(at + 4) }
    const flags = bytes.readUInt8(at + 8)
    this.nofollow = (flags & NOFOLLOW) !== 0
    this.refresh = (flags & REFRESH) !== 0
    this.#bytes = bytes
    this.#urlAt = at + FIXED_BYTES
    this.#urlEnd = this.#urlAt + bytes.readUInt16LE(at + 10)
    this.end = this.#urlEnd + 8 * bytes.readUInt8(at + 9)
  }

  get url(): CanonicalUrl {
    return this.#bytes.toString('latin1', this.#urlAt, this.#urlEnd) as CanonicalUrl
  }

  get signals(): readonly number[] | null {
    if (this.end === this.#urlEnd) return null
    const signals: number[] = []
    for (let at = this.#urlEnd; at < this.end; at += 8) signals.push(this.#bytes.readDoubleLE(at))
    return signals
  }
}
