// Links made absolute. Most are plain paths below the page's own origin; for these the answer is a
// concatenation, a tenth of the cost of the URL parser. Whatever is not obviously plain goes to
// `canonicalise`, and a test holds the two to the same answers.
import { type CanonicalUrl, canonicalise, MAX_URL_LENGTH } from '../core/url.ts'

/** Only characters no URL parser changes; no scheme, no escapes, no fragment. */
const PLAIN = /^[A-Za-z0-9\-_.~!$&()*+,;=@/?]*$/

export class LinkResolver {
  readonly #base: string
  readonly #origin: string
  /** Up to and with the last slash of the path. */
  readonly #folder: string
  /** The base without its query. */
  readonly #document: string

  constructor(base: CanonicalUrl) {
    this.#base = base
    const pathAt = base.indexOf('/', base.indexOf('//') + 2)
    const queryAt = base.indexOf('?', pathAt)
    this.#origin = base.slice(0, pathAt)
    this.#document = queryAt < 0 ? base : base.slice(0, queryAt)
    this.#folder = this.#document.slice(0, this.#document.lastIndexOf('/') + 1)
  }

  /** What `canonicalise(href, base)` says. */
  resolve(href: string): CanonicalUrl | null {
    return this.#quick(href) ?? canonicalise(href, this.#base)
  }

  /** Null when the URL parser has to look. */
  #quick(href: string): CanonicalUrl | null {
    const origin = this.#origin
    const path =
      href.startsWith(origin) && href.charCodeAt(origin.length) === 47
        ? href.slice(origin.length)
        : href
    if (path === '' || path.startsWith('//') || !PLAIN.test(path)) return null
    const first = path.charCodeAt(0)
    if (first === 46) return this.#upwards(path)
    if (path.includes('/.')) return null
    if (first === 47) return fitting(origin + path)
    if (first === 63) return fitting(this.#document + path)
    return fitting(this.#folder + path)
  }

  /** `./x`, `../x`, `../../x`. */
  #upwards(path: string): CanonicalUrl | null {
    let folder = this.#folder
    let rest = path
    if (rest.startsWith('./')) rest = rest.slice(2)
    while (rest.startsWith('../')) {
      rest = rest.slice(3)
      const parent = folder.lastIndexOf('/', folder.length - 2) + 1
      if (parent > this.#origin.length) folder = folder.slice(0, parent)
    }
    if (rest === '' || rest.startsWith('.') || rest.includes('/.') || rest.startsWith('/')) {
      return null
    }
    return fitting(folder + rest)
  }
}

function fitting(url: string): CanonicalUrl | null {
  return url.length > MAX_URL_LENGTH ? null : (url as CanonicalUrl)
}
