// Parser → scouter: the outcome of a page. For a saved page this is sent only after it is durable, and sent
// again after a crash until the scouter reports that it is settled. Of a page that was refused or failed nothing is
// kept: if the scouter dies before it is settled, it is requested again. Payload: 4-byte length of the head, the
// head as JSON, the block of found links.
import { CrawlerError } from '../core/errors.ts'
import type { Barred, Found } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { RoleChange, SitemapSize } from '../core/visit.ts'

export type ReceiptHead = {
  readonly kind: 'page' | 'sitemap'
  readonly id: number
  /** Null if it is sent again after a restart. */
  readonly token: number | null
  readonly outcome:
    | 'stored'
    | 'duplicate'
    | 'over-limit'
    | 'refused'
    | 'failed'
    /** For a sitemap: some of its entries as links, with more to come; or the last of them. */
    | 'part'
    | 'read'
    /** For a stored page that was requested again: unchanged; or moved, and `found` has the target. */
    | 'unchanged'
    | 'redirected'
    /** Its thread died on another page: send it again. */
    | 'lost'
  /** The reason for refused and failed, the URL of the original for duplicate; else ''. */
  readonly reason: string
  /** See FrontierUpdate.likeness and FrontierUpdate.judged. */
  readonly likeness: number
  readonly judged: readonly number[] | null
  /** The time it took to parse; left out if the receipt is sent again. */
  readonly cpuMs?: number
  /** Further sitemaps of a sitemap index. */
  readonly sitemaps: readonly CanonicalUrl[]
  /** For a sitemap that was read: decoded bytes, and the number of all entries. */
  readonly read?: SitemapSize
  /** The page that was stored under this URL is gone. */
  readonly gone?: true
  /** Duplicates whose state changed because of this page. */
  readonly moved?: readonly RoleChange[]
  /** The recrawl it belongs to, if it is sent again. */
  readonly round?: number
  /** The URL of its id, at least when the page was saved: see LeaseRef.url. */
  readonly url?: CanonicalUrl
  readonly depth?: number
}

export type Receipt = ReceiptHead & { readonly found: readonly Found[] }

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function encodeReceipt(head: ReceiptHead, foundBlock: Uint8Array): Uint8Array[] {
  const json = encoder.encode(JSON.stringify(head))
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, json.byteLength, true)
  return [length, json, foundBlock]
}

export function decodeReceipt(payload: Uint8Array): Receipt {
  const length = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true)
  if (4 + length > payload.byteLength) {
    throw new CrawlerError('wire-broken', 'a receipt is shorter than its head says')
  }
  const head = JSON.parse(decoder.decode(payload.subarray(4, 4 + length))) as ReceiptHead
  return { ...head, found: decodeFound(payload.subarray(4 + length)) }
}

/** The id that the parser uses. Sitemaps have ids of their own, marked by their sign. */
export function idAtParser({ kind, id }: { readonly kind: string; readonly id: number }): number {
  return kind === 'sitemap' ? -id : id
}

/** The payload of `settled`. Our URLs contain no line break. */
export function encodeUrls(urls: readonly CanonicalUrl[]): Uint8Array {
  return encoder.encode(urls.join('\n'))
}

export function decodeUrls(payload: Uint8Array): CanonicalUrl[] {
  return decoder.decode(payload).split('\n') as CanonicalUrl[]
}

/** A list of ids: the payload of `begun` (one, as returned by `idAtParser`). */
export function encodeIds(ids: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(ids).buffer)
}

export function decodeIds(payload: Uint8Array): number[] {
  return Array.from(new Float64Array(payload.slice().buffer))
}

export type KeptReceipt = {
  /** See FrontierUpdate.likeness and FrontierUpdate.judged. */
  readonly likeness: number
  readonly judged: readonly number[] | null
  readonly foundBlock: Uint8Array
}

const FIXED_BYTES = 5

/**
 * A page's receipt as the store keeps it until the frontier has settled the page: everything that a later
 * scouter needs, in the fewest bytes.
 *
 * Likeness u32, signals u8, the signals as float64, then the block of found links. Little endian.
 */
export function encodeKept({ likeness, judged, foundBlock }: KeptReceipt): Uint8Array {
  const signals = judged ?? []
  const blockAt = FIXED_BYTES + 8 * signals.length
  const kept = new Uint8Array(blockAt + foundBlock.byteLength)
  const view = new DataView(kept.buffer)
  view.setUint32(0, likeness, true)
  view.setUint8(4, signals.length)
  for (const [at, signal] of signals.entries()) view.setFloat64(FIXED_BYTES + 8 * at, signal, true)
  kept.set(foundBlock, blockAt)
  return kept
}

/** The block is a view of the input, not a copy. No signals are returned as null. */
export function decodeKept(kept: Uint8Array): KeptReceipt {
  const view = new DataView(kept.buffer, kept.byteOffset, kept.byteLength)
  const count = view.getUint8(4)
  const judged = Array.from({ length: count }, (_, at) =>
    view.getFloat64(FIXED_BYTES + 8 * at, true),
  )
  return {
    likeness: view.getUint32(0, true),
    judged: count === 0 ? null : judged,
    foundBlock: kept.subarray(FIXED_BYTES + 8 * count),
  }
}

const LINK_BYTES = 12
const ROOM = ' '.repeat(LINK_BYTES)
const NOFOLLOW = 1
const REFRESH = 2
const BARRED = { refused: 4, unanswered: 8 } as const

/**
 * The links of a page in bytes: created in a parser thread, kept as the page's receipt, read by the frontier.
 * Only URLs whose hash is new ever become strings again.
 *
 * Per link: hash hi u32, hash lo u32, flags u8 (1: nofollow, 2: refresh, 4 or 8: barred), signals u8, URL bytes
 * u16, the URL in latin1 (canonical URLs are ASCII), then the signals as float64. All little endian.
 */
export function encodeFound(found: readonly Found[]): Uint8Array<ArrayBuffer> {
  // All URLs are written at once, with room for the rest between them: a call per link costs more.
  let written = ''
  for (const { url, signals } of found) {
    written += ROOM + url
    if (signals !== null && signals.length > 0) written += ' '.repeat(8 * signals.length)
  }
  const bytes = Buffer.from(new ArrayBuffer(written.length))
  bytes.write(written, 'latin1')
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const { url, hash, nofollow, signals, refresh = false, barred } of found) {
    view.setUint32(at, hash.hi, true)
    view.setUint32(at + 4, hash.lo, true)
    const bar = barred === undefined ? 0 : BARRED[barred]
    view.setUint8(at + 8, (nofollow ? NOFOLLOW : 0) | (refresh ? REFRESH : 0) | bar)
    view.setUint8(at + 9, signals?.length ?? 0)
    view.setUint16(at + 10, url.length, true)
    at += LINK_BYTES + url.length
    if (signals === null) continue
    for (const signal of signals) {
      view.setFloat64(at, signal, true)
      at += 8
    }
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
  readonly barred?: Barred
  readonly #bytes: Buffer
  readonly #urlAt: number
  readonly #urlEnd: number
  readonly end: number

  constructor(bytes: Buffer, at: number) {
    this.hash = { hi: bytes.readUInt32LE(at), lo: bytes.readUInt32LE(at + 4) }
    const flags = bytes.readUInt8(at + 8)
    this.nofollow = (flags & NOFOLLOW) !== 0
    this.refresh = (flags & REFRESH) !== 0
    if (flags >= BARRED.refused) this.barred = flags & BARRED.refused ? 'refused' : 'unanswered'
    this.#bytes = bytes
    this.#urlAt = at + LINK_BYTES
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
