// The links of one page: gathered as they are written, made absolute when the page (and with it
// its `<base>`) has been read. Each target counts once, under its first anchor text.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import type { LinkResolver } from './link-resolver.ts'

/** Of one page; HOSTILE pages have millions. */
export const MAX_LINKS = 10_000
/** Different spellings of the same target, and targets that are no pages, count only here. */
const MAX_WRITTEN = 2 * MAX_LINKS

/** A row of the `links` part: target, anchor text, rel. */
export type LinkRow = readonly [CanonicalUrl, string, string]

export type ResolvedLinks = { readonly rows: readonly LinkRow[]; readonly found: readonly Found[] }

export class LinkList {
  readonly #places = new Map<string, number>()
  readonly #hrefs: string[] = []
  readonly #anchors: string[] = []
  readonly #rels: string[] = []
  readonly #nofollows: boolean[] = []

  /** Adds a link as written; says under which place it is kept, -1 when the page has too many. */
  add(href: string, rel: string, nofollow: boolean): number {
    const key = withoutFragment(href)
    const known = this.#places.get(key)
    if (known !== undefined) {
      // One link that may be followed is enough.
      if (!nofollow) this.#nofollows[known] = false
      return known
    }
    const place = this.#hrefs.length
    if (place >= MAX_WRITTEN) return -1
    this.#places.set(key, place)
    this.#hrefs.push(key)
    this.#anchors.push('')
    this.#rels.push(rel)
    this.#nofollows.push(nofollow)
    return place
  }

  lacksAnchor(place: number): boolean {
    return this.#anchors[place] === ''
  }

  setAnchor(place: number, anchor: string): void {
    this.#anchors[place] = anchor
  }

  /** The targets, each once, never the page itself. `nofollow` holds for all of them. */
  resolve(
    resolver: LinkResolver,
    page: CanonicalUrl,
    nofollow: boolean,
    hash: UrlHasher,
  ): ResolvedLinks {
    const rows: [CanonicalUrl, string, string][] = []
    const found: { -readonly [Key in keyof Found]: Found[Key] }[] = []
    const places = new Map<string, number>([[page, -1]])
    for (const [at, href] of this.#hrefs.entries()) {
      const url = resolver.resolve(href)
      if (url === null) continue
      const anchor = this.#anchors[at] ?? ''
      const linkNofollow = nofollow || (this.#nofollows[at] ?? false)
      const place = places.get(url)
      if (place === undefined) {
        if (rows.length >= MAX_LINKS) break
        places.set(url, rows.length)
        rows.push([url, anchor, this.#rels[at] ?? ''])
        found.push({ url, hash: hash(url), nofollow: linkNofollow, signals: null })
        continue
      }
      const row = rows[place]
      const link = found[place]
      if (row === undefined || link === undefined) continue
      if (row[1] === '') row[1] = anchor
      link.nofollow &&= linkNofollow
    }
    return { rows, found }
  }
}

/** Blanks before a fragment belong to the URL, at its end they do not: such a href stays whole. */
function withoutFragment(href: string): string {
  const at = href.indexOf('#')
  if (at < 0 || (at > 0 && href.charCodeAt(at - 1) <= 32)) return href
  return href.slice(0, at)
}
