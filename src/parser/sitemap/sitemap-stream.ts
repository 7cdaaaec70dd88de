// Reads a sitemap or feed as a stream: bytes in, entries out, with only a piece of it in memory.
// XML by sitemaps.org (list or index), plain text, RSS and Atom.
import { type CanonicalUrl, canonicalise } from '../../core/url.ts'
import { parseMediaType, sniffCharset } from '../../lib/decode.ts'
import { XmlScanner } from '../../lib/xml-tokens.ts'
import { type Sitemap, type SitemapUrl, SitemapXmlReader } from './sitemap-xml.ts'

type SitemapStreamOptions = {
  /** The URL of the sitemap: entries may be relative to it. */
  readonly url: string
  readonly contentType: string | null
  readonly maxUrls: number
}

/** The first bytes show the format. */
const HEAD_BYTES = 4096
const XML_ROOT = /<(?:[\w-]+:)?(?:urlset|sitemapindex|rss|rdf|feed|url|sitemap)[\s>]/i
/** Longer lines contain no URL. */
const MAX_LINE = 16_384

/** Reads the text, once the format is known. */
interface TextReader {
  readonly full: boolean
  push(text: string, isLast: boolean): void
  /** Complete entries, each returned once. */
  takeUrls(): readonly SitemapUrl[]
  end(): Omit<Sitemap, 'urls'>
}

export class SitemapStream {
  readonly #options: SitemapStreamOptions
  #head: Uint8Array = new Uint8Array(0)
  #decoder: InstanceType<typeof TextDecoder> | null = null
  #reader: TextReader | null = null

  constructor(options: SitemapStreamOptions) {
    this.#options = options
  }

  /** False when no more input is wanted. */
  push(bytes: Uint8Array): boolean {
    if (this.#decoder !== null) return this.#read(bytes, false)
    this.#head = this.#head.byteLength === 0 ? bytes : Buffer.concat([this.#head, bytes])
    if (this.#head.byteLength < HEAD_BYTES) return true
    return this.#begin(false)
  }

  takeUrls(): readonly SitemapUrl[] {
    return this.#reader?.takeUrls() ?? []
  }

  /** Ends the input; the last entries are taken after this. */
  end(): Omit<Sitemap, 'urls'> {
    if (this.#decoder === null) this.#begin(true)
    else this.#read(new Uint8Array(0), true)
    return this.#reader?.end() ?? { kind: 'none', sitemaps: [], truncated: false }
  }

  #begin(isLast: boolean): boolean {
    const { contentType } = this.#options
    const label = parseMediaType(contentType ?? '').charset
    const charset = sniffCharset(this.#head, label, true)
    // The standard's answer to encodings that were used to smuggle scripts past filters.
    this.#decoder = new TextDecoder(charset === 'replacement' ? 'utf-8' : charset)
    const head = charset === 'replacement' ? new Uint8Array(0) : this.#head
    this.#head = new Uint8Array(0)
    return this.#read(head, isLast)
  }

  #read(bytes: Uint8Array, isLast: boolean): boolean {
    const text = this.#decoder?.decode(bytes, { stream: !isLast }) ?? ''
    this.#reader ??= this.#readerFor(text)
    this.#reader.push(text, isLast)
    return !this.#reader.full
  }

  #readerFor(text: string): TextReader {
    const { url: base, maxUrls } = this.#options
    const resolve = (href: string) => resolveEntry(href, base)
    const isXml = XML_ROOT.test(text.slice(0, HEAD_BYTES))
    return isXml ? new XmlText(resolve, maxUrls) : new PlainText(resolve, maxUrls)
  }
}

type Resolve = (href: string) => CanonicalUrl | null

/** Entries should be absolute; a path is clear enough, anything else is a mistake. */
function resolveEntry(href: string, base: string): CanonicalUrl | null {
  const trimmed = href.trim()
  return /^(?:https?:\/\/|\/)/i.test(trimmed) ? canonicalise(trimmed, base) : null
}

class XmlText implements TextReader {
  readonly #scanner = new XmlScanner()
  readonly #reader: SitemapXmlReader

  constructor(resolve: Resolve, maxUrls: number) {
    this.#reader = new SitemapXmlReader(resolve, maxUrls)
  }

  get full(): boolean {
    return this.#reader.full
  }

  push(text: string, isLast: boolean): void {
    const tokens = isLast ? this.#scanner.end(text) : this.#scanner.push(text)
    for (const token of tokens) {
      this.#reader.take(token)
      if (this.#reader.full) return
    }
  }

  takeUrls(): readonly SitemapUrl[] {
    return this.#reader.takeUrls()
  }

  end(): Omit<Sitemap, 'urls'> {
    return this.#reader.end()
  }
}

/** One URL per line. */
class PlainText implements TextReader {
  readonly #resolve: Resolve
  readonly #maxUrls: number
  #urls: SitemapUrl[] = []
  #found = 0
  #line = ''
  full = false

  constructor(resolve: Resolve, maxUrls: number) {
    this.#resolve = resolve
    this.#maxUrls = maxUrls
  }

  push(text: string, isLast: boolean): void {
    const lines = (this.#line + text).split(/[\r\n]+/)
    this.#line = isLast ? '' : (lines.pop() ?? '')
    // The line may still be long, but it is no URL any more.
    if (this.#line.length > MAX_LINE) this.#line = ' no URL '
    for (const line of lines) {
      const url = /^\s*https?:\/\/\S+\s*$/i.test(line) ? this.#resolve(line) : null
      if (url === null) continue
      this.full = this.#found >= this.#maxUrls
      if (this.full) return
      this.#found += 1
      this.#urls.push({ url })
    }
  }

  takeUrls(): readonly SitemapUrl[] {
    const urls = this.#urls
    this.#urls = []
    return urls
  }

  end(): Omit<Sitemap, 'urls'> {
    return { kind: this.#found === 0 ? 'none' : 'text', sitemaps: [], truncated: this.full }
  }
}
