// The links of a page: collected as written, made absolute after the page (and its `<base>`) has
// been read. Each target is kept once, with its first anchor text. Links that are not to pages
// (`mailto:` and the like) are only counted.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import { AddressBudget, type LinkResolver } from './link-resolver.ts'

/** Per page; hostile pages have millions. */
const MAX_LINKS = 10_000
/** Also counts different spellings of the same target. */
const MAX_WRITTEN = 2 * MAX_LINKS
/** For all targets; a tenth of it is usual for that many links. */
const MAX_CHARACTERS = 4 << 20

/** A row of the `links` part: target, anchor text, rel, and the words around the link if any. */
export type LinkRow = readonly [CanonicalUrl, anchor: string, rel: string, context?: string]

export type ResolvedLinks = { readonly rows: readonly LinkRow[]; readonly found: readonly Found[] }

/** Number of links that are not to pages, by scheme; `invalid`: not a URL. */
export type OtherLinks = Readonly<Partial<Record<OtherKind, number>>>
const OTHER_KINDS = ['javascript', 'mailto', 'tel', 'data', 'other', 'invalid'] as const
type OtherKind = (typeof OTHER_KINDS)[number]

/** A scheme other than http and https; spaces may precede it, as in any URL. */
const OTHER_SCHEME = /^[\0-\x20]*(?!https?:)([a-z][a-z0-9+.-]*):/i

/** A row while words may still be added to it. */
type OpenRow = [url: CanonicalUrl, anchor: string, rel: string, context?: string]

export class LinkList {
  readonly #places = new Map<string, number>()
  readonly #hrefs: string[] = []
  readonly #anchors: string[] = []
  readonly #contexts: string[] = []
  readonly #rels: string[] = []
  readonly #nofollows: boolean[] = []
  readonly #others = new Map<OtherKind, number>()
  #cut = false

  /** Adds a link as written; returns its index, -1 when it is not kept. */
  add(href: string, rel: string, nofollow: boolean): number {
    const key = withoutFragment(href)
    const known = this.#places.get(key)
    if (known !== undefined) {
      // One link without nofollow is enough.
      if (!nofollow) this.#nofollows[known] = false
      return known
    }
    if (this.#isOther(href)) return -1
    const place = this.#hrefs.length
    if (place >= MAX_WRITTEN) {
      this.#cut = true
      return -1
    }
    this.#places.set(key, place)
    this.#hrefs.push(key)
    this.#anchors.push('')
    this.#contexts.push('')
    this.#rels.push(rel)
    this.#nofollows.push(nofollow)
    return place
  }

  /** The page had more links than the limit; known after resolve(). */
  get cut(): boolean {
    return this.#cut
  }

  /** Links that are not to pages; null without any. Known after resolve(). */
  get others(): OtherLinks | null {
    if (this.#others.size === 0) return null
    const counts: Partial<Record<OtherKind, number>> = {}
    for (const kind of OTHER_KINDS) {
      const count = this.#others.get(kind)
      if (count !== undefined) counts[kind] = count
    }
    return counts
  }

  lacksAnchor(place: number): boolean {
    return this.#anchors[place] === ''
  }

  setAnchor(place: number, anchor: string): void {
    this.#anchors[place] = anchor
  }

  lacksContext(place: number): boolean {
    return this.#contexts[place] === ''
  }

  setContext(place: number, context: string): void {
    this.#contexts[place] = context
  }

  /** The distinct targets except the page itself. `nofollow` applies to all of them. */
  resolve(
    resolver: LinkResolver,
    page: CanonicalUrl,
    nofollow: boolean,
    hash: UrlHasher,
  ): ResolvedLinks {
    const rows: OpenRow[] = []
    const found: { -readonly [Key in keyof Found]: Found[Key] }[] = []
    const places = new Map<string, number>([[page, -1]])
    const room = new AddressBudget(MAX_CHARACTERS)
    for (let at = 0; at < this.#hrefs.length; at++) {
      const url = resolver.page(this.#hrefs[at] ?? '')
      if (url === null) {
        this.#count('invalid')
        continue
      }
      const anchor = this.#anchors[at] ?? ''
      const context = this.#contexts[at] ?? ''
      const linkNofollow = nofollow || (this.#nofollows[at] ?? false)
      const place = places.get(url)
      if (place === undefined) {
        if (rows.length >= MAX_LINKS || !room.take(url)) {
          this.#cut = true
          break
        }
        places.set(url, rows.length)
        const rel = this.#rels[at] ?? ''
        rows.push(context === '' ? [url, anchor, rel] : [url, anchor, rel, context])
        const link = { url, hash: hash(url), nofollow: linkNofollow, signals: null }
        found.push(rel === REFRESH ? { ...link, refresh: true } : link)
        continue
      }
      const row = rows[place]
      const link = found[place]
      if (row === undefined || link === undefined) continue
      if (row[1] === '') row[1] = anchor
      if (row.length === 3 && context !== '') row.push(context)
      link.nofollow &&= linkNofollow
    }
    return { rows, found }
  }

  /** Counts a link that is not to a page. */
  #isOther(href: string): boolean {
    // Most links have no colon, or one after `http`.
    if (href.startsWith('http') || !href.includes(':')) return false
    const scheme = OTHER_SCHEME.exec(href)?.[1]?.toLowerCase()
    if (scheme === undefined) return false
    this.#count(OTHER_KINDS.find((kind) => kind === scheme) ?? 'other')
    return true
  }

  #count(kind: OtherKind): void {
    this.#others.set(kind, (this.#others.get(kind) ?? 0) + 1)
  }
}

/** Spaces before a fragment belong to the URL, but spaces at its end do not: such a href stays whole. */
function withoutFragment(href: string): string {
  const at = href.indexOf('#')
  if (at < 0 || (at > 0 && href.charCodeAt(at - 1) <= 32)) return href
  return href.slice(0, at)
}

type Refresh = {
  readonly delaySeconds: number
  /** Not resolved; '' means the page itself. */
  readonly href: string
}

const DELAY = /^[\t\n\f\r ]*(?:(\d+)|(?=\.))[\d.]*/
const SEPARATOR = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/
const URL_PREFIX = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i

/**
 * Parses the `content` of `<meta http-equiv=refresh>` by the standard's shared declarative refresh steps;
 * null when it is invalid.
 */
export function parseRefresh(content: string): Refresh | null {
  const delay = DELAY.exec(content)
  if (delay === null) return null
  const rest = content.slice(delay[0].length)
  if (rest !== '' && !/^[\t\n\f\r ;,]/.test(rest)) return null
  const delaySeconds = Number(delay[1] ?? 0)
  const target = rest.replace(SEPARATOR, '')
  return { delaySeconds, href: hrefOf(target) }
}

function hrefOf(target: string): string {
  const bare = target.replace(URL_PREFIX, '')
  const quote = bare[0]
  if (quote !== '"' && quote !== "'") return bare
  const end = bare.indexOf(quote, 1)
  return end < 0 ? bare.slice(1) : bare.slice(1, end)
}

/** The rel given to the link of a refresh. */
export const REFRESH = 'refresh'
/** A refresh is a link only if it happens soon: a later one just reloads the page. */
export const MAX_REFRESH_SECONDS = 100
