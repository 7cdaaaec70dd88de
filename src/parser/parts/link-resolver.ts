// Makes links absolute. Most are simple: a path below the page's own folder or origin, or a URL in
// canonical spelling. These need no URL parser. All others go to `canonicalise`, and a test checks
// that both give the same results.
import {
  type CanonicalUrl,
  canonicalise,
  MAX_URL_LENGTH,
  type UrlIdentity,
} from '../../core/url.ts'

/** Only characters that no URL parser changes; no scheme, no escapes, no fragment. */
const PLAIN = /^[A-Za-z0-9\-_.~!$&()*+,;=@/?]*$/
const PLAIN_ABSOLUTE = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9\-_.~!$&()*+,;=@/?]*)?$/
/** Frequent, and never a page. */
const NO_PAGE = /^(?:javascript|mailto|tel|data|whatsapp|sms):/i
const MAX_KEPT_ORIGINS = 4096
const DOT = 46
const SLASH = 47
const QUESTION = 63
const LETTER_H = 104

export class LinkResolver {
  readonly #identity: UrlIdentity
  #base = ''
  #origin = ''
  /** Up to and including the last slash of the path. */
  #folder = ''
  /** The base without its query. */
  #document = ''
  /** Origins of absolute links on all pages so far, and whether they are in canonical spelling. */
  readonly #origins = new Map<string, boolean>()
  /** The last origin looked up: links of one origin come in rows. */
  #lastOrigin = ''
  #lastIsSpelt = false

  constructor(identity: UrlIdentity = (url) => url) {
    this.#identity = identity
  }

  rebase(base: CanonicalUrl): void {
    const pathAt = base.indexOf('/', base.indexOf('//') + 2)
    const queryAt = base.indexOf('?', pathAt)
    this.#base = base
    this.#origin = base.slice(0, pathAt)
    this.#document = queryAt < 0 ? base : base.slice(0, queryAt)
    this.#folder = this.#document.slice(0, this.#document.lastIndexOf('/') + 1)
  }

  /** The page a link leads to, in the crawl's canonical form. */
  page(href: string): CanonicalUrl | null {
    const url = this.resolve(href)
    return url === null ? null : this.#identity(url)
  }

  /** The same as `canonicalise(href, base)`. */
  resolve(href: string): CanonicalUrl | null {
    if (href.length > MAX_URL_LENGTH) return null
    const quick = this.#quick(href)
    if (quick !== null) return quick
    return NO_PAGE.test(href) ? null : canonicalise(href, this.#base)
  }

  /** Null when the URL parser is needed. */
  #quick(href: string): CanonicalUrl | null {
    const first = href.charCodeAt(0)
    if (first === LETTER_H && PLAIN_ABSOLUTE.test(href)) return this.#absolute(href)
    if (href === '' || !PLAIN.test(href) || href.startsWith('//')) return null
    if (first === DOT) return this.#upwards(href)
    if (href.includes('/.')) return null
    if (first === SLASH) return fitting(this.#origin + href)
    if (first === QUESTION) return fitting(this.#document + href)
    return fitting(this.#folder + href)
  }

  #absolute(href: string): CanonicalUrl | null {
    if (href.includes('/.')) return null
    const found = href.indexOf('/', 8)
    const pathAt = found < 0 ? href.length : found
    if (pathAt !== this.#lastOrigin.length || !href.startsWith(this.#lastOrigin)) {
      this.#lastOrigin = href.slice(0, pathAt)
      this.#lastIsSpelt = this.#isSpelt(this.#lastOrigin)
    }
    if (!this.#lastIsSpelt) return null
    return fitting(found < 0 ? `${href}/` : href)
  }

  #isSpelt(origin: string): boolean {
    const known = this.#origins.get(origin)
    if (known !== undefined) return known
    if (this.#origins.size >= MAX_KEPT_ORIGINS) this.#origins.clear()
    const isSpelt = canonicalise(origin) === `${origin}/`
    // A substring keeps its whole string alive, here a page, so a copy is kept.
    this.#origins.set(Buffer.from(origin, 'latin1').toString('latin1'), isSpelt)
    return isSpelt
  }

  /** `./x`, `../x`, `../../x`. */
  #upwards(path: string): CanonicalUrl | null {
    let folder = this.#folder
    let rest = path.startsWith('./') ? path.slice(2) : path
    while (rest.startsWith('../')) {
      rest = rest.slice(3)
      const parent = folder.lastIndexOf('/', folder.length - 2) + 1
      if (parent > this.#origin.length) folder = folder.slice(0, parent)
    }
    const isPlain = rest !== '' && !rest.startsWith('.') && !rest.startsWith('/')
    return isPlain && !rest.includes('/.') ? fitting(folder + rest) : null
  }
}

function fitting(written: string): CanonicalUrl | null {
  const url = written.indexOf('?') === written.length - 1 ? written.slice(0, -1) : written
  return url.length > MAX_URL_LENGTH ? null : (url as CanonicalUrl)
}

export type Cells = readonly (string | number | null)[]

/**
 * The row without the nulls at its end, but with at least `atLeast` cells: a page has hundreds of rows,
 * which are arrays. `partColumns` of export/columns.ts names the cells.
 */
export function trimNulls(row: Cells, atLeast: number): Cells {
  let length = row.length
  while (length > atLeast && row[length - 1] === null) length--
  return length === row.length ? row : row.slice(0, length)
}

/** Per part of a page, in characters: after a long `<base>` even short addresses are long. */
const MAX_ADDRESSES = 1 << 20

/** The remaining room for addresses in a part. */
export class AddressBudget {
  #left: number

  constructor(characters = MAX_ADDRESSES) {
    this.#left = characters
  }

  /** Takes room for an address; false when there is not enough. */
  take(address: string | null): boolean {
    if (address !== null) this.#left -= address.length
    return this.#left >= 0
  }
}
