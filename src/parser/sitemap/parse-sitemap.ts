// Sitemaps and feeds: lists of URLs that a site offers, plain or gzipped, which the bytes tell better
// than the headers. They are read as they are unpacked, up to limits of their own: in bytes, in entries
// and in work. Whatever is broken costs its own entries and no others.
import { inflate } from '../../lib/inflate-stream.ts'
import { ownCpuMs } from '../thread-clock.ts'
import type { Sitemap, SitemapUrl } from './sitemap.ts'
import { SitemapStream } from './sitemap-stream.ts'

export type SitemapLimits = {
  readonly maxUrls: number
  /** Decoded. */
  readonly maxBytes: number
  /** CPU time. */
  readonly maxWorkMs: number
}

export type SitemapOptions = Partial<SitemapLimits> & {
  /** Where it was found: entries may be relative to it. */
  readonly url: string
  readonly contentType: string | null
  /** The header as sent. */
  readonly contentEncoding?: string
}

export type SitemapEnd =
  | (Omit<Sitemap, 'urls'> & { readonly ok: true; readonly bytes: number })
  | { readonly ok: false; readonly reason: string }

/** The protocol's own limits; and what a file of that size takes, several times over. */
const LIMITS: SitemapLimits = {
  maxUrls: 50_000,
  maxBytes: 50 * 1024 * 1024,
  maxWorkMs: 3000,
}
/** Compressed once for storage and once more for the wire. */
const MAX_GZIP_LAYERS = 2

/** Gives out entries as they are found. Never throws. */
export async function streamSitemap(
  body: Uint8Array,
  options: SitemapOptions,
  onUrls: (urls: readonly SitemapUrl[]) => void,
): Promise<SitemapEnd> {
  const { maxUrls, maxBytes, maxWorkMs } = { ...LIMITS, ...options }
  const stream = new SitemapStream({ ...options, maxUrls })
  const begunAt = ownCpuMs()
  let bytes = 0
  const end = await inflate(body, {
    codings: options.contentEncoding ?? '',
    gzipLayers: MAX_GZIP_LAYERS,
    maxBytes,
    onChunk: (chunk) => {
      bytes += chunk.byteLength
      const wantsMore = stream.push(chunk) && ownCpuMs() - begunAt < maxWorkMs
      onUrls(stream.takeUrls())
      return wantsMore
    },
  })
  if (!end.ok) return end
  const sitemap = stream.end()
  onUrls(stream.takeUrls())
  return { ok: true, ...sitemap, truncated: sitemap.truncated || end.truncated, bytes }
}
