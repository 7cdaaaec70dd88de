// The language that an address names. Multilingual sites put its tag at one of a few positions: `/fr/`,
// `/pt-BR/`, `index.fr.html`, `index.html.fr`, `manual-fr.html`, `fr.example.org`, `?lang=fr`. Two letters
// anywhere else are no tag: `?id=3` is a number, `.fr` a country, and `search.pl` a program.

import { LANGUAGE_CODES } from '../core/languages.ts'
import type { CanonicalUrl } from '../core/url.ts'

/** Longer paths are generated and have no words for people. */
const MAX_ADDRESS = 300
/** A tag, alone or with a country. */
const TAG = '([a-z]{2})(?:[-_][a-z]{2})?'
/** In path and query. */
const PLACES = [
  // A directory, or the whole name of a page.
  new RegExp(`/${TAG}(?=[/?.]|$)`, 'g'),
  // Before or after the ending of a page's name.
  new RegExp(`[^/?]\\.${TAG}\\.[a-z0-9]{2,5}(?=[?]|$)`, 'g'),
  new RegExp(`\\.html?\\.${TAG}(?=[?]|$)`, 'g'),
  new RegExp(`[?&](?:lang|language|locale|hl)=${TAG}(?=&|$)`, 'g'),
]
/** The last word of a page's name: often a word like others, "what-is-it". */
const LAST_WORD = new RegExp(`[^/?][_-]${TAG}(?:\\.[a-z0-9]{2,5})?(?=[?]|$)`, 'g')
const FIRST_LABEL = new RegExp(`//${TAG}\\.[^./]+\\.`, 'g')
const KNOWN: ReadonlySet<string> = new Set(LANGUAGE_CODES)

/**
 * A tag that the address names: a wanted one where there is one, else any; '' if the address names no
 * language that can be detected.
 */
export function languageInAddress(url: CanonicalUrl, wanted: readonly string[]): string {
  const address = url.slice(0, MAX_ADDRESS).toLowerCase()
  const path = address.slice(address.indexOf('/', address.indexOf('//') + 2))
  const tags = [...PLACES.flatMap((place) => tagsAt(place, path)), ...tagsAt(FIRST_LABEL, address)]
  const own = [...tags, ...tagsAt(LAST_WORD, path)].find((tag) => wanted.includes(tag))
  return own ?? tags[0] ?? ''
}

/** The words of an address without a tag. */
export function withoutTag(words: string, tag: string): string {
  return words.replace(new RegExp(`\\b${tag}\\b`, 'gi'), '')
}

function tagsAt(place: RegExp, text: string): string[] {
  const tags = Array.from(text.matchAll(place), ([, tag = '']) => tag)
  return tags.filter((tag) => KNOWN.has(tag))
}
