// Turns a sitemap from the scouter into links for the URLs it lists, and the sitemaps it names.
// Entries are sent in portions, so that no receiver has to take many thousands at once.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl, UrlIdentity } from '../../core/url.ts'
import { inflate } from '../../lib/inflate-stream.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { HandoverHead } from '../../wire/handover.ts'
import { encodeFound } from '../../wire/receipt.ts'
import type { ParseResult, SitemapPart } from '../parse-result.ts'
import { ownCpuMs } from '../thread-clock.ts'
import { SitemapStream } from './sitemap-stream.ts'
import type { Sitemap, SitemapUrl } from './sitemap-xml.ts'

/** Size of a portion: a few milliseconds of the frontier's time. */
const PORTION_URLS = 500
const PORTION_CHARACTERS = 128 * 1024
/** Limit for the sitemaps of an index, in characters: far more than are ever read of a host. */
const MAX_NAMED = 4 * 1024 * 1024

type SitemapContext = {
  readonly hash: UrlHasher
  readonly identity: UrlIdentity
  /** Signals for a URL without a page; absent when the ordering needs none. */
  readonly signalsForUrl?: ((url: CanonicalUrl) => Found['signals']) | undefined
  /** Receives the first entries; the last ones come with the result. */
  readonly onPart: (part: SitemapPart) => void
}

export async function readSitemap(
  head: HandoverHead,
  wire: Uint8Array,
  context: SitemapContext,
): Promise<ParseResult> {
  const { url, contentType, contentEncoding } = head
  const portion = new Portion(context)
  const end = await streamSitemap(wire, { url, contentType, contentEncoding }, (urls) => {
    for (const entry of urls) portion.add(context.identity(entry.url))
  })
  if (!end.ok) return { outcome: 'failed', reason: `decode: ${end.reason}` }
  return {
    outcome: 'sitemap',
    foundBlock: portion.take(),
    sitemaps: firstOf(new Set(end.sitemaps)),
    bytes: end.bytes,
    entries: portion.total,
  }
}

class Portion {
  readonly #context: SitemapContext
  readonly #urls = new Set<CanonicalUrl>()
  #characters = 0
  total = 0

  constructor(context: SitemapContext) {
    this.#context = context
  }

  add(url: CanonicalUrl): void {
    const isFull = this.#urls.size >= PORTION_URLS || this.#characters >= PORTION_CHARACTERS
    if (isFull) this.#context.onPart({ outcome: 'part', foundBlock: this.take() })
    this.total += 1
    this.#characters += url.length
    this.#urls.add(url)
  }

  take(): Uint8Array {
    const { hash, signalsForUrl } = this.#context
    const found: Found[] = []
    for (const url of this.#urls) {
      found.push({ url, hash: hash(url), nofollow: false, signals: signalsForUrl?.(url) ?? null })
    }
    this.#urls.clear()
    this.#characters = 0
    return encodeFound(found)
  }
}

function firstOf(urls: Iterable<CanonicalUrl>): readonly CanonicalUrl[] {
  const first: CanonicalUrl[] = []
  let characters = 0
  for (const url of urls) {
    characters += url.length
    if (characters > MAX_NAMED) break
    first.push(url)
  }
  return first
}

type SitemapLimits = {
  readonly maxUrls: number
  /** Decoded bytes. */
  readonly maxBytes: number
  /** CPU time. */
  readonly maxWorkMs: number
}

export type SitemapOptions = Partial<SitemapLimits> & {
  /** The URL of the sitemap: entries may be relative to it. */
  readonly url: string
  readonly contentType: string | null
  /** The header as sent. */
  readonly contentEncoding?: string
}

type SitemapEnd =
  | (Omit<Sitemap, 'urls'> & { readonly ok: true; readonly bytes: number })
  | { readonly ok: false; readonly reason: string }

/** The protocol's limits, and several times the CPU time that a file of that size takes. */
const LIMITS: SitemapLimits = {
  maxUrls: 50_000,
  maxBytes: 50 * 1024 * 1024,
  maxWorkMs: 3000,
}
/** Compressed once for storage and once more for the wire. */
const MAX_GZIP_LAYERS = 2

/**
 * Reads sitemaps and feeds: lists of URLs, plain or gzipped. The bytes tell the compression more reliably
 * than the headers. Entries are reported as they are found, while the bytes are decompressed, up to limits
 * on bytes, entries and CPU time. A broken entry costs only itself. Never throws.
 */
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
