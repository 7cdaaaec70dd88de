// The XML forms of sitemaps and feeds. Elements are recognised by their parent, not by their
// namespace: sites get namespaces wrong, but `loc` in `url` means the same everywhere, while
// `image:loc` has another prefix than its page.
import type { CanonicalUrl } from '../../core/url.ts'
import { attributeOf, type XmlToken } from '../../lib/xml-tokens.ts'

type Element = { readonly prefix: string; readonly name: string }
type Entry = { readonly url: CanonicalUrl; lastModified?: number }
type Resolve = (href: string) => CanonicalUrl | null
type OpenTag = XmlToken & { readonly kind: 'open' }

const KINDS: ReadonlyMap<string, Sitemap['kind']> = new Map([
  ['urlset', 'urls'],
  ['url', 'urls'],
  ['sitemapindex', 'index'],
  ['sitemap', 'index'],
  ['rss', 'feed'],
  ['rdf', 'feed'],
  ['feed', 'feed'],
])
const MAP_CONTAINERS: ReadonlySet<string> = new Set(['url', 'sitemap'])
const FEED_CONTAINERS: ReadonlySet<string> = new Set(['item', 'entry'])
/** The elements that are read, as `container/element`. */
const LOCATIONS: ReadonlySet<string> = new Set(['url/loc', 'sitemap/loc', 'item/link'])
const DATES: ReadonlySet<string> = new Set([
  'url/lastmod',
  'sitemap/lastmod',
  'item/pubdate',
  'entry/updated',
])
/** Nothing in a sitemap is nested deeper; deeper elements are ignored. */
const MAX_DEPTH = 64
const MAX_TEXT = 16_384
const DATE = /^(?:[0-9]{4}(?:-|$)|[0-9]{1,2} [a-z]{3}|[a-z]{3,9}, )/i

export class SitemapXmlReader {
  readonly #resolve: Resolve
  readonly #maxUrls: number
  #urls: Entry[] = []
  readonly #sitemaps: CanonicalUrl[] = []
  readonly #open: Element[] = []
  #kind: Sitemap['kind'] = 'none'
  /** The element whose text is being read, as `container/element`, and that text. */
  #reading: string | null = null
  #text = ''
  /** The last entry of the open container, and the date that came before it. */
  #entry: Entry | null = null
  #date: number | undefined
  #permalink: string | null = null
  #found = 0
  full = false

  constructor(resolve: Resolve, maxUrls: number) {
    this.#resolve = resolve
    this.#maxUrls = maxUrls
  }

  take(token: XmlToken): void {
    if (token.kind === 'text') {
      if (this.#reading !== null && this.#text.length < MAX_TEXT) this.#text += token.text
      return
    }
    this.#finishText()
    if (token.kind === 'open') this.#openTag(token)
    else this.#closeTag(elementOf(token.name))
  }

  /** All complete entries: while a container is open its date may follow. */
  takeUrls(): readonly SitemapUrl[] {
    const isOpen = this.#entry !== null && this.#urls.at(-1) === this.#entry
    const urls = isOpen ? this.#urls.slice(0, -1) : this.#urls
    this.#urls = isOpen ? this.#urls.slice(-1) : []
    return urls
  }

  /** Ends the input; the last URLs are taken after this. */
  end(): Omit<Sitemap, 'urls'> {
    this.#finishText()
    this.#finishContainer()
    const unclosed = this.#open.length > 0
    return { kind: this.#kind, sitemaps: this.#sitemaps, truncated: this.full || unclosed }
  }

  #openTag({ name: tagName, attributes, empty }: OpenTag): void {
    const element = elementOf(tagName)
    const { name, prefix } = element
    if (this.#kind === 'none') this.#kind = KINDS.get(name) ?? 'none'
    if (this.#isContainer(name)) this.#closeTag(element)
    const parent = this.#open.at(-1)
    if (parent?.prefix === prefix && this.#isContainer(parent.name)) {
      if (parent.name === 'entry' && name === 'link') this.#atomLink(attributes)
      else if (!empty) this.#startText(`${parent.name}/${name}`, attributes)
    }
    // Text ends at the next tag, closed or not.
    const hasContent = !empty && this.#reading === null
    if (hasContent && this.#open.length < MAX_DEPTH) this.#open.push(element)
  }

  #closeTag({ prefix, name }: Element): void {
    const at = this.#open.findLastIndex((open) => open.name === name && open.prefix === prefix)
    if (at < 0) return
    this.#open.length = at
    if (this.#isContainer(name)) this.#finishContainer()
  }

  #isContainer(name: string): boolean {
    return (this.#kind === 'feed' ? FEED_CONTAINERS : MAP_CONTAINERS).has(name)
  }

  #startText(place: string, attributes: string): void {
    const isLink = place === 'item/guid' && attributeOf(attributes, 'ispermalink') !== 'false'
    if (LOCATIONS.has(place) || DATES.has(place) || isLink) this.#reading = place
  }

  #finishText(): void {
    const place = this.#reading
    if (place === null) return
    const text = this.#text
    this.#reading = null
    this.#text = ''
    if (place === 'item/guid') this.#permalink = text
    else if (DATES.has(place)) this.#takeDate(text.trim())
    else this.#takeLocation(text, place === 'sitemap/loc')
  }

  #finishContainer(): void {
    if (this.#entry === null && this.#permalink !== null) this.#takeLocation(this.#permalink, false)
    this.#entry = null
    this.#date = undefined
    this.#permalink = null
  }

  #atomLink(attributes: string): void {
    const rel = attributeOf(attributes, 'rel') ?? 'alternate'
    const href = attributeOf(attributes, 'href')
    if (rel === 'alternate' && href !== null) this.#takeLocation(href, false)
  }

  #takeLocation(href: string, isSitemap: boolean): void {
    const url = this.#resolve(href)
    if (url === null) return
    if (this.#found >= this.#maxUrls) {
      this.full = true
      return
    }
    this.#found += 1
    this.#entry = this.#date === undefined ? { url } : { url, lastModified: this.#date }
    if (isSitemap) this.#sitemaps.push(url)
    else this.#urls.push(this.#entry)
  }

  #takeDate(text: string): void {
    const moment = DATE.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(moment)) return
    this.#date = moment
    if (this.#entry !== null) this.#entry.lastModified = moment
  }
}

function elementOf(tagName: string): Element {
  const colon = tagName.indexOf(':')
  return colon < 0
    ? { prefix: '', name: tagName }
    : { prefix: tagName.slice(0, colon), name: tagName.slice(colon + 1) }
}

/** The content of a sitemap or feed. */
export type SitemapUrl = {
  readonly url: CanonicalUrl
  /** Epoch ms; absent when the sitemap gives no valid date. */
  readonly lastModified?: number
}

export type Sitemap = {
  /** `none`: none of these, such as an HTML page in its place. */
  readonly kind: 'urls' | 'index' | 'feed' | 'text' | 'none'
  readonly urls: readonly SitemapUrl[]
  readonly sitemaps: readonly CanonicalUrl[]
  /** There was more: a limit was reached, or the file was cut short. */
  readonly truncated: boolean
}
