// The links of one page: gathered as they are written, made absolute when the page (and with it
// its `<base>`) has been read. Each target counts once, under its first anchor text. What leads to
// no page (`mailto:` and the like) is only counted.
import type { Found } from '../../core/link.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { UrlHasher } from '../../lib/url-hash.ts'
import { AddressRoom, type LinkResolver } from './link-resolver.ts'

/** Of one page; HOSTILE pages have millions. */
export const MAX_LINKS = 10_000
/** Different spellings of the same target count only here. */
const MAX_WRITTEN = 2 * MAX_LINKS
/** Of all targets; a tenth of it is usual for as many links. */
const MAX_CHARACTERS = 4 << 20

/** A row of the `links` part: target, anchor text, rel, and the words around the link if any. */
export type LinkRow = readonly [CanonicalUrl, anchor: string, rel: string, context?: string]

export type ResolvedLinks = { readonly rows: readonly LinkRow[]; readonly found: readonly Found[] }

/** How many links of a page lead to no page, by scheme; `invalid`: written so that no URL comes out. */
export type OtherLinks = Readonly<Partial<Record<OtherKind, number>>>
const OTHER_KINDS = ['javascript', 'mailto', 'tel', 'data', 'other', 'invalid'] as const
export type OtherKind = (typeof OTHER_KINDS)[number]

/** A scheme other than http and https; blanks may stand before it, as in any URL. */
const OTHER_SCHEME = /^[\0-\x20]*(?!https?:)([a-z][a-z0-9+.-]*):/i

type Target = { readonly url: CanonicalUrl; anchor: string; rel: string; context: string }

export class LinkList {
  readonly #places = new Map<string, number>()
  readonly #hrefs: string[] = []
  readonly #anchors: string[] = []
  readonly #contexts: string[] = []
  readonly #rels: string[] = []
  readonly #nofollows: boolean[] = []
  readonly #others = new Map<OtherKind, number>()
  #cut = false

  /** Adds a link as written; says under which place it is kept, -1 when it is not. */
  add(href: string, rel: string, nofollow: boolean): number {
    const key = withoutFragment(href)
    const known = this.#places.get(key)
    if (known !== undefined) {
      // One link that may be followed is enough.
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

  /** The page had more links than are kept of one; known once they are resolved. */
  get cut(): boolean {
    return this.#cut
  }

  /** What leads to no page; null when everything does. Known once links are resolved. */
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

  /** The targets, each once, never the page itself. `nofollow` holds for all of them. */
  resolve(
    resolver: LinkResolver,
    page: CanonicalUrl,
    nofollow: boolean,
    hash: UrlHasher,
  ): ResolvedLinks {
    const targets: Target[] = []
    const found: { -readonly [Key in keyof Found]: Found[Key] }[] = []
    const places = new Map<string, number>([[page, -1]])
    const room = new AddressRoom(MAX_CHARACTERS)
    for (const [at, href] of this.#hrefs.entries()) {
      const url = resolver.page(href)
      if (url === null) {
        this.#count('invalid')
        continue
      }
      const anchor = this.#anchors[at] ?? ''
      const context = this.#contexts[at] ?? ''
      const linkNofollow = nofollow || (this.#nofollows[at] ?? false)
      const place = places.get(url)
      if (place === undefined) {
        if (targets.length >= MAX_LINKS || !room.take(url)) {
          this.#cut = true
          break
        }
        places.set(url, targets.length)
        targets.push({ url, anchor, rel: this.#rels[at] ?? '', context })
        const refresh = this.#rels[at] === REFRESH
        found.push({
          ...{ url, hash: hash(url), nofollow: linkNofollow, signals: null },
          ...(refresh ? { refresh } : {}),
        })
        continue
      }
      const target = targets[place]
      const link = found[place]
      if (target === undefined || link === undefined) continue
      if (target.anchor === '') target.anchor = anchor
      if (target.context === '') target.context = context
      link.nofollow &&= linkNofollow
    }
    return { rows: targets.map(rowOf), found }
  }

  /** Counts a link that leads to no page. */
  #isOther(href: string): boolean {
    // Most links have no colon, or one behind `http`.
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

function rowOf({ url, anchor, rel, context }: Target): LinkRow {
  return context === '' ? [url, anchor, rel] : [url, anchor, rel, context]
}

/** Blanks before a fragment belong to the URL, at its end they do not: such a href stays whole. */
function withoutFragment(href: string): string {
  const at = href.indexOf('#')
  if (at < 0 || (at > 0 && href.charCodeAt(at - 1) <= 32)) return href
  return href.slice(0, at)
}

// `<meta http-equiv=refresh>`: the standard's shared declarative refresh steps.

type Refresh = {
  readonly delaySeconds: number
  /** Not resolved; '' means the page itself. */
  readonly href: string
}

const DELAY = /^[\t\n\f\r ]*(?:(\d+)|(?=\.))[\d.]*/
const SEPARATOR = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/
const URL_PREFIX = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i

/** Reads the `content` of a refresh; null when it is none. */
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

/** The rel of such a link, which has none of its own. */
export const REFRESH = 'refresh'
/** A refresh is a link only if it leads there soon: a later one just keeps a page up to date. */
export const MAX_REFRESH_SECONDS = 100
