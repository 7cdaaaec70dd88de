// The language that an address names. Multilingual sites put its tag at one of a few positions: `/fr/`,
// `/pt-BR/`, `index.fr.html`, `manual-fr.html`, `fr.example.org`, `?lang=fr`. Two letters anywhere else are
// no tag: `?id=3` is a number, and `.fr` a country.

import { LANGUAGE_CODES } from '../core/languages.ts'
import type { CanonicalUrl } from '../core/url.ts'

/** Longer paths are generated and have no words for people. */
const MAX_ADDRESS = 300
/** A tag, alone or with a country. */
const TAG = '([a-z]{2})(?:[-_][a-z]{2})?'
/** In path and query, the most reliable first. */
const PLACES = [
  // A directory, or the whole name of a page.
  new RegExp(`/${TAG}(?=[/?.]|$)`),
  // The end of a page's name.
  new RegExp(`[^/?][._-]${TAG}(?:\\.[a-z0-9]{2,5})?(?=[?]|$)`),
  new RegExp(`[?&](?:lang|language|locale|hl)=${TAG}(?=&|$)`),
]
const FIRST_LABEL = new RegExp(`//${TAG}\\.[^./]+\\.`)
const KNOWN: ReadonlySet<string> = new Set(LANGUAGE_CODES)

/** The tag; '' if the address names no language that can be detected. */
export function languageInAddress(url: CanonicalUrl): string {
  const address = url.slice(0, MAX_ADDRESS).toLowerCase()
  const path = address.slice(address.indexOf('/', address.indexOf('//') + 2))
  for (const place of PLACES) {
    const tag = place.exec(path)?.[1]
    if (tag !== undefined && KNOWN.has(tag)) return tag
  }
  const label = FIRST_LABEL.exec(address)?.[1]
  return label !== undefined && KNOWN.has(label) ? label : ''
}
