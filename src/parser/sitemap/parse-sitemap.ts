// Sitemaps and feeds: lists of URLs that a site offers. XML by sitemaps.org (list or index), plain
// text, RSS and Atom; plain or gzipped, which the bytes tell better than the headers. Whatever is
// broken costs its own entries and no others.
import { type CanonicalUrl, canonicalise } from '../../core/url.ts'
import { parseMediaType, toUtf8 } from '../../lib/decode.ts'
import { decompress } from '../../lib/decompress.ts'
import type { Sitemap, SitemapUrl } from './sitemap.ts'
import { readSitemapXml } from './sitemap-reader.ts'

export type SitemapOptions = {
  /** Where it was found: entries may be relative to it. */
  readonly url: string
  readonly contentType: string | null
  readonly maxUrls?: number
}

/** The protocol's own limits. */
const MAX_URLS = 50_000
const MAX_BYTES = 50 * 1024 * 1024
/** Compressed once for storage and once more for the wire. */
const MAX_GZIP_LAYERS = 2
const HEAD_LENGTH = 4096
const XML_ROOT = /<(?:[\w-]+:)?(?:urlset|sitemapindex|rss|rdf|feed|url|sitemap)[\s>]/i
const NOTHING: Sitemap = { kind: 'none', urls: [], sitemaps: [], truncated: false }

/** Takes the body without its content codings. Never throws. */
export function parseSitemap(body: Uint8Array, options: SitemapOptions): Sitemap {
  const plain = unzip(body)
  if (plain === null) return { ...NOTHING, truncated: true }
  const label = parseMediaType(options.contentType ?? '').charset
  const text = toUtf8(plain.bytes, label, true).utf8.toString('utf8')
  const resolve = (href: string) => resolveEntry(href, options.url)
  const maxUrls = options.maxUrls ?? MAX_URLS
  const read = XML_ROOT.test(text.slice(0, HEAD_LENGTH)) ? readSitemapXml : readText
  const sitemap = read(text, resolve, maxUrls)
  return plain.truncated ? { ...sitemap, truncated: true } : sitemap
}

function unzip(body: Uint8Array): { bytes: Uint8Array; truncated: boolean } | null {
  let bytes = body
  let truncated = false
  for (let layer = 0; layer < MAX_GZIP_LAYERS && bytes[0] === 0x1f && bytes[1] === 0x8b; layer++) {
    const unzipped = decompress(bytes, 'gzip', MAX_BYTES)
    if (!unzipped.ok) return null
    bytes = unzipped.bytes
    truncated ||= unzipped.truncated
  }
  const cut = bytes.length > MAX_BYTES
  return { bytes: cut ? bytes.subarray(0, MAX_BYTES) : bytes, truncated: truncated || cut }
}

/** Entries should be absolute; a path is clear enough, anything else is not a URL but a mistake. */
function resolveEntry(href: string, base: string): CanonicalUrl | null {
  const trimmed = href.trim()
  return /^(?:https?:\/\/|\/)/i.test(trimmed) ? canonicalise(trimmed, base) : null
}

function readText(
  text: string,
  resolve: (href: string) => CanonicalUrl | null,
  maxUrls: number,
): Sitemap {
  const urls: SitemapUrl[] = []
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const url = /^\s*https?:\/\/\S+\s*$/i.test(line) ? resolve(line) : null
    if (url === null) continue
    if (urls.length >= maxUrls) return { kind: 'text', urls, sitemaps: [], truncated: true }
    urls.push({ url })
  }
  return urls.length === 0 ? NOTHING : { kind: 'text', urls, sitemaps: [], truncated: false }
}
