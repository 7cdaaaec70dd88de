// Sitemaps of every form found in the wild: urlset, sitemapindex, plain text, RSS and Atom; gzipped
// or not, whatever the header says; unclosed, without namespace, with white space where none belongs.
// By the protocol a sitemap has at most 50,000 URLs and 50 MiB; what is beyond is left out and said.
import { parseMediaType, toUtf8 } from '../lib/decode.ts'
import { decompress } from '../lib/decompress.ts'
import { attributeOf, scanXml } from './xml-scanner.ts'

const MAX_URLS = 50_000
const MAX_BYTES = 50 * 1024 * 1024

export type SitemapKind = 'urlset' | 'index' | 'text' | 'feed' | 'unknown'

export type Sitemap = {
  readonly kind: SitemapKind
  /** As written, trimmed; relative ones are not resolved. */
  readonly urls: readonly { readonly url: string; readonly lastModified: string }[]
  readonly sitemaps: readonly string[]
  /** There was more than the protocol allows. */
  readonly truncated: boolean
}

export function parseSitemap(
  bytes: Uint8Array,
  { contentType, maxUrls = MAX_URLS }: { url: string; contentType: string; maxUrls?: number },
): Sitemap {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = decompress(bytes, isGzip ? 'gzip' : '', MAX_BYTES)
  if (!plain.ok) return { kind: 'unknown', urls: [], sitemaps: [], truncated: true }
  const text = textOf(plain.bytes, contentType)
  const collector = new Collector(maxUrls, plain.truncated)
  if (text.startsWith('<')) collector.readXml(text)
  else collector.readLines(text)
  return collector.sitemap()
}

function textOf(bytes: Uint8Array, contentType: string): string {
  const { charset } = parseMediaType(contentType)
  return toUtf8(bytes, charset, true).utf8.toString('utf8').trimStart()
}

/** Elements that stand for one page or one sitemap. */
const ENTRIES = new Set(['url', 'sitemap', 'item', 'entry'])
const ROOTS: Readonly<Record<string, SitemapKind>> = {
  urlset: 'urlset',
  sitemapindex: 'index',
  rss: 'feed',
  feed: 'feed',
  rdf: 'feed',
}
const MAX_DEPTH = 64

class Collector {
  readonly #maxUrls: number
  readonly #urls: { url: string; lastModified: string }[] = []
  readonly #sitemaps: string[] = []
  #kind: SitemapKind = 'unknown'
  #truncated: boolean
  /** Names of the open elements, the innermost last. */
  readonly #open: string[] = []
  #text = ''
  #location = ''
  #lastModified = ''

  constructor(maxUrls: number, truncated: boolean) {
    this.#maxUrls = maxUrls
    this.#truncated = truncated
  }

  sitemap(): Sitemap {
    return {
      kind: this.#kind,
      urls: this.#urls,
      sitemaps: this.#sitemaps,
      truncated: this.#truncated,
    }
  }

  readLines(text: string): void {
    for (const line of text.split(/[\r\n]+/)) {
      const url = line.trim()
      if (!/^https?:\/\//i.test(url)) continue
      this.#kind = 'text'
      this.#keep('url', url, '')
    }
  }

  readXml(text: string): void {
    scanXml(text, {
      onOpen: (name, attributes) => this.#opened(name, attributes),
      onClose: (name) => this.#closed(name),
      onText: (part) => {
        this.#text += part
      },
    })
    // The last entry of a file that was cut off.
    this.#endField()
    this.#endEntry(this.#open.findLast((name) => ENTRIES.has(name)) ?? '')
  }

  #opened(name: string, attributes: string): void {
    this.#endField()
    if (this.#kind === 'unknown') this.#kind = ROOTS[name] ?? 'unknown'
    // An entry that begins inside an entry: the first was never closed.
    if (ENTRIES.has(name)) this.#endEntry(name)
    if (name === 'link' && this.#open.at(-1) === 'entry') this.#atomLink(attributes)
    if (this.#open.length < MAX_DEPTH) this.#open.push(name)
  }

  #closed(name: string): void {
    this.#endField()
    const at = this.#open.lastIndexOf(name)
    if (at >= 0) this.#open.length = at
    if (ENTRIES.has(name)) this.#endEntry(name)
  }

  #atomLink(attributes: string): void {
    const rel = attributeOf(attributes, 'rel') ?? 'alternate'
    if (rel === 'alternate' && this.#location === '') {
      this.#location = attributeOf(attributes, 'href') ?? ''
    }
  }

  /** What was read since the last tag belongs to the innermost element, if its parent is an entry. */
  #endField(): void {
    const text = this.#text.trim()
    this.#text = ''
    const field = this.#open.at(-1) ?? ''
    const entry = this.#open.at(-2) ?? ''
    if (text === '' || !ENTRIES.has(entry)) return
    if (field === 'loc' || field === 'link') {
      // A second location: the entry before it was never closed.
      this.#endEntry(entry)
      this.#location = text
    }
    if (field === 'lastmod' || field === 'pubdate' || field === 'updated') this.#lastModified = text
  }

  #endEntry(name: string): void {
    if (this.#location !== '') this.#keep(name, this.#location, this.#lastModified)
    this.#location = ''
    this.#lastModified = ''
  }

  #keep(entry: string, url: string, lastModified: string): void {
    if (this.#urls.length + this.#sitemaps.length >= this.#maxUrls) this.#truncated = true
    else if (entry === 'sitemap') this.#sitemaps.push(url)
    else this.#urls.push({ url, lastModified })
  }
}
