// A sitemap handed over by the scouter → the URLs it lists, as links, and the sitemaps it names.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { decompress } from '../../lib/decompress.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import { encodeFound } from '../../wire/found-block.ts'
import type { HandoverHead } from '../../wire/handover.ts'
import type { Parsed } from '../parsed.ts'
import { parseSitemap } from './parse-sitemap.ts'

/** The protocol's own limit for one sitemap. */
const MAX_BYTES = 50 * 1024 * 1024

export type SitemapContext = {
  readonly hash: UrlHasher
  /** What is known of a URL by itself; left out when nobody asks. */
  readonly listed?: ((url: CanonicalUrl) => Found['signals']) | undefined
}

export function readSitemap(head: HandoverHead, wire: Uint8Array, context: SitemapContext): Parsed {
  const { hash, listed: signalsOf } = context
  const decoded = decompress(wire, head.contentEncoding, MAX_BYTES)
  if (!decoded.ok) return { outcome: 'failed', reason: `decode: ${decoded.reason}` }
  const { url, contentType } = head
  const { urls, sitemaps } = parseSitemap(decoded.bytes, { url, contentType })
  const found: Found[] = []
  for (const listed of new Set(urls.map((entry) => entry.url))) {
    const signals = signalsOf?.(listed) ?? null
    found.push({ url: listed, hash: hash(listed), nofollow: false, signals })
  }
  return { outcome: 'sitemap', foundBlock: encodeFound(found), sitemaps: [...new Set(sitemaps)] }
}
