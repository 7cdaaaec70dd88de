// Links that lead to hosts of another partition, as bytes. They travel in a message to its owner.
//
// Layout, little endian, per page: 4-byte length of the head, the head as JSON, 4-byte number of links; per
// link: a byte of flags, a byte with the number of signals (NO_SIGNALS for none), 2-byte length of the URL,
// the URL, the signals as float64.
import type { Found, Via } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'

/** `isOffFocus`: the ordering does not follow this link. */
export type ForeignLink = Found & { readonly isOffFocus?: boolean }

/** A sitemap of a host of another partition. */
type ForeignSitemap = {
  readonly url: CanonicalUrl
  readonly level: number
  readonly hops: number
}

/** What one page, sitemap or robots.txt names. */
export type ForeignLinks = {
  /** The number of the page over all partitions; negative for a sitemap; null for a robots.txt. */
  readonly foundOn: number | null
  readonly via: Via
  /** The depth of the URLs found. */
  readonly depth: number
  readonly hops: number
  readonly pageHops: number
  /** The page was visited before. */
  readonly again: boolean
  readonly links: readonly ForeignLink[]
  readonly sitemaps: readonly ForeignSitemap[]
}

/** A way of redirects that leads from one partition to another. Numbers are those over all partitions. */
export type RedirectWay = {
  /** Where it began. */
  readonly from: number
  /** The URL that it has come to. */
  readonly at: string
  readonly steps: number
  /** The highest number so far. */
  readonly highest: number
}

/** A page became nearer: its number over all partitions, and its depth. */
export type Nearer = { readonly page: number; readonly depth: number }

const [NOFOLLOW, REFRESH, OFF_FOCUS] = [1, 2, 4]
const BARRED = { refused: 8, unanswered: 16 } as const
const NO_SIGNALS = 255
const HEAD_OF_LINK = 4

export function encodeForeignLinks(pages: readonly ForeignLinks[]): Uint8Array {
  const parts: Buffer[] = []
  for (const { links, ...head } of pages) {
    const json = Buffer.from(JSON.stringify(head))
    const sizes = Buffer.alloc(8)
    sizes.writeUInt32LE(json.length, 0)
    sizes.writeUInt32LE(links.length, 4)
    parts.push(sizes, json, ...links.map(encodeLink))
  }
  return Buffer.concat(parts)
}

function encodeLink({ url, nofollow, refresh, isOffFocus, barred, signals }: ForeignLink): Buffer {
  const text = Buffer.from(url)
  const numbers = signals ?? []
  const bytes = Buffer.alloc(HEAD_OF_LINK + text.length + 8 * numbers.length)
  const flags = (nofollow ? NOFOLLOW : 0) | (refresh ? REFRESH : 0) | (isOffFocus ? OFF_FOCUS : 0)
  bytes.writeUInt8(flags | (barred === undefined ? 0 : BARRED[barred]), 0)
  bytes.writeUInt8(signals === null ? NO_SIGNALS : numbers.length, 1)
  bytes.writeUInt16LE(text.length, 2)
  text.copy(bytes, HEAD_OF_LINK)
  numbers.forEach((number, at) => {
    bytes.writeDoubleLE(number, HEAD_OF_LINK + text.length + 8 * at)
  })
  return bytes
}

export function decodeForeignLinks(body: Uint8Array, hashUrl: UrlHasher): ForeignLinks[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const pages: ForeignLinks[] = []
  let at = 0
  while (at < bytes.length) {
    const [length, count] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
    const head = JSON.parse(bytes.toString('utf8', at + 8, at + 8 + length))
    at += 8 + length
    const links: ForeignLink[] = []
    for (let link = 0; link < count; link += 1) {
      const size = sizeAt(bytes, at)
      links.push(decodeLink(bytes.subarray(at, at + size), hashUrl))
      at += size
    }
    pages.push({ ...head, links })
  }
  return pages
}

function signalsAt(bytes: Buffer, at: number): number {
  const count = bytes.readUInt8(at + 1)
  return count === NO_SIGNALS ? 0 : count
}

function sizeAt(bytes: Buffer, at: number): number {
  return HEAD_OF_LINK + bytes.readUInt16LE(at + 2) + 8 * signalsAt(bytes, at)
}

function decodeLink(bytes: Buffer, hashUrl: UrlHasher): ForeignLink {
  const flags = bytes.readUInt8(0)
  const end = HEAD_OF_LINK + bytes.readUInt16LE(2)
  // It was canonical when it was sent.
  const url = bytes.toString('utf8', HEAD_OF_LINK, end) as CanonicalUrl
  const signals = Array.from({ length: signalsAt(bytes, 0) }, (_, at) =>
    bytes.readDoubleLE(end + 8 * at),
  )
  return {
    ...{ url, hash: hashUrl(url), nofollow: (flags & NOFOLLOW) !== 0 },
    signals: bytes.readUInt8(1) === NO_SIGNALS ? null : signals,
    ...((flags & REFRESH) === 0 ? {} : { refresh: true }),
    ...((flags & OFF_FOCUS) === 0 ? {} : { isOffFocus: true }),
    ...((flags & BARRED.refused) === 0 ? {} : { barred: 'refused' as const }),
    ...((flags & BARRED.unanswered) === 0 ? {} : { barred: 'unanswered' as const }),
  }
}
